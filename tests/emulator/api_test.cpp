#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <pallasgen/emulator/emulator.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "child.h"

// The functions of the CUDA runtime that launchers and their drivers use.
namespace {

using pallasgen::emulator::kExitRuleBroken;

__global__ void write_kernel(int* p, int index, int value) { p[index] = value + static_cast<int>(blockIdx.x); }

cudaError_t write(int* p, int index, int value, dim3 grid = dim3(1), dim3 block = dim3(1), size_t shared = 0) {
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared;
  return cudaLaunchKernelEx(&config, write_kernel, p, index, value);
}

TEST_CASE("memory starts as NaN, is aligned to 256 bytes and no more, and copies are checked") {
  float* p = nullptr;
  CHECK(cudaMalloc(reinterpret_cast<void**>(&p), 100) == cudaSuccess);
  CHECK(reinterpret_cast<uintptr_t>(p) % 256 == 0);
  CHECK(reinterpret_cast<uintptr_t>(p) % 512 != 0);
  CHECK(p[24] != p[24]);
  float values[25] = {1.5f};
  CHECK(cudaMemcpy(p, values, sizeof values, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(p[0] == 1.5f);
  CHECK(cudaMemset(p, 0, 100) == cudaSuccess);
  CHECK(p[0] == 0.0f);
  CHECK(in_child([&] { cudaMemcpy(p, values, 104, cudaMemcpyHostToDevice); }).code == kExitRuleBroken);
  CHECK(in_child([&] { cudaMemset(p + 24, 0, 8); }).code == kExitRuleBroken);
  CHECK(cudaFree(p) == cudaSuccess);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  CHECK(cudaFree(values) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(nullptr, values, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a write behind or before an array is found after the launch") {
  int* p = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&p), 40) == cudaSuccess);
  CHECK(write(p, 9, 5) == cudaSuccess);
  CHECK(p[9] == 5);
  const ChildResult behind = in_child([&] { write(p, 12, 5); });
  CHECK(behind.code == kExitRuleBroken);
  CHECK(behind.output.find("written 8 bytes behind the end of an array of 40 bytes") != std::string::npos);
  const ChildResult before = in_child([&] { write(p, -1, 5); });
  CHECK(before.code == kExitRuleBroken);
  CHECK(before.output.find("before an array of 40 bytes") != std::string::npos);
  cudaFree(p);
}

TEST_CASE("launches are refused as the runtime refuses them") {
  int value = 0;
  CHECK(write(&value, 0, 3, dim3(1), dim3(32, 4, 2)) == cudaSuccess);
  CHECK(value == 3);
  CHECK(write(&value, 0, 3, dim3(0)) == cudaErrorInvalidValue);
  CHECK(write(&value, 0, 3, dim3(1, 65536)) == cudaErrorInvalidValue);
  CHECK(write(&value, 0, 3, dim3(1), dim3(0)) == cudaErrorInvalidValue);
  CHECK(write(&value, 0, 3, dim3(1), dim3(1025)) == cudaErrorInvalidValue);
  CHECK(write(&value, 0, 3, dim3(1), dim3(1, 1, 65)) == cudaErrorInvalidValue);
  const auto kernel = reinterpret_cast<const void*>(write_kernel);
  const auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
  CHECK(write(&value, 0, 3, dim3(1), dim3(1), 48 << 10) == cudaSuccess);
  CHECK(write(&value, 0, 3, dim3(1), dim3(1), 49153) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(kernel, attribute, 232449) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(kernel, attribute, 232448) == cudaSuccess);
  CHECK(write(&value, 0, 3, dim3(1), dim3(1), 232448) == cudaSuccess);
  CHECK(write(&value, 0, 3, dim3(1), dim3(1), 232449) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("clusters must divide the grid and stay small") {
  int values[9] = {};
  const auto launch = [&](unsigned grid, unsigned cluster) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {cluster, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(grid);
    config.blockDim = dim3(1);
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, write_kernel, values, 0, 1);
  };
  CHECK(launch(8, 4) == cudaSuccess);
  CHECK(launch(9, 4) == cudaErrorInvalidValue);
  CHECK(launch(16, 16) == cudaErrorInvalidValue);
  const auto kernel = reinterpret_cast<const void*>(write_kernel);
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) == cudaSuccess);
  CHECK(launch(16, 16) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("a cooperative launch fits by threads, shared memory and registers") {
  // A multiprocessor has 256 registers for each of 256 threads; 4 multiprocessors are the default.
  int values[64] = {};
  const auto launch = [&](unsigned grid, unsigned threads, size_t shared) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(grid);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, write_kernel, values, 0, 1);
  };
  const unsigned sms = static_cast<unsigned>(pallasgen::emulator::options().sms);
  const auto most = [&](unsigned threads, size_t shared, unsigned per_sm) {
    CAPTURE(threads);
    CHECK(launch(sms * per_sm, threads, shared) == cudaSuccess);
    CHECK(launch(sms * per_sm + 1, threads, shared) == cudaErrorCooperativeLaunchTooLarge);
    int asked = 0;
    const auto kernel = reinterpret_cast<const void*>(write_kernel);
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&asked, kernel, static_cast<int>(threads), shared) ==
          cudaSuccess);
    CHECK(asked == static_cast<int>(per_sm));
  };
  most(256, 0, 1);
  most(128, 0, 2);
  most(96, 0, 2);
  most(64, 0, 4);
  most(32, 0, 8);
  most(32, 40 << 10, 5);
  cudaGetLastError();
}

