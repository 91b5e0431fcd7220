#pragma once
#include <vector_types.h>

namespace pallasgen::emulator {

/// Sets blockDim and gridDim of the launch.
void set_builtin_shape(dim3 block, dim3 grid);
/// Sets threadIdx and blockIdx of the thread that runs next.
void set_builtin_place(uint3 thread, uint3 block);

}  // namespace pallasgen::emulator
