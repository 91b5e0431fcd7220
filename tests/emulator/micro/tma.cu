// TMA: boxes of rank 1 to 5 at whole 16 bytes of a row, loads over every edge, stores over those at the end; all
// swizzles; the bytes that complete; stores and reductions.
#include <algorithm>

#include "micro.h"

using namespace pallasgen;

namespace {

constexpr int kBoxBytes = 32 << 10;

struct alignas(1024) Smem {
  unsigned char box[kBoxBytes];
  Barrier full;
};

struct At {
  int c[5];   // innermost first
  int start;  // offset of the box in shared memory, in bytes
};

__device__ void load_box(const TensorMap& map, int rank, const At& at, uint32_t dst, uint32_t bar) {
  const void* m = &map.map;
  if (rank == 1) ptx::tensor_load_1d(dst, m, at.c[0], bar);
  if (rank == 2) ptx::tensor_load_2d(dst, m, at.c[0], at.c[1], bar);
  if (rank == 3) ptx::tensor_load_3d(dst, m, at.c[0], at.c[1], at.c[2], bar);
  if (rank == 4) ptx::tensor_load_4d(dst, m, at.c[0], at.c[1], at.c[2], at.c[3], bar);
  if (rank == 5) ptx::tensor_load_5d(dst, m, at.c[0], at.c[1], at.c[2], at.c[3], at.c[4], bar);
}

__device__ void store_box(const TensorMap& map, int rank, const At& at, uint32_t src) {
  const void* m = &map.map;
  if (rank == 1) ptx::tensor_store_1d(m, at.c[0], src);
  if (rank == 2) ptx::tensor_store_2d(m, at.c[0], at.c[1], src);
  if (rank == 3) ptx::tensor_store_3d(m, at.c[0], at.c[1], at.c[2], src);
  if (rank == 4) ptx::tensor_store_4d(m, at.c[0], at.c[1], at.c[2], at.c[3], src);
  if (rank == 5) ptx::tensor_store_5d(m, at.c[0], at.c[1], at.c[2], at.c[3], at.c[4], src);
}

enum Action { kLoad, kStore, kAdd, kMin, kMax };

// kLoad: copies the box at `at`, as it lies in shared memory, to `bytes`. Else: copies `bytes` to the array.
__global__ void box_kernel(const __grid_constant__ TensorMap map, int rank, At at, uint32_t box_bytes, int action,
                           unsigned char* bytes) {
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x == 0) {
    ptx::prefetch_tensormap(&map.map);  // a hint without effect
    smem.full.init(1);
    fence_barrier_init();
  }
  for (int i = threadIdx.x; i < kBoxBytes; i += 32) smem.box[i] = action == kLoad ? 0xee : bytes[i];
  fence_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    const uint32_t box = ptx::shared_address(smem.box) + at.start;
    if (action == kLoad) {
      smem.full.arrive_expect_tx(box_bytes);
      load_box(map, rank, at, box, smem.full.address());
    }
    if (action == kStore) store_box(map, rank, at, box);
    if (action == kAdd) ptx::tensor_reduce_add_2d(&map.map, at.c[0], at.c[1], box);
    if (action == kMin) ptx::tensor_reduce_min_2d(&map.map, at.c[0], at.c[1], box);
    if (action == kMax) ptx::tensor_reduce_max_2d(&map.map, at.c[0], at.c[1], box);
    ptx::bulk_commit_group();
    ptx::bulk_wait_group<0>();
  }
  if (action != kLoad) return;
  smem.full.wait(0);
  for (int i = threadIdx.x; i < kBoxBytes; i += 32) bytes[i] = smem.box[i];
}

struct Shape {
  std::vector<int64_t> extents;  // outermost first
  std::vector<int> box;
  Swizzle swizzle;
  int start = 0;  // offset of the box in shared memory: a multiple of 128 bytes
};

template <class T>
TensorMap make_map(const T* array, const Shape& s) {
  TensorMap map{};
  const TensorMapRequest request{"array",
                                 array,
                                 tensor_map_type<T>(),
                                 static_cast<int>(sizeof(T)),
                                 static_cast<int>(s.extents.size()),
                                 s.extents.data(),
                                 s.box.data(),
                                 s.swizzle};
  micro::require(make_tensor_map(map, "micro", request, find_zero_element), "tensor map");
  return map;
}

At place(const std::vector<int>& outermost_first, int start = 0) {
  At at{};
  at.start = start;
  for (size_t d = 0; d < outermost_first.size(); ++d) at.c[outermost_first.size() - 1 - d] = outermost_first[d];
  return at;
}

