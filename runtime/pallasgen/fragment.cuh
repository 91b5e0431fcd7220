#pragma once
#include <pallasgen/meaning.h>
#include <pallasgen/types.h>
#include <string.h>

#include <pallasgen/layout.cuh>
#include <pallasgen/ptx/debug.cuh>
#include <pallasgen/ptx/matrix.cuh>
#include <pallasgen/ptx/memory.cuh>
#include <pallasgen/ptx/registers.cuh>
#include <pallasgen/ptx/smem.cuh>
#include <pallasgen/run.cuh>
#include <pallasgen/swizzle.cuh>

namespace pallasgen {

// One thread's elements of a value of layout L. They stay in registers as long as every index is constant: loops over
// them are unrolled. Elements are not initialised.
template <class T, class L>
struct Fragment {
  using Element = T;
  using Layout = L;
  static constexpr int size = L::size;
  T part[L::kParts][L::kPartSize];

  __host__ __device__ __forceinline__ T& operator[](int e) {
    ptx::check_element(e, size);
    return part[e / L::kPartSize][e % L::kPartSize];
  }
  __host__ __device__ __forceinline__ const T& operator[](int e) const {
    ptx::check_element(e, size);
    return part[e / L::kPartSize][e % L::kPartSize];
  }

  // The coordinate of this thread's element e along axis d of the value; in a matrix, its row and column.
  __device__ __forceinline__ static int coordinate(int e, int d) {
    return L::place(thread_of<L>(), e).at[d];
  }
  __device__ __forceinline__ static int row(int e) { return coordinate(e, 0); }
  __device__ __forceinline__ static int column(int e) { return coordinate(e, 1); }

  // False for elements past the end of a block that the threads do not share evenly.
  __device__ __forceinline__ static bool contains(int e) { return L::contains(thread_of<L>(), e); }

  // True if this thread stores its elements: if several threads hold the same, one of them does.
  __device__ __forceinline__ static bool is_owner() { return pallasgen::is_owner<L>(thread_of<L>()); }

  // The element of a RowSlice fragment that goes with the row of element e, of a ColumnSlice one with its column.
  __host__ __device__ static constexpr int row_slot(int e) { return L::row_slot(e); }
  __host__ __device__ static constexpr int column_slot(int e) { return L::column_slot(e); }

  // A copy of this thread's elements of the N columns from `first` on, a multiple of 8.
  template <int N>
  __device__ __forceinline__ auto columns(int first) const {
    using Slice = typename L::template Columns<N>;
    Fragment<T, Slice> slice;
#pragma unroll
    for (int p = 0; p < L::kParts; ++p) {
#pragma unroll
      for (int i = 0; i < Slice::kPartSize; ++i)
        slice.part[p][i] = part[p][first / 8 * (L::kPartSize * 8 / L::kColumns) + i];
    }
    return slice;
  }

  // The accumulator of rows 64 i to 64 i + 63, as wgmma takes it.
  __device__ __forceinline__ T (&m64(int i))[L::kPartSize] { return part[i]; }
};

// Returns the N elements from number `e` on.
template <int N, class T, class L>
__device__ __forceinline__ Run<T, N> run_of(const Fragment<T, L>& x, int e) {
  Run<T, N> run;
#pragma unroll
  for (int i = 0; i < N; ++i) run.v[i] = x[e + i];
  return run;
}

// Sets every element.
template <class T, class L>
__device__ __forceinline__ void fill(Fragment<T, L>& x, typename Fragment<T, L>::Element value) {
#pragma unroll
  for (int e = 0; e < x.size; ++e) x[e] = value;
}

// Returns a fragment whose elements all have the value.
template <class F>
__device__ __forceinline__ F filled(typename F::Element value) {
  F x;
  fill(x, value);
  return x;
}

// Makes the compiler treat the elements, packed two or four to a register, as new ones: their unpacked values need no
// registers from here on, and are unpacked again at the next use.
template <class T, class L>
__device__ __forceinline__ void unpack_again(Fragment<T, L>& x) {
  constexpr int kOfWord = 4 / static_cast<int>(sizeof(T));
#pragma unroll
  for (int e = 0; e + kOfWord <= x.size; e += kOfWord) {
    T elements[kOfWord];
#pragma unroll
    for (int i = 0; i < kOfWord; ++i) elements[i] = x[e + i];
    uint32_t word;
    memcpy(&word, elements, sizeof word);
    word = ptx::forgotten(word);
    memcpy(elements, &word, sizeof word);
#pragma unroll
    for (int i = 0; i < kOfWord; ++i) x[e + i] = elements[i];
  }
}

// A fragment whose elements fill registers, two of 16 bits or four of 8 to each, as stmatrix and wgmma take it.
template <class T, class L>
struct Packed {
  static constexpr int kPartWords = L::kPartSize * static_cast<int>(sizeof(T)) / 4;
  uint32_t part[L::kParts][kPartWords];