TEST_CASE("the device") {
  int value = -1;
  CHECK(cudaGetDevice(&value) == cudaSuccess);
  CHECK(value == 0);
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0) == cudaSuccess);
  CHECK(value == 9);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0) == cudaSuccess);
  CHECK(value == pallasgen::emulator::options().sms);
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult result{};
  CHECK(cudaGetDriverEntryPointByVersion("cuMemAlloc", &entry, 12000, cudaEnableDefault, &result) == cudaSuccess);
  CHECK(result == cudaDriverEntryPointSymbolNotFound);
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &result) ==
        cudaSuccess);
  CHECK(result == cudaDriverEntryPointSuccess);
  CHECK(entry != nullptr);
  cudaGetLastError();
}

// Work that streams order: memset, kernel, copy, kernel, copy of rows, on two streams with an event between.
TEST_CASE("work on streams is done in the order of the calls") {
  cudaStream_t one = nullptr, two = nullptr;
  cudaEvent_t event = nullptr;
  CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking) == cudaSuccess);
  CHECK(cudaStreamCreateWithPriority(&two, cudaStreamNonBlocking, 0) == cudaSuccess);
  CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess);
  const auto write_on = [](cudaStream_t stream, int* p, int index, int value) {
    cudaLaunchConfig_t config{};
    config.gridDim = config.blockDim = dim3(1);
    config.stream = stream;
    return cudaLaunchKernelEx(&config, write_kernel, p, index, value);
  };
  int *a = nullptr, *b = nullptr, *host = nullptr;
  CHECK(cudaMallocAsync(reinterpret_cast<void**>(&a), 32, one) == cudaSuccess);
  CHECK(cudaMalloc(reinterpret_cast<void**>(&b), 32) == cudaSuccess);
  CHECK(cudaHostAlloc(reinterpret_cast<void**>(&host), 32, cudaHostAllocDefault) == cudaSuccess);
  CHECK(cudaMemsetAsync(a, 0, 32, one) == cudaSuccess);
  CHECK(write_on(one, a, 3, 7) == cudaSuccess);
  CHECK(cudaMemcpyAsync(b, a, 32, cudaMemcpyDeviceToDevice, one) == cudaSuccess);
  CHECK(cudaEventRecord(event, one) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(two, event, 0) == cudaSuccess);
  CHECK(write_on(two, b, 4, 9) == cudaSuccess);
  // Columns 1 to 2 of two rows of 4.
  CHECK(cudaMemset(host, 0xff, 32) == cudaSuccess);
  CHECK(cudaMemcpy2DAsync(host, 8, b + 2, 16, 8, 2, cudaMemcpyDeviceToHost, two) == cudaSuccess);
  CHECK(cudaStreamSynchronize(two) == cudaSuccess);
  CHECK(b[3] == 7);
  CHECK(b[4] == 9);
  CHECK(a[4] == 0);
  CHECK(std::vector<int>(host, host + 5) == std::vector<int>{0, 7, 0, 0, -1});
  CHECK(cudaFreeAsync(a, one) == cudaSuccess);
  CHECK(cudaFree(b) == cudaSuccess);
  CHECK(cudaFreeHost(host) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaStreamDestroy(one) == cudaSuccess);
  CHECK(cudaStreamDestroy(two) == cudaSuccess);
}

