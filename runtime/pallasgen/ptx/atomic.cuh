#pragma once
#include <cuda_runtime.h>
#include <pallasgen/memory_order.h>

#include <cstdint>

// Atomic operations on global memory, by pointer, and on shared memory, by its 32-bit address (PTX ISA, "atom", "red"):
// in the own CTA (shared), or in any CTA of the cluster, by an address from mapa (cluster). Order and scope come first:
// atom_add_global_f32<MemoryOrder::kRelaxed, MemoryScope::kDevice>(p, v). The 16-bit floats are passed as bits; x2 are
// two of them that are added one by one.
namespace pallasgen::ptx {

// The PTX names of an order and a scope.
template <MemoryOrder O>
struct OrderWord;
template <>
struct OrderWord<MemoryOrder::kRelaxed> {
  static constexpr char text[] = "relaxed";
};
template <>
struct OrderWord<MemoryOrder::kAcquire> {
  static constexpr char text[] = "acquire";
};
template <>
struct OrderWord<MemoryOrder::kRelease> {
  static constexpr char text[] = "release";
};
template <>
struct OrderWord<MemoryOrder::kAcqRel> {
  static constexpr char text[] = "acq_rel";
};
template <MemoryScope S>
struct ScopeWord;
template <>
struct ScopeWord<MemoryScope::kCta> {
  static constexpr char text[] = "cta";
};
template <>
struct ScopeWord<MemoryScope::kCluster> {
  static constexpr char text[] = "cluster";
};
template <>
struct ScopeWord<MemoryScope::kDevice> {
  static constexpr char text[] = "gpu";
};
template <>
struct ScopeWord<MemoryScope::kSystem> {
  static constexpr char text[] = "sys";
};

// atom returns the previous value.
#define PALLASGEN_ATOM(op, type, instruction, T, R)                                     \
  template <MemoryOrder O, MemoryScope S>                                               \
  __device__ __forceinline__ T atom_##op##_global_##type(T* p, T v) {                   \
    T old;                                                                              \
    asm volatile("atom.%3.%4.global." instruction " %0, [%1], %2;"                      \
                 : "=" R(old)                                                           \
                 : "l"(p), R(v), "C"(OrderWord<O>::text), "C"(ScopeWord<S>::text)       \
                 : "memory");                                                           \
    return old;                                                                         \
  }                                                                                     \
  template <MemoryOrder O, MemoryScope S>                                               \
  __device__ __forceinline__ T atom_##op##_shared_##type(uint32_t address, T v) {       \
    T old;                                                                              \
    asm volatile("atom.%3.%4.shared." instruction " %0, [%1], %2;"                      \
                 : "=" R(old)                                                           \
                 : "r"(address), R(v), "C"(OrderWord<O>::text), "C"(ScopeWord<S>::text) \
                 : "memory");                                                           \
    return old;                                                                         \
  }                                                                                     \
  template <MemoryOrder O, MemoryScope S>                                               \
  __device__ __forceinline__ T atom_##op##_cluster_##type(uint32_t address, T v) {      \
    T old;                                                                              \
    asm volatile("atom.%3.%4.shared::cluster." instruction " %0, [%1], %2;"             \
                 : "=" R(old)                                                           \
                 : "r"(address), R(v), "C"(OrderWord<O>::text), "C"(ScopeWord<S>::text) \
                 : "memory");                                                           \
    return old;                                                                         \
  }