  // A copy of this thread's elements of the N columns from `first` on, a multiple of 8, as elements of 16 bits.
  template <int N>
  __device__ __forceinline__ auto columns(int first) const {
    static_assert(sizeof(T) == 2);
    using Slice = typename L::template Columns<N>;
    Fragment<T, Slice> slice;
#pragma unroll
    for (int p = 0; p < L::kParts; ++p) {
#pragma unroll
      for (int i = 0; i < Slice::kPartSize / 2; ++i)
        memcpy(&slice.part[p][2 * i], &part[p][first / 8 * (kPartWords * 8 / L::kColumns) + i], 4);
    }
    return slice;
  }

  // The accumulator of rows 64 i to 64 i + 63, as wgmma takes it.
  __device__ __forceinline__ uint32_t (&m64(int i))[kPartWords] { return part[i]; }
};

// Two 16-bit elements as one register, the first in the low half.
__device__ __forceinline__ uint32_t pack_pair(bf16 low, bf16 high) {
  const __nv_bfloat162 pair = __halves2bfloat162(low, high);
  uint32_t r;
  memcpy(&r, &pair, sizeof r);
  return r;
}
__device__ __forceinline__ uint32_t pack_pair(f16 low, f16 high) {
  const __half2 pair = __halves2half2(low, high);
  uint32_t r;
  memcpy(&r, &pair, sizeof r);
  return r;
}
__device__ __forceinline__ uint32_t pack_pair(uint16_t low, uint16_t high) {
  return low | static_cast<uint32_t>(high) << 16;
}
__device__ __forceinline__ uint32_t pack_pair(int16_t low, int16_t high) {
  return pack_pair(static_cast<uint16_t>(low), static_cast<uint16_t>(high));
}

// Two elements rounded to the type of the first argument (to nearest even), as one register.
__device__ __forceinline__ uint32_t round_pair(bf16, float low, float high) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  uint32_t r;
  memcpy(&r, &pair, sizeof r);
  return r;
}
__device__ __forceinline__ uint32_t round_pair(f16, float low, float high) {
  const __half2 pair = __floats2half2_rn(low, high);
  uint32_t r;
  memcpy(&r, &pair, sizeof r);
  return r;
}

// Sets every element of 16 bits.
template <class T, class L>
__device__ __forceinline__ void fill(Packed<T, L>& x, T value) {
#pragma unroll
  for (auto& part : x.part) {
#pragma unroll
    for (uint32_t& word : part) word = pack_pair(value, value);
  }
}

// The registers of a fragment of 16-bit elements.
template <class T, class L>
__device__ __forceinline__ Packed<T, L> pack(const Fragment<T, L>& x) {
  static_assert(sizeof(T) == 2 && L::kPartSize % 2 == 0);
  Packed<T, L> packed;
#pragma unroll
  for (int p = 0; p < L::kParts; ++p) {
#pragma unroll
    for (int i = 0; i < L::kPartSize / 2; ++i) packed.part[p][i] = pack_pair(x.part[p][2 * i], x.part[p][2 * i + 1]);
  }
  return packed;
}

// A value of Rows x Depth elements of 16 bits as wgmma takes A: each instruction takes 64 rows and 16 columns.
template <class T, int Rows, int Depth>
struct PackedSteps {
  Packed<T, WgmmaLayout<64, 16>> part[Rows / 64][Depth / 16];

