#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "expression/dtype.h"

namespace pallasgen {

// What one kind of GPU is modelled to do; every figure is dense and per device (plan/targets/devices.cpp).
struct Device {
  std::string name;  // "H100 SXM"
  int sms = 0;
  double clock_hz = 0;            // of the tensor cores at the rate below
  double flops_16bit = 0;         // dense bf16 and f16 operations per second (a multiply and an add are two)
  double flops_f32 = 0;           // of the ordinary cores
  double bytes_per_second = 0;    // device memory
  double l2_bytes_per_clock = 0;  // that one SM takes from the L2 cache
  double latency_seconds = 0;     // from the issue of a copy to its data in shared memory
  int threads_of_sm = 2048, ctas_of_sm = 32;  // at once, at most
  int partitions_of_sm = 4;                   // each has its share of the warps and of the registers
  int reserved_bytes = 1024;                  // of shared memory, that a CTA takes besides its own
};

// A row of a target's table of matrix instructions: one contracts over `k` elements of `a` and `b`. Its sides are those
// of Target: mma_rows by a multiple of mma_n_step. A may come from registers, both from shared memory.
struct MmaFamily {
  std::string_view name;  // "wgmma.k16.f32.bf16"
  DType a = DType::bf16, b = DType::bf16, accumulator = DType::f32;
  int k = 16;
  bool any_major = false;           // operands of which M or N is contiguous, not K alone
  std::string_view header = {};     // of the runtime, where device.cuh does not have the instruction
  std::string_view precision = {};  // that the dot must ask for
  int wide_n_step = 8;              // of more than kNarrowColumns columns
  int exact_terms = 0;  // of k, whose sums the instructions' few bits may hold; 0: they have the accumulator's
  static constexpr int kNarrowColumns = 32;
};

// A row of the table of what threads multiply by fused multiply-adds, each a block of the result in its registers, from
// operands in shared memory: both of one dtype, widened to that of the sum.
struct FmaFamily {
  std::string_view name;  // "fma.f32.bf16"
  DType operand = DType::f32, sum = DType::f32;
  // The smallest result that is worth it, and the least elements of k.
  static constexpr int64_t kLeastSide = 8, kLeastElements = 256, kLeastDepth = 4;
};

// The rows that every target has.
std::vector<FmaFamily> fma_families();

// What differs between architectures: nothing outside generator/plan/targets tests for one.
struct Target {
  std::string_view name;  // sm_90a
  int capability_major = 0, capability_minor = 0;
  bool tma = false;   // tensor copies and mbarrier transactions
  bool bulk = false;  // bulk copies of contiguous bytes that complete on an mbarrier
  bool setmaxnreg = false;
  int64_t shared_limit = 0;   // dynamic shared memory that one CTA may have, bytes
  int64_t registers = 65536;  // 32-bit registers of one SM
  int max_cluster = 1;        // CTAs of a cluster on every device of the target; 1: it has no clusters
  int max_registers = 255;    // of one thread
  int max_box = 256;          // elements of one box along one dimension
  int max_tensor_rank = 5;
  std::vector<int> swizzles{};       // spans in bytes, widest first
  std::vector<DType> tensor_adds{};  // elements that a tensor copy adds to an array
  int mma_rows = 0;                  // rows of one MMA (64)
  int mma_k_bytes = 0;               // bytes of k of one MMA (32)
  int mma_max_n = 0, mma_n_step = 0;
  std::vector<MmaFamily> families{};  // best first
  std::vector<FmaFamily> by_threads = fma_families();
  std::string_view device;  // the Device that the cost model takes
};

const std::vector<Target>& targets();
// The target of that name, or null.
const Target* find_target(std::string_view name);
// The row of that name in the target's table, or null.
const MmaFamily* find_family(const Target& target, std::string_view name);
// The device figures of that name, or null.
const Device* find_device(std::string_view name);

// What setmaxnreg gives with one producer and `consumers` compute warpgroups: the file of the SM is dealt out at entry
// in equal shares, the producer gives some of its share to the consumers (CUTLASS's and FlashAttention-3's splits).
struct RegisterSplit {
  int consumers = 0;
  int entry = 0;                   // registers of every thread at launch
  int producer = 0, consumer = 0;  // both as at entry: no setmaxnreg
};
// Null where no split is known for so many consumers. `copies`: the producer's threads copy blocks themselves, several
// runs each.
const RegisterSplit* register_split(int64_t consumers, bool copies = false);

}  // namespace pallasgen