// red returns nothing; relaxed or release.
#define PALLASGEN_ATOMIC(op, type, instruction, T, R)                                                                 \
  PALLASGEN_ATOM(op, type, instruction, T, R)                                                                         \
  template <MemoryOrder O, MemoryScope S>                                                                             \
  __device__ __forceinline__ void red_##op##_global_##type(T* p, T v) {                                               \
    static_assert(O == MemoryOrder::kRelaxed || O == MemoryOrder::kRelease);                                          \
    asm volatile("red.%2.%3.global." instruction " [%0], %1;" ::"l"(p), R(v), "C"(OrderWord<O>::text),                \
                 "C"(ScopeWord<S>::text)                                                                              \
                 : "memory");                                                                                         \
  }                                                                                                                   \
  template <MemoryOrder O, MemoryScope S>                                                                             \
  __device__ __forceinline__ void red_##op##_shared_##type(uint32_t address, T v) {                                   \
    static_assert(O == MemoryOrder::kRelaxed || O == MemoryOrder::kRelease);                                          \
    asm volatile("red.%2.%3.shared." instruction " [%0], %1;" ::"r"(address), R(v), "C"(OrderWord<O>::text),          \
                 "C"(ScopeWord<S>::text)                                                                              \
                 : "memory");                                                                                         \
  }                                                                                                                   \
  template <MemoryOrder O, MemoryScope S>                                                                             \
  __device__ __forceinline__ void red_##op##_cluster_##type(uint32_t address, T v) {                                  \
    static_assert(O == MemoryOrder::kRelaxed || O == MemoryOrder::kRelease);                                          \
    asm volatile("red.%2.%3.shared::cluster." instruction " [%0], %1;" ::"r"(address), R(v), "C"(OrderWord<O>::text), \
                 "C"(ScopeWord<S>::text)                                                                              \
                 : "memory");                                                                                         \
  }
#define PALLASGEN_CAS(type, T, R)                                                                   \
  template <MemoryOrder O, MemoryScope S>                                                           \
  __device__ __forceinline__ T atom_cas_global_##type(T* p, T compare, T v) {                       \
    T old;                                                                                          \
    asm volatile("atom.%4.%5.global.cas." #type " %0, [%1], %2, %3;"                                \
                 : "=" R(old)                                                                       \
                 : "l"(p), R(compare), R(v), "C"(OrderWord<O>::text), "C"(ScopeWord<S>::text)       \
                 : "memory");                                                                       \
    return old;                                                                                     \
  }                                                                                                 \
  template <MemoryOrder O, MemoryScope S>                                                           \
  __device__ __forceinline__ T atom_cas_shared_##type(uint32_t address, T compare, T v) {           \
    T old;                                                                                          \
    asm volatile("atom.%4.%5.shared.cas." #type " %0, [%1], %2, %3;"                                \
                 : "=" R(old)                                                                       \
                 : "r"(address), R(compare), R(v), "C"(OrderWord<O>::text), "C"(ScopeWord<S>::text) \
                 : "memory");                                                                       \
    return old;                                                                                     \
  }                                                                                                 \
  template <MemoryOrder O, MemoryScope S>                                                           \
  __device__ __forceinline__ T atom_cas_cluster_##type(uint32_t address, T compare, T v) {          \
    T old;                                                                                          \
    asm volatile("atom.%4.%5.shared::cluster.cas." #type " %0, [%1], %2, %3;"                       \
                 : "=" R(old)                                                                       \
                 : "r"(address), R(compare), R(v), "C"(OrderWord<O>::text), "C"(ScopeWord<S>::text) \
                 : "memory");                                                                       \
    return old;                                                                                     \
  }
// A byte is passed in a register of 16 bits.
#define PALLASGEN_ACCESS(type, T, Register, R)                                                                         \
  template <MemoryOrder O, MemoryScope S>                                                                              \
  __device__ __forceinline__ T load_ordered_global_##type(const T* p) {                                                \
    static_assert(O == MemoryOrder::kRelaxed || O == MemoryOrder::kAcquire);                                           \
    Register v;                                                                                                        \
    asm volatile("ld.%2.%3.global." #type " %0, [%1];"                                                                 \
                 : "=" R(v)                                                                                            \
                 : "l"(p), "C"(OrderWord<O>::text), "C"(ScopeWord<S>::text)                                            \
                 : "memory");                                                                                          \
    return static_cast<T>(v);                                                                                          \
  }                                                                                                                    \
  template <MemoryOrder O, MemoryScope S>                                                                              \
  __device__ __forceinline__ void store_ordered_global_##type(T* p, T v) {                                             \
    static_assert(O == MemoryOrder::kRelaxed || O == MemoryOrder::kRelease);                                           \
    asm volatile("st.%2.%3.global." #type " [%0], %1;" ::"l"(p), R(static_cast<Register>(v)), "C"(OrderWord<O>::text), \
                 "C"(ScopeWord<S>::text)                                                                               \
                 : "memory");                                                                                          \
  }

