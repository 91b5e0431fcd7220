#include "plan/targets.h"

#include <fmt/format.h>

namespace pallasgen {

namespace {

// wgmma.mma_async: PTX ISA 8.6, 9.7.15.5 (dtypes, shapes; only operands of 16 bits may have M or N contiguous). Its
// sums of 8-bit floats keep 14 bits (DeepSeek-V3 Technical Report, 3.5.2, which adds them in f32 every 128 of k).
std::vector<MmaFamily> wgmma_families() {
  constexpr DType e4m3 = DType::f8e4m3, e5m2 = DType::f8e5m2, f32 = DType::f32;
  std::vector<MmaFamily> families = {
      {"wgmma.k16.f32.bf16", DType::bf16, DType::bf16, f32, 16, true},
      {"wgmma.k16.f32.f16", DType::f16, DType::f16, f32, 16, true},
      {"wgmma.k16.f16.f16", DType::f16, DType::f16, DType::f16, 16, true, "wgmma_f16_f16.cuh"},
      {"wgmma.k8.f32.tf32", f32, f32, f32, 8, false, "wgmma_tf32.cuh", "tf32"},
      {"wgmma.k32.s32.s8", DType::i8, DType::i8, DType::i32, 32, false, "wgmma_i8.cuh", "", 16},
      {"wgmma.k32.s32.u8", DType::u8, DType::u8, DType::i32, 32, false, "wgmma_i8.cuh", "", 16},
      {"wgmma.k32.f32.e4m3", e4m3, e4m3, f32, 32, false, "wgmma_f8.cuh", "", 8, 128},
      {"wgmma.k32.f32.e4m3.e5m2", e4m3, e5m2, f32, 32, false, "wgmma_f8.cuh", "", 8, 128},
      {"wgmma.k32.f32.e5m2.e4m3", e5m2, e4m3, f32, 32, false, "wgmma_f8.cuh", "", 8, 128},
      {"wgmma.k32.f32.e5m2", e5m2, e5m2, f32, 32, false, "wgmma_f8.cuh", "", 8, 128}};
  for (MmaFamily& family : families) family.functions = "wgmma_m64n{}k{}";
  return families;
}

constexpr int kPortableCluster = 8;  // CUDA C++ Programming Guide, "Thread Block Clusters"

// A target whose tensor cores no pass uses yet.
Target with_tensor_copies(std::string_view name, int major, int minor, int64_t shared_limit, std::string_view device) {
  return {.name = name,
          .capability_major = major,
          .capability_minor = minor,
          .tma = true,
          .bulk = true,
          .setmaxnreg = true,
          .shared_limit = shared_limit,
          .max_cluster = kPortableCluster,
          .swizzles = {128, 64, 32},
          // CUDA driver API, CUtensorMapDataType; PTX ISA 8.6, cp.reduce.async.bulk.tensor
          .tensor_adds = {DType::f32, DType::f16, DType::bf16, DType::i32, DType::u32},
          .device = device};
}

// Shared memory per CTA: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability" (opt-in
// maximum). wgmma: PTX ISA 8.6, 9.7.15. setmaxnreg and tensor copies: the instructions' target notes in PTX ISA 8.6.
// Bulk copies: PTX ISA 8.6, cp.async.bulk, sm_90 and later.
const std::vector<Target>& target_table() {
  static const std::vector<Target> targets = {
      {.name = "sm_80", .capability_major = 8, .capability_minor = 0, .shared_limit = 163 * 1024, .device = "A100 SXM"},
      {.name = "sm_86", .capability_major = 8, .capability_minor = 6, .shared_limit = 99 * 1024, .device = "RTX 3090"},
      {.name = "sm_89", .capability_major = 8, .capability_minor = 9, .shared_limit = 99 * 1024, .device = "RTX 4090"},
      {.name = "sm_90a",
       .capability_major = 9,
       .capability_minor = 0,
       .tma = true,
       .bulk = true,
       .setmaxnreg = true,
       .shared_limit = 227 * 1024,
       .max_cluster = kPortableCluster,
       .swizzles = {128, 64, 32},
       // CUDA driver API, CUtensorMapDataType; PTX ISA 8.6, cp.reduce.async.bulk.tensor
       .tensor_adds = {DType::f32, DType::f16, DType::bf16, DType::i32, DType::u32},
       .mma_rows = 64,
       .mma_k_bytes = 32,
       .mma_max_n = 256,
       .mma_n_step = 8,
       .families = wgmma_families(),
       .device = "H100 SXM"},
      with_tensor_copies("sm_100a", 10, 0, 227 * 1024, "B200 SXM"),
      with_tensor_copies("sm_103a", 10, 3, 227 * 1024, "B300 SXM"),
      with_tensor_copies("sm_120a", 12, 0, 99 * 1024, "RTX 5090"),
  };
  return targets;
}

// 65536 registers divided by the threads, rounded down to 8, at most 255: with 2 warpgroups the producer need not give
// any. The sum over the warpgroups must not exceed entry * warpgroups, or the raise would wait for ever.
constexpr RegisterSplit kSplits[] = {
    {.consumers = 1, .entry = 255, .producer = 255, .consumer = 255},
    {.consumers = 2, .entry = 168, .producer = 40, .consumer = 232},
    {.consumers = 3, .entry = 128, .producer = 32, .consumer = 160},
};
// For a producer whose threads copy: 8 runs under way at once, of an array of 4 dims, spill within 32 registers.
constexpr RegisterSplit kCopyingSplit = {.consumers = 3, .entry = 128, .producer = 56, .consumer = 152};

}  // namespace

std::string MmaFamily::function(int64_t n) const { return fmt::format(fmt::runtime(functions), n, k); }

std::vector<FmaFamily> fma_families() {
  constexpr DType f32 = DType::f32, i32 = DType::i32;
  return {{"fma.f32", f32, f32},
          {"fma.f64", DType::f64, DType::f64},

          {"fma.f32.bf16", DType::bf16, f32},
          {"fma.f32.f16", DType::f16, f32},
          {"fma.i32.i8", DType::i8, i32},
          {"fma.i32.u8", DType::u8, i32}};
}

const std::vector<Target>& targets() { return target_table(); }

const Target* find_target(std::string_view name) {
  for (const Target& target : target_table()) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

const MmaFamily* find_family(const Target& target, std::string_view name) {
  for (const MmaFamily& row : target.families) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

const RegisterSplit* register_split(int64_t consumers, bool copies) {
  if (copies && consumers == kCopyingSplit.consumers) return &kCopyingSplit;
  for (const RegisterSplit& split : kSplits) {
    if (split.consumers == consumers) return &split;
  }
  return nullptr;
}

}  // namespace pallasgen
