#pragma once
#include <pallasgen/launch.h>

#include <pallasgen/device.cuh>

// One warp-specialised matmul in all the shapes that the runtime's parts allow, c = relu(a @ b + bias). The emulator
// runs it (matmul_test.cpp) and nvcc compiles it (gate.cu).
namespace matmul {

using namespace pallasgen;

enum class Output { kStagedWithTma, kMaskedStores, kMaskedPairs };

// A shape is a struct; those of shapes.h change some of these values.
template <class T>
struct Shape {
  using Element = T;
  static constexpr int bm = 128, bn = 128, bk = 64;
  static constexpr int stages = 3, consumers = 2;
  static constexpr Major major_a = Major::kK, major_b = Major::kK;
  static constexpr Swizzle swizzle_a = Swizzle::k128B, swizzle_b = Swizzle::k128B;
  static constexpr Output output = Output::kStagedWithTma;
  static constexpr int store_columns = 64;
  static constexpr Swizzle swizzle_c = Swizzle::k128B;
  static constexpr bool f32_output = false;
  static constexpr bool along_n = false;
};

#define MATMUL_EACH_N(F)                                                                                               \
  F(8)                                                                                                                 \
  F(16)                                                                                                                \
  F(24)                                                                                                                \
  F(32) F(40) F(48) F(56) F(64) F(72) F(80) F(88) F(96) F(104) F(112) F(120) F(128) F(136) F(144) F(152) F(160) F(168) \
      F(176) F(184) F(192) F(200) F(208) F(216) F(224) F(232) F(240) F(248) F(256)

template <int N, class D, class A, class B>
__device__ __forceinline__ void mma(D& d, A a, B b, bool accumulate) {
#define MATMUL_CASE(n) \
  if constexpr (N == n) wgmma_m64n##n##k16(d, a, b, accumulate);
  MATMUL_EACH_N(MATMUL_CASE)
#undef MATMUL_CASE
}

template <class S>
struct Kernel {
  using T = typename S::Element;
  using Out = std::conditional_t<S::f32_output, float, T>;
  static constexpr int kThreads = 128 * (1 + S::consumers);
  static constexpr int kRowsPerConsumer = S::bm / S::consumers;
  static constexpr int kSlabA = swizzle_span(S::swizzle_a) / 2, kSlabB = swizzle_span(S::swizzle_b) / 2;
  static constexpr uint32_t kStageBytes = (S::bm + S::bn) * S::bk * 2;
  static constexpr int kGroup = S::store_columns % 16 == 0 ? 16 : 8;  // columns of one store_fragment
  using Tiles = StripTiles<8, S::along_n ? Along::kN : Along::kM>;

  struct alignas(1024) Smem {
    alignas(1024) T a[S::stages][S::bm * S::bk];
    alignas(1024) T b[S::stages][S::bn * S::bk];
    alignas(1024) Out c[S::consumers][2][kRowsPerConsumer * S::store_columns];
    Barrier full[S::stages];
    Barrier empty[S::stages];
  };
  static_assert(sizeof(Smem) <= kMaxDynamicSmem);

  __device__ static void producer(Smem& smem, const TensorMap& map_a, const TensorMap& map_b, int tiles_m, int tiles_n,
                                  int steps_k) {
    if constexpr (S::consumers > 1) set_max_registers_down<40>();  // 256 threads have as many registers as they can use
    if (warp_of_warpgroup() != 0 || !elect_one()) return;
    Ring<S::stages> ring;
    for (Tiles tile(tiles_m, tiles_n); tile.valid(); tile.next()) {
      for (int k = 0; k < steps_k; ++k, ring.advance()) {
        const int s = ring.slot;
        smem.empty[s].wait(ring.phase ^ 1);
        smem.full[s].arrive_expect_tx(kStageBytes);
        if constexpr (S::major_a == Major::kK) {
#pragma unroll
          for (int i = 0; i < S::bk / kSlabA; ++i)
            tma_load(&smem.a[s][i * kSlabA * S::bm], map_a, {tile.m * S::bm, k * S::bk + i * kSlabA}, smem.full[s]);
        } else {
#pragma unroll
          for (int i = 0; i < S::bm / kSlabA; ++i)
            tma_load(&smem.a[s][i * kSlabA * S::bk], map_a, {k * S::bk, tile.m * S::bm + i * kSlabA}, smem.full[s]);
        }
        if constexpr (S::major_b == Major::kK) {
#pragma unroll
          for (int i = 0; i < S::bk / kSlabB; ++i)
            tma_load(&smem.b[s][i * kSlabB * S::bn], map_b, {tile.n * S::bn, k * S::bk + i * kSlabB}, smem.full[s]);
        } else {
#pragma unroll
          for (int i = 0; i < S::bn / kSlabB; ++i)
            tma_load(&smem.b[s][i * kSlabB * S::bk], map_b, {k * S::bk, tile.n * S::bn + i * kSlabB}, smem.full[s]);
        }
      }
    }
  }