TEST_CASE("what streams, events and copies refuse") {
  cudaEvent_t recorded = nullptr, fresh = nullptr;
  CHECK(cudaEventCreate(&recorded) == cudaSuccess);
  CHECK(cudaEventCreate(&fresh) == cudaSuccess);
  CHECK(cudaEventRecord(recorded, nullptr) == cudaSuccess);
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, recorded, fresh) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventElapsedTime(nullptr, recorded, recorded) == cudaErrorInvalidValue);
  CHECK(cudaEventRecord(nullptr, nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventSynchronize(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamWaitEvent(nullptr, nullptr, 0) == cudaErrorInvalidResourceHandle);
  int from[4] = {}, to[4] = {};
  CHECK(cudaMemcpy(to, from, 16, static_cast<cudaMemcpyKind>(9)) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy2D(to, 4, from, 8, 8, 1, cudaMemcpyDefault) == cudaErrorInvalidPitchValue);
  CHECK(cudaMalloc(nullptr, 16) == cudaErrorInvalidValue);
  void* p = nullptr;
  CHECK(cudaMalloc(&p, SIZE_MAX) == cudaErrorMemoryAllocation);
  CHECK(std::string(cudaGetErrorString(cudaGetLastError())) == "out of memory");
  CHECK(cudaMalloc(&p, 0) == cudaSuccess);
  CHECK(p == nullptr);
  CHECK(cudaEventDestroy(recorded) == cudaSuccess);
  CHECK(cudaEventDestroy(fresh) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("attributes of the device and of functions") {
  const std::pair<cudaDeviceAttr, int> wanted[] = {
      {cudaDevAttrComputeCapabilityMinor, 0},
      {cudaDevAttrMaxSharedMemoryPerBlock, 48 << 10},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, 232448},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 228 << 10},
      {cudaDevAttrWarpSize, 32},
      {cudaDevAttrMaxThreadsPerBlock, 1024},
      {cudaDevAttrMaxThreadsPerMultiProcessor, 2048},
      {cudaDevAttrMaxRegistersPerBlock, 65536},
      {cudaDevAttrCooperativeLaunch, 1},
      {cudaDevAttrClusterLaunch, 1},
  };
  for (const auto& [attribute, value] : wanted) {
    int got = -1;
    CAPTURE(attribute);
    CHECK(cudaDeviceGetAttribute(&got, attribute, 0) == cudaSuccess);
    CHECK(got == value);
  }
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxTexture1DWidth, 0) == cudaErrorNotSupported);
  const auto kernel = reinterpret_cast<const void*>(write_kernel);
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100) == cudaSuccess);
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, -1) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeRequiredClusterWidth, 2) == cudaErrorNotSupported);
  cudaGetLastError();
}

TEST_CASE("streams and events: everything is in order") {
  cudaStream_t stream = nullptr;
  cudaEvent_t start = nullptr, end = nullptr;
  CHECK(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cudaEventCreate(&start) == cudaSuccess);
  CHECK(cudaEventCreate(&end) == cudaSuccess);
  CHECK(cudaEventRecord(start, stream) == cudaSuccess);
  std::vector<int> from(64, 7), to(64);
  CHECK(cudaMemcpyAsync(to.data(), from.data(), 256, cudaMemcpyDefault, stream) == cudaSuccess);
  CHECK(cudaEventRecord(end, stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(to == from);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, end) == cudaSuccess);
  CHECK(milliseconds >= 0);
  CHECK(cudaEventSynchronize(end) == cudaSuccess);
  CHECK(cudaEventQuery(end) == cudaSuccess);
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(stream, end, 0) == cudaSuccess);
  CHECK(cudaEventDestroy(start) == cudaSuccess);
  CHECK(cudaEventDestroy(end) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

}  // namespace
