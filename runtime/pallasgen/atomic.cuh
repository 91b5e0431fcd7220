#pragma once
#include <pallasgen/memory_order.h>

#include <pallasgen/arithmetic.cuh>
#include <pallasgen/ptx/atomic.cuh>
#include <pallasgen/ptx/smem.cuh>

// Atomic operations of the language, on elements of arrays in global and tiles in shared memory. Each is one
// instruction if its type has one, otherwise a loop around a compare-and-swap. Order and scope are template arguments
// that may be left out: atomic_add(in_global(p), v), atomic_max<MemoryOrder::kAcqRel>(in_shared(p), v).
namespace pallasgen {

// An element of global memory.
template <class T>
struct GlobalElement {
  T* p;
};
template <class T>
__device__ __forceinline__ GlobalElement<T> in_global(T* p) {
  return {p};
}

// An element of this CTA's shared memory.
template <class T>
struct SharedElement {
  uint32_t address;
};
template <class T>
__device__ __forceinline__ SharedElement<T> in_shared(T* p) {
  return {ptx::shared_address(p)};
}

namespace detail {

// The unsigned integer of the size of T, which holds its bits.
template <int Bytes>
struct BitsOf;
template <>
struct BitsOf<1> {
  using Type = uint8_t;
};
template <>
struct BitsOf<2> {
  using Type = uint16_t;
};
template <>
struct BitsOf<4> {
  using Type = uint32_t;
};
template <>
struct BitsOf<8> {
  using Type = uint64_t;
};
template <class T>
using Bits = typename BitsOf<sizeof(T)>::Type;

// The sum of two elements; sums of integers wrap.
template <class T>
__device__ __forceinline__ T sum_of(T a, T b) {
  if constexpr (kIsNarrowFloat<T>)
    return cast<T>(to_float(a) + to_float(b));
  else if constexpr (kIsFloat<T>)
    return a + b;
  else
    return static_cast<T>(static_cast<Bits<T>>(a) + static_cast<Bits<T>>(b));
}

}  // namespace detail

// One function for each instruction and both memories; `Bits` is the instruction's type.
#define PALLASGEN_ELEMENT_ATOMIC(op, type, Bits)                                                              \
  template <MemoryOrder O, MemoryScope S, class T>                                                            \
  __device__ __forceinline__ T op##_##type(GlobalElement<T> at, T v) {                                        \
    return bitcast<T>(ptx::atom_##op##_global_##type<O, S>(reinterpret_cast<Bits*>(at.p), bitcast<Bits>(v))); \
  }                                                                                                           \
  template <MemoryOrder O, MemoryScope S, class T>                                                            \
  __device__ __forceinline__ T op##_##type(SharedElement<T> at, T v) {                                        \
    return bitcast<T>(ptx::atom_##op##_shared_##type<O, S>(at.address, bitcast<Bits>(v)));                    \
  }
namespace detail {
PALLASGEN_ELEMENT_ATOMIC(add, f32, float)
PALLASGEN_ELEMENT_ATOMIC(add, f64, double)
PALLASGEN_ELEMENT_ATOMIC(add, u32, uint32_t)
PALLASGEN_ELEMENT_ATOMIC(add, u64, uint64_t)
PALLASGEN_ELEMENT_ATOMIC(add, f16, uint16_t)
PALLASGEN_ELEMENT_ATOMIC(add, bf16, uint16_t)
PALLASGEN_ELEMENT_ATOMIC(min, s32, int32_t)
PALLASGEN_ELEMENT_ATOMIC(min, u32, uint32_t)
PALLASGEN_ELEMENT_ATOMIC(min, s64, int64_t)
PALLASGEN_ELEMENT_ATOMIC(min, u64, uint64_t)
PALLASGEN_ELEMENT_ATOMIC(max, s32, int32_t)
PALLASGEN_ELEMENT_ATOMIC(max, u32, uint32_t)
PALLASGEN_ELEMENT_ATOMIC(max, s64, int64_t)
PALLASGEN_ELEMENT_ATOMIC(max, u64, uint64_t)
PALLASGEN_ELEMENT_ATOMIC(and, b32, uint32_t)
PALLASGEN_ELEMENT_ATOMIC(and, b64, uint64_t)
PALLASGEN_ELEMENT_ATOMIC(or, b32, uint32_t)
PALLASGEN_ELEMENT_ATOMIC(or, b64, uint64_t)
PALLASGEN_ELEMENT_ATOMIC(xor, b32, uint32_t)
PALLASGEN_ELEMENT_ATOMIC(xor, b64, uint64_t)
PALLASGEN_ELEMENT_ATOMIC(exch, b32, uint32_t)
PALLASGEN_ELEMENT_ATOMIC(exch, b64, uint64_t)
}  // namespace detail
#undef PALLASGEN_ELEMENT_ATOMIC

// Loads an element of global memory that other threads may be writing.
template <MemoryOrder O, MemoryScope S = MemoryScope::kDevice, class T>
__device__ __forceinline__ T load_ordered(const T* p) {
  if constexpr (sizeof(T) == 1)
    return bitcast<T>(ptx::load_ordered_global_b8<O, S>(reinterpret_cast<const uint8_t*>(p)));
  else if constexpr (sizeof(T) == 2)
    return bitcast<T>(ptx::load_ordered_global_b16<O, S>(reinterpret_cast<const uint16_t*>(p)));
  else if constexpr (sizeof(T) == 4)
    return bitcast<T>(ptx::load_ordered_global_b32<O, S>(reinterpret_cast<const uint32_t*>(p)));
  else
    return bitcast<T>(ptx::load_ordered_global_b64<O, S>(reinterpret_cast<const uint64_t*>(p)));
}
// Stores an element of global memory that other threads may be reading.
template <MemoryOrder O, MemoryScope S = MemoryScope::kDevice, class T>
__device__ __forceinline__ void store_ordered(T* p, T v) {
  if constexpr (sizeof(T) == 1)
    ptx::store_ordered_global_b8<O, S>(reinterpret_cast<uint8_t*>(p), bitcast<uint8_t>(v));
  else if constexpr (sizeof(T) == 2)
    ptx::store_ordered_global_b16<O, S>(reinterpret_cast<uint16_t*>(p), bitcast<uint16_t>(v));
  else if constexpr (sizeof(T) == 4)
    ptx::store_ordered_global_b32<O, S>(reinterpret_cast<uint32_t*>(p), bitcast<uint32_t>(v));
  else
    ptx::store_ordered_global_b64<O, S>(reinterpret_cast<uint64_t*>(p), bitcast<uint64_t>(v));
}

// Stores `v` if the element has the bits of `compare`; returns its previous value.
template <MemoryOrder O = MemoryOrder::kRelaxed, MemoryScope S = MemoryScope::kDevice, class T>
__device__ __forceinline__ T atomic_cas(GlobalElement<T> at, T compare, T v) {
  using Bits = detail::Bits<T>;
  Bits* p = reinterpret_cast<Bits*>(at.p);
  const Bits from = bitcast<Bits>(compare), to = bitcast<Bits>(v);
  if constexpr (sizeof(T) == 2)
    return bitcast<T>(ptx::atom_cas_global_b16<O, S>(p, from, to));
  else if constexpr (sizeof(T) == 4)
    return bitcast<T>(ptx::atom_cas_global_b32<O, S>(p, from, to));
  else
    return bitcast<T>(ptx::atom_cas_global_b64<O, S>(p, from, to));
}
template <MemoryOrder O = MemoryOrder::kRelaxed, MemoryScope S = MemoryScope::kDevice, class T>
__device__ __forceinline__ T atomic_cas(SharedElement<T> at, T compare, T v) {
  using Bits = detail::Bits<T>;
  const Bits from = bitcast<Bits>(compare), to = bitcast<Bits>(v);
  if constexpr (sizeof(T) == 2)
    return bitcast<T>(ptx::atom_cas_shared_b16<O, S>(at.address, from, to));
  else if constexpr (sizeof(T) == 4)
    return bitcast<T>(ptx::atom_cas_shared_b32<O, S>(at.address, from, to));
  else
    return bitcast<T>(ptx::atom_cas_shared_b64<O, S>(at.address, from, to));
}

namespace detail {

// Replaces a byte by next(byte): the word that holds it is exchanged as a whole. Such words belong to one allocation,
// since global memory is allocated at multiples of 256 bytes.
template <MemoryOrder O, MemoryScope S, class T, class F>
__device__ __forceinline__ T update_byte(GlobalElement<T> at, F next) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(at.p);
  const GlobalElement<uint32_t> word{reinterpret_cast<uint32_t*>(address & ~static_cast<uintptr_t>(3))};
  const int shift = static_cast<int>(address & 3) * 8;
  uint32_t guess = 0;
  for (;;) {
    const T old = bitcast<T>(static_cast<uint8_t>(guess >> shift));
    const uint32_t bits = static_cast<uint32_t>(bitcast<uint8_t>(next(old))) << shift;
    const uint32_t seen = atomic_cas<O, S>(word, guess, (guess & ~(255u << shift)) | bits);
    if (seen == guess) return old;
    guess = seen;
  }
}

// Replaces the element by next(element): retries a compare-and-swap until no other thread intervenes. Returns the old
// value.
template <MemoryOrder O, MemoryScope S, class Element, class T, class F>
__device__ __forceinline__ T update(Element at, T guess, F next) {
  if constexpr (sizeof(T) == 1) {
    return update_byte<O, S>(at, next);
  } else {
    for (;;) {
      const T old = atomic_cas<O, S>(at, guess, next(guess));
      if (bitcast<Bits<T>>(old) == bitcast<Bits<T>>(guess)) return old;
      guess = old;
    }
  }
}

}  // namespace detail

