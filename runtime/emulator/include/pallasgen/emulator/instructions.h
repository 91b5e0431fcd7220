#pragma once
#include <pallasgen/emulator/convergent.h>

#include <cstddef>
#include <cstdint>

// The CPU's implementation of the functions of <pallasgen/ptx/...>. Each acts for the running thread, checks the rules
// of its instruction and ends the process with a report if one is broken (see report.h for the exit codes). Addresses
// of 32 bits lie in the shared window: a CTA's own from 1024 up, those of the cluster as `mapa` returns them.
namespace pallasgen::emulator {

/// One field of the struct that a kernel lays over its shared memory.
struct SharedField {
  const char* name;
  size_t offset, bytes, element_bytes;
};

/// The dynamic shared memory of this CTA; fails if the launch has less than `bytes`.
void* dynamic_shared_memory(size_t bytes, size_t alignment);
/// Declares once per launch which fields the struct has: for names in reports, and for poisoned gaps between them.
bool wants_shared_fields();
void set_shared_fields(const SharedField* fields, size_t count, size_t bytes);
uint32_t shared_address(const void* p);

/// Returns `p` if it is aligned to `bytes` and leaves no array of global memory.
void* global_vector(const void* p, size_t bytes);
/// The aligned bytes at an address of the CTA's own shared memory.
void* shared_vector(uint32_t address, size_t bytes);
/// The aligned bytes at an address of the shared memory of any CTA of the cluster, all of whose CTAs run.
void* cluster_word(uint32_t address, size_t bytes);
/// Stores the `bytes` (4 or 8) of `value` to an aligned address of the shared memory of any CTA of the cluster, some
/// time later; then completes as many bytes on that CTA's barrier at `bar`.
void store_async(uint32_t address, uint64_t value, uint32_t bytes, uint32_t bar);

uint32_t lane_id();
uint32_t cluster_ctarank();
uint32_t cluster_nctarank();

void mbarrier_init(uint32_t bar, uint32_t count);
void mbarrier_invalidate(uint32_t bar);
void mbarrier_arrive(uint32_t bar);
void mbarrier_arrive_expect_tx(uint32_t bar, uint32_t bytes);
void mbarrier_expect_tx(uint32_t bar, uint32_t bytes);
bool mbarrier_try_wait_parity(uint32_t bar, uint32_t parity);
bool mbarrier_test_wait_parity(uint32_t bar, uint32_t parity);
bool mbarrier_try_wait_parity_cluster(uint32_t bar, uint32_t parity);
void mbarrier_arrive_cluster(uint32_t remote_bar);
void name_barrier(uint32_t bar, const char* name);

/// Fails: a thread has `size` elements in registers, and `index` is none of them.
[[noreturn]] void no_such_element(int index, int size);

/// Fails: an array has `extent` elements along the axis, and `index` is none of them.
[[noreturn]] void no_such_index(int64_t index, int64_t extent, int axis);

/// Fails: `vector` elements are moved at once along `length`, which is no multiple of it.
[[noreturn]] void vectors_do_not_fit(int64_t length, int vector);

/// Fails if `elements` of `element_bits` from `array` on leave the array of global memory, or the part of a workspace,
/// in which `array` lies. Other memory is not checked.
void check_reach(const void* array, int64_t elements, int element_bits);

/// The parts of a workspace, identified by the address of the object that takes them: consecutive, each followed by
/// `behind` bytes that belong to no part; the memory that they lie in, from this call to `workspace_ends`.
void workspace_part(const void* workspace, size_t bytes, size_t behind);
void workspace_serves(const void* workspace, void* base);
void workspace_ends(const void* workspace);

enum class FencedSpace { kShared, kGlobal, kAll };
void fence_proxy_async(FencedSpace space);
void fence_mbarrier_init();

uint32_t mapa(uint32_t address, uint32_t rank);
PALLASGEN_CONVERGENT void cluster_arrive(bool release);
PALLASGEN_CONVERGENT void cluster_wait();

enum class TensorReduction { kNone, kAdd, kMin, kMax };
/// `mask` 0: copies to this CTA; else bit r sends the box to CTA r of the cluster, at the same offset, with its
/// barrier.
void tensor_load(uint32_t dst, const void* map, const int* coordinates, int rank, uint32_t bar, bool multicast,
                 uint16_t mask);
void tensor_store(const void* map, const int* coordinates, int rank, uint32_t src, TensorReduction reduction);
void prefetch_tensormap(const void* map);

void bulk_load(uint32_t dst, const void* src, uint32_t bytes, uint32_t bar);
void bulk_store(void* dst, uint32_t src, uint32_t bytes);
void bulk_commit_group();
void bulk_wait_group(int pending, bool read_only);

void cp_async(uint32_t dst, const void* src, uint32_t bytes, uint32_t source_bytes);
void cp_async_commit_group();
void cp_async_mbarrier_arrive_noinc(uint32_t bar);
void cp_async_wait_group(int pending);

enum class OperandType { kBf16, kF16, kTf32, kE4m3, kE5m2, kS8, kU8 };
enum class AccumulatorType { kF32, kF16, kS32 };
/// A register of an operand that an instruction goes on reading: its value, and the variable that holds it, or null if
/// nothing can change the value.
struct OperandRegister {
  OperandRegister(const uint32_t& variable) : variable(&variable), value(variable) {}
  OperandRegister(uint32_t&& value) : variable(nullptr), value(value) {}
  const uint32_t* variable;
  uint32_t value;
};
/// d += A * B (or = when `accumulate` is 0) with d of 64 x n and 32 bytes of k; A by descriptor, or from the four
/// `a_registers` if they are set. `d` is n / 2 registers, or n / 4 of pairs if they hold f16.
struct WgmmaInstruction {
  void* d;
  int n;
  AccumulatorType d_type;
  OperandType a_type, b_type;
  bool a_mn_major, b_mn_major;
  uint64_t a, b;
  const OperandRegister* a_registers;
  int accumulate;
};
PALLASGEN_CONVERGENT void wgmma(const WgmmaInstruction& instruction);
PALLASGEN_CONVERGENT void wgmma_fence();
PALLASGEN_CONVERGENT void wgmma_commit_group();
PALLASGEN_CONVERGENT void wgmma_wait_group(int pending);

/// mma.sync: d += A * B by the lanes of a warp, d of m x 8.
struct MmaInstruction {
  const char* name;
  int m, k;
  AccumulatorType d_type;
  OperandType a_type, b_type;
  void* d;
  const uint32_t *a, *b;
};
PALLASGEN_CONVERGENT void mma(const MmaInstruction& instruction);
PALLASGEN_CONVERGENT void mma_f64(double* d, double a, double b);

PALLASGEN_CONVERGENT void stmatrix(uint32_t address, const uint32_t* registers, int count, bool transposed);
PALLASGEN_CONVERGENT void ldmatrix(uint32_t address, uint32_t* registers, int count, bool transposed);

PALLASGEN_CONVERGENT void setmaxnreg(int registers, bool increase);

PALLASGEN_CONVERGENT void barrier_sync(int id, int threads);
PALLASGEN_CONVERGENT void barrier_arrive(int id, int threads);
PALLASGEN_CONVERGENT bool elect_one();
PALLASGEN_CONVERGENT void syncwarp();

PALLASGEN_CONVERGENT uint32_t vote_ballot(bool p);

void griddepcontrol_wait();
void griddepcontrol_launch_dependents();

}  // namespace pallasgen::emulator
