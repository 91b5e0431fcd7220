#include "partial.h"

#include <algorithm>

#include "expression/index_map.h"
#include "layout/derive.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

bool uses(const TypedPtr& expr, tile::ValueId value) {
  bool found = false;
  walk(expr, [&](const Typed& node) {
    const auto* use = node.as<LocalUse>();
    found = found || (use && use->id == value.index);
  });
  return found;
}

// True if each element is this number.
bool is_number(const TypedPtr& expr, int wanted) {
  if (const auto* constant = expr->as<Constant>()) {
    const auto* real = std::get_if<double>(&constant->value);
    const auto* integer = std::get_if<int64_t>(&constant->value);
    return (real && *real == wanted) || (integer && *integer == wanted);
  }
  const Apply* apply = expr->as<Apply>();
  return apply && (apply->op == Op::cast || index_map(*expr)) && is_number(apply->args[0], wanted);
}

bool is_constant(const TypedPtr& expr) {
  if (expr->as<Constant>()) return true;
  const Apply* apply = expr->as<Apply>();
  return apply && (apply->op == Op::cast || index_map(*expr)) && is_constant(apply->args[0]);
}

// True if each part may start as `expr`: at zero for a sum, at one for a product, at any constant for the others.
bool can_start_as(const PartsOf& parts, const TypedPtr& expr) {
  if (parts.reduction == Op::sum) return is_number(expr, 0);
  return parts.reduction == Op::prod ? is_number(expr, 1) : is_constant(expr);
}

// Finds the parts in which an expression is a sum, product, maximum or minimum with the value itself as one term.
class Update {
 public:
  Update(tile::ValueId value, const LayoutOf& layouts, Op reduction)
      : value_(value), layouts_(layouts), reduction_(reduction) {}

  std::optional<PartsOf> parts(const TypedPtr& expr) {
    if (!is_in_parts(expr) || terms_ != 1 || !parts_ || !is_partial(*parts_)) return std::nullopt;
    return PartsOf{*parts_, reduction_};
  }

 private:
  bool is_in_parts(const TypedPtr& expr) {
    if (const auto* use = expr->as<LocalUse>(); use && use->id == value_.index) {
      ++terms_;
      return true;
    }
    const Apply* apply = expr->as<Apply>();
    if (!apply) return false;
    if (apply->op == combining(reduction_))
      return apply->args[0]->shape == apply->args[1]->shape && is_in_parts(apply->args[0]) &&
             is_in_parts(apply->args[1]);
    if (apply->op == Op::multiply && reduction_ == Op::sum) {
      const bool first = uses(apply->args[0], value_);
      const TypedPtr &sum = apply->args[first ? 0 : 1], &factor = apply->args[first ? 1 : 0];
      return uses(sum, value_) && !uses(factor, value_) && sum->shape == expr->shape && is_in_parts(sum);
    }
    if (apply->op != reduction_ || apply->attributes.axes.size() != 1 || apply->attributes.keepdims) return false;
    if (uses(apply->args[0], value_) || !reduces_rows(*apply)) return false;
    const auto operand = result_layout(apply->args[0], layouts_);
    const auto folded = operand ? folded_layout(*operand, static_cast<int>(apply->attributes.axes[0])) : std::nullopt;
    if (!folded || (parts_ && !(*parts_ == *folded))) return false;
    parts_ = folded;
    return true;
  }

  // True if the reduction goes along rows; the order of sums of column parts would depend on the number of threads.
  static bool reduces_rows(const Apply& reduction) {
    const Shape& shape = reduction.args[0]->shape;
    return std::all_of(shape.begin() + reduction.attributes.axes[0] + 1, shape.end(),
                       [](int64_t size) { return size == 1; });
  }

  tile::ValueId value_;
  const LayoutOf& layouts_;
  const Op reduction_;
  std::optional<ValueLayout> parts_;
  int terms_ = 0;
};

std::optional<PartsOf> parts_of_update(const TypedPtr& expr, tile::ValueId value, const LayoutOf& layouts) {
  for (const Op reduction : {Op::sum, Op::prod, Op::max, Op::min}) {
    if (const std::optional<PartsOf> parts = Update(value, layouts, reduction).parts(expr)) return parts;
  }
  return std::nullopt;
}

// The only statement of a loop that defines or uses the value; null if there are several.
const tile::Statement* only_statement(const tile::Program& program, const tile::For& loop, tile::ValueId value) {
  std::vector<const tile::Statement*> found;
  tile::for_each_statement(loop.body, [&](const tile::Statement& statement) {
    bool mentions = false;
    tile::for_each_expression(statement, [&](const TypedPtr& expr) { mentions = mentions || uses(expr, value); });
    if (tile::blocks_of(statement).empty()) {
      const tile::Touched touched = tile::touched(program, statement);
      mentions = mentions || touched.reads.contains(value.index) || touched.defines.contains(value.index);
    }
    if (mentions) found.push_back(&statement);
  });
  return found.size() == 1 ? found[0] : nullptr;
}

// True if parts may start from every other definition of the value. A definition that adds to it in the same parts,
// such as a step before its loop, is added to `updates`.
bool starts_in_parts(const tile::Program& program, const tile::Role& role, tile::ValueId value, const LayoutOf& layouts,
                     const PartsOf& parts, std::set<const tile::Statement*>& updates) {
  bool all = true;
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    if (updates.contains(&statement) || !tile::blocks_of(statement).empty()) return;
    if (!tile::touched(program, statement).defines.contains(value.index)) return;
    const auto* assign = statement.as<tile::Assign>();
    if (assign && (!assign->expr || can_start_as(parts, assign->expr))) return;
    const auto made = assign ? parts_of_update(assign->expr, value, layouts) : std::nullopt;
    if (made && *made == parts)
      updates.insert(&statement);
    else
      all = false;
  });
  return all;
}

}  // namespace

PartialSums partial_sums(const tile::Program& program, const tile::Role& role, const LayoutOf& layouts) {
  std::map<tile::ValueId, std::vector<const tile::For*>> loops;
  std::set<int> asked;  // by conditions of while loops, before which no whole value could be made
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    if (statement.as<tile::While>()) asked.merge(tile::used_by(statement));
    const auto* loop = statement.as<tile::For>();
    if (!loop) return;
    for (tile::ValueId value : loop->carry) loops[value].push_back(loop);
  });
  PartialSums sums;
  for (const auto& [value, carried] : loops) {
    const auto has = layouts(value.index);
    if (!has || asked.count(value.index) > 0) continue;
    const DTypeInfo& dtype = info(program.value(value).dtype);
    // All loops that update the value must have the same parts.
    std::optional<PartsOf> parts;
    std::set<const tile::Statement*> updates;
    bool same = true;
    for (const tile::For* loop : carried) {
      const tile::Statement* update = only_statement(program, *loop, value);
      const auto* assign = update ? update->as<tile::Assign>() : nullptr;
      const auto made = assign && assign->expr ? parts_of_update(assign->expr, value, layouts) : std::nullopt;
      same = same && made && (!parts || *parts == *made);
      if (!same) break;
      parts = made;
      updates.insert(update);
    }
    // Each step, and the final sum, would round the parts.
    const bool rounds = parts && (parts->reduction == Op::sum || parts->reduction == Op::prod);
    if (rounds && dtype.is_float && dtype.bits < 32) continue;
    if (!same || !(full_layout(parts->layout) == *has) ||
        !starts_in_parts(program, role, value, layouts, *parts, updates))
      continue;
    sums.parts.emplace(value, *parts);
    sums.updates.insert(updates.begin(), updates.end());
  }
  return sums;
}

}  // namespace pallasgen
