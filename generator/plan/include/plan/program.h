#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "expression/typed.h"
#include "plan/number.h"

// The statements of a role, in the vocabulary of mesh kernels (SPEC.md section 10). Integers name entries of the Plan:
// rings, operands of a ring, barriers, fragments, refs of the kernel, maps.
//
// Index expressions (TypedPtr of dtype index) use these symbols:
//   axis         the tile's coordinate (tile.m) for a parallel axis; the loop variable (k) for a sequential one
//   axis_size    number of tiles or steps of the axis (tiles_m, steps_k)
//   dim, scalar  the launcher's parameters
//   loop, id < 0 a variable that the program declares: `row0` (first row of this warpgroup's part), or the variable of
//                an enclosing ForStoreColumns (j), ForChunks (i), ForSlabs (i), ForBoxes (i); printed by its name
// Constants with a name are constants of the file.
namespace pallasgen::program {

struct Statement;
using Statements = std::vector<Statement>;

// for each tile that the work gives this CTA. One pass, without a loop, where the work is one tile per CTA.
// `rings`: those that advance with the tile (they move on no sequential axis), in the loop's header.
struct ForTiles {
  std::vector<Statement> body;
  std::vector<int> rings;
};

// for (int k = 0; k < steps_k; ++k, ring.advance()): the axis, the rings that advance with it.
struct ForSteps {
  int axis;
  std::vector<int> rings;
  std::vector<Statement> body;
};

// for (int i = 0; i < count; ++i) over equal parts of a block whose registers do not fit at once; unrolled when told.
struct ForSlabs {
  std::string variable;
  Number count;
  bool unroll;
  std::vector<Statement> body;
};

// Waits on the slot of the ring's current step: consumers for the phase (full), the producer for phase ^ 1 (empty).
struct BarrierWait {
  int barrier;
  int ring;
  bool producer_side;
};

// full[s].arrive_expect_tx(bytes of the ring's slot).
struct ExpectBytes {
  int barrier;
  int ring;
};

// TMA copies of one operand into the current slot, all boxes of it (RingOperand tells how many and where).
struct TensorLoad {
  int ring;
  int operand;
};

// A register array of the role: Plan::fragments[fragment].
struct DeclareFragment {
  int fragment;
};

// A scalar of the body held by every thread: `const float scale = …`.
struct BindScalar {
  int scalar;
};  // of Plan::scalars

enum class Accumulate : uint8_t {
  always,
  not_first_step,  // the first MMA of the first step overwrites: `k > 0 || kk > 0`
  not_first_mma,   // one step only: `kk > 0`
};

// accumulator (+)= dot of the current slot's a (rows of this warpgroup, from a_offset) and b, as one wgmma group:
// fence, k_steps MMAs per row tile, commit.
struct Mma {
  int accumulator;       // fragment
  int ring, a, b;        // operands of the ring
  std::string function;  // wgmma_m64n256k16
  Number n;              // columns
  Number k_steps;        // MMAs along k: "bk / 16"
  Number row_tiles;      // groups of 64 rows of this warpgroup: "kRowsPerConsumer / 64"; 1: the accumulator as a whole
  TypedPtr a_first;      // a's first row (MN-major: column) of this warpgroup: row0; null: 0
  TypedPtr a_offset;     // the same in elements from the slot's start: row0 * bk; null: none
  Number row_tile_rows;  // rows from one group to the next: 64
  Accumulate accumulate;
  int axis;  // the sequential axis of not_first_step
};

// wgmma_wait<groups>: at most `groups` groups of this warpgroup still run.
struct MmaWait {
  Number groups;
  std::vector<int> accumulators =
      {};  // set by plan: fragments that are final now (groups 0), so no use moves up before
};

enum class ReleaseWhen : uint8_t {
  now,            // the current slot
  previous_step,  // the slot of the step before, not in the first step
  last_step,      // after the loop: the slot of the last step, if there was one
};
// The warpgroup's leader arrives on the ring's empty barrier.
struct Release {
  int ring;
  ReleaseWhen when;
  int axis;
};

// if (steps_k == 0) fill(fragment, value).
struct FillIfNoStep {
  int fragment;
  int axis;
  TypedPtr value;
};
// fill(fragment, value).
struct Fill {
  int fragment;
  TypedPtr value;
};

// for (int j = 0; j < count; ++j, store.advance()) over the columns of one tensor store; unrolled.
// `staging` is declared at its top: the current buffer of this warpgroup.
struct ForStoreColumns {
  std::string variable;
  Number count;
  int store;
  std::vector<Statement> body;
  // The loop ends where `first`, the store's first column in the array, is not below `extent`: what lies past the end
  // is not computed. The branch also keeps ptxas from overlapping all stores' arithmetic, which spilled (measured with
  // erff, one tile per CTA: 52 bytes).
  TypedPtr first = nullptr, extent = nullptr;
};

// The leader waits until at most `pending` stores have still to read their staging buffer.
struct StoreAcquire {
  int store;
  Number pending;
};

// All threads of this warpgroup.
struct WarpgroupSync {};

// for (int i = 0; i < count; ++i) { auto view = source.columns<columns>(start); … }; unrolled. The view is the fragment
// `view` (declared by this statement); inside, fragments of the body are declared by DeclareFragment.
struct ForChunks {
  std::string variable;
  Number count, columns;
  int source, view;
  TypedPtr start;  // first column of the chunk within the source
  std::vector<Statement> body;
};

// store_fragment<swizzle>(staging, i, pack(fragment)): the chunk `chunk` of the staging buffer, by stmatrix. `pack`:
// the fragment is f32 and is rounded to the store's dtype on the way.
struct StageChunk {
  int store;
  int fragment;
  std::string chunk;
  bool pack;
};

// fence.proxy.async: the TMA unit sees what this thread wrote to shared memory.
struct FenceAsyncShared {};

// The leader: tma_store(map, coordinates, staging) and commit.
struct TensorStore {
  int store;
  std::vector<TypedPtr> coordinates;
};

// The leader, at the end of the role: every store has read its staging buffer.
struct StoreDrain {
  int store;
};

// How a block lies in its array: one entry per dim of the array, outermost first. Element (…, i_d, …) of the fragment
// is at `offset + i_d` in each dim with fragment_dim = d, and at `offset` in each dim with fragment_dim < 0.
struct AccessDim {
  TypedPtr offset;  // elements
  TypedPtr extent;  // of the array: what lies at or past it is masked
  int fragment_dim = -1;
  bool may_pass_end = true;  // false: proved inside, no mask needed
};

struct Access {
  int ref = -1;
  std::vector<AccessDim> dims;
  std::vector<TypedPtr> strides;  // in elements, where the array is not row-major contiguous; else empty
  Number vector;                  // elements per access: over 1 only where alignment and divisibility are proved
  bool masked = true;             // any dim may pass the end
  std::string reason;             // why this vector width, for explain
};

// fragment = block of a ref in global memory; past the end: `fill`, or zero where null (unspecified by the language).
struct Load {
  int fragment;
  Access access;
  TypedPtr fill;
};

// fragment = part of an operand of the ring's current slot (unswizzled): elements from `offset` on, row-major.
struct LoadShared {
  int fragment;
  int ring, operand;
  TypedPtr offset;
  Number vector;
};

// block of a ref in global memory = fragment, masked past the end.
struct StoreGlobal {
  int fragment;
  Access access;
};

// How a leaf of an elementwise expression is read for element e of the loop's layout.
enum class SlotKind : uint8_t {
  element,     // f[e]
  row,         // f[layout.row_slot(e)]: one value per row
  column,      // f[layout.column_slot(e)]: one value per column
  scalar,      // the name
  coordinate,  // the element's index along `dim` of the block: what iota gives
};
struct Binding {
  SlotKind kind;
  int fragment = -1;  // element, row, column
  int scalar = -1;    // of Plan::scalars
  int dim = -1;       // coordinate: dim of the loop's block
  TypedPtr offset;    // coordinate: added to it (slabs, warpgroup's part); may be null
};

// target[e] = value, where `value` is a scalar expression whose LocalUse ids index `bindings` (Constants, Symbols,
// elementwise operations, casts and CallFunction besides).
struct ElementwiseStatement {
  int target;  // fragment
  TypedPtr value;
  std::vector<Binding> bindings;
  std::string quoted;  // the statement of the spec
};

// One loop over the elements of `layout_of` (a fragment) for neighbouring statements of one layout.
struct Elementwise {
  int layout_of;
  std::vector<ElementwiseStatement> statements;
};

// A guard that is neither prologue nor epilogue: a scalar condition over index symbols and scalars.
struct If {
  TypedPtr condition;
  std::vector<Statement> then, otherwise;
};

struct Statement {
  // What the statement does or makes safe; the spec's statement in its own notation (`quotes` true) or words.
  std::string comment;
  bool quotes = false;
  std::variant<ForTiles, ForSteps, ForSlabs, BarrierWait, ExpectBytes, TensorLoad, DeclareFragment, BindScalar, Mma,
               MmaWait, Release, FillIfNoStep, Fill, ForStoreColumns, StoreAcquire, WarpgroupSync, ForChunks,
               StageChunk, FenceAsyncShared, TensorStore, StoreDrain, Load, LoadShared, StoreGlobal, Elementwise, If>
      node;
};

}  // namespace pallasgen::program
