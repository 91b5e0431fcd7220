#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

namespace pallasgen::ptx {

__device__ __forceinline__ void griddepcontrol_wait() { emulator::griddepcontrol_wait(); }

__device__ __forceinline__ void griddepcontrol_launch_dependents() { emulator::griddepcontrol_launch_dependents(); }

}  // namespace pallasgen::ptx
