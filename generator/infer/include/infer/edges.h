#pragma once

#include <functional>
#include <optional>
#include <set>

#include "expression/typed.h"
#include "layout/layout.h"

// How layouts go through an expression: from its operands to its result, and from its result to its operands.
namespace pallasgen {

// The layout of a value that an expression uses (LocalUse::id); null: not known. A window that begins where variables
// of `unrolled` loops (Symbol::id) say is known turn by turn.
struct LayoutOf {
  std::function<std::optional<ValueLayout>(int value)> of;
  std::set<int> unrolled = {};
  std::optional<ValueLayout> operator()(int value) const { return of(value); }
};
// `use`: the place where it is used; null: all of a statement's.
using AskLayout = std::function<void(int value, const ValueLayout& layout, const TypedPtr& use)>;
// A part of an expression that is computed where its operand is, a reduction or a window, and the layout that is
// wanted.
using Computed = std::function<void(const TypedPtr& part, const ValueLayout& wanted)>;

// The column that an indexing takes of each row of all of its operand, as `x[:, 3]` does; nothing where it takes
// others.
std::optional<int64_t> picked_column(const Apply& apply);

// The layout of an operand of this shape that NumPy's rules broadcast to a result of that layout.
std::optional<ValueLayout> operand_of_broadcast(const ValueLayout& result, const std::vector<int64_t>& shape);
// The layout in which an expression's result is computed without moving anything, where its operands say so. A
// reduction's is that of what all holders of a part have behind it.
std::optional<ValueLayout> result_layout(const TypedPtr& expr, const LayoutOf& layouts);
// Calls `ask` with the layout that each value must have for the result to be computed in `layout`. Operands of
// reductions and windows, which the result does not fix, are asked for in the layout that they are computed in;
// `computed` is called for these.
void ask_operands(
    const TypedPtr& expr, const ValueLayout& layout, const LayoutOf& layouts, const AskLayout& ask,
    const Computed& computed = [](const TypedPtr&, const ValueLayout&) {});

}  // namespace pallasgen
