#pragma once
#include <pallasgen/memory_order.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

// Atomic functions of device code on global and shared memory, in every scope. CUDA's own are relaxed: they order
// nothing but themselves, __threadfence does; those of <pallasgen/ptx/atomic.cuh> order as they say, each scope as
// the widest.
namespace pallasgen::emulator {

/// An atomic access that changed nothing: perhaps one of a loop that waits. Lets the other threads run.
void atomic_without_effect();
/// An atomic access that changed something: whoever polls may go on.
void atomic_with_effect();

/// `p` again, when it may be accessed as one value of `bytes` bytes: aligned, inside an array of global memory.
void* checked_global(const void* p, size_t bytes);
/// The same of the CTA's shared memory, and of that of any CTA of its cluster.
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

/// The half of an ordered access that stands before it (release) and behind it (acquire): the thread is after all who
/// released the address before.
void release_before(const void* p, MemoryOrder order);
void acquire_after(const void* p, MemoryOrder order);

/// What fences of all scopes do: see docs/emulator.md.
void fence_memory();

/// Replaces *address by next(*address); returns what it was. Threads are fibers that switch only inside the emulator,
/// so the exchange succeeds at once; it is atomic for the race detector.
template <class T, class F>
inline T atomic_update(T* address, F next) {
  T old, wanted;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  do {
    wanted = next(old);
  } while (!__atomic_compare_exchange(address, &old, &wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  __builtin_memcmp(&old, &wanted, sizeof(T)) == 0 ? atomic_without_effect() : atomic_with_effect();
  return old;
}

template <class T, class F>
inline T ordered_update(T* p, MemoryOrder order, F next) {
  release_before(p, order);
  const T old = atomic_update(p, next);
  acquire_after(p, order);
  return old;
}

template <class T>
inline T ordered_load(T* p, MemoryOrder order) {
  atomic_without_effect();
  const T value = __atomic_load_n(p, __ATOMIC_RELAXED);
  acquire_after(p, order);
  return value;
}

template <class T>
inline void ordered_store(T* p, MemoryOrder order, T value) {
  release_before(p, order);
  __atomic_store_n(p, value, __ATOMIC_RELAXED);
  atomic_with_effect();
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

#define PALLASGEN_ATOMIC(name, expression)                                                            \
  template <class T>                                                                                  \
  inline T name(T* address, std::type_identity_t<T> value) {                                          \
    return ::pallasgen::emulator::atomic_update(address, [value](T old) -> T { return expression; }); \
  }                                                                                                   \
  template <class T>                                                                                  \
  inline T name##_block(T* address, std::type_identity_t<T> value) {                                  \
    return name(address, value);                                                                      \
  }                                                                                                   \
  template <class T>                                                                                  \
  inline T name##_system(T* address, std::type_identity_t<T> value) {                                 \
    return name(address, value);                                                                      \
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
inline T atomicCAS(T* address, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
  return ::pallasgen::emulator::atomic_update(address, [=](T old) -> T { return old == compare ? value : old; });
}

// Order memory between this thread and others (CTA, device, system).
void __threadfence_block();
void __threadfence();
void __threadfence_system();
