#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "copies_in_place.h"
#include "first_turns.h"
#include "forms.h"
#include "instructions.h"
#include "leaf_forms.h"
#include "plan/passes.h"
#include "reductions.h"
#include "rows.h"
#include "staged_stores.h"
#include "steps_fill.h"
#include "tile/walk.h"
#include "tile_body.h"

namespace pallasgen {

namespace missing_kinds {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Assign, tile::Block, tile::Box, tile::For, tile::ForTiles, tile::Get, tile::If, tile::Path, tile::PathKind,
    tile::Program, tile::Put, tile::Read, tile::Role, tile::Statement, tile::Sync, tile::WaitCopies, tile::Write;

constexpr int64_t kWarpsOfGroup = 4, kLanes = 32;

std::string kind_of(const Statement& statement) {
  static constexpr const char* kNames[] = {
      "an assignment",
      "a read",
      "a dot",
      "a write",
      "a put",
      "a get",
      "a commit",
      "a wait",
      "a meeting",
      "an advance",
      "a wait",
      "bytes",
      "a fill",
      "a wait",
      "a release",
      "a fence",
      "a wait",
      "a wait",
      "a block",
      "a fetch",
      "a flush",
      "a loop over tiles",
      "a loop",
      "a while",
      "a branch",
      "a store",
      "an atomic update",
      "a grid sync",
      "a print",
      "an assertion",
  };
  static_assert(std::size(kNames) == std::variant_size_v<decltype(Statement::node)>);
  return kNames[statement.node.index()];
}

// A window that is all of its operand, with new dims between, or one element of a dim that has no other.
bool is_whole(const Apply& slice) {
  const Shape& from = slice.args[0]->shape;
  size_t dim = 0;
  for (const IndexItem& item : slice.attributes.items) {
    if (std::holds_alternative<IndexNewAxis>(item)) continue;
    const auto* range = std::get_if<IndexSlice>(&item);
    const auto* at = std::get_if<IndexInteger>(&item);
    if (dim >= from.size()) return false;
    if (range && (range->step != 1 || range->size != from[dim] || constant_value(range->start) != 0)) return false;
    if (at && (from[dim] != 1 || constant_value(at->value) != 0)) return false;
    if (!range && !at) return false;
    ++dim;
  }
  return dim == from.size();
}

class Finder {
 public:
  Finder(const Program& program, const Role& role)
      : program_(program),
        role_(role),
        forms_(program, role),
        several_(program.roles.size() > 1 && role.warps > kWarpsOfGroup) {
    for_each_statement(role.body, [&](const Statement& statement) {
      const auto* dot = statement.as<tile::Dot>();
      if (dot && !dot->family.empty() && info(program.value(dot->value).dtype).bits == 16)
        packed_.insert(dot->value.index);
    });
  }

  std::string in(const Block& block) const {
    for (const Statement& statement : block) {
      if (steps_fill(program_, statement)) continue;
      if (const auto staged = staged_store(program_, statement)) {
        if (std::string found = of_staged(*staged); !found.empty()) return found;
        continue;
      }
      if (std::string found = of(statement); !found.empty()) return found;
      const ForTiles* tiles = statement.as<ForTiles>();
      const std::vector<const Block*> below = tiles ? std::vector{&tile_body(program_, *tiles)} : blocks_of(statement);
      for (const Block* inner : below) {
        if (std::string found = in(*inner); !found.empty()) return found;
      }
    }
    return {};
  }

 private:
  std::string of(const Statement& statement) const {
    if (touches_packed(statement)) return "an accumulator of 16 bits that threads read or set";
    if (const Read* read = statement.as<Read>()) return of_access(read->path, read->box, read->value);
    if (const Write* write = statement.as<Write>()) return of_write(*write);
    if (const For* loop = statement.as<For>()) return of_loop(*loop);
    if (const If* branch = statement.as<If>()) return of_condition(branch->condition);
    if (const Put* put = statement.as<Put>()) return of_put(*put);
    if (const tile::Dot* dot = statement.as<tile::Dot>()) return of_dot(*dot);
    if (statement.as<ForTiles>() || statement.as<Get>() || is_protocol(statement)) return {};
    if (const auto* print = statement.as<PrintStmt>()) return of_print(*print);
    const Assign* assign = statement.as<Assign>();
    if (!assign) return kind_of(statement);
    if (!assign->expr && is_accumulator(assign->value)) return {};
    if (program_.value(assign->value).dtype == DType::index) return of_index(assign->expr);
    const std::string of_target = of_value(assign->value);
    const auto* use = assign->expr ? assign->expr->as<LocalUse>() : nullptr;
    if (use && program_.value({use->id}).home == tile::Home::shared) {  // a load
      const bool one = of_target.empty() && forms_.of(assign->value)->kind == FormKind::scalar;
      return one ? "one element in shared memory" : of_target;
    }
    if (!of_target.empty() || !assign->expr) return of_target;
    const std::string of_values = of_expression(assign->expr);
    if (!of_values.empty()) return of_values;
    const std::string misplaced = misplaced_leaf(program_, forms_, *assign);
    return misplaced.empty() ? "" : fmt::format("the place of '{}'", misplaced);
  }

