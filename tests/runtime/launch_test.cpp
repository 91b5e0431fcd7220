#include <doctest/doctest.h>
#include <pallasgen/emulator/emulator.h>
#include <pallasgen/launch.h>

#include <string>

#include "empty_arrays.h"

using namespace pallasgen;

namespace {

template <class T, int R>
std::string fault(const T* pointer, const int64_t (&extents)[R], const int (&box)[R], Swizzle swizzle) {
  const char* text =
      tensor_map_fault({"x", pointer, tensor_map_type<T>(), static_cast<int>(sizeof(T)), R, extents, box, swizzle});
  return text ? text : "";
}

__global__ void nothing(int) {}
__global__ void reset(int) {}
__global__ void too_large(int) {}  // the driver sets its shared memory once

cudaError_t launcher(int64_t n) {
  PALLASGEN_REQUIRE(n % 8 == 0, "launcher: n must be a multiple of 8");
  return cudaSuccess;
}

}  // namespace

TEST_CASE("launch: what a tensor map cannot be made of") {
  alignas(16) static bf16 x[8];
  constexpr auto k128B = Swizzle::k128B;
  CHECK(fault(x, {64, 64}, {64, 64}, k128B).empty());
  CHECK(fault(x, {64, 64}, {256, 64}, k128B).empty());
  CHECK(fault(x, {64}, {256}, Swizzle::kNone).empty());
  CHECK(fault(x, {7}, {8}, Swizzle::kNone).empty());  // one row has no stride
  CHECK(fault(x, {1, 2, 3, 4, 8}, {1, 1, 1, 1, 8}, Swizzle::kNone).empty());
  CHECK(fault(x, {64, 64}, {257, 64}, k128B) == "%s: box extents must be 1 to 256");
  CHECK(fault(x, {64, 64}, {0, 64}, k128B) == "%s: box extents must be 1 to 256");
  CHECK(fault(x, {64, 64}, {64, 72}, k128B) == "%s: the box is wider than its swizzle");
  CHECK(fault(x, {64, 64}, {64, 40}, Swizzle::k64B) == "%s: the box is wider than its swizzle");
  CHECK(fault(x, {64, 64}, {64, 24}, Swizzle::k32B) == "%s: the box is wider than its swizzle");
  CHECK(fault(x, {64, 64}, {64, 12}, k128B) == "%s: the box must be a multiple of 16 bytes wide");
  CHECK(fault(x, {64, 60}, {64, 64}, k128B) == "%s: rows must be a multiple of 16 bytes");
  CHECK(fault(x, {4, 3, 8}, {1, 1, 8}, k128B).empty());
  CHECK(fault(x, {4, 3, 12}, {1, 1, 8}, k128B) == "%s: rows must be a multiple of 16 bytes");
  CHECK(fault(x + 1, {64, 64}, {64, 64}, k128B) == "%s: the pointer must be a multiple of 16 bytes");
  CHECK(fault(static_cast<bf16*>(nullptr), {64, 64}, {64, 64}, k128B) == "%s: null pointer");
  CHECK(fault(static_cast<bf16*>(nullptr), {64, 0}, {64, 64}, k128B).empty());
  CHECK(fault(x, {-1, 64}, {64, 64}, k128B) == "%s: negative extent");
  CHECK(fault(x, {INT64_C(1) << 31, 8}, {64, 8}, k128B) == "%s: extents must be below 2^31, as coordinates are");
  CHECK(fault(x, {2, (INT64_C(1) << 31) - 1, (INT64_C(1) << 31) - 8}, {1, 1, 8}, k128B) ==
        "%s: strides must be below 2^40 bytes");
}