  __device__ static auto descriptor_a(const T* tile, int row0) {
    if constexpr (S::major_a == Major::kK)
      return descriptor_k_major<S::swizzle_a, S::bm>(tile, row0);
    else
      return descriptor_mn_major<S::swizzle_a, S::bk>(tile, row0);
  }

  __device__ static auto descriptor_b(const T* tile) {
    if constexpr (S::major_b == Major::kMn)
      return descriptor_mn_major<S::swizzle_b, S::bk>(tile);
    else if constexpr (S::bk == kSlabB && S::swizzle_b != Swizzle::kNone)
      return descriptor_k_major<S::swizzle_b>(tile);  // one box
    else
      return descriptor_k_major<S::swizzle_b, S::bn>(tile);
  }

  __device__ static void consumer(Smem& smem, const TensorMap& map_c, Out* c, const T* bias, int64_t M, int64_t N,
                                  int tiles_m, int tiles_n, int steps_k) {
    if constexpr (S::consumers > 1) set_max_registers_up<S::consumers == 2 ? 232 : 152>();
    const int wg = warpgroup_index() - 1;
    const int row0 = wg * kRowsPerConsumer;
    const bool leader = is_first_thread_of_warpgroup(), first_lane = is_first_thread_of_warp();
    Ring<S::stages> ring;
    [[maybe_unused]] Ring<2> store_ring;
    for (Tiles tile(tiles_m, tiles_n); tile.valid(); tile.next()) {
      Fragment<float, WgmmaLayout<kRowsPerConsumer, S::bn>> acc;
      [[maybe_unused]] int previous = 0;
      for (int k = 0; k < steps_k; ++k, ring.advance()) {
        const int s = ring.slot;
        smem.full[s].wait(ring.phase);
        const auto desc_a = descriptor_a(smem.a[s], row0);
        const auto desc_b = descriptor_b(smem.b[s]);
        wgmma_fence();
#pragma unroll
        for (int kk = 0; kk < S::bk / 16; ++kk) {
          if constexpr (kRowsPerConsumer == 64) {
            mma<S::bn>(acc, desc_a.advance_k(kk), desc_b.advance_k(kk), /*accumulate=*/k > 0 || kk > 0);
          } else {
#pragma unroll
            for (int i = 0; i < kRowsPerConsumer / 64; ++i)
              mma<S::bn>(acc.m64(i), desc_a.m64(i).advance_k(kk), desc_b.advance_k(kk), k > 0 || kk > 0);
          }
        }
        wgmma_commit();
        if constexpr (S::stages == 1) {
          wgmma_wait<0>(acc);  // the only stage is free when this step has read it
          if (first_lane) smem.empty[s].arrive();
        } else {
          wgmma_wait<1>();
          if (k > 0 && first_lane) smem.empty[previous].arrive();
          previous = s;
        }
      }
      if constexpr (S::stages > 1) {
        wgmma_wait<0>(acc);
        if (steps_k > 0 && first_lane) smem.empty[previous].arrive();
      }
      if (steps_k == 0) fill(acc, 0.0f);

      if constexpr (S::output == Output::kStagedWithTma) {
#pragma unroll
        for (int j = 0; j < S::bn / S::store_columns; ++j, store_ring.advance()) {
          Out* staging = smem.c[wg][store_ring.slot];
          if (leader) tma_store_wait_read<1>();
          warpgroup_sync<S::consumers>(wg);
#pragma unroll
          for (int i = 0; i < S::store_columns / kGroup; ++i) {
            auto v = acc.template columns<kGroup>(j * S::store_columns + i * kGroup);
            add_bias_and_clip(v, bias, N, tile.n * S::bn + j * S::store_columns + i * kGroup);
            store_fragment<S::swizzle_c, S::swizzle_c == Swizzle::kNone ? S::store_columns : 0>(staging, i, rounded(v));
          }
          fence_async_shared();
          warpgroup_sync<S::consumers>(wg);
          if (leader) {
            tma_store(map_c, {tile.m * S::bm + row0, tile.n * S::bn + j * S::store_columns}, staging);
            tma_store_commit();
          }
        }
      } else {
#pragma unroll
        for (int j = 0; j < S::bn; j += 8) {
          auto v = acc.template columns<8>(j);
          add_bias_and_clip(v, bias, N, tile.n * S::bn + j);
          store<S::output == Output::kMaskedPairs ? 2 : 1>(rounded(v), c, {M, N},
                                                           {tile.m * S::bm + row0, tile.n * S::bn + j});
        }
      }
    }
    if (leader) tma_store_wait_read<0>();
  }

