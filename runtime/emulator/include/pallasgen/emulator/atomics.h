#pragma once
#include <cstdint>
#include <type_traits>

// Atomic functions of device code on global and shared memory, in every scope. They order nothing but themselves
// (CUDA's are relaxed); __threadfence does.
namespace pallasgen::emulator {

/// An atomic access that changed nothing: perhaps one of a loop that waits. Lets the other threads run.
void atomic_without_effect();

/// Replaces *address by next(*address); returns what it was. Threads are fibers that switch only inside the emulator,
/// so the exchange succeeds at once; it is atomic for the race detector.
template <class T, class F>
inline T atomic_update(T* address, F next) {
  T old, wanted;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  do {
    wanted = next(old);
  } while (!__atomic_compare_exchange(address, &old, &wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  if (__builtin_memcmp(&old, &wanted, sizeof(T)) == 0) atomic_without_effect();
  return old;
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
PALLASGEN_ATOMIC(atomicAnd, static_cast<T>(old & value))
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