TEST_CASE("launch: a tensor map has 1 to 5 dimensions") {
  alignas(16) static bf16 x[8];
  const int64_t extents[] = {1, 1, 1, 1, 1, 1, 8};
  const int box[] = {1, 1, 1, 1, 1, 1, 8};
  const auto error = [&](int rank) {
    const char* text = tensor_map_fault({"x", x, tensor_map_type<bf16>(), static_cast<int>(sizeof(bf16)), rank,
                                         extents + 7 - rank, box + 7 - rank, Swizzle::kNone});
    return std::string(text ? text : "");
  };
  CHECK(error(1).empty());
  CHECK(error(5).empty());
  CHECK(error(6) == "%s: a tensor map has 1 to 5 dimensions");
  const int64_t* none = extents + 1;  // the extents before it are no part of it
  const char* text = tensor_map_fault(
      {"x", x, tensor_map_type<bf16>(), static_cast<int>(sizeof(bf16)), 0, none, box + 1, Swizzle::kNone});
  REQUIRE(text != nullptr);
  CHECK(std::string(text) == "%s: a tensor map has 1 to 5 dimensions");
}

TEST_CASE("launch: strides of a tensor map") {
  alignas(16) static bf16 x[64];
  const auto error = [](const int64_t(&strides)[2]) {
    TensorMaps maps("kernel");
    maps.add("x", x, {2, 8}, {1, 8}, Swizzle::kNone, strides);
    return maps.ok() ? "" : std::string(last_error());
  };
  CHECK(error({24, 1}).empty());
  CHECK(error({INT64_C(1) << 40, 1}) == "kernel: x: strides must be below 2^40 bytes");
  CHECK(error({INT64_C(1) << 39, 1}) == "kernel: x: strides must be below 2^40 bytes");
  CHECK(error({(INT64_C(1) << 39) - 8, 1}).empty());
  CHECK(error({0, 1}) == "kernel: x: strides must be below 2^40 bytes");
  CHECK(error({-24, 1}) == "kernel: x: strides must be below 2^40 bytes");
  CHECK(error({24, 2}) == "kernel: x: the last stride must be 1");
  CHECK(error({20, 1}) == "kernel: x: rows must be a multiple of 16 bytes");
}

TEST_CASE("launch: an empty array that is only read has a map all the same, the first failure stays") {
  alignas(16) static bf16 x[64];
  TensorMaps maps("kernel");
  const TensorMap empty = maps.add("e", static_cast<bf16*>(nullptr), {8, 0}, {8, 8}, Swizzle::kNone);
  CHECK(maps.ok());
  CHECK(!empty.has_elements());
  const TensorMap read = maps.add("r", static_cast<const bf16*>(nullptr), {8, 0}, {8, 8}, Swizzle::kNone, {0, 1});
  CHECK(maps.ok());
  CHECK(read.has_elements());
  const TensorMap whole = maps.add("w", x, {8, 8}, {8, 8}, Swizzle::kNone);
  CHECK(maps.ok());
  CHECK(whole.has_elements());
  maps.add("b", x + 1, {8, 8}, {8, 8}, Swizzle::kNone);
  CHECK(!maps.ok());
  maps.add("w", x, {8, 8}, {8, 8}, Swizzle::kNone);
  CHECK(maps.error() == cudaErrorInvalidValue);
  CHECK(std::string(last_error()) == "kernel: b: the pointer must be a multiple of 16 bytes");
}

