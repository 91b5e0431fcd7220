#include "slice_ends.h"

#include "conditions.h"

namespace pallasgen::schedule {

TypedPtr end_of_slice(const tile::BoxDim& dim) {
  const Apply* bounded = dim.limit->as<Apply>();
  const int64_t size = *dim.size;
  const auto is_whole = [&](const TypedPtr& most) { return constant_value(most).value_or(-1) >= size; };
  if (bounded && bounded->op == Op::clamp && is_whole(bounded->args[2]) && constant_value(bounded->args[1]) == 0)
    return bounded->args[0];
  if (bounded && bounded->op == Op::minimum) {
    for (size_t i : {0, 1}) {
      if (is_whole(bounded->args[1 - i])) return bounded->args[i];
    }
  }
  return dim.limit;
}

TypedPtr ends_early(const tile::BoxDim& dim) {
  return condition(Op::less, end_of_slice(dim), dim.size_text ? dim.size_text : index_constant(*dim.size));
}

namespace {

// Calls `visit` with numbers that the size of an axis is not above, itself among them.
template <class Visit>
void for_each_bound(const TypedPtr& size, const Visit& visit) {
  visit(size);
  const Apply* apply = size->as<Apply>();
  if (!apply) return;
  if (apply->op == Op::minimum) {
    for (const TypedPtr& arg : apply->args) for_each_bound(arg, visit);
  }
  if (apply->op == Op::clamp) for_each_bound(apply->args[2], visit);
}

}  // namespace

// Where the axis has at most cdiv(whole, size) steps, and the slice of step j ends at whole - j * size.
bool ends_in_last_step(const Kernel& kernel, const Symbol& axis, const tile::BoxDim& dim) {
  const TypedPtr step = make_typed({}, DType::index, {}, axis), size = index_constant(*dim.size);
  const TypedPtr end = end_of_slice(dim);
  bool proved = false;
  for_each_bound(kernel.axes[static_cast<size_t>(axis.id)].size, [&](const TypedPtr& bound) {
    const Apply* steps = bound->applies(Op::cdiv);
    if (!steps || constant_value(steps->args[1]) != *dim.size) return;
    const TypedPtr passed = index_apply(Op::multiply, step, size);
    const TypedPtr left = index_apply(Op::subtract, index_apply(Op::add, end, passed), steps->args[0]);
    proved = proved || bounds(left, kernel.facts()).minimum.value_or(-1) >= 0;
  });
  return proved;
}

}  // namespace pallasgen::schedule
