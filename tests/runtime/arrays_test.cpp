#include <doctest/doctest.h>
#include <pallasgen/emulator/emulator.h>
#include <pallasgen/launch.h>

#include <pallasgen/device.cuh>
#include <string>
#include <vector>

using namespace pallasgen;

TEST_CASE("arrays: strides that put two elements at one place") {
  CHECK(has_distinct_elements({4, 8}, {8, 1}));
  CHECK(has_distinct_elements({4, 8}, {9, 1}));
  CHECK(!has_distinct_elements({4, 8}, {7, 1}));
  CHECK(!has_distinct_elements({4, 8}, {0, 1}));
  CHECK(has_distinct_elements({1, 8}, {0, 1}));  // an axis of extent 1 has no step
  CHECK(has_distinct_elements({8, 4}, {1, 8}));  // transposed
  CHECK(!has_distinct_elements({8, 5, 2}, {1, 8, 8}));
  CHECK(has_distinct_elements({0, 8}, {0, 0}));
  CHECK(!has_distinct_elements({INT64_C(1) << 40, 2}, {INT64_C(1) << 30, 1}));  // beyond 64 bits
}

TEST_CASE("arrays: products of extents fit below 2^53, in whatever order they are multiplied") {
  constexpr int64_t large = INT64_C(1) << 22;
  CHECK(product_fits(large, large, 511));
  CHECK(!product_fits(large, large, 512));
  CHECK(!product_fits(large, large, large));  // 2^66, whose low 64 bits are 0
  CHECK(!product_fits(large, large, large, 0));
  CHECK(product_fits(0, large, large));
  CHECK(product_fits(-large, large));
  CHECK(!product_fits(-large, large, large));
  CHECK(product_fits((INT64_C(1) << 53) - 1));
  CHECK(product_fits(1 - (INT64_C(1) << 53)));
  CHECK(!product_fits(-(INT64_C(1) << 53)));
  CHECK(!product_fits(INT64_MAX));
  CHECK(!product_fits(INT64_MIN));
}

TEST_CASE("arrays: a workspace whose bytes 64 bits do not hold is never large enough") {
  constexpr int64_t large = INT64_C(1) << 22;
  alignas(256) unsigned char memory[256];
  Workspace parts(memory);
  parts.take<float>({large, large, large});
  CHECK(parts.bytes() == SIZE_MAX);
  CHECK(!parts.serves(sizeof memory));
  CHECK(!parts.serves(SIZE_MAX));
}

TEST_CASE("arrays: the parts of a workspace are aligned, one behind the other") {
  Workspace sizes;
  CHECK(sizes.take<float>({3, 5}) == nullptr);
  CHECK(sizes.bytes() == 256);
  sizes.take<uint32_t>();
  sizes.take<double>({0});
  sizes.take<uint8_t>({257});
  CHECK(sizes.bytes() == 256 + 256 + 0 + 512);
  alignas(256) static unsigned char memory[1024];
  Workspace parts(memory);
  CHECK(reinterpret_cast<unsigned char*>(parts.take<float>({3, 5})) == memory);
  CHECK(reinterpret_cast<unsigned char*>(parts.take<uint32_t>()) == memory + 256);
  CHECK(parts.serves(512));
  CHECK(!parts.serves(511));
  Workspace crooked(memory + 16);
  crooked.take<float>({1});
  CHECK(!crooked.serves(1024));
  Workspace missing;
  missing.take<float>({1});
  CHECK(!missing.serves(1024));
  CHECK(Workspace().serves(0));
}

TEST_CASE("arrays: filled with any value, and between strides nothing is touched") {
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 1200 * sizeof(float)) == cudaSuccess);
  float* array = static_cast<float*>(memory);
  std::vector<float> host(1200);
  const auto copy_back = [&] {
    REQUIRE(cudaMemcpy(host.data(), array, host.size() * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
  };
  CHECK(fill_array(array, 0.0f, {1200}, nullptr) == cudaSuccess);
  CHECK(fill_array(array, 1.5f, {30, 20}, nullptr) == cudaSuccess);
  copy_back();
  for (int i = 0; i < 1200; ++i) CHECK(host[i] == (i < 600 ? 1.5f : 0.0f));
  CHECK(fill_array(array, -2.0f, {30, 20}, {40, 1}, nullptr) == cudaSuccess);
  copy_back();
  for (int i = 0; i < 1200; ++i) CHECK(host[i] == (i % 40 < 20 ? -2.0f : i < 600 ? 1.5f : 0.0f));
  CHECK(fill_array(static_cast<float*>(nullptr), 1.0f, {0, 20}, nullptr) == cudaSuccess);
  // One launch fills several, one of which is empty, one a single element, and one of another type.
  int16_t* others = reinterpret_cast<int16_t*>(array + 1000);
  CHECK(fill_arrays(nullptr, filling(array, 3.0f, {20, 30}), filling(static_cast<float*>(nullptr), 1.0f, {0}),
                    filling(array + 700, 4.0f), filling(others, -5, {6})) == cudaSuccess);
  CHECK(fill_arrays(nullptr, filling(array, 9.0f, {0, 3})) == cudaSuccess);
  copy_back();
  for (int i = 0; i < 600; ++i) CHECK(host[i] == 3.0f);
  CHECK(host[600] == -2.0f);
  CHECK(host[700] == 4.0f);
  CHECK(host[701] == 0.0f);
  for (int i = 0; i < 6; ++i) CHECK(reinterpret_cast<const int16_t*>(host.data() + 1000)[i] == -5);
  CHECK(host[1003] == -2.0f);
  cudaFree(memory);
}
