#include "broadcast.h"

#include "diagnostics/assert.h"

namespace pallasgen::interpreter {

Shape broadcast_shape(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  const size_t lead = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    int64_t& extent = result[lead + i];
    PALLASGEN_ASSERT(extent == shorter[i] || extent == 1 || shorter[i] == 1);
    if (extent == 1) extent = shorter[i];
  }
  return result;
}

BroadcastWalk::BroadcastWalk(const Shape& result, std::initializer_list<const Value*> operands) {
  PALLASGEN_ASSERT(operands.size() <= kMaxOperands);
  std::vector<Dim> dims;
  for (int64_t extent : result) dims.push_back({extent, {}});
  int operand = 0;
  for (const Value* value : operands) {
    const Shape& shape = value->shape;
    PALLASGEN_ASSERT(shape.size() <= result.size());
    const size_t lead = result.size() - shape.size();
    int64_t stride = 1;
    for (size_t i = shape.size(); i-- > 0;) {
      PALLASGEN_ASSERT(shape[i] == 1 || shape[i] == result[lead + i]);
      dims[lead + i].strides[operand] = shape[i] == 1 ? 0 : stride;
      stride *= shape[i];
    }
    ++operand;
  }
  std::vector<Dim> merged;  // inner dims first
  for (size_t i = dims.size(); i-- > 0;) {
    const Dim& dim = dims[i];
    if (dim.extent == 1) continue;
    bool merges = !merged.empty();
    for (int k = 0; merges && k < kMaxOperands; ++k) {
      merges = dim.strides[k] == merged.back().strides[k] * merged.back().extent;
    }
    if (merges)
      merged.back().extent *= dim.extent;
    else
      merged.push_back(dim);
  }
  if (merged.empty()) merged.push_back({1, {}});
  row_ = merged.front().extent;
  steps_ = merged.front().strides;
  for (size_t i = merged.size(); i-- > 1;) outer_.push_back(merged[i]);
  if (elements_of(result) == 0) row_ = 0;
}

Value broadcast(const Value& value, const Shape& shape) {
  if (value.shape == shape) return value;
  if (value.size() == elements_of(shape)) return reshaped(value, shape);
  Value result = make_value(value.dtype, shape);
  with_carrier(value.dtype, [&](auto zero) {
    using T = decltype(zero);
    map_rows<T, T>(result, value, [](T x) { return x; });
  });
  return result;
}

}  // namespace pallasgen::interpreter
