#include "homes/lowering_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "expression/index_map.h"
#include "homes/operand_limits.h"
#include "infer/across.h"
#include "infer/fma.h"
#include "infer/infer.h"
#include "layout/derive.h"
#include "plan/rules.h"
#include "proofs/copy_proofs.h"
#include "proofs/reductions.h"
#include "questions/added_columns.h"
#include "questions/delegated_stores.h"
#include "questions/families.h"
#include "questions/first_turns.h"
#include "questions/forms.h"
#include "questions/instructions.h"
#include "questions/leaf_forms.h"
#include "questions/role_plans.h"
#include "questions/rows.h"
#include "questions/staged_store.h"
#include "questions/steps_fill.h"
#include "questions/tile_body.h"
#include "questions/uses.h"
#include "tile/parts.h"
#include "tile/walk.h"

namespace pallasgen {

namespace lowering_limits {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Assign, tile::Block, tile::Box, tile::For, tile::ForTiles, tile::Get, tile::If, tile::Path, tile::PathKind,
    tile::Program, tile::Put, tile::Read, tile::Role, tile::Statement, tile::Sync, tile::WaitCopies, tile::Write;

class Rules {
 public:
  Rules(const Program& program, const Role& role)
      : program_(program), role_(role), forms_(program, role), operands_(program, role, forms_) {
    for_each_statement(role.body, [&](const Statement& statement) {
      const auto* dot = dot_if(statement, &tile::Product::is_fragment);
      if (dot && info(program.value(dot->value).dtype).bits == 16) packed_.insert(dot->value.index);
    });
  }

  std::string why_not_lowered(const Statement& statement) const {
    if (steps_fill(program_, statement) && !goes_by_elements(program_, statement.as<If>()->then.front())) return {};
    if (const auto staged = staged_store(program_, statement)) return of_staged(*staged);
    if (stored_channel(program_, statement)) return {};
    if (puts_values(statement)) return "it is made of several matrices";
    if (goes_by_elements(program_, statement)) return {};
    if (const Read* read = statement.as<Read>()) return of_access(read->path, read->box, read->value);
    if (const Write* write = statement.as<Write>()) return of_write(*write);
    if (const For* loop = statement.as<For>()) return of_loop(*loop);
    if (const Put* put = statement.as<Put>()) return of_put(*put);
    if (const tile::Dot* dot = statement.as<tile::Dot>()) return of_dot(*dot);
    const bool around = statement.as<ForTiles>() || statement.as<If>() || statement.as<tile::While>();
    if (around || statement.as<Get>() || statement.as<tile::Prefetch>() || is_protocol(statement)) return {};
    if (const auto* print = statement.as<PrintStmt>()) return of_print(*print);
    return of_assign(*statement.as<Assign>());
  }

  bool is_held_by_all(tile::ValueId value) const {
    const std::optional<Form> form = forms_.of(value);
    return program_.value(value).dtype == DType::index || (form && form->kind == FormKind::scalar);
  }

 private:
  std::string of_assign(const Assign& assign) const {
    if (!assign.expr && is_accumulator(assign.value)) return {};
    if (program_.value(assign.value).dtype == DType::index) return of_index(assign.expr);
    if (assign.expr && assign.expr->as<LocalUse>() && forms_.is_move({assign.expr->as<LocalUse>()->id}, assign.value))
      return {};
    const std::string of_target = of_value(assign.value);
    if (tile::loaded_by(program_, assign) || tile::part_loaded_by(program_, assign)) return of_target;
    if (!of_target.empty() || !assign.expr) return of_target;
    const std::string of_values = of_expression(assign.expr);
    if (!of_values.empty()) return of_values;
    const std::string misplaced = misplaced_leaf(program_, forms_, assign);
    return misplaced.empty() ? "" : misplaced_text(misplaced);
  }

  // True if threads read or set elements of the value, other than in staged stores, which may even if a register holds
  // two.
  bool threads_touch(tile::ValueId value) const {
    bool found = false;
    const auto visit = [&](const auto& self, const Block& block) -> void {
      for (const Statement& statement : block) {
        if (puts_values(statement) || steps_fill(program_, statement)) continue;
        const auto* assign = statement.as<Assign>();
        if (statement.as<Write>() || statement.as<PrintStmt>() || (assign && assign->expr)) {
          found = found || tile::used_by(statement).count(value.index) > 0;
          found = found || (assign && assign->value == value);
        }
        for (const Block* inner : tile::blocks_of(statement)) self(self, *inner);
      }
    };
    visit(visit, role_.body);
    return found;
  }

  static std::string misplaced_text(const std::string& value) {
    return fmt::format("each thread has other elements of '{}' than of what is computed beside it", value);
  }