  // Whether threads take elements of an accumulator of which each register has two; staged stores may.
  bool touches_packed(const Statement& statement) const {
    const auto* assign = statement.as<Assign>();
    if (!statement.as<Write>() && !statement.as<PrintStmt>() && !(assign && assign->expr)) return false;
    std::set<int> values = tile::used_by(statement);
    if (assign) values.insert(assign->value.index);
    return std::any_of(values.begin(), values.end(), [&](int value) { return packed_.count(value) > 0; });
  }

  // Numbers that all threads hold.
  std::string of_print(const PrintStmt& print) const {
    for (const TypedPtr& arg : print.args) {
      if (std::string found = of_expression(arg); !found.empty()) return found;
      bool held = arg->shape.empty();
      walk(arg, [&](const Typed& node) {
        const auto* use = node.as<LocalUse>();
        const Apply* apply = node.as<Apply>();
        held = held && (!use || forms_.of(tile::ValueId{use->id})->kind == FormKind::scalar) &&
               (!apply || operation(apply->op).group != OpGroup::reduce);
      });
      if (!held) return "a print of what some threads hold";
    }
    return {};
  }

  bool is_accumulator(tile::ValueId id) const {
    const std::optional<Form> form = forms_.of(id);
    return form && form->kind == FormKind::matrix && forms_.by_instructions(*form);
  }

  // A dot by instructions whose operands are entries of channels of the producer, or A of registers.
  std::string of_dot(const tile::Dot& dot) const {
    if (dot.family.empty()) return "a dot";
    if (program_.declarations->pipeline.stages.value == 0) return "a dot without stages";
    const std::optional<MmaOperands> operands = mma_operands(role_, dot);
    if (!operands) return "an operand of a dot that threads make";
    for (const std::optional<tile::Entry>& entry : {operands->a, std::optional(operands->b)}) {
      if (!entry) continue;
      const tile::Channel& channel = program_.channel(entry->channel);
      if (channel.from == channel.to || !comes_by_tensor(*entry)) return "operands of a dot that no tensor copy brings";
      if (channel.moves.size() > 1) return "operands of a dot along several axes";
    }
    if (!operands->a) {
      if (info(program_.value(operands->in_registers).dtype).bits != 16) return "an operand in registers";
      const std::optional<Form> form = forms_.of(operands->in_registers);
      if (!form || form->kind != FormKind::matrix || !forms_.by_instructions(*form)) return "an operand in registers";
      if (dot.in_flight.value_or(0) > 0) return "an operand in registers under way";
    }
    if (starts_from_another(dot)) {
      if (packed_.count(dot.value.index)) return "an accumulator of 16 bits that threads read or set";
      if (std::string found = of_expression(dot.start); !found.empty()) return found;
      const std::string misplaced = misplaced_leaf(program_, forms_, {dot.value, dot.start});
      if (!misplaced.empty()) return fmt::format("the place of '{}'", misplaced);
    }
    if (!accumulation(dot) || !is_accumulator(dot.value)) return "a dot that begins anew";
    return of_limits(dot);
  }

  std::string of_staged(const StagedStore& staged) const {
    for (const Read* read : staged.reads) {
      const Shape& shape = program_.value(read->value).shape;
      if (shape.size() > 2 || (shape.size() == 2 && !read->box.dims.back().size)) return "a block beside chunks";
      if (std::string found = of_access(read->path, read->box, read->value); !found.empty()) return found;
    }
    for (const StagedStore::Part& part : staged.parts) {
      // What is stored may be rounded to 8 bits; nothing computes in them.
      const Apply* cast = &part == &staged.parts.back() ? part.value->applies(Op::cast) : nullptr;
      if (std::string found = of_expression(cast ? cast->args[0] : part.value); !found.empty()) return found;
      const std::string misplaced = misplaced_in_chunk(program_, forms_, part.assign->value, part.value);
      if (!misplaced.empty()) return fmt::format("the place of '{}'", misplaced);
    }
    return {};
  }

