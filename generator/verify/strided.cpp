#include "strided.h"

#include <cstring>
#include <functional>

namespace pallasgen {

namespace {

size_t element_bytes(DType dtype) { return static_cast<size_t>(info(dtype).bits) / 8; }

// Calls visit(row-major number, place) for every element, both in elements.
void for_each_place(const Shape& shape, const Shape& strides, const std::function<void(size_t, size_t)>& visit) {
  size_t count = 1;
  for (const int64_t extent : shape) count *= static_cast<size_t>(extent);
  for (size_t i = 0; i < count; ++i) {
    size_t rest = i, place = 0;
    for (size_t d = shape.size(); d-- > 0; rest /= static_cast<size_t>(shape[d]))
      place += rest % static_cast<size_t>(shape[d]) * static_cast<size_t>(strides[d]);
    visit(i, place);
  }
}

}  // namespace

size_t spread_bytes(DType dtype, const Shape& shape, const Shape& strides) {
  int64_t last = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 0) return 0;
    last += (shape[d] - 1) * strides[d];
  }
  return static_cast<size_t>(last + 1) * element_bytes(dtype);
}

std::optional<std::string> spread(const Array& array, const Shape& strides, unsigned char between) {
  const size_t size = element_bytes(array.dtype), bytes = spread_bytes(array.dtype, array.shape, strides);
  std::string memory(bytes, static_cast<char>(between));
  std::vector<bool> taken(bytes / size);
  bool agree = true;
  const char* from = reinterpret_cast<const char*>(array.bytes.data());
  for_each_place(array.shape, strides, [&](size_t i, size_t place) {
    if (taken[place]) agree = agree && std::memcmp(&memory[place * size], from + i * size, size) == 0;
    std::memcpy(&memory[place * size], from + i * size, size);
    taken[place] = true;
  });
  return agree ? std::optional(std::move(memory)) : std::nullopt;
}

std::optional<Array> gathered(const std::string& bytes, DType dtype, const Shape& shape, const Shape& strides,
                              unsigned char between) {
  const size_t size = element_bytes(dtype);
  Array array = Array::zeros(dtype, shape);
  if (bytes.size() != spread_bytes(dtype, shape, strides)) return std::nullopt;
  std::string left = bytes;
  for_each_place(shape, strides, [&](size_t i, size_t place) {
    std::memcpy(array.bytes.data() + i * size, &bytes[place * size], size);
    std::memset(&left[place * size], between, size);
  });
  for (const char byte : left) {
    if (static_cast<unsigned char>(byte) != between) return std::nullopt;
  }
  return array;
}

}  // namespace pallasgen
