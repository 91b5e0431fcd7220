#pragma once

#include <functional>
#include <optional>

#include "expression/typed.h"
#include "layout/layout.h"

// How layouts go through an expression: from its operands to its result, and from its result to its operands.
namespace pallasgen {

// The layout of a value that an expression uses (LocalUse::id); null: not known.
using LayoutOf = std::function<std::optional<ValueLayout>(int value)>;
using AskLayout = std::function<void(int value, const ValueLayout& layout)>;

// The layout in which an expression's result is computed without moving anything, where its operands say so. A
// reduction's is that of what all holders of a part have behind it.
std::optional<ValueLayout> result_layout(const TypedPtr& expr, const LayoutOf& layouts);
// Calls `ask` with the layout that each value must have for the result to be computed in `layout`. Operands of
// reductions, which the result does not fix, are asked for in the layout that they are computed in.
void ask_operands(const TypedPtr& expr, const ValueLayout& layout, const LayoutOf& layouts, const AskLayout& ask);

}  // namespace pallasgen