  // A print takes numbers that all threads hold.
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
      if (!held) return "a print takes numbers that all threads hold";
    }
    return {};
  }

  bool is_accumulator(tile::ValueId id) const {
    const std::optional<Form> form = forms_.of(id);
    return form && form->kind == FormKind::matrix && forms_.by_instructions(*form);
  }

  // A dot by instructions takes entries of a producer's channels as operands, or registers as A.
  std::string of_dot(const tile::Dot& dot) const {
    if (dot.by->has_blocks()) return of_blocks(dot);
    if (!dot.by->by_instructions()) return "no instruction takes the dot";
    if (packed_.count(dot.value.index) && threads_touch(dot.value)) return "threads read or set its sums of 16 bits";
    const std::optional<MmaOperands> operands = mma_operands(role_, dot);
    if (!operands) return "threads make an operand, and no channel brings it to the instructions";
    for (const std::optional<tile::Entry>& entry : {operands->a, std::optional(operands->b)}) {
      if (std::string found = entry ? operands_.why_not_lowered(*entry) : ""; !found.empty()) return found;
    }
    std::string beyond = beyond_limits(shape_of(program_, role_, dot), *find_target(program_.target));
    if (!beyond.empty()) return beyond;
    if (!operands->a) {
      if (info(program_.value(operands->in_registers).dtype).bits != 16)
        return "its operand in registers is not one that instructions take";
      const std::optional<Form> form = forms_.of(operands->in_registers);
      if (!form || form->kind != FormKind::matrix || !forms_.by_instructions(*form))
        return "its operand in registers is not one that instructions take";
      if (dot.in_flight.value_or(0) > 0) return "its operand in registers changes while it is under way";
    }
    if (starts_from_another(dot)) {
      if (packed_.count(dot.value.index)) return "threads set its sums of 16 bits";
      if (std::string found = of_expression(dot.start); !found.empty()) return found;
      const std::string misplaced = misplaced_leaf(program_, forms_, {dot.value, dot.start});
      if (!misplaced.empty()) return misplaced_text(misplaced);
    }
    if (!accumulation(dot) || !is_accumulator(dot.value)) return "a condition says in which steps it adds";
    return {};
  }

  // A dot by blocks of threads takes entries of channels or tiles as operands.
  std::string of_blocks(const tile::Dot& dot) const {
    const std::optional<Form> form = forms_.of(dot.value);
    if (!form || form->kind != FormKind::matrix || !forms_.matrix_of(*form)->is_of_blocks())
      return "its result lies in another layout than that of blocks";
    if (forms_.matrix_of(*form)->layout != fma_layout(dot, role_.threads()))
      return "its result lies in the blocks of another dot";
    for (const TypedPtr& operand : dot.product->as<Apply>()->args) {
      if (program_.value({operand->as<LocalUse>()->id}).home != tile::Home::shared)
        return "an operand is in no place that threads share";
    }
    if (!accumulation(dot) || dot.accumulate) return "a condition says in which steps it adds";
    if (!starts_from_another(dot)) return {};
    if (std::string found = of_expression(dot.start); !found.empty()) return found;
    const std::string misplaced = misplaced_leaf(program_, forms_, {dot.value, dot.start});
    return misplaced.empty() ? "" : misplaced_text(misplaced);
  }

  std::string of_staged(const StagedStore& staged) const {
    const int64_t most = find_target(program_.target)->max_box;
    const tile::ValueId made{staged.accumulators.front()};
    const std::optional<Form> lies = forms_.of(made);
    const bool across = lies && forms_.is_across(*lies);
    const int64_t groups = groups_apart(program_, role_), columns = program_.value(staged.put->value).shape[1];
    const int64_t rows = program_.value(made).shape[0] / (across ? 1 : groups);
    if (across && columns != program_.value(made).shape[1]) return "each warpgroup has columns of its own";
    if (rows > most) return fmt::format("a box of a tensor copy has at most {} of a warpgroup's {} rows", most, rows);
    for (int id : staged.accumulators) {
      if (!is_accumulator({id})) return "it is made of values that do not lie as the instructions' sums do";
    }
    for (const Read* read : staged.reads) {
      const Shape& shape = program_.value(read->value).shape;
      const bool beside = shape.size() == 1 || (shape.size() == 2 && shape[0] == program_.value(made).shape[0]);
      if (!beside || !read->box.dims.back().size)
        return "a block that is read beside it does not lie in chunks of columns";
      if (std::string found = of_access(read->path, read->box, read->value); !found.empty()) return found;
    }
    for (const StagedStore::Part& part : staged.parts) {
      // A stored value may be rounded to 8 bits; no computation uses such values.
      const Apply* cast = &part == &staged.parts.back() ? part.value->applies(Op::cast) : nullptr;
      if (std::string found = of_expression(cast ? cast->args[0] : part.value, true); !found.empty()) return found;
      const std::string misplaced = misplaced_in_chunk(program_, forms_, part.assign->value, part.value);
      if (!misplaced.empty()) return misplaced_text(misplaced);
    }
    return {};
  }

