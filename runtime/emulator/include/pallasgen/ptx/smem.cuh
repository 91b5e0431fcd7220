#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>
#include <pallasgen/emulator/shared_fields.h>

#include <cstdint>

// Declares `Type& name`, the CTA's dynamic shared memory seen as one struct.
#define PALLASGEN_DYNAMIC_SMEM(Type, name) Type& name = ::pallasgen::emulator::shared_memory_as<Type>()

namespace pallasgen::ptx {

// The address of `p` in the CTA's window of shared memory; `p` must lie in the CTA's shared memory.
__device__ __forceinline__ uint32_t shared_address(const void* p) { return emulator::shared_address(p); }

}  // namespace pallasgen::ptx
