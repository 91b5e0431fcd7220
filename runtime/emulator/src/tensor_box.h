#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "tensor_map.h"

namespace pallasgen::emulator {

/// One row of a box: consecutive elements of dimension 0, always complete in shared memory.
struct BoxRow {
  size_t shared_offset;  // bytes from the start of the box, before the swizzle
  char* global;          // address of the first element inside the array
  size_t skipped;        // bytes before it that are outside
  size_t bytes;          // bytes inside the array; 0 if the row lies outside
};

/// Visits the rows of the box that begins at these coordinates (dimension 0 first), in the order of shared memory.
template <class Visit>
void for_each_row(const TensorMapFields& map, const std::array<int, kMaxTensorRank>& coordinates, Visit visit) {
  const int64_t element = static_cast<int64_t>(element_bytes(static_cast<CUtensorMapDataType>(map.type)));
  const int64_t width = map.box[0];
  // The part of a row that lies in the array is the same for all rows.
  const int64_t extent = static_cast<int64_t>(map.extent[0]);
  const int64_t first = coordinates[0] < 0 ? -static_cast<int64_t>(coordinates[0]) : 0;
  const int64_t left = extent - coordinates[0];
  const int64_t end = left < width ? left : width;
  const int64_t inside = end > first ? end - first : 0;
  uint64_t index[kMaxTensorRank] = {};
  size_t shared_offset = 0;
  for (bool more = true; more;) {
    bool in_array = inside > 0;
    char* p = map.base;
    for (int d = 1; d < map.rank; ++d) {
      const int64_t at = coordinates[static_cast<size_t>(d)] + static_cast<int64_t>(index[d] * map.step[d]);
      in_array = in_array && at >= 0 && static_cast<uint64_t>(at) < map.extent[d];
      if (in_array) p += static_cast<uint64_t>(at) * map.stride[d - 1];
    }
    if (in_array) p += (coordinates[0] + first) * element;
    visit(BoxRow{shared_offset, in_array ? p : nullptr, static_cast<size_t>(first * element),
                 in_array ? static_cast<size_t>(inside * element) : 0});
    shared_offset += static_cast<size_t>(width * element);
    int d = 1;
    for (; d < map.rank && ++index[d] == box_count(map, d); ++d) index[d] = 0;
    more = d < map.rank;
  }
}

}  // namespace pallasgen::emulator
