#pragma once
#include <pallasgen/int4.h>
#include <pallasgen/types.h>

#include <pallasgen/ptx/atomic.cuh>
#include <pallasgen/ptx/debug.cuh>

// Single elements of row-major arrays in global memory: extents of the array and the element's index are given
// outermost first. A 4-bit element shares its byte with a neighbour, the even index in the low half.
namespace pallasgen {

// An array whose dimensions have these strides, in elements.
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

// True if an array of these extents has the element.
template <int R>
__device__ __forceinline__ bool is_inside(const int64_t (&extents)[R], const int64_t (&index)[R]) {
  bool inside = true;
#pragma unroll
  for (int d = 0; d < R; ++d) inside = inside && static_cast<uint64_t>(index[d]) < static_cast<uint64_t>(extents[d]);
  return inside;
}

// Returns the element's offset in the array's memory, in elements.
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

// The type of an array's elements.
template <class A>
struct ElementOf;
template <class T>
struct ElementOf<T*> {
  using Type = typename Stored<T>::Element;
  static constexpr bool kIsPacked = Stored<T>::kElements > 1;
};
template <class T, int R>
struct ElementOf<Strided<T, R>> : ElementOf<T*> {};

// Converts an element of 4 bits from the low bits of a word, and back.
template <class T>
__device__ __forceinline__ T from_nibble(uint32_t bits) {
  return T(bits);
}
template <class T>
__device__ __forceinline__ uint32_t to_nibble(T x) {
  return static_cast<uint32_t>(x) & 15;
}

// Stores half a byte. Another thread may store the other half, so the word that holds it is exchanged as a whole. Such
// words belong to one allocation, since global memory is allocated at multiples of 256 bytes.
__device__ __forceinline__ void store_nibble(void* memory, int64_t offset, uint32_t bits) {
  const uintptr_t byte = reinterpret_cast<uintptr_t>(memory) + static_cast<uint64_t>(offset) / 2;
  uint32_t* word = reinterpret_cast<uint32_t*>(byte & ~static_cast<uintptr_t>(3));
  const int shift = static_cast<int>(byte & 3) * 8 + static_cast<int>(offset & 1) * 4;
  ptx::atom_and_global_b32<MemoryOrder::kRelaxed, MemoryScope::kDevice>(word, ~(15u << shift));
  ptx::atom_or_global_b32<MemoryOrder::kRelaxed, MemoryScope::kDevice>(word, bits << shift);
}

// Loads half a byte. If the kernel writes the array, it comes from the word around it, as another thread may be storing
// the other half.
template <class T>
__device__ __forceinline__ uint32_t load_nibble(const T* memory, int64_t offset) {
  const uint32_t byte = reinterpret_cast<const uint8_t*>(memory)[offset / 2];
  return byte >> (offset % 2 * 4) & 15;
}
template <class T>
__device__ __forceinline__ uint32_t load_nibble(T* memory, int64_t offset) {
  const uintptr_t byte = reinterpret_cast<uintptr_t>(memory) + static_cast<uint64_t>(offset) / 2;
  const uint32_t word = ptx::load_ordered_global_b32<MemoryOrder::kRelaxed, MemoryScope::kDevice>(
      reinterpret_cast<const uint32_t*>(byte & ~static_cast<uintptr_t>(3)));
  return word >> (static_cast<int>(byte & 3) * 8 + static_cast<int>(offset & 1) * 4) & 15;
}

// Returns how many elements from the first one on the array has, as its extents state.
template <class T, int R>
__device__ __forceinline__ int64_t reach_of(const T*, const int64_t (&extents)[R]) {
  int64_t elements = 1;
#pragma unroll
  for (int d = 0; d < R; ++d) elements *= extents[d] > 0 ? extents[d] : 0;
  return elements;
}
template <class T, int R>
__device__ __forceinline__ int64_t reach_of(const Strided<T, R>& array, const int64_t (&extents)[R]) {
  int64_t last = 0;
  bool empty = false;
#pragma unroll
  for (int d = 0; d < R; ++d) {
    empty = empty || extents[d] <= 0;
    last += (extents[d] - 1) * array.strides[d];
  }
  return empty ? 0 : last + 1;
}
// Emits no instruction; states that the array's memory extends as far as its extents.
template <class A, int R>
__device__ __forceinline__ void check_extents(const A& array, const int64_t (&extents)[R]) {
  constexpr int bits = ElementOf<A>::kIsPacked ? 4 : 8 * static_cast<int>(sizeof(typename ElementOf<A>::Type));
  ptx::check_reach(memory_of(array), reach_of(array, extents), bits);
}

// Element `index` of a tile in shared memory whose bytes may hold two.
template <class M>
__device__ __forceinline__ typename Stored<M>::Element tile_at(const M* tile, int index) {
  if constexpr (Stored<M>::kElements > 1)
    return from_nibble<typename Stored<M>::Element>(load_nibble(tile, index));
  else
    return tile[index];
}

// The element, which must be inside: a reference, to read, store and update atomically; for 4 bits its value.
template <class A, int R>
__device__ __forceinline__ decltype(auto) at(const A& array, const int64_t (&extents)[R], const int64_t (&index)[R]) {
  check_extents(array, extents);
#pragma unroll
  for (int d = 0; d < R; ++d) ptx::check_index(index[d], extents[d], d);
  const int64_t offset = offset_in(array, extents, index);
  if constexpr (ElementOf<A>::kIsPacked) {
    return from_nibble<typename ElementOf<A>::Type>(load_nibble(memory_of(array), offset));
  } else {
    return (memory_of(array)[offset]);
  }
}

// Returns the element, or `outside` if the array has none.
template <class A, int R>
__device__ __forceinline__ typename ElementOf<A>::Type element(const A& array, const int64_t (&extents)[R],
                                                               const int64_t (&index)[R],
                                                               typename ElementOf<A>::Type outside = {}) {
  if (is_inside(extents, index)) return at(array, extents, index);
  check_extents(array, extents);
  return outside;
}

// Stores the element, or drops it if the array has none.
template <class A, int R>
__device__ __forceinline__ void store_element(const A& array, const int64_t (&extents)[R], const int64_t (&index)[R],
                                              typename ElementOf<A>::Type value) {
  check_extents(array, extents);
  if (!is_inside(extents, index)) return;
  if constexpr (ElementOf<A>::kIsPacked)
    store_nibble(memory_of(array), offset_in(array, extents, index), to_nibble(value));
  else
    at(array, extents, index) = value;
}

}  // namespace pallasgen
