#include <cuda_runtime.h>
#include <doctest/doctest.h>
#include <pallasgen/emulator/emulator.h>
#include <pallasgen/launch.h>

#include <array>
#include <pallasgen/device.cuh>
#include <string>

#include "child.h"

// Arrays and parts of workspaces must end within the memory that they lie in.
using namespace pallasgen;

namespace {

// Checks the extents of an array of `rows` rows of 8 floats, `stride` apart, starting `skipped` floats in.
template <int Kind>
__global__ void extents_kernel(float* array, int64_t rows, int64_t stride, int64_t skipped) {
  Fragment<float, StridedLayout<32, 1, 32>> x;
  fill(x, 0.0f);
  float* p = array + skipped;
  if (Kind == 0) at(strided(p, {stride, 1}), {rows, 8}, {0, 0}) = 0.0f;
  if (Kind == 1) element(strided(p, {stride, 1}), {rows, 8}, {rows, 0});
  if (Kind == 2) store(x, p, Axes<0, -1>(), block_at({rows, 8}, {0, 0}, {stride, 1}));
  if (Kind == 3) store_add(x, p, Axes<0, -1>(), block_at({rows, 8}, {0, 0}, {stride, 1}));
}

TEST_CASE("extents that leave the array") {
  using Kernel = void (*)(float*, int64_t, int64_t, int64_t);
  const auto with = [](Kernel kernel, int64_t rows, int64_t stride, int64_t skipped) {
    return in_child([=] {
      void* array = nullptr;
      cudaMalloc(&array, 4 * 8 * sizeof(float));
      launch(kernel, 1, 32, 0, nullptr, static_cast<float*>(array), rows, stride, skipped);
    });
  };
  for (const Kernel kernel : {extents_kernel<0>, extents_kernel<1>, extents_kernel<2>, extents_kernel<3>}) {
    for (const auto& [rows, stride, skipped] : {std::array{4, 8, 0}, {3, 8, 8}, {2, 24, 0}, {1, 1000, 24}})
      CHECK(with(kernel, rows, stride, skipped).code == 0);
    expect(with(kernel, 5, 8, 0), emulator::kExitRuleBroken,
           "an array with these extents goes on for 160 bytes from byte 0 of an array of 128 bytes");
    expect(with(kernel, 4, 8, 1), emulator::kExitRuleBroken, "from byte 4 of an array of 128 bytes");
    expect(with(kernel, 2, 25, 0), emulator::kExitRuleBroken, "which ends 4 bytes before");
  }
  // An empty array has no reach, one whose rows are all the same has that of one row.
  CHECK(with(extents_kernel<1>, 0, 1000, 0).code == 0);
  for (const Kernel kernel : {extents_kernel<0>, extents_kernel<2>}) CHECK(with(kernel, 1000, 0, 24).code == 0);
  const auto filled_or_mapped = [](bool fill, int64_t rows) {
    return in_child([=] {
      void* p = nullptr;
      cudaMalloc(&p, 4 * 8 * sizeof(float));
      float* array = static_cast<float*>(p);
      if (fill)
        fill_array(array, 1.5f, {rows, 8}, nullptr);
      else
        TensorMaps("map").add("x", array, {rows, 8}, {1, 8}, Swizzle::kNone);
    });
  };
  for (const bool fill : {false, true}) {
    CHECK(filled_or_mapped(fill, 4).code == 0);
    expect(filled_or_mapped(fill, 5), emulator::kExitRuleBroken, "which ends 32 bytes before");
  }
}

__global__ void touch_kernel(float* p) { p[threadIdx.x] = 0.0f; }

TEST_CASE("parts of a workspace end where they say, while the launcher runs") {
  // A launcher whose second part has this many floats, and a kernel that touches 32 of them.
  const auto launcher = [](void* workspace, int64_t floats) {
    Workspace parts(workspace);
    parts.take<uint32_t>();
    float* p = parts.take<float>({floats});
    if (!parts.serves(1024)) _exit(3);
    launch(touch_kernel, 1, 32, 0, nullptr, p);
  };
  const auto taken = [=](int64_t floats, int64_t counted) {
    return in_child([=] {
      emulator::Options options;
      options.counted_workspace = counted >= 0;
      emulator::set_options(options);
      void* workspace = nullptr;
      cudaMalloc(&workspace, 1024);
      if (counted >= 0) {
        Workspace parts;
        parts.take<uint32_t>();
        parts.take<float>({counted});
      }
      launcher(workspace, floats);
      // The memory belongs to the caller again.
      launch(touch_kernel, 1, 256, 0, nullptr, static_cast<float*>(workspace));
    });
  };
  CHECK(taken(32, -1).code == 0);
  CHECK(taken(33, 33).code == 0);
  expect(taken(31, -1), emulator::kExitRuleBroken, "written 0 bytes behind a part of 124 bytes of a workspace");
  expect(taken(33, 32), emulator::kExitRuleBroken,
         "takes a workspace of parts of 4, 132 bytes, its size was counted for parts of 4, 128 bytes");
}

}  // namespace