  template <int Rows, int Cols>
  __device__ static void add_bias_and_clip(Fragment<float, WgmmaLayout<Rows, Cols>>& v, const T* bias, int64_t N,
                                           int64_t column) {
    Fragment<T, ColumnSlice<WgmmaLayout<Rows, Cols>>> b;
    load(b, bias, {N}, {column});
#pragma unroll
    for (int e = 0; e < v.size; ++e) v[e] = maximum(v[e] + to_float(b[v.column_slot(e)]), 0.0f);
  }

  template <class L>
  __device__ static auto rounded(const Fragment<float, L>& v) {
    Fragment<Out, L> r;
#pragma unroll
    for (int e = 0; e < v.size; ++e) r[e] = cast<Out>(v[e]);
    return r;
  }
};

template <class S, class T = typename S::Element, class Out = typename Kernel<S>::Out>
__global__ __launch_bounds__(Kernel<S>::kThreads, 1) void kernel(const __grid_constant__ TensorMap map_a,
                                                                 const __grid_constant__ TensorMap map_b,
                                                                 const __grid_constant__ TensorMap map_c, Out* c,
                                                                 const T* bias, int64_t M, int64_t N, int tiles_m,
                                                                 int tiles_n, int steps_k) {
  using Smem = typename Kernel<S>::Smem;
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x == 0) {
    prefetch(map_a, map_b);
    if (map_c.has_elements()) prefetch(map_c);
    for (int s = 0; s < S::stages; ++s) {
      smem.full[s].init(1, "full");
      smem.empty[s].init(4 * S::consumers, "empty");
    }
    fence_barrier_init();
  }
  __syncthreads();
  if (warpgroup_index() == 0)
    Kernel<S>::producer(smem, map_a, map_b, tiles_m, tiles_n, steps_k);
  else
    Kernel<S>::consumer(smem, map_c, c, bias, M, N, tiles_m, tiles_n, steps_k);
}

// a is [M, K], or [K, M] if it is MN-major; b is [N, K] or [K, N]; bias [N].
template <class S, class T, class Out>
cudaError_t run(const T* a, const T* b, const T* bias, Out* c, int64_t M, int64_t N, int64_t K, cudaStream_t stream) {
  using K_ = Kernel<S>;
  PALLASGEN_REQUIRE(M >= 0 && N >= 0 && K >= 0 && fits_int32(M, N, K), "matmul: bad extent");
  if (M == 0 || N == 0) return cudaSuccess;
  const int tiles_m = ceil_div(M, S::bm), tiles_n = ceil_div(N, S::bn), steps_k = ceil_div(K, S::bk);
  TensorMaps maps("matmul");
  const auto map_a = S::major_a == Major::kK ? maps.add("a", a, {M, K}, {S::bm, K_::kSlabA}, S::swizzle_a)
                                             : maps.add("a", a, {K, M}, {S::bk, K_::kSlabA}, S::swizzle_a);
  const auto map_b = S::major_b == Major::kK ? maps.add("b", b, {N, K}, {S::bn, K_::kSlabB}, S::swizzle_b)
                                             : maps.add("b", b, {K, N}, {S::bk, K_::kSlabB}, S::swizzle_b);
  TensorMap map_c{};
  if (S::output == Output::kStagedWithTma)
    map_c = maps.add("c", c, {M, N}, {K_::kRowsPerConsumer, S::store_columns}, S::swizzle_c);
  if (!maps.ok()) return maps.error();
  return launch(kernel<S>, persistent_grid(tiles_m, tiles_n), K_::kThreads, sizeof(typename K_::Smem), stream, map_a,
                map_b, map_c, c, bias, M, N, tiles_m, tiles_n, steps_k);
}

}  // namespace matmul
