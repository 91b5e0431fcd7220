#pragma once
#include <pallasgen/types.h>

// Single elements of row-major arrays in global memory: extents of the array and the element's index are given
// outermost first. A 4-bit element shares its byte with a neighbour, the even index in the low half.
namespace pallasgen {

// An array whose dims are `strides` elements apart.
template <class T, int R>
struct Strided {
  T* array;
  int64_t strides[R];
};
template <class T, int R>
__device__ __forceinline__ Strided<T, R> strided(T* array, const int64_t (&strides)[R]) {
  Strided<T, R> result{array, {}};
#pragma unroll
  for (int d = 0; d < R; ++d) result.strides[d] = strides[d];
  return result;
}

// Whether an array of these extents has the element.
template <int R>
__device__ __forceinline__ bool is_inside(const int64_t (&extents)[R], const int64_t (&index)[R]) {
  bool inside = true;
#pragma unroll
  for (int d = 0; d < R; ++d) inside = inside && static_cast<uint64_t>(index[d]) < static_cast<uint64_t>(extents[d]);
  return inside;
}

// The element's place in the array's memory, in elements.
template <class T, int R>
__device__ __forceinline__ int64_t offset_in(const T*, const int64_t (&extents)[R], const int64_t (&index)[R]) {
  int64_t offset = index[0];
#pragma unroll
  for (int d = 1; d < R; ++d) offset = offset * extents[d] + index[d];
  return offset;
}
template <class T, int R>
__device__ __forceinline__ int64_t offset_in(const Strided<T, R>& array, const int64_t (&)[R],
                                             const int64_t (&index)[R]) {
  int64_t offset = 0;
#pragma unroll
  for (int d = 0; d < R; ++d) offset += index[d] * array.strides[d];
  return offset;
}

template <class T>
__device__ __forceinline__ T* memory_of(T* array) {
  return array;
}
template <class T, int R>
__device__ __forceinline__ T* memory_of(const Strided<T, R>& array) {
  return array.array;
}

// The element that is known to be inside: by reference, for reading, storing and atomic updates.
template <class A, int R>
__device__ __forceinline__ auto& at(const A& array, const int64_t (&extents)[R], const int64_t (&index)[R]) {
  return memory_of(array)[offset_in(array, extents, index)];
}

// The type of an array's elements.
template <class A>
struct ElementOf;
template <class T>
struct ElementOf<T*> {
  using Type = T;
};
template <class T>
struct ElementOf<const T*> {
  using Type = T;
};
template <class T, int R>
struct ElementOf<Strided<T, R>> : ElementOf<T*> {};

// The element; `outside` where the array has none.
template <class A, int R>
__device__ __forceinline__ auto element(const A& array, const int64_t (&extents)[R], const int64_t (&index)[R],
                                        typename ElementOf<A>::Type outside = {}) {
  return is_inside(extents, index) ? at(array, extents, index) : outside;
}

// Stores the element; dropped where the array has none.
template <class A, int R>
__device__ __forceinline__ void store_element(const A& array, const int64_t (&extents)[R], const int64_t (&index)[R],
                                              typename ElementOf<A>::Type value) {
  if (is_inside(extents, index)) at(array, extents, index) = value;
}

}  // namespace pallasgen
