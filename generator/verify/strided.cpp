#include "strided.h"

#include <cstring>
#include <functional>

namespace pallasgen {

namespace {

constexpr size_t kFarApart = size_t{1} << 30;
constexpr size_t kWord = 4;  // bytes that a store of a 4-bit element exchanges

// Elements packed in bytes: whole bytes, or half bytes with the even element in the low half.
class Elements {
 public:
  Elements(DType dtype, char* bytes) : bits_(static_cast<size_t>(info(dtype).bits)), bytes_(bytes) {}

  uint64_t at(size_t i) const {
    if (bits_ < 8) return (static_cast<unsigned char>(bytes_[i / 2]) >> (i % 2 * 4)) & 15;
    uint64_t value = 0;
    std::memcpy(&value, bytes_ + i * bits_ / 8, bits_ / 8);
    return value;
  }

  void set(size_t i, uint64_t value) {
    if (bits_ >= 8) {
      std::memcpy(bytes_ + i * bits_ / 8, &value, bits_ / 8);
      return;
    }
    const int shift = static_cast<int>(i % 2 * 4), rest = static_cast<unsigned char>(bytes_[i / 2]) & ~(15 << shift);
    bytes_[i / 2] = static_cast<char>(rest | static_cast<int>(value) << shift);
  }

 private:
  size_t bits_;
  char* bytes_;
};

// Calls visit(row-major number, place) for every element; both are counted in elements.
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
  int64_t last = 0, stride = 1;
  for (size_t d = shape.size(); d-- > 0; stride *= shape[d]) {
    if (shape[d] == 0) return 0;
    last += (shape[d] - 1) * (strides.empty() ? stride : strides[d]);
  }
  const auto bits = static_cast<size_t>(info(dtype).bits);
  const size_t bytes = (static_cast<size_t>(last + 1) * bits + 7) / 8;
  return bits < 8 ? (bytes + kWord - 1) / kWord * kWord : bytes;
}

bool is_far_apart(DType dtype, const Shape& shape, const Shape& strides) {
  return !strides.empty() && info(dtype).bits >= 8 && spread_bytes(dtype, shape, strides) >= kFarApart;
}

std::optional<std::string> spread(const Array& array, const Shape& strides, unsigned char between) {
  const size_t bytes = spread_bytes(array.dtype, array.shape, strides);
  std::string memory(bytes, static_cast<char>(between));
  if (strides.empty()) {
    std::memcpy(memory.data(), array.bytes.data(), array.bytes.size());
    return memory;
  }
  std::vector<bool> taken(bytes * 8 / static_cast<size_t>(info(array.dtype).bits));
  bool agree = true;
  std::vector<std::byte> held = array.bytes;
  const Elements from(array.dtype, reinterpret_cast<char*>(held.data()));
  Elements to(array.dtype, memory.data());
  for_each_place(array.shape, strides, [&](size_t i, size_t place) {
    if (taken[place]) agree = agree && to.at(place) == from.at(i);
    to.set(place, from.at(i));
    taken[place] = true;
  });
  return agree ? std::optional(std::move(memory)) : std::nullopt;
}

std::optional<Array> gathered(const std::string& bytes, DType dtype, const Shape& shape, const Shape& strides,
                              unsigned char between) {
  Array array = Array::zeros(dtype, shape);
  if (bytes.size() != spread_bytes(dtype, shape, strides)) return std::nullopt;
  if (strides.empty()) {
    const size_t size = array.bytes.size();
    std::memcpy(array.bytes.data(), bytes.data(), size);
    const bool kept = bytes.find_first_not_of(static_cast<char>(between), size) == bytes.npos;
    return kept ? std::optional(std::move(array)) : std::nullopt;
  }
  std::string left = bytes;
  std::string two(2 * sizeof(uint64_t), static_cast<char>(between));
  const Elements gap(dtype, two.data());
  Elements to(dtype, reinterpret_cast<char*>(array.bytes.data())), from(dtype, left.data());
  for_each_place(shape, strides, [&](size_t i, size_t place) { to.set(i, from.at(place)); });
  for_each_place(shape, strides, [&](size_t, size_t place) { from.set(place, gap.at(place % 2)); });
  for (const char byte : left) {
    if (static_cast<unsigned char>(byte) != between) return std::nullopt;
  }
  return array;
}

}  // namespace pallasgen
