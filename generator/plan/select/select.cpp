#include "select/select.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <set>
#include <vector>

#include "plan/words.h"
#include "proofs/copy_proofs.h"
#include "questions/dot_limits.h"
#include "questions/families.h"
#include "questions/instructions.h"
#include "select/batches.h"
#include "select/dot_remedies.h"
#include "select/named_dots.h"
#include "select/operand_copies.h"
#include "select/reshaped_reads.h"
#include "select/rounded_operands.h"
#include "select/window_reads.h"
#include "tile/loop_facts.h"
#include "tile/walk.h"

namespace pallasgen {

namespace select {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Assign, tile::Block, tile::Box, tile::Dot, tile::Fetch, tile::Flush, tile::For, tile::Home, tile::If,
    tile::Path, tile::PathKind, tile::Program, tile::Read, tile::Role, tile::Statement, tile::Touched, tile::Value,
    tile::ValueId, tile::Write;

constexpr int64_t kLeastAsync = 4;  // bytes of one cp.async (PTX ISA 8.6, cp.async)

class Select {
 public:
  Select(const Program& program, const Target& target)
      : program_(program), target_(target), facts_(tile::facts_with_loops(program)) {}

  Program run() {
    unroll_batches(program_, target_);
    name_dots(program_, target_);
    read_reshaped(program_, target_);
    read_windows(program_, target_);
    round_operands(program_, target_);
    for (Role& role : program_.roles) choose_families(role.body);
    for (const Role& role : program_.roles) note_sources(role.body);
    for (const int block : blocks_of_parts(program_)) value({block}).home = Home::shared;
    copy_computed_operands(program_, computed_operands_);
    for (Role& role : program_.roles) choose_paths(role.body, walks_by_tiles(role));
    copy_alike();
    return std::move(program_);
  }

 private:
  void choose_families(Block& block);
  std::string_view family_of(const Statement& statement, const Dot& dot);
  void place_operands(const Dot& dot);
  void accumulate_apart(const Statement& statement, Block& out);

  // Notes which values are only read from arrays, which are computed, and which come from dots by instructions.
  void note_sources(const Block& block);

  // True if a producer's copies can only run ahead by tiles, because no step of the role's program reads a block.
  bool walks_by_tiles(const Role& role) const {
    bool steps = false;
    for_each_statement(role.body, [&](const Statement& statement) {
      const For* loop = statement.as<For>();
      if (!loop || loop->variable.kind != SymbolKind::axis) return;
      for_each_statement(loop->body, [&](const Statement& inner) {
        const Read* read = inner.as<Read>();
        steps = steps || (read && is_copied(*read));
      });
    });
    return !steps && program_.declarations->pipeline.warp_specialized.value;
  }
  // True if copies may bring the block of an input to shared memory.
  bool is_copied(const Read& read) const {
    const Ref& ref = program_.ref(read.box.ref);
    // A view may be read at any part.
    const bool fits = !is_view(ref) && (!is_packed(ref.dtype) || has_whole_bytes(read.box));
    return ref.role == RefRole::input && fits && !tile::given_up(program_, tile::ChoiceKind::copies, read.box.ref);
  }
  bool has_whole_bytes(const Box& box) const {
    std::string why;
    return direct_path(box, why).vector > 1;
  }
  bool stores_slices(const Ref& ref) const;
  const Value& value(ValueId id) const { return program_.value(id); }
  void choose_paths(Block& block, bool in_steps);
  void copy_alike();
  bool is_swizzled(const Read& read) const {
    return operands_.count(read.value.index) > 0 || swizzled_.count(read.value.index) > 0;
  }
  Path path_of(const Box& box, bool shared, bool swizzled, bool units, bool stores = false);
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
    const bool open = pipeline.warp_specialized.value && !pipeline.stages.value;
    return open || pipeline.stages.value.value_or(0) > 0 || pipeline.stages.automatic;
  }