  std::string of_access(const Path& path, const Box& box, tile::ValueId value) const {
    if (path.kind != PathKind::direct) return "the block goes by other copies than loads and stores";
    if (std::string of_held = of_value(value); !of_held.empty()) return of_held;
    const bool one = forms_.of(value)->kind == FormKind::scalar;
    const bool limited = std::any_of(box.dims.begin(), box.dims.end(), [](const auto& dim) { return dim.limit; });
    return one && (limited || program_.ref(box.ref).reduce) ? "its one element has a bound, or is combined with memory"
                                                            : "";
  }

  std::string of_write(const Write& write) const {
    const bool checked = program_.declarations->checks_for("nan");
    if (checked && info(program_.ref(write.box.ref).dtype).is_float) return "a check asks each element that is stored";
    if (adds_neighbours(program_, role_, forms_, write))
      return "one thread would add neighbouring elements, each by an atomic addition";
    return of_access(write.path, write.box, write.value);
  }

  std::string of_value(tile::ValueId id) const {
    const tile::Value& value = program_.value(id);
    if (value.home == tile::Home::shared) return fmt::format("'{}' lies in shared memory", value.name);
    if (value.dtype == DType::index) return fmt::format("'{}' is an index", value.name);
    const std::optional<Form> form = forms_.of(id);
    if (!form) return fmt::format("no layout in registers is known of '{}'", value.name);
    return {};
  }

  std::string of_put(const Put& put) const {
    if (put.value) return operands_.is_computed_operand(put.entry.channel) ? "" : "a value goes through a channel";
    const tile::Channel& channel = program_.channel(put.entry.channel);
    const bool halves = is_packed(program_.ref(put.box.ref).dtype);
    if (halves && !tile::is_by_unit(put.path.kind) && put.path.vector < 2) return "its elements share bytes";
    if (channel.from == channel.to && tile::is_by_unit(put.path.kind))
      return "a unit copies it, and there is no producer";
    if (channel.slots.value_or(1) <= channel.delay) return "its ring has fewer slots than entries that are kept";
    return channel.from == channel.to || channel.delay <= 1 ? "" : "its entries are kept for more than one step";
  }

  // A loop is over steps of an axis, or makes the copies of its first steps.
  std::string of_loop(const For& loop) const {
    if (loop.variable.kind != SymbolKind::axis || are_first_turns(loop)) return {};
    if (constant_value(loop.step) != 1) return "the loop takes some of the steps";
    const std::string first = of_index(loop.first);
    return first.empty() ? of_index(loop.last) : first;
  }

  // An index may use other indices, by name.
  std::string of_index(const TypedPtr& index) const {
    bool known = index != nullptr;
    if (known) {
      walk(index, [&](const Typed& node) {
        const auto* use = node.as<LocalUse>();
        known = known && !node.as<RefRead>() && (!use || program_.value({use->id}).dtype == DType::index);
      });
    }
    return known ? "" : "an index is made of values";
  }

  // `chunk`: the expression is of a chunk of columns, which reads no vectors in place.
  std::string of_expression(const TypedPtr& expr, bool chunk = false) const {
    std::string found;
    std::set<const LocalUse*> in_place;
    walk(expr, [&](const Typed& node) {
      const LocalUse* vector = chunk ? nullptr : column_vector(node);
      if (vector && operands_.is_vector({vector->id})) in_place.insert(vector);
    });
    walk(expr, [&](const Typed& node) {
      const bool transposed = !chunk && is_transposed_in_place(node);
      if (found.empty() && !transposed && in_place.count(node.as<LocalUse>()) == 0) found = of_node(node);
    });
    return found;
  }

  static bool has_many(const Apply& element) {
    return std::any_of(element.args.begin(), element.args.end(),
                       [](const TypedPtr& arg) { return !arg->shape.empty(); });
  }

  static bool is_short_float(DType dtype) { return info(dtype).is_float && info(dtype).bits < 16; }

