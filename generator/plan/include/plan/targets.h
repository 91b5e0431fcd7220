#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "expression/dtype.h"

namespace pallasgen {

// Modelled performance of one kind of GPU; figures are dense and per device (plan/targets/devices.cpp).
struct Device {
  std::string name;  // "H100 SXM"
  int sms = 0;
  double clock_hz = 0;            // clock of the tensor cores at the rate below
  double flops_16bit = 0;         // dense bf16 and f16 operations per second (a multiply and an add are two)
  double flops_f32 = 0;           // f32 operations per second of the ordinary cores
  double bytes_per_second = 0;    // bandwidth of device memory
  double l2_bytes_per_clock = 0;  // bytes that one SM takes from the L2 cache
  double latency_seconds = 0;     // from the issue of a copy to its data in shared memory
  int threads_of_sm = 2048, ctas_of_sm = 32;  // most at once
  int partitions_of_sm = 4;                   // each has its share of the warps and of the registers
  int reserved_bytes = 1024;                  // shared memory that each CTA takes in addition to its own
};

// A row of a target's table of matrix instructions: one instruction contracts over `k` elements of `a` and `b`. Its
// result is Target::mma_rows by a multiple of mma_n_step. Both operands come from shared memory, or A from registers.
struct MmaFamily {
  std::string_view name;  // "wgmma.k16.f32.bf16"
  DType a = DType::bf16, b = DType::bf16, accumulator = DType::f32;
  int k = 16;
  bool any_major = false;           // operands may be contiguous along M or N as well as along K
  std::string_view header = {};     // header of the runtime with the instruction; empty: device.cuh has it
  std::string_view precision = {};  // precision that the dot must ask for
  int wide_n_step = 8;              // step of n beyond kNarrowColumns columns
  int exact_terms = 0;  // length along k to sum in the instructions' few bits; 0: they have all the accumulator's bits
  std::string_view functions = {};  // the runtime's functions, a pattern of n and k: "wgmma_m64n{}k{}"
  static constexpr int kNarrowColumns = 32;

  // The runtime's function of the instruction with `n` columns: "wgmma_m64n256k16".
  std::string function(int64_t n) const;
};

// A row of the table of products by fused multiply-adds: each thread computes a block of the result in its registers
// from operands in shared memory, both of one dtype, widened to the dtype of the sum.
struct FmaFamily {
  std::string_view name;  // "fma.f32.bf16"
  DType operand = DType::f32, sum = DType::f32;
  // The smallest result that is worth it, and the least elements of k.
  static constexpr int64_t kLeastSide = 8, kLeastElements = 256, kLeastDepth = 4;
};

// The rows that every target has.
std::vector<FmaFamily> fma_families();

// Properties of an architecture. Nothing outside generator/plan/targets tests for an architecture by name.
struct Target {
  std::string_view name;  // sm_90a
  int capability_major = 0, capability_minor = 0;
  bool tma = false;   // tensor copies and mbarrier transactions
  bool bulk = false;  // bulk copies of contiguous bytes that complete on an mbarrier
  bool setmaxnreg = false;
  int64_t shared_limit = 0;   // bytes of dynamic shared memory that one CTA may have
  int64_t registers = 65536;  // 32-bit registers of one SM
  int max_cluster = 1;        // most CTAs of a cluster on every device of the target; 1: it has no clusters
  int max_registers = 255;    // most registers of one thread
  int max_box = 256;          // most elements of one box along one dim
  int max_tensor_rank = 5;
  std::vector<int> swizzles{};       // spans in bytes, widest first
  std::vector<DType> tensor_adds{};  // dtypes of elements that tensor copies can add to an array
  int mma_rows = 0;                  // rows of one MMA (64)
  int mma_k_bytes = 0;               // bytes of k of one MMA (32)
  int mma_max_n = 0, mma_n_step = 0;
  std::vector<MmaFamily> families{};  // best first
  std::vector<FmaFamily> blocks = fma_families();
  std::string_view device;  // the Device that the cost model takes
};

const std::vector<Target>& targets();
// Returns the target with that name, or null.
const Target* find_target(std::string_view name);
// Returns the row with that name in the target's table, or null.
const MmaFamily* find_family(const Target& target, std::string_view name);
// Returns the figures of the device with that name, or null.
const Device* find_device(std::string_view name);

// Registers per thread with one producer and `consumers` compute warpgroups: all threads start with equal shares of the
// SM's registers, and by setmaxnreg the producer gives some of its share to the consumers (the splits of CUTLASS and
// FlashAttention-3).
struct RegisterSplit {
  int consumers = 0;
  int entry = 0;                   // registers of every thread at launch
  int producer = 0, consumer = 0;  // both as at entry: no setmaxnreg
};
// Returns null if no split is known for so many consumers. `copies`: the producer's threads copy blocks themselves,
// several runs each.
const RegisterSplit* register_split(int64_t consumers, bool copies = false);

}  // namespace pallasgen
