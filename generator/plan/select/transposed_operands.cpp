#include "select/transposed_operands.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "expression/index_map.h"

namespace pallasgen {

TypedPtr transposed_matrix(const TypedPtr& expr) {
  const Apply* apply = expr->as<Apply>();
  if (!apply || expr->shape.size() != 2) return nullptr;
  if (const TypedPtr matrix = permuted_operand(*expr)) return matrix;
  const OpGroup group = operation(apply->op).group;
  if (group != OpGroup::elementwise && group != OpGroup::cast) return nullptr;
  Apply inside = *apply;
  bool any = false;
  for (TypedPtr& arg : inside.args) {
    if (arg->shape.empty()) continue;
    arg = arg->shape == expr->shape ? transposed_matrix(arg) : nullptr;
    if (!arg) return nullptr;
    any = true;
  }
  return any ? make_typed(expr->span, expr->dtype, {expr->shape[1], expr->shape[0]}, std::move(inside)) : nullptr;
}

TypedPtr transpose_of(const TypedPtr& matrix) {
  if (const TypedPtr below = permuted_operand(*matrix)) return below;
  const Shape shape{matrix->shape[1], matrix->shape[0]};
  const auto is_whole = [&](const TypedPtr& operand) {
    return operand->shape.empty() || operand->shape == matrix->shape;
  };
  const std::vector<TypedPtr>* operands = elementwise_operands(*matrix);
  if (!operands || operands->empty() || !std::all_of(operands->begin(), operands->end(), is_whole))
    return transposed(matrix);
  std::vector<TypedPtr> inside = *operands;
  for (TypedPtr& operand : inside) operand = operand->shape.empty() ? operand : transpose_of(operand);
  if (const auto* call = matrix->as<CallFunction>())
    return make_typed(matrix->span, matrix->dtype, shape, CallFunction{call->function, std::move(inside), call->name});
  const Apply* apply = matrix->as<Apply>();
  return make_typed(matrix->span, matrix->dtype, shape, Apply{apply->op, std::move(inside), apply->attributes});
}

}  // namespace pallasgen
