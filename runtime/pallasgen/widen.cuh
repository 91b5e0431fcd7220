#pragma once
#include <string.h>

#include <pallasgen/element.cuh>
#include <pallasgen/math.cuh>
#include <pallasgen/pair.cuh>
#include <pallasgen/ptx/math.cuh>
#include <pallasgen/run.cuh>

// Elements of 8 and 4 bits that become wider ones between shared memory and registers, exactly. Integers become floats
// of 16 bits two at a time: their bits are put after the exponent of the power of two whose last place is 1, and that
// power is subtracted. Instructions that convert single numbers are avoided, as they run at a quarter of the rate or
// less. narrow.cuh widens floats.
namespace pallasgen {

// Converts two elements E of 8 or 4 bits, in the low bits of a word (the first lowest, the rest 0), to a register of
// two T of 16 bits.
template <class T, class E>
struct PairWidening {
  static constexpr bool exists = false;
};

// The two 4-bit codes of a byte, in the low bits of the halves of a word, with the bits of `flipped` flipped; and two
// codes of 8 bits, each below the byte `high`.
__device__ __forceinline__ uint32_t halves_of_nibbles(uint32_t byte, uint32_t flipped) {
  return ptx::lop3 < (0xf0 & 0xcc) ^ 0xaa > (byte * 0x1001, 0x000f000f, flipped);
}
__device__ __forceinline__ uint32_t halves_of_bytes(uint32_t pair, uint32_t high) {
  return ptx::prmt(pair, high, 0x4140);
}

// The difference of two pairs of T.
template <class T>
__device__ __forceinline__ uint32_t subtract_pairs(uint32_t a, uint32_t b) {
  return bitcast<uint32_t>(bitcast<Pair<T>>(a) - bitcast<Pair<T>>(b));
}

// A pair of the T whose last place is 1, 128 of bf16 and 1024 of f16: adding a smaller number sets its low bits.
template <class T>
inline constexpr uint32_t kUnitPair = kIsSame<T, bf16> ? 0x43004300 : 0x64006400;

template <class T>
  requires kIsHalf<T>
struct PairWidening<T, u4> {
  static constexpr bool exists = true;
  __device__ __forceinline__ static uint32_t widen(uint32_t pair) {
    return subtract_pairs<T>(halves_of_nibbles(pair, kUnitPair<T>), kUnitPair<T>);
  }
};
template <class T>
  requires kIsHalf<T>
struct PairWidening<T, i4> {
  static constexpr bool exists = true;
  __device__ __forceinline__ static uint32_t widen(uint32_t pair) {
    constexpr uint32_t zero = kUnitPair<T> | 0x00080008;  // with its sign bit flipped, 0 is in the middle
    return subtract_pairs<T>(halves_of_nibbles(pair, zero), zero);
  }
};
template <>
struct PairWidening<f16, u8> {
  static constexpr bool exists = true;
  __device__ __forceinline__ static uint32_t widen(uint32_t pair) {
    return subtract_pairs<f16>(halves_of_bytes(pair, 0x64), kUnitPair<f16>);
  }
};
template <>
struct PairWidening<f16, i8> {
  static constexpr bool exists = true;
  __device__ __forceinline__ static uint32_t widen(uint32_t pair) {
    constexpr uint32_t zero = kUnitPair<f16> | 0x00800080;
    return subtract_pairs<f16>(halves_of_bytes(pair, 0x64) ^ 0x00800080, zero);
  }
};
// A bf16 has 7 bits after its point. The sign is the lowest bit of the exponent: 128 becomes 256.
template <>
struct PairWidening<bf16, i8> {
  static constexpr bool exists = true;
  __device__ __forceinline__ static uint32_t widen(uint32_t pair) {
    const uint32_t codes = halves_of_bytes(pair, 0x43);
    return subtract_pairs<bf16>(codes & 0xff7fff7f, codes & 0xff80ff80);
  }
};
// Converts through float, whose unit is 2^23.
template <>
struct PairWidening<bf16, u8> {
  static constexpr bool exists = true;
  __device__ __forceinline__ static uint32_t widen(uint32_t pair) {
    constexpr uint32_t unit = 0x4b000000;
    const float first = bitcast<float>(ptx::prmt(pair, unit, 0x7440)) - bitcast<float>(unit);
    const float second = bitcast<float>(ptx::prmt(pair, unit, 0x7441)) - bitcast<float>(unit);
    return bitcast<uint32_t>(__floats2bfloat162_rn(first, second));
  }
};

// An element of 4 or 8 bits from the low bits of a word whose other bits are 0.
template <class E, int Bits>
__device__ __forceinline__ E from_code(uint32_t code) {
  if constexpr (Bits == 4)
    return from_nibble<E>(code);
  else
    return bitcast<E>(static_cast<uint8_t>(code));
}

// Loads N elements of shared memory into the fragment's elements from number `e` on; 4-bit ones in whole bytes. They
// are cast if their types differ.
template <int N, class F, class M>
__device__ __forceinline__ void load_elements(F& x, int e, const M* memory) {
  using T = typename F::Element;
  if constexpr (kIsSame<T, M>) {
    Run<T, N> run;
    load_shared_run(run, memory);
#pragma unroll
    for (int i = 0; i < N; ++i) x[e + i] = run.v[i];
  } else if constexpr (N == 1) {
    x[e] = cast<T>(*memory);
  } else {
    using E = typename Stored<M>::Element;
    constexpr int bits = 8 * static_cast<int>(sizeof(M)) / Stored<M>::kElements;
    constexpr uint32_t mask = (1u << bits) - 1;
    static_assert(bits <= 8 && N * bits % 8 == 0);
    uint32_t words[(N * bits + 31) / 32];
    load_shared_words<N * bits / 8>(words, memory);
#pragma unroll
    for (int i = 0; i < N; i += 2) {
      const uint32_t pair = words[i * bits / 32] >> i * bits % 32 & ((1u << 2 * bits) - 1);
      if constexpr (PairWidening<T, E>::exists) {
        const uint32_t wide = PairWidening<T, E>::widen(pair);
        T both[2];
        memcpy(static_cast<void*>(both), &wide, sizeof wide);
        x[e + i] = both[0];
        x[e + i + 1] = both[1];
      } else {
        x[e + i] = cast<T>(from_code<E, bits>(pair & mask));
        x[e + i + 1] = cast<T>(from_code<E, bits>(pair >> bits));
      }
    }
  }
}

}  // namespace pallasgen
