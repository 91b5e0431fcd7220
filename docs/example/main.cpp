#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "project.h"
#include "scale_rows.h"

// Runs both kernels once. Without a GPU it says so, and that is no failure: the build is what is shown here.
int main() {
  constexpr int64_t kRows = 256, kColumns = 512, kDepth = 1024;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("built; no GPU to run on");
    return 0;
  }
  __nv_bfloat16 *a = nullptr, *b = nullptr, *c = nullptr, *scaled = nullptr;
  float *bias = nullptr, *factor = nullptr;
  cudaMalloc(&a, kRows * kDepth * sizeof *a);
  cudaMalloc(&b, kDepth * kColumns * sizeof *b);
  cudaMalloc(&c, kRows * kColumns * sizeof *c);
  cudaMalloc(&scaled, kRows * kColumns * sizeof *scaled);
  cudaMalloc(&bias, kColumns * sizeof *bias);
  cudaMalloc(&factor, kRows * sizeof *factor);
  const cudaError_t projected = project(a, b, bias, c, kRows, kColumns, kDepth, /*stream=*/nullptr);
  const cudaError_t multiplied = scale_rows(c, factor, scaled, kRows, kColumns, /*stream=*/nullptr);
  const cudaError_t ended = cudaDeviceSynchronize();
  for (const cudaError_t error : {projected, multiplied, ended}) {
    if (error == cudaSuccess) continue;
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::puts("both kernels ran");
  return 0;
}
