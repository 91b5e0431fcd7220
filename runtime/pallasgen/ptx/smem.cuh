#pragma once
#include <cuda_runtime.h>
#include <pallasgen/meaning.h>

#include <cstdint>

// Declares `Type& name`, the CTA's dynamic shared memory seen as one struct. Swizzled tiles need the 1024 bytes.
#define PALLASGEN_DYNAMIC_SMEM(Type, name)                                  \
  extern __shared__ __align__(1024) unsigned char pallasgen_dynamic_smem[]; \
  Type& name = *reinterpret_cast<Type*>(pallasgen_dynamic_smem)

namespace pallasgen::ptx {

// The address of `p` in the CTA's window of shared memory, as mbarriers, descriptors and copies take it.
PALLASGEN_MEANS("value p")
__device__ __forceinline__ uint32_t shared_address(const void* p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

}  // namespace pallasgen::ptx
