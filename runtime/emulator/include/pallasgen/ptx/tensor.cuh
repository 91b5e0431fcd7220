#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/instructions.h>

#include <cstdint>

namespace pallasgen::ptx {

__device__ __forceinline__ void prefetch_tensormap(const void* map) { emulator::prefetch_tensormap(map); }

__device__ __forceinline__ void tensor_load_1d(uint32_t dst, const void* map, int c0, uint32_t bar) {
  const int coordinates[] = {c0};
  emulator::tensor_load(dst, map, coordinates, 1, bar, /*multicast=*/false, 0);
}

__device__ __forceinline__ void tensor_load_1d_multicast(uint32_t dst, const void* map, int c0, uint32_t bar,
                                                         uint16_t mask) {
  const int coordinates[] = {c0};
  emulator::tensor_load(dst, map, coordinates, 1, bar, /*multicast=*/true, mask);
}

__device__ __forceinline__ void tensor_load_2d(uint32_t dst, const void* map, int c0, int c1, uint32_t bar) {
  const int coordinates[] = {c0, c1};
  emulator::tensor_load(dst, map, coordinates, 2, bar, /*multicast=*/false, 0);
}

__device__ __forceinline__ void tensor_load_2d_multicast(uint32_t dst, const void* map, int c0, int c1, uint32_t bar,
                                                         uint16_t mask) {
  const int coordinates[] = {c0, c1};
  emulator::tensor_load(dst, map, coordinates, 2, bar, /*multicast=*/true, mask);
}

__device__ __forceinline__ void tensor_load_3d(uint32_t dst, const void* map, int c0, int c1, int c2, uint32_t bar) {
  const int coordinates[] = {c0, c1, c2};
  emulator::tensor_load(dst, map, coordinates, 3, bar, /*multicast=*/false, 0);
}

__device__ __forceinline__ void tensor_load_3d_multicast(uint32_t dst, const void* map, int c0, int c1, int c2,
                                                         uint32_t bar, uint16_t mask) {
  const int coordinates[] = {c0, c1, c2};
  emulator::tensor_load(dst, map, coordinates, 3, bar, /*multicast=*/true, mask);
}

__device__ __forceinline__ void tensor_load_4d(uint32_t dst, const void* map, int c0, int c1, int c2, int c3,
                                               uint32_t bar) {
  const int coordinates[] = {c0, c1, c2, c3};
  emulator::tensor_load(dst, map, coordinates, 4, bar, /*multicast=*/false, 0);
}

__device__ __forceinline__ void tensor_load_4d_multicast(uint32_t dst, const void* map, int c0, int c1, int c2, int c3,
                                                         uint32_t bar, uint16_t mask) {
  const int coordinates[] = {c0, c1, c2, c3};
  emulator::tensor_load(dst, map, coordinates, 4, bar, /*multicast=*/true, mask);
}

__device__ __forceinline__ void tensor_load_5d(uint32_t dst, const void* map, int c0, int c1, int c2, int c3, int c4,
                                               uint32_t bar) {
  const int coordinates[] = {c0, c1, c2, c3, c4};
  emulator::tensor_load(dst, map, coordinates, 5, bar, /*multicast=*/false, 0);
}

__device__ __forceinline__ void tensor_load_5d_multicast(uint32_t dst, const void* map, int c0, int c1, int c2, int c3,
                                                         int c4, uint32_t bar, uint16_t mask) {
  const int coordinates[] = {c0, c1, c2, c3, c4};
  emulator::tensor_load(dst, map, coordinates, 5, bar, /*multicast=*/true, mask);
}

__device__ __forceinline__ void tensor_store_1d(const void* map, int c0, uint32_t src) {
  const int coordinates[] = {c0};
  emulator::tensor_store(map, coordinates, 1, src, emulator::TensorReduction::kNone);
}

__device__ __forceinline__ void tensor_store_2d(const void* map, int c0, int c1, uint32_t src) {
  const int coordinates[] = {c0, c1};
  emulator::tensor_store(map, coordinates, 2, src, emulator::TensorReduction::kNone);
}

__device__ __forceinline__ void tensor_store_3d(const void* map, int c0, int c1, int c2, uint32_t src) {
  const int coordinates[] = {c0, c1, c2};
  emulator::tensor_store(map, coordinates, 3, src, emulator::TensorReduction::kNone);
}

__device__ __forceinline__ void tensor_store_4d(const void* map, int c0, int c1, int c2, int c3, uint32_t src) {
  const int coordinates[] = {c0, c1, c2, c3};
  emulator::tensor_store(map, coordinates, 4, src, emulator::TensorReduction::kNone);
}

__device__ __forceinline__ void tensor_store_5d(const void* map, int c0, int c1, int c2, int c3, int c4, uint32_t src) {
  const int coordinates[] = {c0, c1, c2, c3, c4};
  emulator::tensor_store(map, coordinates, 5, src, emulator::TensorReduction::kNone);
}

__device__ __forceinline__ void tensor_reduce_add_1d(const void* map, int c0, uint32_t src) {
  const int coordinates[] = {c0};
  emulator::tensor_store(map, coordinates, 1, src, emulator::TensorReduction::kAdd);
}

__device__ __forceinline__ void tensor_reduce_add_2d(const void* map, int c0, int c1, uint32_t src) {
  const int coordinates[] = {c0, c1};
  emulator::tensor_store(map, coordinates, 2, src, emulator::TensorReduction::kAdd);
}

__device__ __forceinline__ void tensor_reduce_add_3d(const void* map, int c0, int c1, int c2, uint32_t src) {
  const int coordinates[] = {c0, c1, c2};
  emulator::tensor_store(map, coordinates, 3, src, emulator::TensorReduction::kAdd);
}

__device__ __forceinline__ void tensor_reduce_add_4d(const void* map, int c0, int c1, int c2, int c3, uint32_t src) {
  const int coordinates[] = {c0, c1, c2, c3};
  emulator::tensor_store(map, coordinates, 4, src, emulator::TensorReduction::kAdd);
}

__device__ __forceinline__ void tensor_reduce_add_5d(const void* map, int c0, int c1, int c2, int c3, int c4,
                                                     uint32_t src) {
  const int coordinates[] = {c0, c1, c2, c3, c4};
  emulator::tensor_store(map, coordinates, 5, src, emulator::TensorReduction::kAdd);
}

__device__ __forceinline__ void tensor_reduce_min_1d(const void* map, int c0, uint32_t src) {
  const int coordinates[] = {c0};
  emulator::tensor_store(map, coordinates, 1, src, emulator::TensorReduction::kMin);
}

__device__ __forceinline__ void tensor_reduce_min_2d(const void* map, int c0, int c1, uint32_t src) {
  const int coordinates[] = {c0, c1};
  emulator::tensor_store(map, coordinates, 2, src, emulator::TensorReduction::kMin);
}

__device__ __forceinline__ void tensor_reduce_min_3d(const void* map, int c0, int c1, int c2, uint32_t src) {
  const int coordinates[] = {c0, c1, c2};
  emulator::tensor_store(map, coordinates, 3, src, emulator::TensorReduction::kMin);
}

__device__ __forceinline__ void tensor_reduce_min_4d(const void* map, int c0, int c1, int c2, int c3, uint32_t src) {
  const int coordinates[] = {c0, c1, c2, c3};
  emulator::tensor_store(map, coordinates, 4, src, emulator::TensorReduction::kMin);
}

__device__ __forceinline__ void tensor_reduce_min_5d(const void* map, int c0, int c1, int c2, int c3, int c4,
                                                     uint32_t src) {
  const int coordinates[] = {c0, c1, c2, c3, c4};
  emulator::tensor_store(map, coordinates, 5, src, emulator::TensorReduction::kMin);
}

__device__ __forceinline__ void tensor_reduce_max_1d(const void* map, int c0, uint32_t src) {
  const int coordinates[] = {c0};
  emulator::tensor_store(map, coordinates, 1, src, emulator::TensorReduction::kMax);
}

__device__ __forceinline__ void tensor_reduce_max_2d(const void* map, int c0, int c1, uint32_t src) {
  const int coordinates[] = {c0, c1};
  emulator::tensor_store(map, coordinates, 2, src, emulator::TensorReduction::kMax);
}

__device__ __forceinline__ void tensor_reduce_max_3d(const void* map, int c0, int c1, int c2, uint32_t src) {
  const int coordinates[] = {c0, c1, c2};
  emulator::tensor_store(map, coordinates, 3, src, emulator::TensorReduction::kMax);
}

__device__ __forceinline__ void tensor_reduce_max_4d(const void* map, int c0, int c1, int c2, int c3, uint32_t src) {
  const int coordinates[] = {c0, c1, c2, c3};
  emulator::tensor_store(map, coordinates, 4, src, emulator::TensorReduction::kMax);
}

__device__ __forceinline__ void tensor_reduce_max_5d(const void* map, int c0, int c1, int c2, int c3, int c4,
                                                     uint32_t src) {
  const int coordinates[] = {c0, c1, c2, c3, c4};
  emulator::tensor_store(map, coordinates, 5, src, emulator::TensorReduction::kMax);
}

}  // namespace pallasgen::ptx
