#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <pallasgen/emulator/builtins.h>
#include <pallasgen/emulator/instructions.h>

#include <cstring>

#include "current.h"
#include "global_memory.h"
#include "report.h"

// Atomics and fences, and the order of memory that they establish (PTX ISA, "Memory Consistency Model").
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

void before_strong_access() {
  Entry entry("atomic access");
  execution().yield(entry.thread, nullptr);
}

void before_strong_load() {
  Entry entry("atomic load");
  execution().yield(entry.thread, "an atomic load");
}

uint64_t strong_load(const void* p, const StrongAccess& access, uint64_t now) {
  Entry entry("atomic load");
  return execution().strong.load(entry.thread, p, access, now);
}

void strong_store(const void* p, const StrongAccess& access, uint64_t before, uint64_t now) {
  Entry entry("atomic store");
  execution().strong.store(entry.thread, p, access, before, now);
  execution().note_progress();
  execution().yield(entry.thread, nullptr);
}

void strong_update(const void* p, const StrongAccess& access, uint64_t before, uint64_t now) {
  Entry entry("atomic");
  execution().strong.update(entry.thread, p, access, before, now);
  const bool changed = before != now;
  if (changed) execution().note_progress();
  execution().yield(entry.thread, changed ? nullptr : "an atomic operation");
}

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

void fence_memory(MemoryScope scope, bool sequentially_consistent) {
  Entry entry("fence");
  execution().strong.fence(entry.thread, scope, sequentially_consistent);
}

uint16_t add_f16(uint16_t a, uint16_t b) {
  return bits_of(__float2half_rn(__half2float(from_bits<__half>(a)) + __half2float(from_bits<__half>(b))));
}

uint16_t add_bf16(uint16_t a, uint16_t b) {
  return bits_of(__float2bfloat16_rn(__bfloat162float(from_bits<__nv_bfloat16>(a)) +
                                     __bfloat162float(from_bits<__nv_bfloat16>(b))));
}

}  // namespace pallasgen::emulator

using pallasgen::MemoryScope;
using pallasgen::emulator::fence_memory;

void __threadfence_block() { fence_memory(MemoryScope::kCta, true); }
void __threadfence() { fence_memory(MemoryScope::kDevice, true); }
void __threadfence_system() { fence_memory(MemoryScope::kSystem, true); }