  Program program_;
  const Target& target_;
  SymbolFacts facts_;
  std::set<int> operands_;                    // values that instructions read
  std::set<int> of_threads_;                  // values that threads multiply
  std::set<int> swizzled_;                    // those of them that lie swizzled in shared memory
  std::set<int> computed_operands_;           // operands of instructions that threads make
  std::set<int> from_instructions_;           // values made from results of instructions
  std::map<int, std::vector<Read*>> copied_;  // by value: the reads that bring it to shared memory
};

// The choice for a dot that no instruction multiplies.
FamilyChoice without_row(std::string why) {
  FamilyChoice choice;
  choice.obstacle = std::move(why);
  return choice;
}

// The name of the dot's row, of instructions or of threads; empty if it goes by loops.
std::string_view Select::family_of(const Statement& statement, const Dot& dot) {
  const std::string subject = "dot " + value(dot.value).name;
  const Apply& product = *dot.product->as<Apply>();
  FamilyChoice choice =
      choose_family(target_, product, value(dot.value).dtype, program_.declarations->approximate_math);
  if (const auto* known = tile::given_up(program_, tile::ChoiceKind::instructions, dot))
    choice = without_row(known->why);
  if (!choice.row && is_of_matrices(product)) give_up_instructions(program_, dot, choice);
  const std::string words = statement.origin.empty() ? to_string(dot.product) : statement.origin;
  if (choice.row) {
    decide(subject, std::string(choice.row->name), words);
    return choice.row->name;
  }
  FmaChoice blocks = choose_fma(target_, product, value(dot.value).dtype);
  if (const auto* known = tile::given_up(program_, tile::ChoiceKind::blocks, dot)) blocks = {nullptr, known->why};
  if (!blocks.row && tile::given_up(program_, tile::ChoiceKind::instructions, dot))
    tile::give_up(program_, tile::choice_of(tile::ChoiceKind::blocks, dot, blocks.obstacle));
  decide(subject, blocks.row ? std::string(blocks.row->name) : "loops",
         fmt::format("{}{}", choice.obstacle, blocks.row ? "" : "; " + blocks.obstacle));
  return blocks.row ? blocks.row->name : std::string_view();
}

void Select::place_operands(const Dot& dot) {
  const Apply& product = *dot.product->as<Apply>();
  std::set<int>& operands = dot.by->reads_tiles() ? of_threads_ : operands_;
  for (size_t i = 0; i < product.args.size(); ++i) {
    const int id = product.args[i]->as<LocalUse>()->id;
    operands.insert(id);
    if (dot.by->reads_tiles() && lies_swizzled(target_, product, i)) swizzled_.insert(id);
  }
  value(dot.value).home = Home::registers;
}

void Select::choose_families(Block& block) {
  Block out;
  for (Statement& statement : block) {
    for (Block* inner : blocks_of(statement)) choose_families(*inner);
    Dot* dot = statement.as<Dot>();
    if (dot) dot->family = family_of(statement, *dot);
    if (dot && !dot->family.empty()) {
      const MmaFamily* row = find_family(target_, dot->family);
      dot->by = tile::product_of(dot->family);
      place_operands(*dot);
      if (row && row->exact_terms > 0 && dot->start && !program_.declarations->approximate_math) {
        accumulate_apart(statement, out);
        continue;
      }
    }
    out.push_back(std::move(statement));
  }
  block = std::move(out);
}

// If instructions keep fewer bits of sums than the accumulator has, the dot starts anew and threads add up its sums.
void Select::accumulate_apart(const Statement& statement, Block& out) {
  Dot dot = *statement.as<Dot>();
  const ValueId sum = dot.value;
  const Value whole = value(sum);
  dot.value = add_value(program_, {whole.name + "_part", whole.dtype, whole.shape, Home::registers});
  const TypedPtr part = use(program_, dot.value, dot.product->span);
  const TypedPtr start = std::exchange(dot.start, nullptr);
  decide("sums of " + whole.name, "added by the threads", fmt::format("{} keeps fewer bits of them", dot.family));
  out.push_back({statement.span, "", std::move(dot)});
  out.push_back({statement.span, statement.origin,
                 Assign{sum, make_typed(part->span, part->dtype, part->shape, Apply{Op::add, {start, part}, {}})}});
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
      if (!dot->by->is_fragment()) return;
      from_instructions_.insert(dot->value.index);
      const auto& product = *dot->product->as<Apply>();
      if (const auto* stored = tile::given_up(program_, tile::ChoiceKind::register_operand, *dot))
        decide("operand a of " + value(dot->value).name, "through shared memory", stored->why);
      if (takes_a_from_registers(program_, *dot)) first_operands.insert(product.args[0]->as<LocalUse>()->id);
    }
  });
  // An operand that is only read from an array goes to shared memory; an A that the threads make stays in registers.
  for (int id : operands_) {
    const bool by_threads = made.count(id) && !read.count(id);
    if (by_threads) computed_operands_.insert(id);
    if (!by_threads) value({id}).home = Home::shared;
    if (by_threads && first_operands.count(id)) value({id}).home = Home::registers;
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

// The best path into shared memory, or to and from registers. `swizzled`: in the layout that matrix instructions read.
// `units`: copies by units, which one thread starts and which signal a barrier at the end, are allowed.
Path Select::path_of(const Box& box, bool shared, bool swizzled, bool units, bool stores) {
  const Ref& ref = program_.ref(box.ref);
  std::string why;
  Path path = direct_path(box, why);
  if (shared) {
    const Proof by_threads{false, "the threads that copy it use it"};
    const bool cleared = swizzled && !stores && program_.declarations->checks.empty();
    Proof tensor = units ? proved_tensor(ref, box, stores, facts_, target_, cleared) : by_threads;
    if (tensor.holds) {
      const int64_t row = box.dims.back().size.value_or(1) * info(ref.dtype).bits / 8;
      const Proof boxes = proved_boxes(ref, box, swizzled ? widest_swizzle(target_, row) : 0, target_);
      if (!boxes.holds) tensor = boxes;
    }
    const Proof run = swizzled || !units ? Proof{} : proved_run(ref, box, facts_, target_);
    if (tensor.holds) {
      path = {PathKind::tensor, 1};
      const bool ends = std::any_of(box.dims.begin(), box.dims.end(), [](const auto& dim) { return dim.limit; });
      why = tensor.why + (ends ? "; who reads the block clears its rows past the slice" : "");
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

// True if the body stores parts of the array of different sizes, while a tensor copy and its buffers have one size, or
// several slices of a view, which may share elements: two copies under way have no order.
bool Select::stores_slices(const Ref& ref) const {
  std::set<std::vector<std::optional<int64_t>>> sizes;
  int boxes = 0;
  for (const tile::Role& role : program_.roles) {
    tile::for_each_statement(role.body, [&](const Statement& statement) {
      const Write* write = statement.as<Write>();
      if (!write || &program_.ref(write->box.ref) != &ref) return;
      std::vector<std::optional<int64_t>> own;
      for (const tile::BoxDim& dim : write->box.dims) own.push_back(dim.size);
      sizes.insert(std::move(own));
      ++boxes;
    });
  }
  return sizes.size() > 1 || (is_view(ref) && boxes > 1);
}

// `in_steps`: the block is in a loop whose steps copies may run ahead of. Only a producer copies ahead the reads of a
// branch; threads that copy may not reach it.
void Select::choose_paths(Block& block, bool in_steps) {
  const bool producer = program_.declarations->pipeline.warp_specialized.value;
  for (Statement& statement : block) {
    const For* loop = statement.as<For>();
    const bool of_axis = loop && loop->variable.kind == SymbolKind::axis;
    const bool turns = (loop && !of_axis) || statement.as<tile::While>();
    const bool steps = of_axis || (in_steps && !turns && (producer || !statement.as<If>()));
    for (Block* inner : blocks_of(statement)) choose_paths(*inner, steps);
    if (Read* read = statement.as<Read>()) {
      const Ref& ref = program_.ref(read->box.ref);
      const bool copied = has_pipeline() || ref.stages || ref.automatic_stages || of_threads_.count(read->value.index);
      const bool staged = in_steps && copied && is_copied(*read);
      const bool shared = value(read->value).home == Home::shared || staged;
      if (shared) value(read->value).home = Home::shared;
      const bool kept = tile::given_up(program_, tile::ChoiceKind::copies, read->box.ref) != nullptr;
      read->path = path_of(read->box, shared, is_swizzled(*read), !kept && producer);
      if (shared) copied_[read->value.index].push_back(read);
    }
    if (Write* write = statement.as<Write>()) {
      // A result of matrix instructions has their layout: it is staged if a tensor copy can take it.
      const Ref& ref = program_.ref(write->box.ref);
      const bool checked = info(ref.dtype).is_float && program_.declarations->checks_for("nan");
      const std::vector<DType>& adds = target_.tensor_adds;
      const bool combines =
          !ref.reduce || (*ref.reduce == "add" && std::count(adds.begin(), adds.end(), ref.dtype) > 0);
      const auto* direct = tile::given_up(program_, tile::ChoiceKind::staging, write->box.ref);
      const bool staged = from_instructions_.count(write->value.index) && value(write->value).shape.size() > 1 &&
                          combines && !checked && !direct && !stores_slices(ref) &&
                          proved_tensor(ref, write->box, true, facts_, target_).holds;
      write->path = path_of(write->box, staged, true, true, true);
      if (direct) decide("store of " + ref.name, "from registers", direct->why);
    }
    if (Fetch* fetch = statement.as<Fetch>()) fetch->path = path_of(fetch->box, false, false, false);
    if (Flush* flush = statement.as<Flush>()) flush->path = path_of(flush->box, false, false, false);
  }
}

// All pieces of a cut loop fill the slots of a value in one way: by threads, if units cannot copy all of its boxes.
void Select::copy_alike() {
  for (const auto& [value, reads] : copied_) {
    const auto differs = [&](const Read* read) { return read->path.kind != reads.front()->path.kind; };
    if (std::none_of(reads.begin(), reads.end(), differs)) continue;
    Path weakest{PathKind::async, std::numeric_limits<int64_t>::max()};
    for (const Read* read : reads) {
      const Path path = path_of(read->box, true, is_swizzled(*read), false);
      weakest = {std::max(weakest.kind, path.kind), std::min(weakest.vector, path.vector)};
    }
    for (Read* read : reads) read->path = weakest;
  }
}

}  // namespace select

tile::Program select_instructions(const tile::Program& program, const Target& target) {
  return select::Select(program, target).run();
}

}  // namespace pallasgen
