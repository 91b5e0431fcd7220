#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "expression/typed.h"
#include "plan/number.h"

// Operands of the statements of a role program (program.h): bindings of values, and accesses to memory.
namespace pallasgen {
enum class Major : uint8_t { none, k, mn };  // the contiguous dim of an MMA operand
}  // namespace pallasgen

namespace pallasgen::program {

// How a leaf of an elementwise expression is read, for element e of the loop's layout.
enum class SlotKind : uint8_t {
  element,     // f[e]
  row,         // f[layout.row_slot(e)]: one value per row
  column,      // f[layout.column_slot(e)]: one value per column
  first,       // f[0]: the one value that every thread holds
  scalar,      // the name
  coordinate,  // the element's index along `dim` of the block: the value of iota
  shared,      // smem.<field>[index...]: one element of a tile in shared memory
  global,      // one element of a ref in global memory, or `outside` if it lies outside the array
};
enum class MemoryOrder : uint8_t { relaxed, acquire, release, acquire_release };
struct Binding {
  SlotKind kind;
  int fragment = -1;  // element, row, column, first
  int scalar = -1;    // index in Plan::scalars
  int dim = -1;       // coordinate: dim of the loop's block
  TypedPtr offset;    // coordinate: added to it (chunk, warpgroup's part); may be null
  // shared, global: the place. The index expressions may use the bindings of the same statement (integers of a gather)
  // and the variables of the loops around it. shared: one per dim of the field, or of one slot of a ring's operand.
  // global: one per dim of the array, in elements of the array.
  int field = -1;  // shared: index in SharedMemory::fields
  int ring = -1;   // shared: the field is an operand of this ring, in its current slot
  int ref = -1;    // global
  std::vector<TypedPtr> index = {};
  std::vector<bool> may_leave = {};       // global: true for dims whose index may be outside, and is compared
  TypedPtr condition = nullptr;           // global: a mask, without which the element is `outside`; may be null
  TypedPtr outside = nullptr;             // global: null: zero, as the language leaves the element unspecified
  std::optional<MemoryOrder> order = {};  // global: relaxed or acquire, among the threads of the device; none: weak
};

// How a block lies in its array: one entry per dim of the array, outermost first. Element (…, i_d, …) of the fragment
// is at `offset + i_d` in each dim with fragment_dim = d, and at `offset` in each dim with fragment_dim < 0.
struct AccessDim {
  TypedPtr offset;  // elements
  TypedPtr extent;  // of the array: elements at or past it are masked
  int fragment_dim = -1;
  bool may_pass_end = true;   // false: proved inside, no mask needed
  bool may_be_below = false;  // the offset may lie before the array
  TypedPtr size = nullptr;    // elements of the block that count as inside (a bounded slice); null: all
  // For a gathered dim: the index of the element whose number in the block is `variable`, over the statement's
  // bindings, and the name of the function that computes it.
  TypedPtr each = nullptr;
  std::string variable = {}, function = {};
};

struct Access {
  int ref = -1;
  std::vector<AccessDim> dims;
  std::vector<TypedPtr> strides;  // in elements; empty if the array is row-major without gaps
  Number vector;                  // elements per access: over 1 only if alignment and divisibility are proved
  bool masked = true;             // any dim may pass the end
  std::string reason;             // why this vector width, for explain
};

enum class AtomicKind : uint8_t { add, min, max, bit_and, bit_or, bit_xor, exchange, compare_exchange };
enum class AtomicScope : uint8_t { cta, device, system };
struct AtomicUpdate {
  AtomicKind kind = AtomicKind::add;
  AtomicScope scope = AtomicScope::device;
  MemoryOrder order = MemoryOrder::relaxed;
  TypedPtr compare;     // compare_exchange
  int old_scalar = -1;  // receives the value before the update; this statement declares it; -1: nothing uses it
};

// How an MMA treats the contents of its accumulator.
enum class Accumulate : uint8_t {
  always,
  not_first_step,  // the first MMA of the first step overwrites: `h > 0 || k > 0 || kk > 0`
  not_first_mma,   // one step only: `kk > 0`
};

// A matrix in shared memory, row by row: an operand of a ring's current slot, or a tile (`field`).
struct SharedMatrix {
  int ring = -1, operand = -1, field = -1;
  Number lines, depth;  // rows of a or columns of b, and the length along k
  Major major = Major::none;
};
// Where a fragment lies in a tile. `at`: the place of the warpgroup's first element, by dim of the tile; empty: the
// start of the tile. `transposed`: rows of the fragment are columns of the tile, and this many columns in a row have
// their chunks in the same order.
struct TileAccess {
  int field, fragment;
  std::vector<TypedPtr> at = {};
  Number vector = number(0);  // elements at once; 0: as many as the fragment's layout has side by side
  Number pitch = number(0);   // length of the tile's rows if they are longer than the fragment's, else 0
  std::optional<int64_t> transposed = {};
};

// accumulator += a product: each thread computes its block of it by fused multiply-adds.
struct MultiplyAdd {
  int accumulator;  // fragment
  SharedMatrix a, b;
  bool tf32 = false;  // elements are rounded to tf32
};

// The slot of a ring that is released.
enum class ReleaseWhen : uint8_t {
  now,            // the current slot
  previous_step,  // the slot of the step before, not in the first step
  last_step,      // after the loop: the slot of the last step, if there was one
};

// The threads that run the iterations of a loop over elements.
enum class Share : uint8_t {
  threads,
  warps,  // a warp takes each element, and all its lanes run the body; declares `lane`
  lanes,  // inside `warps`: elements are dealt to lanes; if `parts` warps share them, this is warp `part` among these
};

// Keeps compilers from holding a fragment's unpacked elements: each use unpacks them again.
struct UnpackAgain {
  int fragment;
};

}  // namespace pallasgen::program
