#pragma once
#include <cuda_runtime.h>

#include <cstdint>

// Searches in ascending arrays of scalars.
namespace pallasgen {

// Returns how many of the first n elements are at most x: the place to insert x after its equals.
template <class T>
__device__ __forceinline__ int searchsorted(const T* ascending, int64_t n, int64_t x) {
  int from = 0, to = static_cast<int>(n);
  while (from < to) {
    const int middle = from + (to - from) / 2;
    if (static_cast<int64_t>(ascending[middle]) <= x)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

// Returns how many of the first n elements are less than x: the place to insert x before its equals.
template <class T>
__device__ __forceinline__ int searchsorted_left(const T* ascending, int64_t n, int64_t x) {
  int from = 0, to = static_cast<int>(n);
  while (from < to) {
    const int middle = from + (to - from) / 2;
    if (static_cast<int64_t>(ascending[middle]) < x)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

}  // namespace pallasgen
