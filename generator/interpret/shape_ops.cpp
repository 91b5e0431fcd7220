#include <algorithm>
#include <cstring>
#include <numeric>

#include "array_ops.h"
#include "diagnostics/assert.h"

namespace pallasgen::interpreter {
namespace {

struct MovedDim {
  int64_t extent, stride;  // of the source, in elements
};

// Copies elements in the order of `dims` (outer first) from a strided source.
template <class T>
void gather_strided(const T* from, const std::vector<MovedDim>& dims, T* to) {
  const int64_t inner = dims.back().extent, stride = dims.back().stride;
  std::vector<int64_t> counter(dims.size() - 1, 0);
  int64_t offset = 0;
  for (;;) {
    if (stride == 1) {
      std::memcpy(to, from + offset, static_cast<size_t>(inner) * sizeof(T));
    } else {
      for (int64_t i = 0; i < inner; ++i) to[i] = from[offset + i * stride];
    }
    to += inner;
    size_t dim = counter.size();
    for (;;) {
      if (dim == 0) return;
      --dim;
      offset += dims[dim].stride;
      if (++counter[dim] < dims[dim].extent) break;
      offset -= dims[dim].stride * dims[dim].extent;
      counter[dim] = 0;
    }
  }
}

// Copies a matrix in squares, so that reads and writes both stay within a few cache lines.
template <class T>
void transpose_matrix(const T* from, int64_t rows, int64_t columns, T* to) {
  constexpr int64_t kSquare = 32;
  for (int64_t r0 = 0; r0 < rows; r0 += kSquare) {
    for (int64_t c0 = 0; c0 < columns; c0 += kSquare) {
      const int64_t r1 = std::min(rows, r0 + kSquare), c1 = std::min(columns, c0 + kSquare);
      for (int64_t c = c0; c < c1; ++c) {
        for (int64_t r = r0; r < r1; ++r) to[c * rows + r] = from[r * columns + c];
      }
    }
  }
}

}  // namespace

Value transpose(const Value& value, const std::vector<int64_t>& permutation) {
  PALLASGEN_ASSERT(permutation.size() == value.shape.size());
  std::vector<int64_t> strides(value.shape.size());
  int64_t stride = 1;
  for (size_t i = strides.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= value.shape[i];
  }
  Shape shape;
  std::vector<MovedDim> dims;  // neighbours that stay neighbours are merged
  for (int64_t from : permutation) {
    const MovedDim dim{value.shape[static_cast<size_t>(from)], strides[static_cast<size_t>(from)]};
    shape.push_back(dim.extent);
    if (dim.extent == 1) continue;
    if (!dims.empty() && dims.back().stride == dim.stride * dim.extent) {
      dims.back() = {dims.back().extent * dim.extent, dim.stride};
    } else {
      dims.push_back(dim);
    }
  }
  if (dims.size() <= 1 || value.size() == 0) return reshaped(value, shape);
  Value result = make_value(value.dtype, shape);
  with_carrier(value.dtype, [&](auto zero) {
    using T = decltype(zero);
    if (dims.size() == 2 && dims[0].stride == 1) {
      transpose_matrix(value.as<T>(), dims[1].extent, dims[0].extent, result.edit<T>());
    } else {
      gather_strided(value.as<T>(), dims, result.edit<T>());
    }
  });
  return result;
}

Value concatenate(const std::vector<Value>& values, int64_t axis, DType dtype) {
  const auto at = static_cast<size_t>(axis);
  Shape shape = values.front().shape;
  shape[at] = 0;
  for (const Value& value : values) shape[at] += value.shape[at];
  Value result = make_value(dtype, shape);
  int64_t inner = carrier_bytes(dtype), outer = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i < at) outer *= shape[i];
    if (i > at) inner *= shape[i];
  }
  int64_t before = 0;
  for (const Value& part : values) {
    const Value value = convert(part, dtype);
    const int64_t bytes = value.shape[at] * inner;
    for (int64_t row = 0; row < outer; ++row) {
      std::memcpy(result.data.get() + row * shape[at] * inner + before, value.data.get() + row * bytes,
                  static_cast<size_t>(bytes));
    }
    before += bytes;
  }
  return result;
}

Value iota(DType dtype, const Shape& shape, int64_t axis) {
  const auto at = static_cast<size_t>(axis);
  int64_t inner = 1;
  for (size_t i = at + 1; i < shape.size(); ++i) inner *= shape[i];
  Value counts = make_value(DType::index, {shape[at]});
  std::iota(counts.edit<int64_t>(), counts.edit<int64_t>() + shape[at], int64_t{0});
  counts = convert(counts, dtype);
  Value result = make_value(dtype, shape);
  const int64_t size = result.size();
  with_carrier(dtype, [&](auto zero) {
    using T = decltype(zero);
    T* to = result.edit<T>();
    for (int64_t i = 0; i < size;) {
      for (int64_t step = 0; step < shape[at]; ++step) {
        for (int64_t k = 0; k < inner; ++k) to[i++] = counts.as<T>()[step];
      }
    }
  });
  return result;
}

}  // namespace pallasgen::interpreter
