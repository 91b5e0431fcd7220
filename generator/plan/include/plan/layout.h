#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pallasgen {

// Who tells the elements of a dimension apart.
enum class Holder : uint8_t { reg, lane, warp, warpgroup };

// One dimension of the tiled shape, or, with dim < 0, threads that all hold the same values (replicated).
// Of one holder, parts are listed from the slowest to the fastest.
struct LayoutPart {
  Holder holder = Holder::reg;
  int dim = -1;  // of the tiled shape; -1: replicated
  int64_t size = 1;
};

// Which thread and register hold which element of a block. The shape (flattened first where `flat`) is split by each
// tiling in turn: a tiling of rank r splits each of the last r dimensions d into (ceil(d / t), t), and the r quotients
// come before the r tiles. Every dimension that results is marked by one part. Elements of the padded shape that lie
// outside the shape have no holder.
struct ValueLayout {
  std::string name;  // strided, rows, wgmma, wgmma_operand, wgmma_row, wgmma_column
  std::vector<int64_t> shape;
  bool flat = false;
  std::vector<std::vector<int64_t>> tilings;
  std::vector<LayoutPart> parts;

  bool operator==(const ValueLayout& other) const;
};

struct ThreadRegister {
  int thread = 0;  // 0 .. threads(layout) - 1: lane + 32 * (warp + 4 * warpgroup)
  int reg = 0;     // 0 .. registers_per_thread(layout) - 1
  bool operator==(const ThreadRegister&) const = default;
};

// The named layouts.
// Accumulator of wgmma: rows a multiple of 64, columns of 8 (PTX ISA 8.6, 9.7.15.5.2, CLayout_64xN); register
// 4 * (column / 8) + 2 * (row half) + column % 2 of each group of 64 rows, groups slowest.
ValueLayout wgmma_layout(int64_t rows, int64_t columns);
// Operand A of wgmma in registers, of elements of 1, 2 or 4 bytes: rows a multiple of 64, depth of 32 bytes of k; per
// 64 rows and 32 bytes four 32-bit registers, which hold rows 0 and 8 of the first 16 bytes, then of the second.
ValueLayout wgmma_operand_layout(int64_t rows, int64_t depth, int64_t element_bytes);
// One value per row of the accumulator, the four lanes of a quad hold the same; and one per column, all rows hold the
// same.
ValueLayout wgmma_row_layout(int64_t rows);
ValueLayout wgmma_column_layout(int64_t columns);
// Linear index ((i * threads) + t) * vector + v in row-major order of the shape, the tail without holder.
ValueLayout strided_layout(int64_t threads, int64_t vector, std::vector<int64_t> shape);
// A matrix whose rows belong to `lanes` neighbouring threads each (a power of two, a divisor of `threads`): vector i of
// lane l is the (i * lanes + l)-th run of `vector` columns; groups of lanes take rows in turn.
ValueLayout rows_layout(int64_t threads, int64_t lanes, int64_t vector, int64_t rows, int64_t columns);

int64_t threads(const ValueLayout& layout);
int64_t registers_per_thread(const ValueLayout& layout);
// The coordinates of the element that `register` of `thread` holds; empty optional in the padding.
std::optional<std::vector<int64_t>> element_of(const ValueLayout& layout, int thread, int reg);
// Every (thread, register) that holds the element, threads ascending; one unless replicated.
std::vector<ThreadRegister> holders_of(const ValueLayout& layout, const std::vector<int64_t>& coordinates);
// Every element has a holder, each (thread, register) at most one element: what every layout must satisfy.
bool covers_shape(const ValueLayout& layout);

// The layout of a reduction over `axis`, without moving anything: registers along it fold, and every thread that held
// a part of the result holds all of it once lanes, warps and warpgroups in `across` were combined.
struct Reduced {
  ValueLayout layout;
  int64_t folded_registers = 1;  // values that one thread combines first
  std::vector<Holder> across;    // what must then be combined: lane (shuffles), warp, warpgroup (shared memory)
  int64_t across_lanes = 1;
};
std::optional<Reduced> reduce_layout(const ValueLayout& layout, int axis);
// The layout of the vector that broadcasts along `axis` into `layout`: the same parts, those of `axis` replicated
// (registers dropped). What reduce_layout leaves.
std::optional<ValueLayout> slice_layout(const ValueLayout& layout, int axis);
// The layout of columns [start, start + size) along `axis`; null unless they are the same registers of every thread.
std::optional<ValueLayout> window_layout(const ValueLayout& layout, int axis, int64_t start, int64_t size);
// The layout of the transposed block (rank 2); null for flat layouts.
std::optional<ValueLayout> transpose_layout(const ValueLayout& layout);

// How many consecutive registers of every thread hold elements that are consecutive in row-major order: the widest
// vector (in elements, a power of two) that a copy to or from a contiguous tile can use.
int64_t vector_width(const ValueLayout& layout);

// Shared-memory wavefronts that one warp's access of `vector` registers from `first_register` takes, against the least
// possible: each thread touches `vector` elements at the byte offset of its first element in a row-major tile with
// `row_bytes` per row, swizzled with a span of `swizzle` bytes (0: none).
struct BankAccess {
  int64_t wavefronts = 0, ideal = 0;
};
BankAccess bank_access(const ValueLayout& layout, int element_bytes, int64_t vector, int first_register,
                       int64_t row_bytes, int swizzle);

// Whether stmatrix.x4 without .trans writes 16 columns of the layout to a row-major tile of 16-bit elements: each 8 x 8
// matrix must lie as lane l holding columns 2 * (l % 4), + 1 of row l / 4 in one pair of registers (PTX
// ISA 9.7.14.5.16).
bool stmatrix_legal(const ValueLayout& layout, int element_bytes);

// "64 x 256 over 128 threads, 128 registers each", for explain.
std::string describe(const ValueLayout& layout);

}  // namespace pallasgen
