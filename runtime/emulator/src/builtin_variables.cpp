#include "builtin_variables.h"

// Kernels see these as const (<pallasgen/emulator/builtins.h>): no thread sees its value change.
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace pallasgen::emulator {

void set_builtin_shape(dim3 block, dim3 grid) {
  blockDim = block;
  gridDim = grid;
}

void set_builtin_place(uint3 thread, uint3 block) {
  threadIdx = thread;
  blockIdx = block;
}

}  // namespace pallasgen::emulator