  std::string of_node(const Typed& node) const {
    if (node.as<RefRead>()) return "it reads a view of global memory";
    if (const auto* use = node.as<LocalUse>()) return of_value({use->id});
    const Symbol* symbol = node.as<Symbol>();
    if (symbol && symbol->kind == SymbolKind::ticket) return "it asks for the ticket";
    const Apply* apply = node.as<Apply>();
    if (!apply) return {};
    const std::string name(operation(apply->op).name);
    if (apply->op == Op::element && program_.declarations->checks_for("oob") && has_many(*apply))
      return fmt::format("a check asks an index of '{}' for each element", apply->attributes.name);
    switch (operation(apply->op).group) {
      case OpGroup::elementwise:
      case OpGroup::cast:
      case OpGroup::scalars:
      case OpGroup::random:
        return {};
      case OpGroup::reduce:
        if (is_short_float(node.dtype) || is_short_float(apply->args[0]->dtype))
          return "it reduces floats of fewer than 16 bits";
        if (std::string found = of_strategy(*apply, node.dtype); !found.empty()) return found;
        return (combination(apply->op) || is_position(apply->op)) && forms_.operand_of(*apply)
                   ? ""
                   : fmt::format("no loop over registers has '{}'", name);
      case OpGroup::shape:
        if (picked_column(*apply) && forms_.operand_of(*apply)) return {};
        // Threads past the end of a block would read an array of scalars outside through a reshape.
        if (const auto map = index_map(node);
            apply->op != Op::reshape && (map ? map->is_in_order() && map->takes_all() : apply->args.empty()))
          return {};
        return apply->op == Op::slice ? "it takes a part of a value"
                                      : fmt::format("no loop over registers has '{}'", name);
      default:
        return apply->op == Op::dot ? "a dot stands inside an expression"
                                    : fmt::format("no loop over registers has '{}'", name);
    }
  }

  // True if the node is a transpose and it or its operand has the layout of instructions' sums, or its operand's
  // elements lie across: each thread then has the same elements of both.
  bool is_transposed_in_place(const Typed& node) const {
    const TypedPtr operand = permuted_operand(node);
    if (!operand || node.shape.size() != 2) return false;
    const std::optional<ValueLayout> layout = forms_.layout_of(operand);
    const auto lies_so = [&](const Shape& shape, const std::optional<ValueLayout>& of) {
      const std::optional<Form> form = of ? forms_.of(shape, &*of) : std::nullopt;
      return form && form->kind == FormKind::matrix && forms_.by_instructions(*form);
    };
    return layout && (lies_across(*layout) || lies_so(operand->shape, layout) ||
                      lies_so(node.shape, transpose_layout(*layout, {1, 0})));
  }

  // `schedule.reduction` sets how threads combine a result that they share, but not which elements are combined. If
  // each warpgroup has its own columns, there is only one way. Threads that add up floats down columns, each its own
  // rows, would do so in an order that depends on the number of threads, which a setting may change.
  std::string of_strategy(const Apply& reduction, DType dtype) const {
    const std::string& way = program_.declarations->schedule.reduction.word;
    const std::optional<Form> form = forms_.operand_of(reduction);
    if (!form || (way != "neighbours" && way != "halves")) return {};
    if (forms_.is_across(*form) && !is_scan(reduction.op))
      return "`schedule.reduction` puts together what threads have of a row, of which warpgroups have columns each";
    const std::optional<Op> op = combination(reduction.op);
    const bool rounds = info(dtype).is_float && (op == Op::sum || op == Op::prod);
    return rounds && !reduces_rows(reduction) && !forms_.by_instructions(*form)
               ? "the number of threads would decide the order of a sum of columns"
               : "";
  }

  const Program& program_;
  const Role& role_;
  Forms forms_;
  const OperandLimits operands_;
  std::set<int> packed_;  // accumulators of 16 bits
};

}  // namespace lowering_limits

LoweringLimits::LoweringLimits(const tile::Program& program, const tile::Role& role)
    : rules_(std::make_shared<const lowering_limits::Rules>(program, role)) {}

std::string LoweringLimits::why_not_lowered(const tile::Statement& statement) const {
  return rules_->why_not_lowered(statement);
}

bool LoweringLimits::is_held_by_all(tile::ValueId value) const { return rules_->is_held_by_all(value); }

bool check_lowered(Draft& draft, const tile::Program& program) {
  const int before = draft.diagnostics.errors();
  for (const tile::Role& role : program.roles) {
    const LoweringLimits limits(program, role);
    const auto visit = [&](const auto& self, const tile::Block& block) -> void {
      for (const tile::Statement& statement : block) {
        const std::string missing = limits.why_not_lowered(statement);
        if (!missing.empty()) draft.refuse(kPlanBody, statement.span, "this is not planned yet: " + missing);
        if (steps_fill(program, statement) || is_staged_store(program, statement)) continue;
        const auto* tiles = statement.as<tile::ForTiles>();
        if (tiles) {
          self(self, tile_body(program, *tiles));
          continue;
        }
        for (const tile::Block* inner : tile::blocks_of(statement)) self(self, *inner);
      }
    };
    visit(visit, role.body);
  }
  return draft.diagnostics.errors() == before;
}

}  // namespace pallasgen