// Calls visit(byte offset in shared memory, index in the array or -1) for each element of the box. A swizzle uses the
// bits of the address, wherever the box starts.
template <class T, class Visit>
void for_each_element(const Shape& s, const std::vector<int>& at, Visit visit) {
  const size_t rank = s.box.size();
  std::vector<int> index(rank, 0);
  uint32_t offset = static_cast<uint32_t>(s.start);
  for (bool more = true; more; offset += sizeof(T)) {
    int64_t element = 0;
    bool inside = true;
    for (size_t d = 0; d < rank; ++d) {
      const int64_t x = at[d] + index[d];
      inside = inside && x >= 0 && x < s.extents[d];
      element = element * s.extents[d] + x;
    }
    const uint32_t span = static_cast<uint32_t>(s.swizzle == Swizzle::kNone ? 0 : swizzle_span(s.swizzle));
    const uint32_t chunks = span == 0 ? 1 : span / 16;
    visit(offset ^ ((offset >> 7) % 8 & (chunks - 1)) << 4, inside ? element : -1);
    size_t d = rank;
    while (d > 0 && ++index[d - 1] == s.box[d - 1]) index[--d] = 0;
    more = d > 0;
  }
}

template <class T>
void test_box(const Shape& s, const std::vector<int>& at) {
  size_t elements = 1, box_elements = 1;
  for (int64_t e : s.extents) elements *= static_cast<size_t>(e);
  for (int b : s.box) box_elements *= static_cast<size_t>(b);
  std::vector<T> values(elements);
  for (size_t i = 0; i < elements; ++i) values[i] = static_cast<T>(i * 7 + 1);
  micro::Array<T> array(values);
  micro::Array<unsigned char> bytes(size_t{kBoxBytes});
  const TensorMap map = make_map(array.device(), s);
  const int rank = static_cast<int>(s.extents.size());
  const uint32_t box_bytes = static_cast<uint32_t>(box_elements * sizeof(T));
  const std::string name = "rank " + std::to_string(rank) + ", swizzle " + std::to_string(int(s.swizzle)) + ", at " +
                           std::to_string(at.front()) + ".." + std::to_string(at.back()) + ", starts at " +
                           std::to_string(s.start);

  micro::run(box_kernel, 1, 32, sizeof(Smem), map, rank, place(at, s.start), box_bytes, int(kLoad), bytes.device());
  bytes.download();
  for_each_element<T>(s, at, [&](uint32_t offset, int64_t element) {
    T got;
    memcpy(&got, &bytes.host[offset], sizeof got);
    micro::check_equal(got, element < 0 ? T(0) : values[static_cast<size_t>(element)], "load, " + name);
  });
  micro::check_equal(int(bytes.host[static_cast<size_t>(s.start) + box_bytes]), 0xee, "bytes behind the box, " + name);

  std::vector<T> wanted = values;
  T next = 100;
  for_each_element<T>(s, at, [&](uint32_t offset, int64_t element) {
    ++next;
    memcpy(&bytes.host[offset], &next, sizeof next);
    if (element >= 0) wanted[static_cast<size_t>(element)] = next;
  });
  if (std::any_of(at.begin(), at.end(), [](int x) { return x < 0; })) return;  // a store begins in the array
  bytes.upload();
  micro::run(box_kernel, 1, 32, sizeof(Smem), map, rank, place(at, s.start), box_bytes, int(kStore), bytes.device());
  array.download();
  for (size_t i = 0; i < elements; ++i) micro::check_equal(array.host[i], wanted[i], "store, " + name);
}

template <class T>
void test_reduction(int action, const std::string& name) {
  const Shape s{{6, 24}, {4, 16}, Swizzle::kNone};
  const std::vector<int> at{3, 16};  // over two edges
  std::vector<T> values(144);
  for (int i = 0; i < 144; ++i) values[static_cast<size_t>(i)] = static_cast<T>(i % 11 - 5);
  micro::Array<T> array(values);
  micro::Array<unsigned char> bytes(size_t{kBoxBytes});
  std::vector<T> wanted = values;
  for_each_element<T>(s, at, [&](uint32_t offset, int64_t element) {
    const T value = static_cast<T>(static_cast<int>(offset / sizeof(T) % 9) - 4);
    memcpy(&bytes.host[offset], &value, sizeof value);
    if (element < 0) return;
    T& w = wanted[static_cast<size_t>(element)];
    const float a = static_cast<float>(w), b = static_cast<float>(value);
    w = static_cast<T>(action == kAdd ? a + b : action == kMin ? (b < a ? b : a) : (a < b ? b : a));
  });
  bytes.upload();
  micro::run(box_kernel, 1, 32, sizeof(Smem), make_map(array.device(), s), 2, place(at, s.start), 0u, action,
             bytes.device());
  array.download();
  for (size_t i = 0; i < 144; ++i)
    micro::check_equal(static_cast<float>(array.host[i]), static_cast<float>(wanted[i]), name);
}

__global__ void round_kernel(float* values) { values[threadIdx.x] = ptx::cvt_rn_tf32(values[threadIdx.x]); }

