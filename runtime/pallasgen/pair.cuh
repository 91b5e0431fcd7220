#pragma once
#include <pallasgen/types.h>
#include <string.h>

#include <pallasgen/fragment.cuh>
#include <pallasgen/math.cuh>
#include <type_traits>

// Two neighbouring elements of 16 bits in one register, on which one instruction computes at once. Each result is
// rounded to nearest even and equals that of an operation in float, rounded: float has more than twice the bits.
namespace pallasgen {

template <class T>
  requires kIsHalf<T>
struct Pair {
  using Both = std::conditional_t<kIsSame<T, bf16>, __nv_bfloat162, __half2>;
  Both both;

  // The compiler must not contract these to a multiply-add, which rounds once.
  __device__ __forceinline__ friend Pair operator+(Pair a, Pair b) { return {__hadd2_rn(a.both, b.both)}; }
  __device__ __forceinline__ friend Pair operator-(Pair a, Pair b) { return {__hsub2_rn(a.both, b.both)}; }
  __device__ __forceinline__ friend Pair operator*(Pair a, Pair b) { return {__hmul2_rn(a.both, b.both)}; }
};

// Returns a pair of two equal elements.
template <class T>
__device__ __forceinline__ Pair<T> pair_of(T x) {
  return {bitcast<typename Pair<T>::Both>(pack_pair(x, x))};
}

// Returns elements e and e + 1 of a fragment; e is even.
template <class T, class L>
__device__ __forceinline__ Pair<T> pair_at(const Fragment<T, L>& x, int e) {
  return {bitcast<typename Pair<T>::Both>(pack_pair(x[e], x[e + 1]))};
}
template <class T, class L>
__device__ __forceinline__ void set_pair(Fragment<T, L>& x, int e, Pair<T> value) {
  T elements[2];
  memcpy(static_cast<void*>(elements), &value, sizeof value);
  x[e] = elements[0];
  x[e + 1] = elements[1];
}

}  // namespace pallasgen
