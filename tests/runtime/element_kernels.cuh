#pragma once
#include <pallasgen/device.cuh>

// Kernels on single elements of arrays, run by element_test.cpp and compiled by gate.cu. One CTA each.
namespace elements {

using namespace pallasgen;

// out[i, j] = in[i + row, j + column], -1 outside of in; out has its own extents, and elements outside it are dropped.
template <class T>
__global__ __launch_bounds__(128, 1) void shift(const T* in, T* out, int64_t M, int64_t N, int64_t P, int64_t Q,
                                                int row, int column) {
  for (int i = threadIdx.x; i < 64 * 64; i += 128) {
    const int r = i / 64 - 8, c = i % 64 - 8;
    store_element(out, {P, Q}, {r, c},
                  element(in, {M, N}, {r + row, c + column}, cast<typename Stored<T>::Element>(-1)));
  }
}

// out[i, j, k] = in[k, i] through strides, all inside.
template <class T>
__global__ __launch_bounds__(32, 1) void turn(const T* in, T* out, int64_t L, int64_t M, int64_t N) {
  for (int64_t i = threadIdx.x; i < L * M * N; i += 32)
    at(out, {L, M, N}, {i / (M * N), i / N % M, i % N}) = at(strided(in, {1, L}), {L, N}, {i / (M * N), i % N});
}

// Stores to one element of a matrix of one row.
template <class T>
__global__ __launch_bounds__(32, 1) void pick(T* array, int64_t columns) {
  at(strided(array, {1, 1}), {1, columns}, {0, 1}) = T(1);
}

}  // namespace elements