  bool comes_by_tensor(const tile::Entry& entry) const {
    bool all = true;
    for (const Role& role : program_.roles) {
      for_each_statement(role.body, [&](const Statement& statement) {
        const Put* put = statement.as<Put>();
        if (put && put->entry.channel == entry.channel) all = all && put->path.kind == PathKind::tensor;
      });
    }
    return all;
  }

  // The stores are as wide, and their loops take as many columns at once, as leave the accumulator its registers.
  std::string of_limits(const tile::Dot& dot) const {
    const Target& target = *find_target(program_.target);
    std::vector<int64_t> bytes, widths;
    for_each_statement(role_.body, [&](const Statement& statement) {
      const std::optional<StagedStore> staged = staged_store(program_, statement);
      // What is stored of another accumulator is of no concern to this one.
      if (!staged || program_.value({staged->accumulator}).shape != program_.value(dot.value).shape) return;
      bytes.push_back(info(program_.ref(staged->write->box.ref).dtype).bits / 8);
      widths.push_back(program_.value(staged->put->value).shape[1]);
    });
    const MatmulShape shape = shape_of(program_, role_, dot, bytes);
    if (matmul_problem(shape, target)) return "a dot beyond its limits";
    const MatmulEpilogue epilogue = matmul_epilogue(shape, target);
    for (size_t i = 0; i < bytes.size(); ++i) {
      const bool fits = store_columns(target, shape.bn, bytes[i], epilogue.span) == widths[i] &&
                        epilogue.chunk == StagedStores::chunk_of(widths[i]);
      if (!fits) return "a store in narrow chunks";
    }
    return {};
  }

  std::string of_access(const Path& path, const Box& box, tile::ValueId value) const {
    if (info(program_.ref(box.ref).dtype).bits < 8) return "elements of less than a byte";
    if (path.kind != PathKind::direct) return "a copy";
    const std::string of_held = of_value(value);
    if (!of_held.empty()) return of_held;
    const bool one = forms_.of(value)->kind == FormKind::scalar;
    const bool limited =
        std::any_of(box.dims.begin(), box.dims.end(), [](const auto& dim) { return dim.limit != nullptr; });
    return one && (limited || program_.ref(box.ref).reduce) ? "an access of one element" : "";
  }

  std::string of_write(const Write& write) const {
    const std::string found = of_access(write.path, write.box, write.value);
    const bool shared = found.empty() && several_ && forms_.of(write.value)->kind == FormKind::columns &&
                        forms_.by_instructions(*forms_.of(write.value));
    return shared ? "a vector that all warpgroups hold" : found;
  }

  std::string of_value(tile::ValueId id) const {
    const tile::Value& value = program_.value(id);
    if (value.home == tile::Home::shared) return "a value in shared memory";
    if (value.dtype == DType::index) return "an index that is a value";
    if (info(value.dtype).is_float && info(value.dtype).bits < 16) return "floats of less than 16 bits";
    const std::optional<Form> form = forms_.of(id);
    if (!form) return fmt::format("the layout of '{}'", value.name);
    return {};
  }

  // A copy by the threads of the role that reads it.
  std::string of_put(const Put& put) const {
    if (put.value) return "a value in a channel";
    const tile::Channel& channel = program_.channel(put.entry.channel);
    if (info(program_.ref(put.box.ref).dtype).bits < 8) return "elements of less than a byte";
    if (channel.from == channel.to && tile::is_by_unit(put.path.kind)) return "a copy by a unit";
    if (channel.slots.value_or(1) <= channel.delay) return "fewer slots than entries that are kept";
    return channel.from == channel.to || channel.delay <= 1 ? "" : "a delay of more than one step";
  }

  // Steps of an axis, or the copies of its first ones.
  std::string of_loop(const For& loop) const {
    if (loop.variable.kind != SymbolKind::axis) return are_first_turns(loop) ? "" : "a counted loop";
    if (constant_value(loop.step) != 1) return "some of the steps";
    const std::string first = of_index(loop.first);
    return first.empty() ? of_index(loop.last) : first;
  }

