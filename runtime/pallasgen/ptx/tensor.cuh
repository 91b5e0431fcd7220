#pragma once
#include <cuda_runtime.h>
#include <pallasgen/meaning.h>

#include <cstdint>

// TMA: copies of boxes between global and shared memory. `map` is a tensor map in kernel parameters, constant or global
// memory. Coordinates are elements, c0 of the innermost dimension; elements outside the array are filled (loads) or
// dropped (stores). A load completes the bytes of the whole box on `bar`; a store belongs to the thread's bulk group.
namespace pallasgen::ptx {

// Fetches the descriptor, so that the first copy does not wait for it.
__device__ __forceinline__ void prefetch_tensormap(const void* map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

PALLASGEN_MEANS("tensor_load dst map bar")
__device__ __forceinline__ void tensor_load_1d(uint32_t dst, const void* map, int c0, uint32_t bar) {
  asm volatile(
      "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2}], [%3];" ::"r"(dst),
      "l"(map), "r"(c0), "r"(bar)
      : "memory");
}

PALLASGEN_MEANS("tensor_load dst map bar")
__device__ __forceinline__ void tensor_load_1d_multicast(uint32_t dst, const void* map, int c0, uint32_t bar,
                                                         uint16_t mask) {
  asm volatile(
      "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"
      " [%0], [%1, {%2}], [%3], %4;" ::"r"(dst),
      "l"(map), "r"(c0), "r"(bar), "h"(mask)
      : "memory");
}

PALLASGEN_MEANS("tensor_load dst map bar")
__device__ __forceinline__ void tensor_load_2d(uint32_t dst, const void* map, int c0, int c1, uint32_t bar) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3}], [%4];" ::"r"(dst),
      "l"(map), "r"(c0), "r"(c1), "r"(bar)
      : "memory");
}

PALLASGEN_MEANS("tensor_load dst map bar")
__device__ __forceinline__ void tensor_load_2d_multicast(uint32_t dst, const void* map, int c0, int c1, uint32_t bar,
                                                         uint16_t mask) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"
      " [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(dst),
      "l"(map), "r"(c0), "r"(c1), "r"(bar), "h"(mask)
      : "memory");
}

PALLASGEN_MEANS("tensor_load dst map bar")
__device__ __forceinline__ void tensor_load_3d(uint32_t dst, const void* map, int c0, int c1, int c2, uint32_t bar) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(dst),
      "l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(bar)
      : "memory");
}

PALLASGEN_MEANS("tensor_load dst map bar")
__device__ __forceinline__ void tensor_load_3d_multicast(uint32_t dst, const void* map, int c0, int c1, int c2,
                                                         uint32_t bar, uint16_t mask) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"
      " [%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(dst),
      "l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(bar), "h"(mask)
      : "memory");
}

PALLASGEN_MEANS("tensor_load dst map bar")
__device__ __forceinline__ void tensor_load_4d(uint32_t dst, const void* map, int c0, int c1, int c2, int c3,
                                               uint32_t bar) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3, %4, %5}], [%6];" ::"r"(dst),
      "l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(bar)
      : "memory");
}

PALLASGEN_MEANS("tensor_load dst map bar")
__device__ __forceinline__ void tensor_load_4d_multicast(uint32_t dst, const void* map, int c0, int c1, int c2, int c3,
                                                         uint32_t bar, uint16_t mask) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"
      " [%0], [%1, {%2, %3, %4, %5}], [%6], %7;" ::"r"(dst),
      "l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(bar), "h"(mask)
      : "memory");
}

PALLASGEN_MEANS("tensor_load dst map bar")
__device__ __forceinline__ void tensor_load_5d(uint32_t dst, const void* map, int c0, int c1, int c2, int c3, int c4,
                                               uint32_t bar) {
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
      " [%0], [%1, {%2, %3, %4, %5, %6}], [%7];" ::"r"(dst),
      "l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "r"(bar)
      : "memory");
}

