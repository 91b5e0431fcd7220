#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <pallasgen/emulator/exit_codes.h>
#include <pallasgen/launch.h>

#include <pallasgen/device.cuh>
#include <string>

#include "child.h"
#include "tensor_map.h"

// Anything that the emulator does not model stops with exit code 83 and is named; none of it passes silently.
using namespace pallasgen;

namespace {

struct alignas(1024) Smem {
  unsigned char data[16384];
  Barrier barrier;
};

alignas(128) unsigned char array[1 << 16];

void stops(const std::function<cudaError_t()>& work, const std::string& words) {
  const ChildResult result = in_child([&] {
    if (work() != cudaSuccess) _exit(3);
  });
  INFO(result.output);
  CHECK(result.code == emulator::kExitNotModelled);
  CHECK_MESSAGE(result.output.find("not modelled: " + words) != std::string::npos, words);
}

enum Action { kLoad, kStore };

__global__ void copy_kernel(const __grid_constant__ TensorMap map, int rank, int action) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x != 0) return;
  smem.barrier.init(1);
  fence_barrier_init();
  const uint32_t box = ptx::shared_address(smem.data);
  if (action == kStore)
    ptx::tensor_store_2d(&map.map, 0, 0, box);
  else if (rank == 2)
    ptx::tensor_load_2d(box, &map.map, 0, 0, smem.barrier.address());
  else
    ptx::tensor_load_3d(box, &map.map, 0, 0, 0, smem.barrier.address());
}

struct Request {
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  cuuint32_t rank = 2, inner = 32;
  CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
};

// A map that the driver accepts.
TensorMap encoded(const Request& r) {
  TensorMap map{};
  const cuuint64_t extents[] = {128, 32, 2}, strides[] = {512, 16384};
  const cuuint32_t box[] = {r.inner, 4, 1}, steps[] = {1, 1, 1};
  const CUresult result =
      emulator::encode_tiled(&map.map, r.type, r.rank, array, extents, strides, box, steps, r.interleave, r.swizzle,
                             CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  CHECK(result == CUDA_SUCCESS);
  return map;
}

void copy_stops(const Request& request, const std::string& words, int action = kLoad) {
  const TensorMap map = encoded(request);
  const int rank = static_cast<int>(request.rank);
  stops([&] { return launch(copy_kernel, 1, 32, sizeof(Smem), nullptr, map, rank, action); }, words);
}

TEST_CASE("tensor maps that the driver accepts and whose copies are not known") {
  copy_stops({.rank = 3, .interleave = CU_TENSOR_MAP_INTERLEAVE_16B}, "TMA load: a tensor map with interleave 1");
  copy_stops({.rank = 3, .interleave = CU_TENSOR_MAP_INTERLEAVE_32B, .swizzle = CU_TENSOR_MAP_SWIZZLE_32B},
             "TMA load: a tensor map with interleave 2");
  copy_stops({.type = CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B}, "tensor maps of packed type 13");
  copy_stops({.type = CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B, .inner = 128}, "tensor maps of packed type 14");
  copy_stops({.type = CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B, .inner = 128}, "tensor maps of packed type 15");
  for (const CUtensorMapDataType type : {CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ})
    copy_stops({.type = type}, "TMA load: a tensor map whose type flushes subnormal numbers to zero");
  copy_stops({.type = CU_TENSOR_MAP_DATA_TYPE_TFLOAT32}, "TMA store: a tensor map of type TFLOAT32", kStore);
  copy_stops({.swizzle = CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B}, "tensor maps with swizzle 4");
  copy_stops({.swizzle = CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B}, "tensor maps with swizzle 5");
  copy_stops({.swizzle = CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B}, "tensor maps with swizzle 6");
  copy_stops({.inner = 16, .swizzle = CU_TENSOR_MAP_SWIZZLE_128B}, "TMA load: a box of 64 bytes in a swizzle of 128");
  copy_stops({.inner = 4, .swizzle = CU_TENSOR_MAP_SWIZZLE_32B}, "TMA store: a box of 16 bytes in a swizzle of 32",
             kStore);
}

struct alignas(2048) Aligned {
  unsigned char data[2048];
};
__global__ void aligned_kernel() {
  PALLASGEN_DYNAMIC_SMEM(Aligned, smem);
  smem.data[0] = 0;
}

__global__ void empty_kernel() {}
__global__ void nested_kernel() { launch(empty_kernel, 1, 32, 0, nullptr); }

TEST_CASE("other stops") {
  stops([] { return launch(aligned_kernel, 1, 32, sizeof(Aligned), nullptr); }, "shared memory aligned to 2048 bytes");
  stops([] { return launch(nested_kernel, 1, 32, 0, nullptr); }, "a launch from inside a kernel");
  stops(
      [] {
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeProgrammaticEvent;
        cudaLaunchConfig_t config{};
        config.gridDim = config.blockDim = dim3(1);
        config.attrs = &attribute;
        config.numAttrs = 1;
        return cudaLaunchKernelEx(&config, empty_kernel);
      },
      "launch attribute ");
}

TEST_CASE("a stop names thread, line and instruction") {
  const ChildResult nested = in_child([] { launch(aligned_kernel, 1, 32, sizeof(Aligned), nullptr); });
  INFO(nested.output);
  CHECK(nested.output.find("thread 0 (warpgroup 0, warp 0, lane 0) at not_modelled_test.cpp:") != std::string::npos);
}

}  // namespace
