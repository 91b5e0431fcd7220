#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "expression/typed.h"
#include "plan/number.h"

// What the values in the statements of a role program (program.h) read, and where statements read and write.
namespace pallasgen {
enum class Major : uint8_t { none, k, mn };  // which dim of an MMA operand is contiguous
}  // namespace pallasgen

namespace pallasgen::program {

// How a leaf of an elementwise expression is read for element e of the loop's layout.
enum class SlotKind : uint8_t {
  element,     // f[e]
  row,         // f[layout.row_slot(e)]: one value per row
  column,      // f[layout.column_slot(e)]: one value per column
  first,       // f[0]: the one value that every thread holds
  scalar,      // the name
  coordinate,  // the element's index along `dim` of the block: what iota gives
  shared,      // smem.<field>[index...]: one element of a tile in shared memory
  global,      // one element of a ref in global memory, `outside` where it lies outside the array
};
enum class MemoryOrder : uint8_t { relaxed, acquire, release, acquire_release };
struct Binding {
  SlotKind kind;
  int fragment = -1;  // element, row, column, first
  int scalar = -1;    // of Plan::scalars
  int dim = -1;       // coordinate: dim of the loop's block
  TypedPtr offset;    // coordinate: added to it (slabs, warpgroup's part); may be null
  // shared, global: where. The index expressions may use the bindings of the same statement (integers of a gather) and
  // the variables of the loops around it. shared: one per dim of the field, or of one slot of a ring's operand.
  // global: one per dim of the array, in elements of the array.
  int field = -1;  // shared: of SharedMemory::fields
  int ring = -1;   // shared: the field is an operand of this ring, in its current slot
  int ref = -1;    // global
  std::vector<TypedPtr> index = {};
  std::vector<bool> may_leave = {};       // global: which dims may lie below 0 or past the end, and are compared
  TypedPtr condition = nullptr;           // global: read only where this holds (a mask); else `outside`
  TypedPtr outside = nullptr;             // global: null: zero, which the language leaves unspecified
  std::optional<MemoryOrder> order = {};  // global: relaxed or acquire, among the threads of the device; none: weak
};

// How a block lies in its array: one entry per dim of the array, outermost first. Element (…, i_d, …) of the fragment
// is at `offset + i_d` in each dim with fragment_dim = d, and at `offset` in each dim with fragment_dim < 0.
struct AccessDim {
  TypedPtr offset;  // elements
  TypedPtr extent;  // of the array: what lies at or past it is masked
  int fragment_dim = -1;
  bool may_pass_end = true;   // false: proved inside, no mask needed
  bool may_be_below = false;  // the offset may lie before the array
  TypedPtr size = nullptr;    // elements of the block that count as inside (a bounded slice); null: all
  // Of a gather: the index of the element whose number in the block is `variable`, over the statement's bindings; it
  // stands in a function of that name.
  TypedPtr each = nullptr;
  std::string variable = {}, function = {};
};

struct Access {
  int ref = -1;
  std::vector<AccessDim> dims;
  std::vector<TypedPtr> strides;  // in elements, where the array is not row-major contiguous; else empty
  Number vector;                  // elements per access: over 1 only where alignment and divisibility are proved
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
  int old_scalar = -1;  // receives the value before, where it is used; declared by this statement
};

// How an MMA treats what its accumulator holds.
enum class Accumulate : uint8_t {
  always,
  not_first_step,  // the first MMA of the first step overwrites: `h > 0 || k > 0 || kk > 0`
  not_first_mma,   // one step only: `kk > 0`
};

// A matrix in shared memory, row by row: an operand of a ring's current slot, or a tile (`field`).
struct SharedMatrix {
  int ring = -1, operand = -1, field = -1;
  Number lines, depth;  // rows of a, or columns of b, and what they contract over
  Major major = Major::none;
};
// Where a fragment lies in a tile. `at`: the place of the warpgroup's first element, by dim of the tile; none: where
// the tile begins. `transposed`: rows of what is loaded are columns of the tile, of which so many together have chunks
// in one order.
struct TileAccess {
  int field, fragment;
  std::vector<TypedPtr> at = {};
  Number vector = number(0);  // elements at once; 0: as many as the fragment's layout has side by side
  Number pitch = number(0);   // of rows that are longer than the fragment's; 0: they are as long
  std::optional<int64_t> transposed = {};
};

// accumulator += a product, of which each thread multiplies its block by fused multiply-adds.
struct MultiplyAdd {
  int accumulator;  // fragment
  SharedMatrix a, b;
  bool tf32 = false;  // of elements rounded to it
};

// Which slot of a ring is given back.
enum class ReleaseWhen : uint8_t {
  now,            // the current slot
  previous_step,  // the slot of the step before, not in the first step
  last_step,      // after the loop: the slot of the last step, if there was one
};

// Who runs the turns of a loop over elements.
enum class Share : uint8_t {
  threads,
  warps,  // each element is a warp's, whose lanes all run the body; it declares `lane`
  lanes,  // inside: each lane takes its elements in turn; of `parts` warps that share them, the one of number `part`
};

// What has been unpacked of a fragment's elements is not held on to: it is unpacked again where it is wanted.
struct UnpackAgain {
  int fragment;
};

}  // namespace pallasgen::program
