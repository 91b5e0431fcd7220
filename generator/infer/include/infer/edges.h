#pragma once

#include <functional>
#include <optional>
#include <set>

#include "expression/typed.h"
#include "layout/layout.h"

// How layouts go through an expression: from its operands to its result, and from its result to its operands.
namespace pallasgen {

// The layout of a value that an expression uses (LocalUse::id); null: unknown. A window whose start depends on
// variables of `unrolled` loops (Symbol::id) is known in each iteration.
struct LayoutOf {
  std::function<std::optional<ValueLayout>(int value)> of;
  std::set<int> unrolled = {};
  std::optional<ValueLayout> operator()(int value) const { return of(value); }
};
// Asks for the layout of a value at the place `use`; null: everywhere in the statement.
using RequestLayout = std::function<void(int value, const ValueLayout& layout, const TypedPtr& use)>;
// Reports a part of an expression that is computed where its operand is, a reduction or a window, and the layout that
// is wanted for it.
using Computed = std::function<void(const TypedPtr& part, const ValueLayout& wanted)>;

// The column that an index takes of each row of its whole operand, as `x[:, 3]` does; nothing for other indices.
std::optional<int64_t> picked_column(const Apply& apply);

// The layout of an operand of this shape that NumPy's rules broadcast to a result of layout `result`.
std::optional<ValueLayout> operand_of_broadcast(const ValueLayout& result, const std::vector<int64_t>& shape);
// The layout in which an expression's result is computed without moving anything; null if its operands do not determine
// it. For a reduction, it is the layout after all holders of a part have the result.
std::optional<ValueLayout> result_layout(const TypedPtr& expr, const LayoutOf& layouts);
// Calls `ask` with the layout that each value must have for the result to be computed in `layout`. The result does not
// determine the layouts of operands of reductions and windows: `ask` gets those in which they are known, and `computed`
// the reduction or window.
void request_operand_layouts(
    const TypedPtr& expr, const ValueLayout& layout, const LayoutOf& layouts, const RequestLayout& ask,
    const Computed& computed = [](const TypedPtr&, const ValueLayout&) {});

}  // namespace pallasgen
