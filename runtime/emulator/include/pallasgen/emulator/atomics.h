#pragma once
#include <cstdint>
#include <type_traits>

// Atomic functions of device code on global and shared memory. Threads are fibers of one OS thread and switch only
// inside the emulator, so a plain read and write is atomic; the emulator is told, for the order of the accesses.
namespace pallasgen::emulator {
/// Called before and after an atomic access to `address`; lets a polling thread give way.
void atomic_begin(const void* address, unsigned bytes);
void atomic_end(const void* address, unsigned bytes);

template <class T, class F>
__attribute__((no_sanitize("thread"))) inline T atomic_update(T* address, F next) {
  atomic_begin(address, sizeof(T));
  const T old = *address;
  *address = next(old);
  atomic_end(address, sizeof(T));
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
