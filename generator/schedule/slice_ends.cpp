#include "slice_ends.h"

#include "conditions.h"
#include "expression/polynomial.h"

namespace pallasgen::schedule {

TypedPtr end_of_slice(const tile::BoxDim& dim) {
  const auto value_of = [](const TypedPtr& bound) { return constant_value(bound); };
  // Removes bounds that change nothing: from below by 0 or less, from above by the size of the box or more.
  const auto without = [&](const TypedPtr& end, Op op, const auto& is_idle) {
    const Apply* apply = end->applies(op);
    for (size_t i = 0; apply && i < 2; ++i) {
      const std::optional<int64_t> bound = value_of(apply->args[i]);
      if (bound && is_idle(*bound)) return apply->args[1 - i];
    }
    return end;
  };
  TypedPtr end = dim.limit;
  const Apply* both = end->applies(Op::clamp);
  if (both && value_of(both->args[1]) == 0 && value_of(both->args[2]).value_or(-1) >= *dim.size) end = both->args[0];
  end = without(end, Op::minimum, [&](int64_t most) { return most >= *dim.size; });
  return without(end, Op::maximum, [](int64_t least) { return least <= 0; });
}

TypedPtr ends_early(const tile::BoxDim& dim) {
  return condition(Op::less, end_of_slice(dim), dim.size_text ? dim.size_text : index_constant(*dim.size));
}

namespace {

// Calls `visit` with the size of an axis and with upper bounds of it.
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

// Proved if the axis has at most cdiv(whole, size) steps and the slice of step j ends at whole - j * size.
bool ends_in_last_step(const Kernel& kernel, const Symbol& axis, const tile::BoxDim& dim) {
  const TypedPtr step = make_typed({}, DType::index, {}, axis), size = index_constant(*dim.size);
  const TypedPtr end = end_of_slice(dim);
  bool proved = false;
  for_each_bound(kernel.axes[static_cast<size_t>(axis.id)].size, [&](const TypedPtr& bound) {
    const Apply* steps = bound->applies(Op::cdiv);
    if (!steps || constant_value(steps->args[1]) != *dim.size) return;
    const TypedPtr whole = index_apply(Op::add, end, index_apply(Op::multiply, step, size));
    proved = proved || multiplied_out(whole) == multiplied_out(steps->args[0]);
  });
  return proved;
}

}  // namespace pallasgen::schedule