TEST_CASE("launch: element types") {
  CHECK(tensor_map_type<bf16>() == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
  CHECK(tensor_map_type<f16>() == CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
  CHECK(tensor_map_type<float>() == CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
  CHECK(tensor_map_type<double>() == CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
  CHECK(tensor_map_type<int32_t>() == CU_TENSOR_MAP_DATA_TYPE_INT32);
  CHECK(tensor_map_type<uint32_t>() == CU_TENSOR_MAP_DATA_TYPE_UINT32);
  CHECK(tensor_map_type<int64_t>() == CU_TENSOR_MAP_DATA_TYPE_INT64);
  CHECK(tensor_map_type<int16_t>() == CU_TENSOR_MAP_DATA_TYPE_UINT16);
  CHECK(tensor_map_type<bool>() == CU_TENSOR_MAP_DATA_TYPE_UINT8);
}

TEST_CASE("launch: a requirement that fails returns and says why") {
  CHECK(launcher(16) == cudaSuccess);
  CHECK(launcher(12) == cudaErrorInvalidValue);
  CHECK(std::string(last_error()) == "launcher: n must be a multiple of 8");
  CHECK(fits_int32(INT64_C(0), INT64_C(2147483647), -5));
  CHECK(!fits_int32(INT64_C(2147483648)));
  CHECK(!fits_int32(1, INT64_C(-2147483649)));
  CHECK(is_aligned(reinterpret_cast<void*>(32), 16));
  CHECK(!is_aligned(reinterpret_cast<void*>(40), 16));
  CHECK(is_aligned(nullptr, 16));
  const auto* whole = reinterpret_cast<void*>(32);
  CHECK(is_array(whole, 16, {3, 4}));
  CHECK(!is_array(whole, 64, {3, 4}));
  CHECK(!is_array(nullptr, 16, {3, 4}));
  CHECK(is_array(nullptr, 16, {3, 0}));
  CHECK(fits_grid(INT64_C(65536), INT64_C(32767)));
  CHECK(!fits_grid(INT64_C(65536), INT64_C(32768)));
  CHECK(!fits_grid(INT64_MAX, INT64_MAX, INT64_MAX));
  CHECK(fits_grid(0, 5));
}

TEST_CASE("launch: grids") {
  const int sms = pallasgen::emulator::options().sms;
  CHECK(persistent_grid(100, 100).x == sms);
  CHECK(persistent_grid(1, 2).x == 2);
  CHECK(persistent_grid(3).x == 3);
  CHECK(persistent_grid(5, 0, 7).x == 0);
  CHECK(persistent_grid(INT32_MAX, INT32_MAX, INT32_MAX).x > INT32_MAX);
  CHECK(persistent_grid(INT32_MAX, INT32_MAX, 0).x == 0);
  CHECK(tiles_in_all(65537, 3, 2) == 393222);
  CHECK(tiles_in_all(769546, 494770, 48448661) > INT32_MAX);  // 2^64 + 4
  CHECK(tiles_in_all(1 << 30, 1 << 30, 1 << 4, 0) == 0);
  CHECK(tiles_in_all(1 << 30, 1 << 30, 1 << 4) > INT32_MAX);
  CHECK(compute_capability() == 90);
  CHECK(launch(nothing, 1, 32, 0, nullptr, 1) == cudaSuccess);
  CHECK(launch(nothing, 0, 32, 0, nullptr, 1) == cudaErrorInvalidConfiguration);
  CHECK(std::string(last_error()) == "launch: 0 blocks");
  CHECK(launch(nothing, persistent_grid(INT32_MAX, 4), 32, 0, nullptr, 1) == cudaErrorInvalidConfiguration);
  CHECK(launch(nothing, 1, 4096, 0, nullptr, 1) != cudaSuccess);
  CHECK(launch(nothing, 1, 32, 100 * 1024, nullptr, 1) == cudaSuccess);
  CHECK(launch(nothing, 1, 32, 100 * 1024, nullptr, 1) == cudaSuccess);
  CHECK(launch(nothing, 1, 32, 1024 * 1024, nullptr, 1) != cudaSuccess);
  CHECK(launch(too_large, 1, 32, 1024 * 1024, nullptr, 1) != cudaSuccess);
  CHECK(std::string(last_error()).starts_with("launch: 1048576 bytes of shared memory: "));
}

TEST_CASE("launch: shared memory that the driver has forgotten is asked for again") {
  const auto launched = [](size_t bytes) { return launch(reset, 1, 32, bytes, nullptr, 1); };
  CHECK(launched(100 * 1024) == cudaSuccess);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(launched(100 * 1024) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(launch(reset, 1, 4096, 100 * 1024, nullptr, 1) == cudaErrorInvalidValue);  // with another reason, too
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST_CASE("launch: an empty array is read where its own file has an element for it") {
  CHECK(zero_of_one_file() != zero_of_other_file());
  CHECK(base_of_empty_in_one_file() == zero_of_one_file());
  CHECK(base_of_empty_in_other_file() == zero_of_other_file());
}

TEST_CASE("launch: an empty array has nothing to fill, with strides or without") {
  float* none = nullptr;
  CHECK(fill_array(none, 1.5f, {0, 4}, nullptr) == cudaSuccess);
  CHECK(fill_array(none, 1.5f, {0, 4}, {8, 1}, nullptr) == cudaSuccess);
}
