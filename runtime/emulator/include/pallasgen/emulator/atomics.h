#pragma once
#include <pallasgen/memory_order.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// Atomic functions of device code on global and shared memory. CUDA's own are relaxed, and __threadfence orders memory;
// those of <pallasgen/ptx/atomic.cuh> order as their template arguments state, for the threads in their scope.
namespace pallasgen::emulator {

/// A strong access of PTX: its order, its scope and its size.
struct StrongAccess {
  MemoryOrder order;
  MemoryScope scope;
  size_t bytes;
};

/// Called before each access, so that other threads may run. A load may be part of a loop that waits.
void before_strong_access();
void before_strong_load();
/// Reports a load that finds `now` in memory; returns the value that it gets.
uint64_t strong_load(const void* p, const StrongAccess& access, uint64_t now);
/// Reports that the access has replaced `before` by `now`. Other threads may run.
void strong_store(const void* p, const StrongAccess& access, uint64_t before, uint64_t now);
void strong_update(const void* p, const StrongAccess& access, uint64_t before, uint64_t now);

/// Returns `p` if it may be accessed as one value of `bytes` bytes: aligned, inside an array of global memory.
void* checked_global(const void* p, size_t bytes);
/// The same for the CTA's shared memory, and for that of any CTA of its cluster.
void* checked_shared(uint32_t address, size_t bytes);
void* checked_cluster(uint32_t address, size_t bytes);
template <class T>
inline T* atomic_global(const T* p) {
  return static_cast<T*>(checked_global(p, sizeof(T)));
}
template <class T>
inline T* atomic_shared(uint32_t address) {
  return static_cast<T*>(checked_shared(address, sizeof(T)));
}
template <class T>
inline T* atomic_cluster(uint32_t address) {
  return static_cast<T*>(checked_cluster(address, sizeof(T)));
}

/// fence.acq_rel, or fence.sc, which orders fences among themselves too.
void fence_memory(MemoryScope scope, bool sequentially_consistent);

template <class T>
inline uint64_t atomic_bits(T value) {
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

/// Replaces *p by next(*p); returns the previous value. Threads are fibers that switch only inside the emulator, so the
/// exchange succeeds at once; it is atomic for the race detector. Inlined like its callers, so that reports name the
/// kernel's line.
template <class T, class F>
[[gnu::always_inline]] inline T ordered_update(T* p, MemoryOrder order, MemoryScope scope, F next) {
  before_strong_access();
  T old, wanted;
  __atomic_load(p, &old, __ATOMIC_RELAXED);
  do {
    wanted = next(old);
  } while (!__atomic_compare_exchange(p, &old, &wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  strong_update(p, {order, scope, sizeof(T)}, atomic_bits(old), atomic_bits(wanted));
  return old;
}

template <class T>
[[gnu::always_inline]] inline T ordered_load(T* p, MemoryOrder order, MemoryScope scope) {
  before_strong_load();
  const uint64_t bits = strong_load(p, {order, scope, sizeof(T)}, atomic_bits(__atomic_load_n(p, __ATOMIC_RELAXED)));
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

template <class T>
[[gnu::always_inline]] inline void ordered_store(T* p, MemoryOrder order, MemoryScope scope, T value) {
  before_strong_access();
  const T old = __atomic_exchange_n(p, value, __ATOMIC_RELAXED);
  strong_store(p, {order, scope, sizeof(T)}, atomic_bits(old), atomic_bits(value));
}

/// Sums of 16-bit floats by their bits, rounded once.
uint16_t add_f16(uint16_t a, uint16_t b);
uint16_t add_bf16(uint16_t a, uint16_t b);
inline uint32_t add_each_half(uint32_t a, uint32_t b, uint16_t (*add)(uint16_t, uint16_t)) {
  const uint16_t low = add(static_cast<uint16_t>(a), static_cast<uint16_t>(b));
  const uint16_t high = add(static_cast<uint16_t>(a >> 16), static_cast<uint16_t>(b >> 16));
  return static_cast<uint32_t>(high) << 16 | low;
}

}  // namespace pallasgen::emulator

#define PALLASGEN_ATOMIC(name, expression)                                                    \
  template <class T>                                                                          \
  [[gnu::always_inline]] inline T name(T* address, std::type_identity_t<T> value) {           \
    return ::pallasgen::emulator::ordered_update(address, pallasgen::MemoryOrder::kRelaxed,   \
                                                 pallasgen::MemoryScope::kDevice,             \
                                                 [value](T old) -> T { return expression; }); \
  }                                                                                           \
  template <class T>                                                                          \
  [[gnu::always_inline]] inline T name##_block(T* address, std::type_identity_t<T> value) {   \
    return ::pallasgen::emulator::ordered_update(address, pallasgen::MemoryOrder::kRelaxed,   \
                                                 pallasgen::MemoryScope::kCta,                \
                                                 [value](T old) -> T { return expression; }); \
  }                                                                                           \
  template <class T>                                                                          \
  [[gnu::always_inline]] inline T name##_system(T* address, std::type_identity_t<T> value) {  \
    return ::pallasgen::emulator::ordered_update(address, pallasgen::MemoryOrder::kRelaxed,   \
                                                 pallasgen::MemoryScope::kSystem,             \
                                                 [value](T old) -> T { return expression; }); \
  }
PALLASGEN_ATOMIC(atomicAdd, static_cast<T>(old + value))
PALLASGEN_ATOMIC(atomicSub, static_cast<T>(old - value))
PALLASGEN_ATOMIC(atomicMin, value < old ? value : old)
PALLASGEN_ATOMIC(atomicMax, old < value ? value : old)
PALLASGEN_ATOMIC(atomicAnd, static_cast<T>(old& value))
PALLASGEN_ATOMIC(atomicOr, static_cast<T>(old | value))
PALLASGEN_ATOMIC(atomicXor, static_cast<T>(old ^ value))
PALLASGEN_ATOMIC(atomicExch, (static_cast<void>(old), value))
#undef PALLASGEN_ATOMIC

template <class T>
[[gnu::always_inline]] inline T atomicCAS(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
  return ::pallasgen::emulator::ordered_update(address, pallasgen::MemoryOrder::kRelaxed,
                                               pallasgen::MemoryScope::kDevice,
                                               [=](T old) -> T { return old == compare ? value : old; });
}

// Order memory between this thread and others (CTA, device, system).
void __threadfence_block();
void __threadfence();
void __threadfence_system();
