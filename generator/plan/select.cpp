#include "select.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "copy_proofs.h"
#include "diagnostics/assert.h"
#include "draft.h"
#include "matmul_limits.h"
#include "tile/walk.h"

namespace pallasgen {

namespace select {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Assign, tile::Block, tile::Box, tile::Dot, tile::Fetch, tile::Flush, tile::For, tile::Home, tile::Path,
    tile::PathKind, tile::Program, tile::Read, tile::Role, tile::Statement, tile::Touched, tile::Value, tile::ValueId,
    tile::Write;

constexpr int64_t kLeastAsync = 4;  // bytes of one cp.async (PTX ISA 8.6, cp.async)

struct Operands {
  const Apply& product;
  int64_t m = 0, n = 0, k = 0;

  explicit Operands(const Dot& dot) : product(*dot.product->as<Apply>()) {
    const Shape &a = product.args[0]->shape, &b = product.args[1]->shape;
    if (a.size() != 2 || b.size() != 2) return;
    m = a[product.attributes.trans_a ? 1 : 0];
    k = a[product.attributes.trans_a ? 0 : 1];
    n = b[product.attributes.trans_b ? 0 : 1];
  }
};

class Select {
 public:
  Select(const Program& program, const Target& target)
      : program_(program), target_(target), facts_(program.declarations->facts()) {}

  Program run() {
    for (Role& role : program_.roles) bind_operands(role.body);
    for (Role& role : program_.roles) choose_families(role.body);
    for (const Role& role : program_.roles) note_sources(role.body);
    for (Role& role : program_.roles) choose_paths(role.body, walks_by_tiles(role));
    return std::move(program_);
  }

 private:
  // Operands of dots become values of their own.
  void bind_operands(Block& block);
  TypedPtr bound(const TypedPtr& operand, const std::string& name, const Statement& at, Block& before);

  void choose_families(Block& block);
  const MmaFamily* family_of(const Statement& statement, const Dot& dot);
  // Why a dot does not go by a row of the table; empty: it does.
  std::string obstacle(const MmaFamily& row, const Dot& dot) const;
  void place_operands(const Dot& dot);

  // What defines a value: reads alone, or more than that; whether a dot by instructions is among what it is made of.
  void note_sources(const Block& block);

  // Whether a producer's copies can run ahead by tiles alone: the program of each has no loop.
  bool walks_by_tiles(const Role& role) const {
    bool loops = false;
    for_each_statement(role.body, [&](const Statement& statement) {
      loops = loops || statement.as<For>() || statement.as<tile::While>();
    });
    return !loops && program_.declarations->pipeline.warp_specialized.value;
  }
  void choose_paths(Block& block, bool in_steps);
  Path path_of(const Box& box, bool shared, bool swizzled, bool units);
  Path direct_path(const Box& box, std::string& why) const;
  void decide(std::string subject, std::string choice, std::string reason) {
    for (const tile::Decision& known : program_.decisions) {
      if (known.subject == subject && known.choice == choice) return;
    }
    program_.decisions.push_back({std::move(subject), std::move(choice), std::move(reason)});
  }

  Value& value(ValueId id) { return program_.values[static_cast<size_t>(id.index)]; }
  bool has_pipeline() const {
    const PipelineSettings& pipeline = program_.declarations->pipeline;
    return pipeline.stages.value.value_or(0) > 0 || pipeline.stages.automatic;
  }