  // Columns 16 * step to 16 * step + 15 of rows 64 * rows to 64 * rows + 63.
  __device__ __forceinline__ const Packed<T, WgmmaLayout<64, 16>>& k_step(int step, int rows = 0) const {
    return part[rows][step];
  }
};
template <class T, int Rows, int Depth>
__device__ __forceinline__ PackedSteps<T, Rows, Depth> pack_steps(const Fragment<T, WgmmaLayout<Rows, Depth>>& x) {
  static_assert(sizeof(T) == 2 && Depth % 16 == 0);
  PackedSteps<T, Rows, Depth> packed;
#pragma unroll
  for (int p = 0; p < Rows / 64; ++p) {
#pragma unroll
    for (int step = 0; step < Depth / 16; ++step) {
#pragma unroll
      for (int i = 0; i < 4; ++i)
        packed.part[p][step].part[0][i] = pack_pair(x.part[p][step * 8 + 2 * i], x.part[p][step * 8 + 2 * i + 1]);
    }
  }
  return packed;
}

// The same for elements rounded to bf16 or f16 (to nearest even).
template <class To, int Rows, int Depth>
__device__ __forceinline__ PackedSteps<To, Rows, Depth> pack_steps(const Fragment<float, WgmmaLayout<Rows, Depth>>& x) {
  PackedSteps<To, Rows, Depth> packed;
#pragma unroll
  for (int p = 0; p < Rows / 64; ++p) {
#pragma unroll
    for (int step = 0; step < Depth / 16; ++step) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float low = x.part[p][step * 8 + 2 * i], high = x.part[p][step * 8 + 2 * i + 1];
        packed.part[p][step].part[0][i] = round_pair(To{}, low, high);
      }
    }
  }
  return packed;
}

// The registers of a fragment in the layout of operand A of wgmma, of elements of any size.
template <class T, int Rows, int Depth>
__device__ __forceinline__ auto pack_operand(const Fragment<T, WgmmaOperandLayout<Rows, Depth, sizeof(T)>>& x) {
  using L = WgmmaOperandLayout<Rows, Depth, sizeof(T)>;
  Packed<T, L> packed;
#pragma unroll
  for (int p = 0; p < L::kParts; ++p) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      T elements[4 / sizeof(T)];
#pragma unroll
      for (int e = 0; e < static_cast<int>(4 / sizeof(T)); ++e) elements[e] = x.part[p][i * (4 / sizeof(T)) + e];
      memcpy(&packed.part[p][i], elements, 4);
    }
  }
  return packed;
}

// Returns the elements rounded to bf16 (to nearest even), packed.
template <class L>
__device__ __forceinline__ Packed<bf16, L> pack_bf16(const Fragment<float, L>& x) {
  Packed<bf16, L> packed;
#pragma unroll
  for (int p = 0; p < L::kParts; ++p) {
#pragma unroll
    for (int i = 0; i < L::kPartSize / 2; ++i) {
      const __nv_bfloat162 pair = __floats2bfloat162_rn(x.part[p][2 * i], x.part[p][2 * i + 1]);
      memcpy(&packed.part[p][i], &pair, 4);
    }
  }
  return packed;
}

// Returns the elements rounded to f16 (to nearest even, beyond 65504 to infinity), packed.
template <class L>
__device__ __forceinline__ Packed<f16, L> pack_f16(const Fragment<float, L>& x) {
  Packed<f16, L> packed;
#pragma unroll
  for (int p = 0; p < L::kParts; ++p) {
#pragma unroll
    for (int i = 0; i < L::kPartSize / 2; ++i) {
      const __half2 pair = __floats2half2_rn(x.part[p][2 * i], x.part[p][2 * i + 1]);
      memcpy(&packed.part[p][i], &pair, 4);
    }
  }
  return packed;
}

