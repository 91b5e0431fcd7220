#pragma once
#include <string.h>

#include <pallasgen/ptx/memory.cuh>
#include <pallasgen/ptx/smem.cuh>

// Runs: neighbouring elements in memory that are moved at once, in pieces of 16, 8, 4, 2 or 1 bytes, to which memory is
// aligned.
namespace pallasgen {

template <class T, int N>
struct Run {
  static_assert((N & (N - 1)) == 0, "a power of two of elements at once");
  static constexpr int kBytes = N * static_cast<int>(sizeof(T));
  T v[N];
};

// A short piece of memory with content of any type.
template <class Bits>
struct [[gnu::may_alias]] Piece {
  Bits bits;
};

// Returns 4 bytes, number i, of a run as an integer. It is put together, since a copy of memory would store short
// elements one by one.
template <class T, int N>
__device__ __forceinline__ uint32_t word_of(const Run<T, N>& run, int i) {
  uint32_t word = 0;
  if constexpr (sizeof(T) >= 4) {
    memcpy(&word, reinterpret_cast<const char*>(run.v) + i * 4, 4);
  } else {
    constexpr int in_word = 4 / static_cast<int>(sizeof(T));
#pragma unroll
    for (int j = 0; j < in_word; ++j) {
      uint32_t bits = 0;
      memcpy(&bits, &run.v[i * in_word + j], sizeof(T));
      word |= bits << (32 / in_word * j);
    }
  }
  return word;
}

// Loads a run from global memory.
template <class T, int N>
__device__ __forceinline__ void load_run(Run<T, N>& run, const T* memory) {
  constexpr int bytes = Run<T, N>::kBytes;
  if constexpr (N == 1) {
    run.v[0] = *memory;
  } else if constexpr (bytes >= 8) {
    uint32_t w[bytes / 4];
    if constexpr (bytes == 8) ptx::load_global_v2(memory, w[0], w[1]);
#pragma unroll
    for (int i = 0; i + 4 <= bytes / 4; i += 4)
      ptx::load_global_v4(memory + i * 4 / sizeof(T), w[i], w[i + 1], w[i + 2], w[i + 3]);
    memcpy(static_cast<void*>(run.v), w, bytes);
  } else if constexpr (bytes == 4) {
    const uint32_t bits = reinterpret_cast<const Piece<uint32_t>*>(memory)->bits;
    memcpy(static_cast<void*>(run.v), &bits, bytes);
  } else {
    const uint16_t bits = reinterpret_cast<const Piece<uint16_t>*>(memory)->bits;
    memcpy(static_cast<void*>(run.v), &bits, bytes);
  }
}

// Loads a run from global memory if `loads` holds, else leaves it.
template <class T, int N>
__device__ __forceinline__ void load_run_if(bool loads, Run<T, N>& run, const T* memory) {
  constexpr int bytes = Run<T, N>::kBytes;
  if constexpr (bytes >= 8) {
    uint32_t w[bytes / 4];
#pragma unroll
    for (int i = 0; i < bytes / 4; ++i) w[i] = word_of(run, i);
    if constexpr (bytes == 8) ptx::load_global_v2_if(loads, memory, w[0], w[1]);
#pragma unroll
    for (int i = 0; i + 4 <= bytes / 4; i += 4)
      ptx::load_global_v4_if(loads, memory + i * 4 / sizeof(T), w[i], w[i + 1], w[i + 2], w[i + 3]);
    memcpy(static_cast<void*>(run.v), w, bytes);
  } else {
    if (loads) load_run(run, memory);
  }
}

// Stores a run to global memory.
template <class T, int N>
__device__ __forceinline__ void store_run(T* memory, const Run<T, N>& run) {
  constexpr int bytes = Run<T, N>::kBytes;
  if constexpr (N == 1) {
    *memory = run.v[0];
  } else if constexpr (bytes >= 8) {
    if constexpr (bytes == 8) ptx::store_global_v2(memory, word_of(run, 0), word_of(run, 1));
#pragma unroll
    for (int i = 0; i + 4 <= bytes / 4; i += 4)
      ptx::store_global_v4(memory + i * 4 / sizeof(T), word_of(run, i), word_of(run, i + 1), word_of(run, i + 2),
                           word_of(run, i + 3));
  } else if constexpr (bytes == 4) {
    reinterpret_cast<Piece<uint32_t>*>(memory)->bits = word_of(run, 0);
  } else {
    uint16_t bits;
    memcpy(&bits, run.v, bytes);
    reinterpret_cast<Piece<uint16_t>*>(memory)->bits = bits;
  }
}

// Loads a run from shared memory.
template <class T, int N>
__device__ __forceinline__ void load_shared_run(Run<T, N>& run, const T* memory) {
  constexpr int bytes = Run<T, N>::kBytes;
  if constexpr (bytes < 8) {
    load_run(run, memory);
  } else {
    const uint32_t address = ptx::shared_address(memory);
    uint32_t w[bytes / 4];
    if constexpr (bytes == 8) ptx::load_shared_v2(address, w[0], w[1]);
#pragma unroll
    for (int i = 0; i + 4 <= bytes / 4; i += 4)
      ptx::load_shared_v4(address + i * 4, w[i], w[i + 1], w[i + 2], w[i + 3]);
    memcpy(static_cast<void*>(run.v), w, bytes);
  }
}

// Loads Bytes bytes of shared memory, aligned to their number, as words; the rest of the last word is 0.
template <int Bytes>
__device__ __forceinline__ void load_shared_words(uint32_t (&words)[(Bytes + 3) / 4], const void* memory) {
  if constexpr (Bytes == 1) {
    words[0] = *static_cast<const uint8_t*>(memory);
  } else if constexpr (Bytes == 2) {
    words[0] = static_cast<const Piece<uint16_t>*>(memory)->bits;
  } else if constexpr (Bytes == 4) {
    words[0] = static_cast<const Piece<uint32_t>*>(memory)->bits;
  } else if constexpr (Bytes == 8) {
    ptx::load_shared_v2(ptx::shared_address(memory), words[0], words[1]);
  } else {
    static_assert(Bytes == 16);
    ptx::load_shared_v4(ptx::shared_address(memory), words[0], words[1], words[2], words[3]);
  }
}

// Stores a run to shared memory.
template <class T, int N>
__device__ __forceinline__ void store_shared_run(T* memory, const Run<T, N>& run) {
  constexpr int bytes = Run<T, N>::kBytes;
  if constexpr (bytes < 8) {
    store_run(memory, run);
  } else {
    const uint32_t address = ptx::shared_address(memory);
    if constexpr (bytes == 8) ptx::store_shared_v2(address, word_of(run, 0), word_of(run, 1));
#pragma unroll
    for (int i = 0; i + 4 <= bytes / 4; i += 4)
      ptx::store_shared_v4(address + i * 4, word_of(run, i), word_of(run, i + 1), word_of(run, i + 2),
                           word_of(run, i + 3));
  }
}

}  // namespace pallasgen
