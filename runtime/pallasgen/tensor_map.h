#pragma once
#include <cuda.h>

#include <cstdint>

namespace pallasgen {

// What TMA knows of an array: a kernel parameter (const __grid_constant__). All zero for an empty array that is
// written.
struct TensorMap {
  CUtensorMap map;

  __host__ __device__ bool empty() const {
    uint64_t any = 0;
    for (int i = 0; i < 16; ++i) any |= map.opaque[i];
    return any == 0;
  }
};

}  // namespace pallasgen