PALLASGEN_ATOMIC(add, f32, "add.f32", float, "f")
PALLASGEN_ATOMIC(add, f64, "add.f64", double, "d")
PALLASGEN_ATOMIC(add, u32, "add.u32", uint32_t, "r")
PALLASGEN_ATOMIC(add, u64, "add.u64", uint64_t, "l")
PALLASGEN_ATOMIC(add, f16, "add.noftz.f16", uint16_t, "h")
PALLASGEN_ATOMIC(add, bf16, "add.noftz.bf16", uint16_t, "h")
PALLASGEN_ATOMIC(add, f16x2, "add.noftz.f16x2", uint32_t, "r")
PALLASGEN_ATOMIC(add, bf16x2, "add.noftz.bf16x2", uint32_t, "r")
PALLASGEN_ATOMIC(min, s32, "min.s32", int32_t, "r")
PALLASGEN_ATOMIC(min, u32, "min.u32", uint32_t, "r")
PALLASGEN_ATOMIC(min, s64, "min.s64", int64_t, "l")
PALLASGEN_ATOMIC(min, u64, "min.u64", uint64_t, "l")
PALLASGEN_ATOMIC(max, s32, "max.s32", int32_t, "r")
PALLASGEN_ATOMIC(max, u32, "max.u32", uint32_t, "r")
PALLASGEN_ATOMIC(max, s64, "max.s64", int64_t, "l")
PALLASGEN_ATOMIC(max, u64, "max.u64", uint64_t, "l")
PALLASGEN_ATOMIC(and, b32, "and.b32", uint32_t, "r")
PALLASGEN_ATOMIC(and, b64, "and.b64", uint64_t, "l")
PALLASGEN_ATOMIC(or, b32, "or.b32", uint32_t, "r")
PALLASGEN_ATOMIC(or, b64, "or.b64", uint64_t, "l")
PALLASGEN_ATOMIC(xor, b32, "xor.b32", uint32_t, "r")
PALLASGEN_ATOMIC(xor, b64, "xor.b64", uint64_t, "l")

// Each replaces the value by `v` and returns the previous value.
PALLASGEN_ATOM(exch, b32, "exch.b32", uint32_t, "r")
PALLASGEN_ATOM(exch, b64, "exch.b64", uint64_t, "l")

// Each stores `v` if the value is `compare`, and returns the previous value.
PALLASGEN_CAS(b16, uint16_t, "h")
PALLASGEN_CAS(b32, uint32_t, "r")
PALLASGEN_CAS(b64, uint64_t, "l")

// Loads (relaxed, acquire) and stores (relaxed, release) that other threads may race with.
PALLASGEN_ACCESS(b8, uint8_t, uint16_t, "h")
PALLASGEN_ACCESS(b16, uint16_t, uint16_t, "h")
PALLASGEN_ACCESS(b32, uint32_t, uint32_t, "r")
PALLASGEN_ACCESS(b64, uint64_t, uint64_t, "l")

// Orders this thread's accesses before the fence with those after it, for the threads of the scope.
template <MemoryScope S>
__device__ __forceinline__ void fence_acq_rel() {
  asm volatile("fence.acq_rel.%0;" ::"C"(ScopeWord<S>::text) : "memory");
}

// The same; all such fences have a single order.
template <MemoryScope S>
__device__ __forceinline__ void fence_sc() {
  asm volatile("fence.sc.%0;" ::"C"(ScopeWord<S>::text) : "memory");
}

}  // namespace pallasgen::ptx

#undef PALLASGEN_ACCESS
#undef PALLASGEN_CAS
#undef PALLASGEN_ATOMIC
#undef PALLASGEN_ATOM