// Writes a Rows x N slice (N is 8 or 16) to the columns from i * N on of a row-major staging tile in shared memory,
// whose rows have Columns elements: one swizzle span of them, unless the tile is not swizzled. All threads of the
// warpgroup take part. The base must be a multiple of swizzle_period.
template <Swizzle S, int Columns = 0, class T, int Rows, int N>
PALLASGEN_MEANS("shared_write staging")
__device__ __forceinline__ void store_fragment(T* staging, int i, const Packed<T, WgmmaLayout<Rows, N>>& x) {
  static_assert(N == 8 || N == 16, "one store takes 8 or 16 columns");
  static_assert(S == Swizzle::kNone ? Columns > 0 : Columns == 0 || Columns == swizzle_span(S) / 2);
  constexpr int pitch = S == Swizzle::kNone ? Columns * 2 : swizzle_span(S);
  static_assert(pitch % 16 == 0, "stmatrix writes 16-byte rows");
  const int t = thread_of_group<128>();
  const uint32_t base = ptx::shared_address(staging);
  // Lane l gives the address of row l % 16 of the warp's 16 and, for 16 columns, of 16-byte chunk l / 16.
  const int row = t / 32 * 16 + t % 16;
  const int chunk = N == 16 ? i * 2 + t % 32 / 16 : i;
#pragma unroll
  for (int p = 0; p < Rows / 64; ++p) {
    const uint32_t offset = (p * 64 + row) * pitch + chunk * 16;
    const uint32_t address = base + (S == Swizzle::kNone ? offset : swizzled<S>(offset));
    if constexpr (N == 16)
      ptx::stmatrix_x4(address, x.part[p][0], x.part[p][1], x.part[p][2], x.part[p][3]);
    else
      ptx::stmatrix_x2(address, x.part[p][0], x.part[p][1]);
  }
}

// Stores two neighbours of a row at an address of shared memory, in one access.
template <class T>
__device__ __forceinline__ void store_shared_pair(uint32_t address, const T& first, const T& second) {
  if constexpr (sizeof(T) == 1) {
    uint8_t low, high;
    memcpy(&low, &first, 1);
    memcpy(&high, &second, 1);
    ptx::store_shared_b16(address, static_cast<uint16_t>(low | high << 8));
  } else if constexpr (sizeof(T) == 4) {
    uint32_t low, high;
    memcpy(&low, &first, 4);
    memcpy(&high, &second, 4);
    ptx::store_shared_v2(address, low, high);
  } else {
    static_assert(sizeof(T) == 8);
    uint32_t low[2], high[2];
    memcpy(low, &first, 8);
    memcpy(high, &second, 8);
    ptx::store_shared_v4(address, low[0], low[1], high[0], high[1]);
  }
}

// The same for elements of any size that are not packed yet.
template <Swizzle S, int Columns = 0, class T, int Rows, int N>
PALLASGEN_MEANS("shared_write staging")
__device__ __forceinline__ void store_fragment(T* staging, int i, const Fragment<T, WgmmaLayout<Rows, N>>& x) {
  constexpr int bytes = sizeof(T);
  if constexpr (bytes == 2) {
    store_fragment<S, Columns>(staging, i, pack(x));
  } else {
    static_assert(S == Swizzle::kNone ? Columns > 0 : Columns == 0 || Columns == swizzle_span(S) / bytes);
    constexpr int pitch = S == Swizzle::kNone ? Columns * bytes : swizzle_span(S);
    const uint32_t base = ptx::shared_address(staging);
    if constexpr (bytes == 4 && S == Swizzle::k128B && N == 32) {
      // Two neighbouring rows of 8 columns lie in the same banks: the odd ones store the columns 16 further on instead.
      const bool odd = thread_of_group<128>() / 4 % 2 == 1;
#pragma unroll
      for (int e = 0; e < x.size; e += 2) {
        const int other = e ^ 8;
        const T own[2] = {x[e], x[e + 1]}, others[2] = {x[other], x[other + 1]};  // selects values, not addresses
        const T first = odd ? T(others[0]) : T(own[0]), second = odd ? T(others[1]) : T(own[1]);
        const uint32_t offset = x.row(e) * pitch + (i * N + (odd ? x.column(other) : x.column(e))) * bytes;
        store_shared_pair(base + swizzled<S>(offset), first, second);
      }
    } else {
#pragma unroll
      for (int e = 0; e < x.size; e += 2) {
        const uint32_t offset = x.row(e) * pitch + (i * N + x.column(e)) * bytes;
        store_shared_pair(base + (S == Swizzle::kNone ? offset : swizzled<S>(offset)), x[e], x[e + 1]);
      }
    }
  }
}

}  // namespace pallasgen
