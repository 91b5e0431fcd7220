#pragma once
#include <cuda_runtime.h>
#include <pallasgen/emulator/atomics.h>
#include <pallasgen/memory_order.h>

#include <cstdint>

namespace pallasgen::ptx {

#define PALLASGEN_ATOM(op, type, T, result)                                                                      \
  template <MemoryOrder O, MemoryScope S>                                                                        \
  __device__ __forceinline__ T atom_##op##_global_##type(T* p, T v) {                                            \
    return emulator::ordered_update(emulator::atomic_global(p), O, S,                                            \
                                    [v](T old) -> T { return static_cast<void>(old), static_cast<T>(result); }); \
  }                                                                                                              \
  template <MemoryOrder O, MemoryScope S>                                                                        \
  __device__ __forceinline__ T atom_##op##_shared_##type(uint32_t address, T v) {                                \
    return emulator::ordered_update(emulator::atomic_shared<T>(address), O, S,                                   \
                                    [v](T old) -> T { return static_cast<void>(old), static_cast<T>(result); }); \
  }                                                                                                              \
  template <MemoryOrder O, MemoryScope S>                                                                        \
  __device__ __forceinline__ T atom_##op##_cluster_##type(uint32_t address, T v) {                               \
    return emulator::ordered_update(emulator::atomic_cluster<T>(address), O, S,                                  \
                                    [v](T old) -> T { return static_cast<void>(old), static_cast<T>(result); }); \
  }
#define PALLASGEN_ATOMIC(op, type, T, result)                                        \
  PALLASGEN_ATOM(op, type, T, result)                                                \
  template <MemoryOrder O, MemoryScope S>                                            \
  __device__ __forceinline__ void red_##op##_global_##type(T* p, T v) {              \
    static_assert(O == MemoryOrder::kRelaxed || O == MemoryOrder::kRelease);         \
    atom_##op##_global_##type<O, S>(p, v);                                           \
  }                                                                                  \
  template <MemoryOrder O, MemoryScope S>                                            \
  __device__ __forceinline__ void red_##op##_shared_##type(uint32_t address, T v) {  \
    static_assert(O == MemoryOrder::kRelaxed || O == MemoryOrder::kRelease);         \
    atom_##op##_shared_##type<O, S>(address, v);                                     \
  }                                                                                  \
  template <MemoryOrder O, MemoryScope S>                                            \
  __device__ __forceinline__ void red_##op##_cluster_##type(uint32_t address, T v) { \
    static_assert(O == MemoryOrder::kRelaxed || O == MemoryOrder::kRelease);         \
    atom_##op##_cluster_##type<O, S>(address, v);                                    \
  }
#define PALLASGEN_CAS(type, T)                                                             \
  template <MemoryOrder O, MemoryScope S>                                                  \
  __device__ __forceinline__ T atom_cas_global_##type(T* p, T compare, T v) {              \
    return emulator::ordered_update(emulator::atomic_global(p), O, S,                      \
                                    [=](T old) -> T { return old == compare ? v : old; }); \
  }                                                                                        \
  template <MemoryOrder O, MemoryScope S>                                                  \
  __device__ __forceinline__ T atom_cas_shared_##type(uint32_t address, T compare, T v) {  \
    return emulator::ordered_update(emulator::atomic_shared<T>(address), O, S,             \
                                    [=](T old) -> T { return old == compare ? v : old; }); \
  }                                                                                        \
  template <MemoryOrder O, MemoryScope S>                                                  \
  __device__ __forceinline__ T atom_cas_cluster_##type(uint32_t address, T compare, T v) { \
    return emulator::ordered_update(emulator::atomic_cluster<T>(address), O, S,            \
                                    [=](T old) -> T { return old == compare ? v : old; }); \
  }
#define PALLASGEN_ACCESS(type, T)                                            \
  template <MemoryOrder O, MemoryScope S>                                    \
  __device__ __forceinline__ T load_ordered_global_##type(const T* p) {      \
    static_assert(O == MemoryOrder::kRelaxed || O == MemoryOrder::kAcquire); \
    return emulator::ordered_load(emulator::atomic_global(p), O, S);         \
  }                                                                          \
  template <MemoryOrder O, MemoryScope S>                                    \
  __device__ __forceinline__ void store_ordered_global_##type(T* p, T v) {   \
    static_assert(O == MemoryOrder::kRelaxed || O == MemoryOrder::kRelease); \
    emulator::ordered_store(emulator::atomic_global(p), O, S, v);            \
  }

PALLASGEN_ATOMIC(add, f32, float, old + v)
PALLASGEN_ATOMIC(add, f64, double, old + v)
PALLASGEN_ATOMIC(add, u32, uint32_t, old + v)
PALLASGEN_ATOMIC(add, u64, uint64_t, old + v)
PALLASGEN_ATOMIC(add, f16, uint16_t, emulator::add_f16(old, v))
PALLASGEN_ATOMIC(add, bf16, uint16_t, emulator::add_bf16(old, v))
PALLASGEN_ATOMIC(add, f16x2, uint32_t, emulator::add_each_half(old, v, emulator::add_f16))
PALLASGEN_ATOMIC(add, bf16x2, uint32_t, emulator::add_each_half(old, v, emulator::add_bf16))
PALLASGEN_ATOMIC(min, s32, int32_t, v < old ? v : old)
PALLASGEN_ATOMIC(min, u32, uint32_t, v < old ? v : old)
PALLASGEN_ATOMIC(min, s64, int64_t, v < old ? v : old)
PALLASGEN_ATOMIC(min, u64, uint64_t, v < old ? v : old)
PALLASGEN_ATOMIC(max, s32, int32_t, old < v ? v : old)
PALLASGEN_ATOMIC(max, u32, uint32_t, old < v ? v : old)
PALLASGEN_ATOMIC(max, s64, int64_t, old < v ? v : old)
PALLASGEN_ATOMIC(max, u64, uint64_t, old < v ? v : old)
PALLASGEN_ATOMIC(and, b32, uint32_t, old& v)
PALLASGEN_ATOMIC(and, b64, uint64_t, old& v)
PALLASGEN_ATOMIC(or, b32, uint32_t, old | v)
PALLASGEN_ATOMIC(or, b64, uint64_t, old | v)
PALLASGEN_ATOMIC(xor, b32, uint32_t, old ^ v)
PALLASGEN_ATOMIC(xor, b64, uint64_t, old ^ v)

PALLASGEN_ATOM(exch, b32, uint32_t, v)
PALLASGEN_ATOM(exch, b64, uint64_t, v)

PALLASGEN_CAS(b16, uint16_t)
PALLASGEN_CAS(b32, uint32_t)
PALLASGEN_CAS(b64, uint64_t)

PALLASGEN_ACCESS(b8, uint8_t)
PALLASGEN_ACCESS(b16, uint16_t)
PALLASGEN_ACCESS(b32, uint32_t)
PALLASGEN_ACCESS(b64, uint64_t)

template <MemoryScope S>
__device__ __forceinline__ void fence_acq_rel() {
  emulator::fence_memory(S, /*sequentially_consistent=*/false);
}

template <MemoryScope S>
__device__ __forceinline__ void fence_sc() {
  emulator::fence_memory(S, /*sequentially_consistent=*/true);
}

}  // namespace pallasgen::ptx

#undef PALLASGEN_ACCESS
#undef PALLASGEN_CAS
#undef PALLASGEN_ATOMIC
#undef PALLASGEN_ATOM
