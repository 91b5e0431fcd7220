#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "expression/typed.h"

// What the values in the statements of a role program (program.h) read.
namespace pallasgen::program {

// How a leaf of an elementwise expression is read for element e of the loop's layout.
enum class SlotKind : uint8_t {
  element,     // f[e]
  row,         // f[layout.row_slot(e)]: one value per row
  column,      // f[layout.column_slot(e)]: one value per column
  scalar,      // the name
  coordinate,  // the element's index along `dim` of the block: what iota gives
  shared,      // smem.<field>[index...]: one element of a tile in shared memory
  global,      // one element of a ref in global memory, `outside` where it lies outside the array
};
enum class MemoryOrder : uint8_t { relaxed, acquire, release, acquire_release };
struct Binding {
  SlotKind kind;
  int fragment = -1;  // element, row, column
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

}  // namespace pallasgen::program