PALLASGEN_MEANS("tensor_load dst map bar")
__device__ __forceinline__ void tensor_load_5d_multicast(uint32_t dst, const void* map, int c0, int c1, int c2, int c3,
                                                         int c4, uint32_t bar, uint16_t mask) {
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"
      " [%0], [%1, {%2, %3, %4, %5, %6}], [%7], %8;" ::"r"(dst),
      "l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "r"(bar), "h"(mask)
      : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_store_1d(const void* map, int c0, uint32_t src) {
  asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%2}], [%1];" ::"l"(map), "r"(src),
               "r"(c0)
               : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_store_2d(const void* map, int c0, int c1, uint32_t src) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map), "r"(src),
               "r"(c0), "r"(c1)
               : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_store_3d(const void* map, int c0, int c1, int c2, uint32_t src) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(map),
               "r"(src), "r"(c0), "r"(c1), "r"(c2)
               : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_store_4d(const void* map, int c0, int c1, int c2, int c3, uint32_t src) {
  asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(map),
               "r"(src), "r"(c0), "r"(c1), "r"(c2), "r"(c3)
               : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_store_5d(const void* map, int c0, int c1, int c2, int c3, int c4, uint32_t src) {
  asm volatile(
      "cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];" ::"l"(map),
      "r"(src), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4)
      : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_reduce_add_1d(const void* map, int c0, uint32_t src) {
  asm volatile("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [%0, {%2}], [%1];" ::"l"(map),
               "r"(src), "r"(c0)
               : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_reduce_add_2d(const void* map, int c0, int c1, uint32_t src) {
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
               "r"(src), "r"(c0), "r"(c1)
               : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_reduce_add_3d(const void* map, int c0, int c1, int c2, uint32_t src) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(map),
      "r"(src), "r"(c0), "r"(c1), "r"(c2)
      : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_reduce_add_4d(const void* map, int c0, int c1, int c2, int c3, uint32_t src) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.tile.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(map),
      "r"(src), "r"(c0), "r"(c1), "r"(c2), "r"(c3)
      : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_reduce_add_5d(const void* map, int c0, int c1, int c2, int c3, int c4,
                                                     uint32_t src) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.5d.global.shared::cta.add.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];" ::"l"(
          map),
      "r"(src), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4)
      : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_reduce_min_1d(const void* map, int c0, uint32_t src) {
  asm volatile("cp.reduce.async.bulk.tensor.1d.global.shared::cta.min.tile.bulk_group [%0, {%2}], [%1];" ::"l"(map),
               "r"(src), "r"(c0)
               : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_reduce_min_2d(const void* map, int c0, int c1, uint32_t src) {
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.min.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
               "r"(src), "r"(c0), "r"(c1)
               : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_reduce_min_3d(const void* map, int c0, int c1, int c2, uint32_t src) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.3d.global.shared::cta.min.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(map),
      "r"(src), "r"(c0), "r"(c1), "r"(c2)
      : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_reduce_min_4d(const void* map, int c0, int c1, int c2, int c3, uint32_t src) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.4d.global.shared::cta.min.tile.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(map),
      "r"(src), "r"(c0), "r"(c1), "r"(c2), "r"(c3)
      : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_reduce_min_5d(const void* map, int c0, int c1, int c2, int c3, int c4,
                                                     uint32_t src) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.5d.global.shared::cta.min.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];" ::"l"(
          map),
      "r"(src), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4)
      : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_reduce_max_1d(const void* map, int c0, uint32_t src) {
  asm volatile("cp.reduce.async.bulk.tensor.1d.global.shared::cta.max.tile.bulk_group [%0, {%2}], [%1];" ::"l"(map),
               "r"(src), "r"(c0)
               : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_reduce_max_2d(const void* map, int c0, int c1, uint32_t src) {
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
               "r"(src), "r"(c0), "r"(c1)
               : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_reduce_max_3d(const void* map, int c0, int c1, int c2, uint32_t src) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.3d.global.shared::cta.max.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(map),
      "r"(src), "r"(c0), "r"(c1), "r"(c2)
      : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_reduce_max_4d(const void* map, int c0, int c1, int c2, int c3, uint32_t src) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.4d.global.shared::cta.max.tile.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(map),
      "r"(src), "r"(c0), "r"(c1), "r"(c2), "r"(c3)
      : "memory");
}

PALLASGEN_MEANS("tensor_store src map")
__device__ __forceinline__ void tensor_reduce_max_5d(const void* map, int c0, int c1, int c2, int c3, int c4,
                                                     uint32_t src) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.5d.global.shared::cta.max.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];" ::"l"(
          map),
      "r"(src), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4)
      : "memory");
}

}  // namespace pallasgen::ptx
