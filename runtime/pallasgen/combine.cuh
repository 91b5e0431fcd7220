#pragma once
#include <math.h>

#include <pallasgen/arithmetic.cuh>
#include <pallasgen/math.cuh>
#include <pallasgen/ptx/shuffle.cuh>

namespace pallasgen {

// A combination of two elements, and its neutral value.
struct Sum {
  template <class T>
  __device__ __forceinline__ static T neutral() {
    return T(0);
  }
  template <class T>
  __device__ __forceinline__ static T combine(T a, T b) {
    if constexpr (kIsFloat<T>)
      return a + b;
    else
      return wrap_add(a, b);
  }
};
struct Product {
  template <class T>
  __device__ __forceinline__ static T neutral() {
    return T(1);
  }
  template <class T>
  __device__ __forceinline__ static T combine(T a, T b) {
    if constexpr (kIsFloat<T>)
      return a * b;
    else
      return wrap_multiply(a, b);
  }
};
struct Maximum {
  template <class T>
  __device__ __forceinline__ static T neutral() {
    if constexpr (kIsFloat<T>)
      return cast<T>(-INFINITY);
    else
      return T(-1) < T(0) ? static_cast<T>(uint64_t{1} << (kBits<T> - 1)) : T(0);
  }
  template <class T>
  __device__ __forceinline__ static T combine(T a, T b) {
    return maximum(a, b);
  }
};
struct Minimum {
  template <class T>
  __device__ __forceinline__ static T neutral() {
    if constexpr (kIsFloat<T>)
      return cast<T>(INFINITY);
    else
      return static_cast<T>(~Maximum::neutral<T>());
  }
  template <class T>
  __device__ __forceinline__ static T combine(T a, T b) {
    return minimum(a, b);
  }
};
struct Any {
  template <class T>
  __device__ __forceinline__ static T neutral() {
    return false;
  }
  __device__ __forceinline__ static bool combine(bool a, bool b) { return a || b; }
};
struct All {
  template <class T>
  __device__ __forceinline__ static T neutral() {
    return true;
  }
  __device__ __forceinline__ static bool combine(bool a, bool b) { return a && b; }
};

// Applies `shuffle` to each word of x, whose type has up to 8 bytes.
template <class T, class Shuffle>
__device__ __forceinline__ T shuffle_words(T x, Shuffle shuffle) {
  uint32_t words[(sizeof(T) + 3) / 4] = {};
  memcpy(words, &x, sizeof x);
#pragma unroll
  for (uint32_t& word : words) word = shuffle(word);
  memcpy(static_cast<void*>(&x), words, sizeof x);
  return x;
}

// Returns the `x` of the lane whose number differs in the bits of `mask`.
template <class T>
__device__ __forceinline__ T shuffle_xor(T x, uint32_t mask) {
  return shuffle_words(x, [mask](uint32_t word) { return ptx::shfl_bfly(word, mask); });
}

// The order of argmax and argmin: a NaN beats every number.
struct Greatest {
  template <class T>
  __device__ __forceinline__ static bool beats(T a, T b) {
    if constexpr (kIsNarrowFloat<T>)
      return beats(to_float(a), to_float(b));
    else
      return a > b || (is_nan(a) && !is_nan(b));
  }
};
struct Least {
  template <class T>
  __device__ __forceinline__ static bool beats(T a, T b) {
    if constexpr (kIsNarrowFloat<T>)
      return beats(to_float(a), to_float(b));
    else
      return a < b || (is_nan(a) && !is_nan(b));
  }
};

// Combines the lanes' values, folded in halves, in every lane. All lanes of the warp take part.
template <class Combine, class T>
__device__ __forceinline__ T reduce_lanes(T x) {
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2) x = Combine::combine(x, shuffle_xor(x, mask));
  return x;
}

// Finds the best of the lanes' values and its position (the lowest of equals), in every lane. All lanes of the warp
// take part.
template <class Which, class T, class I>
__device__ __forceinline__ void reduce_lanes(T& best, I& position) {
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2) {
    const T other = shuffle_xor(best, mask);
    const I place = shuffle_xor(position, mask);
    if (Which::beats(other, best) || (!Which::beats(best, other) && place < position)) {
      best = other;
      position = place;
    }
  }
}

}  // namespace pallasgen