// Each updates the element and returns its previous value. Sums of integers wrap; minimum and maximum propagate NaN.
#define PALLASGEN_ATOMIC_FUNCTION(Element)                                                        \
  template <MemoryOrder O = MemoryOrder::kRelaxed, MemoryScope S = MemoryScope::kDevice, class T> \
  __device__ __forceinline__ T atomic_add(Element<T> at, T v) {                                   \
    if constexpr (kIsSame<T, float>)                                                              \
      return detail::add_f32<O, S>(at, v);                                                        \
    else if constexpr (kIsSame<T, double>)                                                        \
      return detail::add_f64<O, S>(at, v);                                                        \
    else if constexpr (kIsSame<T, f16>)                                                           \
      return detail::add_f16<O, S>(at, v);                                                        \
    else if constexpr (kIsSame<T, bf16>)                                                          \
      return detail::add_bf16<O, S>(at, v);                                                       \
    else if constexpr (sizeof(T) == 4)                                                            \
      return detail::add_u32<O, S>(at, v);                                                        \
    else if constexpr (sizeof(T) == 8)                                                            \
      return detail::add_u64<O, S>(at, v);                                                        \
    else                                                                                          \
      return detail::update<O, S>(at, T(0), [v](T old) { return detail::sum_of(old, v); });       \
  }                                                                                               \
  template <MemoryOrder O = MemoryOrder::kRelaxed, MemoryScope S = MemoryScope::kDevice, class T> \
  __device__ __forceinline__ T atomic_min(Element<T> at, T v) {                                   \
    if constexpr (kIsFloat<T> || sizeof(T) <= 2)                                                  \
      return detail::update<O, S>(at, T(0.0f), [v](T old) { return minimum(old, v); });           \
    else if constexpr (sizeof(T) == 4 && T(-1) < T(0))                                            \
      return detail::min_s32<O, S>(at, v);                                                        \
    else if constexpr (sizeof(T) == 4)                                                            \
      return detail::min_u32<O, S>(at, v);                                                        \
    else if constexpr (T(-1) < T(0))                                                              \
      return detail::min_s64<O, S>(at, v);                                                        \
    else                                                                                          \
      return detail::min_u64<O, S>(at, v);                                                        \
  }                                                                                               \
  template <MemoryOrder O = MemoryOrder::kRelaxed, MemoryScope S = MemoryScope::kDevice, class T> \
  __device__ __forceinline__ T atomic_max(Element<T> at, T v) {                                   \
    if constexpr (kIsFloat<T> || sizeof(T) <= 2)                                                  \
      return detail::update<O, S>(at, T(0.0f), [v](T old) { return maximum(old, v); });           \
    else if constexpr (sizeof(T) == 4 && T(-1) < T(0))                                            \
      return detail::max_s32<O, S>(at, v);                                                        \
    else if constexpr (sizeof(T) == 4)                                                            \
      return detail::max_u32<O, S>(at, v);                                                        \
    else if constexpr (T(-1) < T(0))                                                              \
      return detail::max_s64<O, S>(at, v);                                                        \
    else                                                                                          \
      return detail::max_u64<O, S>(at, v);                                                        \
  }                                                                                               \
  PALLASGEN_BITWISE_FUNCTION(Element, atomic_and, and, old& v)                                    \
  PALLASGEN_BITWISE_FUNCTION(Element, atomic_or, or, old | v)                                     \
  PALLASGEN_BITWISE_FUNCTION(Element, atomic_xor, xor, old ^ v)                                   \
  PALLASGEN_BITWISE_FUNCTION(Element, atomic_xchg, exch, (static_cast<void>(old), v))
#define PALLASGEN_BITWISE_FUNCTION(Element, name, op, result)                                     \
  template <MemoryOrder O = MemoryOrder::kRelaxed, MemoryScope S = MemoryScope::kDevice, class T> \
  __device__ __forceinline__ T name(Element<T> at, T v) {                                         \
    if constexpr (sizeof(T) == 4)                                                                 \
      return detail::op##_b32<O, S>(at, v);                                                       \
    else if constexpr (sizeof(T) == 8)                                                            \
      return detail::op##_b64<O, S>(at, v);                                                       \
    else                                                                                          \
      return detail::update<O, S>(at, T(0.0f), [v](T old) { return static_cast<T>(result); });    \
  }
PALLASGEN_ATOMIC_FUNCTION(GlobalElement)
PALLASGEN_ATOMIC_FUNCTION(SharedElement)
#undef PALLASGEN_ATOMIC_FUNCTION
#undef PALLASGEN_BITWISE_FUNCTION

}  // namespace pallasgen
