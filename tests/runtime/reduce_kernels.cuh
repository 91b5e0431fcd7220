#pragma once
#include <pallasgen/device.cuh>

// Reductions of rows, run by reduce_test.cpp and compiled by gate.cu. One CTA each.
namespace reductions {

using namespace pallasgen;

// Two tiles, so that a reduction may write while slower warps still read those of the previous one.
template <class T, class L>
struct Tiles {
  T first[L::kThreadRows][L::kThreads / 32];
  T second[L::kThreadRows][L::kThreads / 32];
};

// out[r] = the combination of row r of a rows x columns array, of which the block may hold more; `spread` is, for each
// element of the block, the combination of its row, a second time.
template <class Combine, class T, class L>
__global__ __launch_bounds__(L::kThreads, 1) void rows(const T* in, T* out, T* spread, int64_t M, int64_t N) {
  Fragment<T, L> x, y;
  Fragment<T, RowSlice<L>> total, again;
  load(x, in, {M, N}, {0, 0}, Combine::template neutral<T>());
  // Elements of the block outside the array would show in every result.
  constexpr float strange = kIsSame<Combine, Minimum> ? -99.0f : kIsSame<Combine, All> ? 0.0f : 99.0f;
#pragma unroll
  for (int e = 0; e < x.size; ++e) {
    if (!x.contains(e)) x[e] = cast<T>(strange);
  }
  if constexpr (L::kLanes > 32) {
    using Smem = Tiles<T, L>;
    PALLASGEN_DYNAMIC_SMEM(Smem, smem);
    reduce<Combine, 1>(total, x, smem.first);
    reduce<Combine, 1>(again, x, smem.second);
  } else {
    reduce<Combine, 1>(total, x);
    reduce<Combine, 1>(again, x);
  }
  store(total, out, {M}, {0});
#pragma unroll
  for (int e = 0; e < y.size; ++e) y[e] = again[y.row_slot(e)];
  store(y, spread, {L::kRows, L::kColumns}, {0, 0});
}

// The second of two warpgroups reduces rows of 128 lanes by its own barrier.
template <class L>
__global__ __launch_bounds__(256, 1) void in_warpgroups(const float* in, float* out, int64_t M, int64_t N) {
  struct Smem {
    float partial[2][L::kThreadRows][4];
  };
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const int wg = warpgroup_index();
  Fragment<float, L> x;
  load(x, in, {M, N}, {wg * L::kRows, 0});
  Fragment<float, RowSlice<L>> total;
  reduce<Sum, 1>(total, x, smem.partial[wg], OneWarpgroup<2>{wg});
  store(total, out, {M}, {wg * L::kRows});
}

// Lines of a tile for the columns of a layout: one for each group of lanes, or for each row if the number of groups
// would determine the order; for accumulators, one for each band.
template <class L>
constexpr int column_lines() {
  if constexpr (requires { L::kGroups; })
    return (L::kGroups & (L::kGroups - 1)) == 0 || L::kRows <= L::kGroups ? L::kGroups : L::kRows;
  else
    return L::kThreads / 32 * L::kParts;
}

// True if a warp, or a group of more lanes, has all rows: no other has parts of its columns.
template <class L>
__host__ __device__ constexpr bool in_one_group() {
  if constexpr (requires { L::kGroups; })
    return L::kThreads <= (L::kLanes < 32 ? 32 : L::kLanes);
  else
    return false;
}

// out[c] = the sum of column c of the rows of Groups groups of threads, one below the other; `spread` is, for each
// element, the sum of its column, a second time.
template <class L, int Groups, int Lines = column_lines<L>()>
__global__ __launch_bounds__(Groups* L::kThreads, 1) void columns(const float* in, float* out, float* spread, int64_t M,
                                                                  int64_t N) {
  struct alignas(16) Smem {
    float before[4];
    alignas(16) float first[Groups * Lines][L::kColumns];
    alignas(16) float between[4];
    alignas(16) float second[Groups * Lines][L::kColumns];
  };
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  if (threadIdx.x < 4) smem.before[threadIdx.x] = smem.between[threadIdx.x] = 7;
  const int wg = static_cast<int>(threadIdx.x) / L::kThreads, row0 = wg * L::kRows;
  Fragment<float, L> x, y;
  load<1>(x, in, {M, N}, {row0, 0});
#pragma unroll
  for (int e = 0; e < x.size; ++e) {
    if (!x.contains(e)) x[e] = 99.0f;
  }
  Fragment<float, ColumnSlice<L>> total, again;
  if constexpr (Groups == 1) {
    if constexpr (in_one_group<L>()) {
      reduce<Sum, 0>(total, x);
      reduce<Sum, 0>(again, x);
    } else {
      reduce<Sum, 0>(total, x, smem.first);
      reduce<Sum, 0>(again, x, smem.second);
    }
  } else {
    reduce<Sum, 0>(total, x, smem.first, AllWarpgroups<Groups>{wg});
    reduce<Sum, 0>(again, x, smem.second, AllWarpgroups<Groups>{wg});
  }
  if (wg == 0) store<1>(total, out, {N}, {0});
#pragma unroll
  for (int e = 0; e < y.size; ++e) y[e] = again[y.column_slot(e)];
  store<1>(y, spread, {Groups * L::kRows, L::kColumns}, {row0, 0});
  // Nothing is written before the tiles.
  __syncthreads();
  if (threadIdx.x < 4 && (smem.before[threadIdx.x] != 7 || smem.between[threadIdx.x] != 7)) spread[0] = NAN;
}

// By Groups warpgroups that each have columns of L, next to one another: rows[r] = the sum of row r, also in
// `row_parts` from each thread's part, combined later; columns[c] = the sum of column c; `running`, the running sums of
// the rows.
template <class L, int Groups>
__global__ __launch_bounds__(Groups * 128, 1) void across(const float* in, float* rows, float* row_parts,
                                                          float* columns, float* running) {
  struct alignas(16) Smem {
    float rows[2][RowSlice<L>::size][L::kThreads], scanned[RowSlice<L>::size][L::kThreads];
    float columns[Groups][column_lines<L>()][L::kColumns];
  };
  PALLASGEN_DYNAMIC_SMEM(Smem, smem);
  const AllWarpgroups<Groups> groups{static_cast<int>(threadIdx.x) / 128};
  const int64_t M = L::kRows, N = Groups * L::kColumns, first = groups.wg * L::kColumns;
  Fragment<float, L> x;
  load<1>(x, in, {M, N}, {0, first});
  const auto sums = reduce<Sum, 1>(x, smem.rows[0], groups);
  auto parts = fold_rows<Sum>(x, smem.rows[1], groups);
  share_rows<Sum>(parts);
  const auto sums_of_columns = reduce<Sum, 0>(x, smem.columns[groups.wg], AllWarpgroups<Groups>{0});
  store<1>(sums_of_columns, columns, {N}, {first});
  scan<Sum, 1>(x, x, smem.scanned, groups);
  store<1>(x, running, {M, N}, {0, first});
  // Each warpgroup has all sums.
  store<1>(sums, rows, {Groups * M}, {groups.wg * M});
  store<1>(parts, row_parts, {Groups * M}, {groups.wg * M});
}

// Adds each element of a row vector once, however many lanes hold it; a column vector likewise.
template <class L>
__global__ __launch_bounds__(L::kThreads, 1) void add_slices(const int* rows, const int* columns, int* row_sums,
                                                             int* column_sums) {
  Fragment<int, RowSlice<L>> r;
  Fragment<int, ColumnSlice<L>> c;
  load<1>(r, rows, {L::kRows}, {0});
  load(c, columns, {L::kColumns}, {0});
  store_add(r, row_sums, {L::kRows}, {0});
  store_add(c, column_sums, {L::kColumns}, {0});
}

}  // namespace reductions
