#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pallasgen {

// Most neighbouring elements per thread in layouts of blocks that threads load and store.
inline constexpr int64_t kMostVector = 16;

// What an index of a dimension selects: a register, a lane, a warp or a warpgroup.
enum class Holder : uint8_t { reg, lane, warp, warpgroup };

// In place of a dimension: holders that all have the same values, or holders each of which has a part of a sum (an
// element's value is the sum over them).
inline constexpr int kReplicated = -1, kPartial = -2;

// The part of one holder in a dimension of the tiled shape. Parts of one holder are listed from the slowest to the
// fastest.
struct LayoutPart {
  Holder holder = Holder::reg;
  int dim = kReplicated;  // of the tiled shape; or kReplicated or kPartial
  int64_t size = 1;
};

// Which thread and register hold which element of a block. The shape (flattened first where `flat`) is split by each
// tiling in turn: a tiling of rank r splits each of the last r dimensions d into (ceil(d / t), t), and the r quotients
// come before the r tiles. Every dimension that results is marked by one part. Elements of the padded shape that lie
// outside the shape have no holder.
struct ValueLayout {
  std::string name;  // printed only: strided, rows, wgmma, wgmma_across, wgmma_operand, wgmma_row, ...
  std::vector<int64_t> shape;
  bool flat = false;
  std::vector<std::vector<int64_t>> tilings;
  std::vector<LayoutPart> parts;

  // True if the same holders have the same elements and the same parts of sums, however the layouts are written down.
  bool operator==(const ValueLayout& other) const;
};

// True if several threads hold the same element.
bool threads_share_elements(const ValueLayout& layout);

// Accumulator of wgmma: rows a multiple of 64, columns of 8 (PTX ISA 8.6, 9.7.15.5.2, CLayout_64xN); register
// 4 * (column / 8) + 2 * (row half) + column % 2 of each group of 64 rows, groups slowest. Several warpgroups have
// equal runs of the rows.
ValueLayout wgmma_layout(int64_t rows, int64_t columns, int64_t warpgroups = 1);
// Accumulators of which each warpgroup has all rows and an equal run of the columns, a multiple of 8.
ValueLayout wgmma_across_layout(int64_t rows, int64_t columns, int64_t warpgroups);
// Operand A of wgmma in registers, of elements of 1, 2 or 4 bytes: rows a multiple of 64, depth of 32 bytes of k; per
// 64 rows and 32 bytes four 32-bit registers, which hold rows 0 and 8 of the first 16 bytes, then of the second.
ValueLayout wgmma_operand_layout(int64_t rows, int64_t depth, int64_t element_bytes, int64_t warpgroups = 1);
// Register i * vector + v of thread t holds element ((i * threads) + t) * vector + v, row by row; none past the end.
ValueLayout strided_layout(int64_t threads, int64_t vector, std::vector<int64_t> shape);
// A matrix each of whose rows is held by `lanes` neighbouring threads (a power of two, a divisor of `threads`): vector
// i of lane l is run i * lanes + l of `vector` columns. Groups of lanes take rows in turn; a single row is held by
// every group.
ValueLayout rows_layout(int64_t threads, int64_t lanes, int64_t vector, int64_t rows, int64_t columns);
// A matrix of which each thread multiplies a block. `across` threads (a power of two, a divisor of `threads`) share the
// columns, the others the rows; up to 8 neighbours of a warp are next to each other, and further lines of them below.
// Vector i of a thread's columns is run i * across + its place of `column_vector` columns, and so with rows; registers
// go along the columns of a row first.
ValueLayout fma_layout(int64_t threads, int64_t across, int64_t row_vector, int64_t column_vector, int64_t rows,
                       int64_t columns);

// One value that each of `threads` threads holds (1, up to 32, or whole warps).
ValueLayout uniform_layout(int64_t threads);

int64_t threads(const ValueLayout& layout);
int64_t registers_per_thread(const ValueLayout& layout);
// The coordinates of the element that register `reg` (0 .. registers_per_thread - 1) of a thread (0 .. threads - 1:
// lane + lanes * (warp + warps * warpgroup)) holds; nothing in the padding.
std::optional<std::vector<int64_t>> element_of(const ValueLayout& layout, int thread, int reg);
// Number of parts that each element's sum is split into (1 unless partial).
int64_t addends(const ValueLayout& layout);
// The invariant of layouts: every element has a holder of each of its addends, each (thread, register) has at most one
// element, and there are whole warps if there are several, and whole warpgroups likewise.
bool covers_shape(const ValueLayout& layout);

// The one form that all layouts with the same holders share: without parts of size 1, neighbouring parts that form one
// run merged, and not flat unless parts cross the dims of the shape.
ValueLayout canonical(const ValueLayout& layout);

}  // namespace pallasgen
