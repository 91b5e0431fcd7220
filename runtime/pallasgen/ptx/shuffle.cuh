#pragma once
#include <cuda_runtime.h>
#include <pallasgen/meaning.h>

#include <cstdint>

// All 32 threads of the warp take part in each of these.
namespace pallasgen::ptx {

// The `v` of lane `lane` (0 to 31).
PALLASGEN_MEANS("value v")
__device__ __forceinline__ uint32_t shfl_idx(uint32_t v, uint32_t lane) {
  uint32_t r;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(r) : "r"(v), "r"(lane));
  return r;
}

// The `v` of the lane whose number differs in the bits of `mask`.
__device__ __forceinline__ uint32_t shfl_bfly(uint32_t v, uint32_t mask) {
  uint32_t r;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(r) : "r"(v), "r"(mask));
  return r;
}

// The `v` of the lane `delta` below; the own one where there is none.
__device__ __forceinline__ uint32_t shfl_up(uint32_t v, uint32_t delta) {
  uint32_t r;
  asm volatile("shfl.sync.up.b32 %0, %1, %2, 0x0, 0xffffffff;" : "=r"(r) : "r"(v), "r"(delta));
  return r;
}

// The `v` of the lane `delta` above; the own one where there is none.
__device__ __forceinline__ uint32_t shfl_down(uint32_t v, uint32_t delta) {
  uint32_t r;
  asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(r) : "r"(v), "r"(delta));
  return r;
}

// Bit i is the `p` of lane i.
__device__ __forceinline__ uint32_t vote_ballot(bool p) {
  uint32_t r;
  asm volatile("{\n .reg .pred p;\n setp.ne.u32 p, %1, 0;\n vote.sync.ballot.b32 %0, p, 0xffffffff;\n}"
               : "=r"(r)
               : "r"(static_cast<uint32_t>(p)));
  return r;
}

// True when any lane's `p` is.
__device__ __forceinline__ bool vote_any(bool p) {
  uint32_t r;
  asm volatile(
      "{\n .reg .pred p, q;\n setp.ne.u32 p, %1, 0;\n vote.sync.any.pred q, p, 0xffffffff;\n selp.b32 %0, 1, 0, q;\n}"
      : "=r"(r)
      : "r"(static_cast<uint32_t>(p)));
  return r != 0;
}

// True when every lane's `p` is.
__device__ __forceinline__ bool vote_all(bool p) {
  uint32_t r;
  asm volatile(
      "{\n .reg .pred p, q;\n setp.ne.u32 p, %1, 0;\n vote.sync.all.pred q, p, 0xffffffff;\n selp.b32 %0, 1, 0, q;\n}"
      : "=r"(r)
      : "r"(static_cast<uint32_t>(p)));
  return r != 0;
}

}  // namespace pallasgen::ptx