  // An index made of others, by names that stand for them.
  std::string of_index(const TypedPtr& index) const {
    bool known = index != nullptr;
    if (known) {
      walk(index, [&](const Typed& node) {
        const auto* use = node.as<LocalUse>();
        known = known && !node.as<RefRead>() && (!use || program_.value({use->id}).dtype == DType::index);
      });
    }
    return known ? "" : "an index that is made of values";
  }

  static std::string of_condition(const TypedPtr& condition) {
    bool reads = false;
    walk(condition, [&](const Typed& node) { reads = reads || node.as<LocalUse>() || node.as<RefRead>(); });
    return reads ? "a condition that reads values" : "";
  }

  std::string of_expression(const TypedPtr& expr) const {
    std::string found;
    walk(expr, [&](const Typed& node) {
      if (found.empty()) found = of_node(node);
    });
    return found;
  }

  std::string of_node(const Typed& node) const {
    if (info(node.dtype).is_float && info(node.dtype).bits < 16) return "floats of less than 16 bits";
    if (node.as<RefRead>()) return "a view";
    if (const auto* use = node.as<LocalUse>()) return of_value({use->id});
    const Symbol* symbol = node.as<Symbol>();
    if (symbol && symbol->kind == SymbolKind::ticket) return "a ticket";
    const Apply* apply = node.as<Apply>();
    if (!apply) return {};
    const std::string name(operation(apply->op).name);
    switch (operation(apply->op).group) {
      case OpGroup::elementwise:
      case OpGroup::cast:
      case OpGroup::scalars:
        return {};
      case OpGroup::reduce:
        if (crosses_groups(*apply)) return "rows of several warpgroups";
        return combination(apply->op) && forms_.operand_of(*apply) ? "" : fmt::format("'{}'", name);
      case OpGroup::shape:
        if (apply->op == Op::slice) return is_whole(*apply) ? "" : "a part of a value";
        for (const Op op : {Op::expand_dims, Op::squeeze, Op::broadcast_to, Op::full, Op::iota}) {
          if (apply->op == op) return {};
        }
        return fmt::format("'{}'", name);
      default:
        return fmt::format("'{}'", name);
    }
  }

  // Whether warps of several warpgroups share a row, which have no barrier of their own, or a column of a matrix whose
  // rows all of them take in turn.
  bool crosses_groups(const Apply& reduction) const {
    const std::optional<Form> form = forms_.operand_of(reduction);
    if (!several_ || !form) return false;
    return reduces_rows(reduction) ? forms_.matrix_of(*form)->lanes > kLanes : !forms_.by_instructions(*form);
  }

  const Program& program_;
  const Role& role_;
  Forms forms_;
  const bool several_;    // warpgroups
  std::set<int> packed_;  // accumulators of 16 bits
};

// What the spec asks for and no pass acts on.
std::string of_settings(const Program& program) {
  const Kernel& kernel = *program.declarations;
  if (!kernel.checks.empty()) return "checks";
  if (kernel.pipeline.compute_warpgroups.value && program.roles.size() == 1) return "pipeline.compute_warpgroups";
  if (kernel.pipeline.warp_specialized.value && program.roles.size() == 1) return "pipeline.warp_specialized";
  const bool placed = std::any_of(kernel.refs.begin(), kernel.refs.end(), [](const Ref& ref) {
    return ref.role == RefRole::scratch && ref.space_given && ref.space != MemorySpace::reg &&
           ref.space != MemorySpace::acc;
  });
  if (placed) return "scratch in a memory of its own";
  const bool stages = std::any_of(kernel.refs.begin(), kernel.refs.end(),
                                  [](const Ref& ref) { return ref.stages.value_or(0) > 0 || ref.automatic_stages; });
  const IntegerSetting& all = kernel.pipeline.stages;
  if ((stages || all.automatic || all.value.value_or(0) > 0) && program.channels.empty()) return "pipeline.stages";
  return {};
}

}  // namespace missing_kinds

std::string not_yet(const tile::Program& program) {
  using namespace missing_kinds;
  if (const std::string setting = of_settings(program); !setting.empty()) return setting;
  if (program.shortage) return "parts of blocks in turn";
  if (program.roles.size() > 2) return "more than two roles";
  if (program.roles.size() > 1 && !find_target(program.target)->tma) return "roles on a target without transactions";
  for (const Role& role : program.roles) {
    if (!copies_in_place(program, role)) return "a copy under a condition";
    const std::string found = Finder(program, role).in(role.body);
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace pallasgen