// A map of type TFLOAT32 rounds what it loads to 10 bits of mantissa, ties to even; infinities stay. The instruction
// that rounds values which threads store does the same.
void test_tf32() {
  const uint32_t pairs[][2] = {{0x3f800000, 0x3f800000}, {0x3f801000, 0x3f800000}, {0x3f801001, 0x3f802000},
                               {0x3f803000, 0x3f804000}, {0xbf802fff, 0xbf802000}, {0x3fffffff, 0x40000000},
                               {0x7f800000, 0x7f800000}, {0xff800000, 0xff800000}, {0x00001fff, 0x00002000}};
  std::vector<float> values(32);
  for (size_t i = 0; i < std::size(pairs); ++i) memcpy(&values[i], &pairs[i][0], sizeof(float));
  micro::Array<float> array(values);
  micro::Array<unsigned char> bytes(size_t{kBoxBytes});
  const int64_t extent = 32;
  const int box = 32;
  TensorMap map{};
  const TensorMapRequest request{"array", array.device(), CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, 4, 1, &extent,
                                 &box,    Swizzle::kNone};
  micro::require(make_tensor_map(map, "micro", request, find_zero_element), "tensor map");
  micro::run(box_kernel, 1, 32, sizeof(Smem), map, 1, At{}, 128u, int(kLoad), bytes.device());
  bytes.download();
  for (size_t i = 0; i < std::size(pairs); ++i) {
    uint32_t got;
    memcpy(&got, &bytes.host[4 * i], sizeof got);
    micro::check_equal(got, pairs[i][1], "tf32 of " + std::to_string(pairs[i][0]));
  }
  micro::run(round_kernel, 1, 32, 0, array.device());
  array.download();
  for (size_t i = 0; i < std::size(pairs); ++i) {
    uint32_t got;
    memcpy(&got, &array.host[i], sizeof got);
    micro::check_equal(got, pairs[i][1], "cvt to tf32 of " + std::to_string(pairs[i][0]));
  }
}

// Maps that make_tensor_map never makes: a step s above 1 takes every s-th, and elements outside may be NaN.
using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*, const cuuint64_t*,
                            const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

void test_steps_and_nan() {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  micro::require(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found),
                 "entry point");
  std::vector<float> values(10 * 8);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const micro::Array<float> array(values);
  micro::Array<unsigned char> bytes(size_t{kBoxBytes});
  const cuuint64_t extents[] = {8, 10}, strides[] = {32};
  const cuuint32_t box[] = {8, 7}, steps[] = {1, 3};
  TensorMap map{};
  const CUresult result = reinterpret_cast<Encode>(entry)(&map.map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, array.device(),
                                                          extents, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                                          CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                                          CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
  micro::check(result == CUDA_SUCCESS, "a map with steps");
  // Rows 4, 7 and 10, of which the last is outside, and columns 4 to 11, of which the last four are.
  micro::run(box_kernel, 1, 32, sizeof(Smem), map, 2, place({4, 4}), 3u * 32u, int(kLoad), bytes.device());
  bytes.download();
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 8; ++column) {
      float got;
      memcpy(&got, &bytes.host[static_cast<size_t>(32 * row + 4 * column)], sizeof got);
      const int from_row = 4 + 3 * row, from_column = 4 + column;
      const std::string name = "steps, element " + std::to_string(row) + ", " + std::to_string(column);
      if (from_row >= 10 || from_column >= 8)
        micro::check(got != got, name + " is NaN");
      else
        micro::check_equal(got, static_cast<float>(8 * from_row + from_column), name);
    }
  micro::check_equal(int(bytes.host[96]), 0xee, "bytes behind a box with steps");
}

}  // namespace

int main() {
  test_steps_and_nan();
  test_tf32();
  test_box<float>({{37}, {16}, Swizzle::kNone}, {24});
  test_box<uint8_t>({{1000}, {256}, Swizzle::kNone}, {-96});
  test_box<uint8_t>({{1000}, {256}, Swizzle::kNone}, {784});
  const Swizzle swizzles[] = {Swizzle::kNone, Swizzle::k32B, Swizzle::k64B, Swizzle::k128B};
  for (const Swizzle swizzle : swizzles) {
    const int width = swizzle == Swizzle::kNone ? 40 : swizzle_span(swizzle) / 2;
    for (const std::vector<int>& at : {std::vector<int>{0, 0}, {3, 8}, {20, 56}, {-5, -16}, {100, 0}, {0, 200}})
      test_box<uint16_t>({{30, 104}, {24, width}, swizzle}, at);
    for (const int start : {128, 640}) test_box<uint16_t>({{30, 104}, {24, width}, swizzle, start}, {3, 8});
    for (const int from : {-1, 2})
      test_box<float>({{9, 5, 72}, {3, 4, swizzle == Swizzle::kNone ? 12 : swizzle_span(swizzle) / 4}, swizzle},
                      {7, from, 60});
  }
  for (const int from : {-1, 2}) {
    test_box<int32_t>({{3, 4, 5, 8}, {2, 3, 2, 8}, Swizzle::kNone}, {2, from, 4, 4});
    test_box<int64_t>({{3, 2, 4, 3, 6}, {2, 2, 3, 2, 4}, Swizzle::k32B}, {from, 1, 2, 2, 4});
  }
  test_reduction<float>(kAdd, "add f32");
  test_reduction<f16>(kAdd, "add f16");
  test_reduction<bf16>(kMin, "min bf16");
  test_reduction<f16>(kMax, "max f16");
  test_reduction<int32_t>(kMin, "min s32");
  test_reduction<int32_t>(kMax, "max s32");
  return micro::finish();
}
