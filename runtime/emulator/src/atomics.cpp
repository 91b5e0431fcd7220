#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <pallasgen/emulator/builtins.h>
#include <pallasgen/emulator/instructions.h>

#include <cstring>

#include "current.h"
#include "global_memory.h"
#include "report.h"

// The order of memory that atomics and fences give (PTX ISA, "Memory Consistency Model").
namespace pallasgen::emulator {
namespace {

template <class T>
T from_bits(uint16_t bits) {
  T value;
  std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
  return value;
}

template <class T>
uint16_t bits_of(T value) {
  uint16_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

void atomic_without_effect() {
  Entry entry("atomic");
  execution().yield(entry.thread, "an atomic operation");
}

void atomic_with_effect() { execution().note_progress(); }

void* checked_global(const void* p, size_t bytes) {
  if (reinterpret_cast<uintptr_t>(p) % bytes != 0)
    rule_broken("atomic access to global memory: %p is not aligned to %zu bytes", p, bytes);
  if (current_thread("atomic access").cta->shared.contains(p))
    rule_broken("atomic access to global memory: %p lies in shared memory", p);
  check_global(p, bytes, "atomic access to global memory");
  return const_cast<void*>(p);
}

void* checked_shared(uint32_t address, size_t bytes) {
  Cta& cta = *current_thread("atomic access").cta;
  const SharedPlace place = shared_place(cta, address, bytes, bytes, "atomic access to shared memory");
  if (place.cta != &cta)
    rule_broken("atomic access to the shared memory of another CTA: by ptx::atom_..._cluster, not ..._shared");
  return place.p;
}

void* checked_cluster(uint32_t address, size_t bytes) {
  Cta& cta = *current_thread("atomic access").cta;
  return shared_place(cta, address, bytes, bytes, "atomic access to shared memory of the cluster").p;
}

void release_before(const void* p, MemoryOrder order) {
  if (!race::enabled() || order == MemoryOrder::kRelaxed || order == MemoryOrder::kAcquire) return;
  Entry entry("release");
  race::release(entry.thread.agent, execution().ordered[p]);
}

void acquire_after(const void* p, MemoryOrder order) {
  if (!race::enabled() || order == MemoryOrder::kRelaxed || order == MemoryOrder::kRelease) return;
  Entry entry("acquire");
  race::acquire(entry.thread.agent, execution().ordered[p]);
}

/// Fences of different threads order what stands before the one with what stands after the other, in the order in which
/// they happen to run; the value that told the second thread to go on must have come through an atomic or volatile
/// access.
void fence_memory() {
  Entry entry("fence");
  race::release(entry.thread.agent, execution().fences);
  race::acquire(entry.thread.agent, execution().fences);
}

uint16_t add_f16(uint16_t a, uint16_t b) {
  return bits_of(__float2half_rn(__half2float(from_bits<__half>(a)) + __half2float(from_bits<__half>(b))));
}

uint16_t add_bf16(uint16_t a, uint16_t b) {
  return bits_of(__float2bfloat16_rn(__bfloat162float(from_bits<__nv_bfloat16>(a)) +
                                     __bfloat162float(from_bits<__nv_bfloat16>(b))));
}

}  // namespace pallasgen::emulator

using pallasgen::emulator::fence_memory;

void __threadfence_block() { fence_memory(); }
void __threadfence() { fence_memory(); }
void __threadfence_system() { fence_memory(); }
