#pragma once
#include <cuda.h>
#include <pallasgen/meaning.h>

#include <cstdint>

namespace pallasgen {

// TMA's description of an array: a kernel parameter (const __grid_constant__). All zero for an array without elements
// that is written.
struct TensorMap {
  CUtensorMap map;

  PALLASGEN_MEANS("one") __host__ __device__ bool has_elements() const {
    uint64_t any = 0;
    for (int i = 0; i < 16; ++i) any |= map.opaque[i];
    return any != 0;
  }
};

}  // namespace pallasgen