  Program program_;
  const Target& target_;
  SymbolFacts facts_;
  std::set<int> operands_;                                        // values that instructions read from shared memory
  std::set<int> from_instructions_;                               // values made of their results
  std::map<std::pair<std::string, std::string>, ValueId> bound_;  // operands by their names and texts
};

TypedPtr Select::bound(const TypedPtr& operand, const std::string& name, const Statement& at, Block& before) {
  if (operand->as<LocalUse>()) return operand;
  // In all pieces of a loop that guards cut, one operand is one value.
  const auto [known, added] = bound_.try_emplace({name, to_string(operand, TypedText::exact)});
  if (added) known->second = add_value(program_, {name, operand->dtype, operand->shape});
  before.push_back({at.span, "", Assign{known->second, operand}});
  return use(program_, known->second, operand->span);
}

void Select::bind_operands(Block& block) {
  Block out;
  for (Statement& statement : block) {
    for (Block* inner : blocks_of(statement)) bind_operands(*inner);
    if (Dot* dot = statement.as<Dot>()) {
      Apply product = *dot->product->as<Apply>();
      const std::string name = value(dot->value).name;
      product.args[0] = bound(product.args[0], name + "_a", statement, out);
      product.args[1] = bound(product.args[1], name + "_b", statement, out);
      dot->product = make_typed(dot->product->span, dot->product->dtype, dot->product->shape, std::move(product));
    }
    out.push_back(std::move(statement));
  }
  block = std::move(out);
}

std::string Select::obstacle(const MmaFamily& row, const Dot& dot) const {
  const Operands of(dot);
  const Apply& product = of.product;
  const DType a = product.args[0]->dtype, b = product.args[1]->dtype;
  const DType result = program_.value(dot.value).dtype;
  if (a != row.a || b != row.b || result != row.accumulator)
    return fmt::format("no instruction multiplies {} and {} with a result of {}", name_of(a), name_of(b),
                       name_of(result));
  if (of.m == 0) return "instructions multiply matrices of two dims";
  if (of.m % target_.mma_rows != 0)
    return fmt::format("it has {} rows, and an instruction has {}", of.m, target_.mma_rows);
  if (of.n % target_.mma_n_step != 0 || of.n > target_.mma_max_n)
    return fmt::format("it has {} columns, and instructions have a multiple of {} up to {}", of.n, target_.mma_n_step,
                       target_.mma_max_n);
  if (of.k % row.k != 0) return fmt::format("it contracts over {} elements, and an instruction over {}", of.k, row.k);
  const bool k_major = !product.attributes.trans_a && product.attributes.trans_b;
  if (!row.any_major && !k_major) return "its instructions take operands of which k is contiguous";
  return "";
}

const MmaFamily* Select::family_of(const Statement& statement, const Dot& dot) {
  const std::string subject = "dot " + value(dot.value).name;
  std::string why = fmt::format("{} has no table of matrix instructions", target_.name);
  bool of_dtypes = false;
  for (const MmaFamily& row : target_.families) {
    std::string obstacle = this->obstacle(row, dot);
    if (obstacle.empty()) {
      decide(subject, std::string(row.name), statement.origin);
      return &row;
    }
    const Apply& product = *dot.product->as<Apply>();
    const bool same = product.args[0]->dtype == row.a && product.args[1]->dtype == row.b;
    if (!of_dtypes) why = std::move(obstacle);
    of_dtypes = of_dtypes || same;
  }
  decide(subject, "loops", why);
  return nullptr;
}

void Select::place_operands(const Dot& dot) {
  const Apply& product = *dot.product->as<Apply>();
  for (const TypedPtr& operand : product.args) operands_.insert(operand->as<LocalUse>()->id);
  value(dot.value).home = Home::registers;
}

void Select::choose_families(Block& block) {
  for (Statement& statement : block) {
    for (Block* inner : blocks_of(statement)) choose_families(*inner);
    Dot* dot = statement.as<Dot>();
    if (!dot) continue;
    const MmaFamily* row = family_of(statement, *dot);
    if (!row) continue;
    dot->family = row->name;
    place_operands(*dot);
  }
}

void Select::note_sources(const Block& block) {
  std::set<int> read, made, first_operands;
  const auto all = [&](const std::function<void(const Statement&)>& visit) { for_each_statement(block, visit); };
  all([&](const Statement& statement) {
    if (const Read* from = statement.as<Read>()) read.insert(from->value.index);
    if (const Assign* assign = statement.as<Assign>()) {
      if (assign->expr) made.insert(assign->value.index);
    }
    if (const Dot* dot = statement.as<Dot>()) {
      made.insert(dot->value.index);
      if (dot->family.empty()) return;
      from_instructions_.insert(dot->value.index);
      if (!dot->product->as<Apply>()->attributes.trans_a)
        first_operands.insert(dot->product->as<Apply>()->args[0]->as<LocalUse>()->id);
    }
  });
  // What is only ever read from an array goes to shared memory; A that the threads make stays in their registers.
  for (int id : operands_) {
    const bool stays = made.count(id) && !read.count(id) && first_operands.count(id);
    value({id}).home = stays ? Home::registers : Home::shared;
  }
  for (size_t before = 0; before != from_instructions_.size();) {
    before = from_instructions_.size();
    all([&](const Statement& statement) {
      const Assign* assign = statement.as<Assign>();
      if (!assign || !assign->expr) return;
      Touched of = {};
      touch(program_, assign->expr, of);
      for (int id : of.reads) {
        if (from_instructions_.count(id)) from_instructions_.insert(assign->value.index);
      }
    });
  }
}

Path Select::direct_path(const Box& box, std::string& why) const {
  const Ref& ref = program_.ref(box.ref);
  Path path{PathKind::direct, 1};
  if (box.dims.empty() || !box.dims.back().size) {
    why = "its rows do not run along the rows of the block";
    return path;
  }
  if (box.dims.back().limit) {
    why = "a bounded slice ends anywhere";
    return path;
  }
  ProvedVector proved = proved_vector(ref, facts_, box.dims.back().first, *box.dims.back().size);
  path.vector = proved.elements;
  why = std::move(proved.why);
  return path;
}

// The best way into shared memory, or to and from registers. `swizzled`: as matrix instructions read it. `units`: also
// by units that one thread starts, and which tell of the end by barriers.
Path Select::path_of(const Box& box, bool shared, bool swizzled, bool units) {
  const Ref& ref = program_.ref(box.ref);
  std::string why;
  Path path = direct_path(box, why);
  if (shared) {
    const Proof by_threads{false, "the threads that copy it use it"};
    Proof tensor = units ? proved_tensor(ref, box, facts_, target_) : by_threads;
    if (tensor.holds) {
      const int64_t row = box.dims.back().size.value_or(1) * info(ref.dtype).bits / 8;
      const Proof boxes = proved_boxes(ref, box, swizzled ? widest_swizzle(target_, row) : 0, target_);
      if (!boxes.holds) tensor = boxes;
    }
    const Proof run = swizzled || !units ? Proof{} : proved_run(ref, box, facts_, target_);
    if (tensor.holds) {
      path = {PathKind::tensor, 1};
      why = tensor.why;
    } else if (run.holds) {
      path = {PathKind::bulk, 1};
      why = fmt::format("no tensor copies: {}; {}", tensor.why, run.why);
    } else if (bytes_of(ref.dtype, path.vector) >= kLeastAsync) {
      path.kind = PathKind::async;
      why = fmt::format("{}; {}", tensor.why, why);
    }
  }
  const std::string words = path.kind == PathKind::tensor ? "tensor copies"
                            : path.kind == PathKind::bulk ? "bulk copies"
                            : path.kind == PathKind::async
                                ? fmt::format("cp.async, {}", counted(path.vector, "element"))
                                : fmt::format("{} at a time", counted(path.vector, "element"));
  decide("copies of " + ref.name, words, why);
  return path;
}

void Select::choose_paths(Block& block, bool in_steps) {
  for (Statement& statement : block) {
    const For* loop = statement.as<For>();
    const bool steps = in_steps || (loop && loop->variable.kind == SymbolKind::axis);
    for (Block* inner : blocks_of(statement)) choose_paths(*inner, steps);
    if (Read* read = statement.as<Read>()) {
      const bool operand = operands_.count(read->value.index) > 0;
      const bool staged = program_.ref(read->box.ref).role == RefRole::input && in_steps &&
                          (has_pipeline() || program_.ref(read->box.ref).stages);
      const bool shared = value(read->value).home == Home::shared || staged;
      if (shared) value(read->value).home = Home::shared;
      const bool producer = program_.declarations->pipeline.warp_specialized.value;
      read->path = path_of(read->box, shared, operand, operand || producer);
    }
    if (Write* write = statement.as<Write>()) {
      // What the matrix instructions made lies in their layout: it is staged, where a tensor copy takes it.
      const bool staged = from_instructions_.count(write->value.index) && value(write->value).shape.size() > 1 &&
                          !program_.ref(write->box.ref).reduce &&
                          proved_tensor(program_.ref(write->box.ref), write->box, facts_, target_).holds;
      write->path = path_of(write->box, staged, true, true);
    }
    if (Fetch* fetch = statement.as<Fetch>()) fetch->path = path_of(fetch->box, false, false, false);
    if (Flush* flush = statement.as<Flush>()) flush->path = path_of(flush->box, false, false, false);
  }
}

}  // namespace select

tile::Program select_instructions(const tile::Program& program, const Target& target) {
  return select::Select(program, target).run();
}

}  // namespace pallasgen
