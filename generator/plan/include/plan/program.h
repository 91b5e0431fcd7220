#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "expression/typed.h"
#include "plan/number.h"
#include "plan/program_order.h"
#include "plan/program_reductions.h"
#include "plan/program_values.h"

// The statements of a role, in the vocabulary of mesh kernels (SPEC.md section 10). Integers name entries of the Plan:
// rings, operands of a ring, barriers, fragments, refs of the kernel, maps.
// Index expressions (TypedPtr of dtype index) use these symbols:
//   axis         the tile's coordinate (tile.m) for a parallel axis; the loop variable (k) for a sequential one
//   axis_size    number of tiles or steps of the axis (tiles_m, steps_k)
//   dim, scalar  the launcher's parameters
//   let          declared by DeclareLet
//   loop, id < 0 a variable that the program declares: `row0` (first row of this warpgroup's part), an index of the
//                body, or that of an enclosing ForStoreColumns (j), ForChunks (i), ForBoxes (i)
// Constants with a name are the file's.
namespace pallasgen::program {

struct Statement;
using Statements = std::vector<Statement>;

// for each tile that the work gives this CTA. One pass, without a loop, where the work is one tile per CTA.
// `rings`: those that advance with the tile (they move on no sequential axis), in the loop's header.
struct ForTiles {
  std::vector<Statement> body;
  std::vector<int> rings;
};

// const int steps_j = ends[i + 1] - ends[i]: the LaunchSize of a sequential axis that each tile has of its own.
struct DeclareSteps {
  int axis;
};

// const int g = …: a `let` of the spec, where the axes that it depends on are known.
struct DeclareLet {
  int let;
};

// for (int k = 0; k < steps_k; ++k, ring.advance()): the axis, the rings that advance with it; a part of the steps.
struct ForSteps {
  int axis;
  std::vector<int> rings;
  std::vector<Statement> body;
  TypedPtr first = {}, last = {}, middle = {};  // null: 0; all; one run
  // Of two runs, below `middle` and from it on: the variables for which one it is (`masked`: 0, then 1) and its end.
  std::string second = {}, end = {};
};

// TMA copies of one operand into the current slot, all boxes of it (RingOperand tells how many and where).
struct TensorLoad {
  int ring;
  int operand;
  std::vector<TypedPtr> coordinates = {};  // of a box, where they are not the operand's; empty: they are
};

// packed = pack_steps(fragment): the registers of A as wgmma reads them, which stay while it runs.
struct PackOperand {
  int packed, fragment;
};

// A register array of the role: Plan::fragments[fragment].
struct DeclareFragment {
  int fragment;
};

// What stands several times in the role, printed as one function (Plan::parts): called with these fragments.
struct CallPart {
  int part;
  std::vector<int> fragments;  // by PartPlan::fragments
};

// A scalar of the body held by every thread: `const float scale = …`; of Plan::scalars.
struct BindScalar {
  int scalar;
};

// accumulator (+)= dot of the current slot's a (rows of this warpgroup, from a_first; ring_a -1: a fragment) and b, as
// one wgmma group: fence, k_steps MMAs per row tile, commit.
struct Mma {
  int accumulator;           // fragment
  int ring_a, a, ring_b, b;  // operands of rings
  std::string function;      // wgmma_m64n256k16
  Number n;                  // columns
  Number k_steps;            // MMAs along k: "bk / 16"
  TypedPtr k_first;          // the first of them in the blocks of the operands
  Number row_tiles;      // groups of 64 rows of this warpgroup: "kRowsPerConsumer / 64"; 1: the accumulator as a whole
  TypedPtr a_first;      // a's first row (MN-major: column) of this warpgroup: row0; null: 0
  TypedPtr b_first;      // b's first column (K-major: row) of this warpgroup, where all of them take the same rows
  Number row_tile_rows;  // rows from one group to the next: 64
  Accumulate accumulate;
  std::vector<int> axes;                          // the sequential axes of not_first_step, outermost first
  bool set_by_threads = false, discards = false;  // threads make what it adds to; nobody reads what is there
  // How operands of rings lie, the variables of their descriptors, and whether those stand above, in this block.
  Major a_major = Major::none, b_major = Major::none;
  std::string a_descriptor = {}, b_descriptor = {};  // of A in registers: the name of its packed form
  bool a_described = false, b_described = false;
};

// if (steps_k == 0) fill(fragment, value).
struct FillIfNoStep {
  int fragment;
  int axis;
  TypedPtr value;
};
// for (int j = 0; j < count; ++j, store.advance()) over the columns of one tensor store; unrolled.
// `staging` is declared at its top: the current buffer of this warpgroup, or the turn's own (StorePlan::own_buffers).
struct ForStoreColumns {
  std::string variable;
  Number count;
  int store;
  std::vector<Statement> body;
  // The loop ends where `first`, the store's first column in the array, is not below `extent`: what lies past the end
  // is not computed. The branch also keeps ptxas from overlapping all stores' arithmetic, which spilled (measured with
  // erff, one tile per CTA: 52 bytes).
  TypedPtr first = nullptr, extent = nullptr;
  std::string group = {};  // whose buffers they are, in a role that stores those of all warpgroups; empty: this one's
};

// The leader, or the only thread of its role, waits until at most `pending` stores have to read their staging buffer.
struct StoreAcquire {
  int store;
  Number pending;
};

// All threads of this warp, or of this warpgroup.
struct WarpSync {};
struct WarpgroupSync {};

// for (int i = 0; i < count; ++i) { auto view = source.columns<columns>(start); … }; unrolled, with the same columns of
// each source. A view is the fragment `view` (declared by this statement); inside, fragments of the body are declared
// by DeclareFragment.
struct ForChunks {
  struct View {
    int source, view;
  };
  std::string variable;
  Number count, columns;
  std::vector<View> views;
  TypedPtr start;  // first column of the chunk within the sources
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

// fence.proxy.async: what this thread read and wrote in shared memory by ordinary accesses comes before what TMA, bulk
// copies and wgmma do there for whoever syncs with it afterwards.
struct FenceAsync {
  bool global = false;  // and of what it did in global memory
};

// The leader: tma_store(map, coordinates, staging) and commit. `adds`: to what the array holds, each element
// atomically. Of stores with buffers of their own what stands around them is for the leader alone, and commits behind
// the last of them (StoreCommit).
struct TensorStore {
  int store;
  std::vector<TypedPtr> coordinates;
  bool adds = false;
};
struct StoreCommit {};

// The leader, at the end of the role: every store has read its staging buffer.
struct StoreDrain {
  int store;
};

// fragment = block of a ref in global memory; past the end: `fill`, or zero where null (unspecified by the language).
struct Load {
  int fragment;
  Access access;
  TypedPtr fill;
  std::vector<Binding> bindings = {};  // of gathered dims
};

// A block is copied into the slot that the ring comes to after `ahead` steps, row-major, not swizzled, as
// RingOperand::path says: by cp.async of all threads of the role, or through registers where what is proved of the
// alignment allows less than its 4 bytes; or as one run by a bulk copy, of one thread where the access is not masked,
// else of a warp. Past the end: `fill`, or zero where null. The dims of the access's fragment are the block's.
struct AsyncCopy {
  int ring, operand;
  TypedPtr ahead;
  std::vector<Number> shape;
  Access access;
  TypedPtr fill;
  std::vector<Binding> bindings = {};  // of gathered dims
};

// What the AsyncCopy of `ahead` steps later copies is asked into the L2 cache, in the same runs; a hint.
struct Prefetch {
  int64_t ahead;
  std::vector<Number> shape;
  Access access;
  std::vector<Binding> bindings = {};  // of gathered dims
};

// What the thread has copied (AsyncCopy of the same shape and vector) to the ring's current slot is rounded to tf32.
struct RoundCopied {
  int ring, operand;
  std::vector<Number> shape;
  Number vector;
};

// The rows of an operand of the ring's current slot become 0 from `first` on, from the first where that is below 0.
struct ClearRows {
  int ring, operand;
  TypedPtr first;
};

// An operand of the ring's current slot, as matrix instructions read it, = the elements of a fragment: `offset` is the
// place of the first among the operand's, row by row; null: 0.
struct StoreOperand {
  int fragment;
  int ring, operand;
  TypedPtr offset = nullptr;
  bool tf32 = false;  // rounded to it
};

// fragment = part of an operand of the ring's current slot: elements from `offset` on, row-major; `pitch`: of rows that
// are longer than the fragment's; 1: they are as long.
struct LoadShared {
  int fragment;
  int ring, operand;
  TypedPtr offset;
  Number vector;
  Number pitch = number(1);
};

// target[e] = value, where `value` is a scalar expression whose LocalUse ids index `bindings` (Constants, Symbols,
// elementwise operations, casts and CallFunction besides).
struct ElementwiseStatement {
  int target;  // fragment
  TypedPtr value;
  std::vector<Binding> bindings;
  std::string quoted;   // the statement of the spec
  bool paired = false;  // alone in its loop it goes two elements at a time (goes_by_pairs)
};

// One loop over the elements of `layout_of` (a fragment) for neighbouring statements of one layout.
struct Elementwise {
  int layout_of;
  std::vector<ElementwiseStatement> statements;
};

// A guard that is neither prologue nor epilogue: a scalar condition over index symbols, scalars and bindings.
struct If {
  TypedPtr condition;
  std::vector<Statement> then, otherwise;
  std::vector<Binding> bindings = {};
  std::string run = {};  // the condition tells the runs of the loop around (ForSteps::second), and is printed like this
};

// Bodies that no fragment holds whole: values in tiles of shared memory, one element of the result at a time.
// for (int i = thread; i < count; i += threads) over the elements of a block, row-major, `threads` those of the role
// together; the coordinates are variables of the body (loop symbols, id < 0) by these names, one per dim. No dims: the
// first thread alone runs the body.
struct ForElements {
  std::vector<Number> shape;
  std::vector<std::string> coordinates;
  std::vector<Statement> body;
  Share by = Share::threads;
  int64_t parts = 1;
  std::string part = {};  // a coordinate of the loop around
};

// for (int64_t or int r = start; r < stop; r += step), every thread that reaches it; a negative step runs down.
struct ForRange {
  std::string variable;
  TypedPtr start, stop, step;  // index expressions
  std::vector<Statement> body;
  int unroll = 0;  // 0: left to the compiler
  std::vector<Binding> bindings = {};
};

// while (condition): the condition is scalar and equal in all threads that reach it.
struct WhileLoop {
  TypedPtr condition;
  std::vector<Statement> body;
  std::vector<Binding> bindings;
};

// A scalar of the body, of Plan::scalars, with a value: declared here (`const` unless it is assigned later) or
// assigned. Inside ForElements each thread has its own; outside, all threads hold the same.
struct SetScalar {
  int scalar;
  TypedPtr value;
  std::vector<Binding> bindings;
  bool declares = true, constant = true;
  std::string quoted = {};  // the statement of the spec, printed above
};

// block of a ref in global memory = fragment, masked past the end; or combined with it by atomics.
struct StoreGlobal {
  int fragment;
  Access access;
  std::optional<AtomicKind> combine = {};  // add, min, max
  std::string quoted = {};                 // the statement of the spec, printed above
};

// One element of a tile (`field`) or an array (`ref`) = value, or an atomic update with it; inside ForElements.
struct StoreElement {
  int field = -1, ref = -1;
  std::vector<TypedPtr> index = {};  // as in Binding
  std::vector<bool> may_leave = {};  // ref: dropped outside
  TypedPtr condition = nullptr;      // stored only where it holds; may be null
  TypedPtr value;
  std::vector<Binding> bindings = {};
  std::optional<AtomicUpdate> atomic = {};
  std::string quoted = {};
  std::optional<MemoryOrder> order = {};  // ref, not atomic: relaxed or release, as in Binding
};

// A tile = elements of a fragment, and back; all threads.
struct StoreTile : TileAccess {};
struct LoadTile : TileAccess {};

// All threads of the role (of all its warpgroups): what was written to tiles and by the role to global memory is seen.
struct RoleSync {};
// The CTAs of a cluster begin to exchange values, by barriers that are the field: every CTA runs.
struct OpenExchange {
  int field;
};
// All threads of the launch (schedule.cooperative).
struct GridSync {};
// const int ticket = …: the place of this tile in the order in which tiles start, the same in all threads of the CTA.
// `field` is a word of shared memory. All threads come together here.
struct TakeTicket {
  int field;
};

// printf by one thread (device side), of the arguments with the texts before, between and behind them; and a condition
// that traps with the message when it is false.
struct Print {
  std::vector<std::string> texts;
  std::vector<TypedPtr> args;
  std::vector<Binding> bindings;
};
// A run-time check: where `violated` holds, the thread writes the fault (a number of Plan::faults, from 1) down with
// the grid point, one index expression per axis, and leaves the kernel; or `stays`, where others would wait for it.
struct Check {
  int fault;
  TypedPtr violated;
  std::vector<Binding> bindings;
  std::vector<TypedPtr> point;
  bool stays = false;
};
// The thread leaves the kernel when another one has found a fault.
struct LeaveOnFault {};
// The role's first thread writes into the tile `field`, of one element, whether a fault was found, for all to read.
struct PollFault {
  int field;
};
struct Assert {
  TypedPtr condition;
  std::string message;
  std::vector<Binding> bindings;
};

struct Statement {
  // What the statement does or makes safe; the spec's statement in its own notation (`quotes` true) or words.
  std::string comment;
  bool quotes = false;
  std::variant<ForTiles, DeclareSteps, DeclareLet, ForSteps, BarrierWait, ExpectBytes, TensorLoad, AsyncCopy, Prefetch,
               ArriveFilled, CommitCopies, WaitCopies, RoundCopied, ClearRows, DeclareFragment, BindScalar, MultiplyAdd,
               Mma, MmaWait, Release, FillIfNoStep, ForStoreColumns, StoreAcquire, WarpSync, WarpgroupSync, ForChunks,
               StageChunk, FenceAsync, TensorStore, StoreCommit, StoreDrain, Load, LoadShared, StoreOperand,
               StoreGlobal, Elementwise, If, ForElements, ReduceLanes, ReduceTile, ScanLanes, ForRange, WhileLoop,
               SetScalar, StoreElement, ReduceFragment, StoreTile, LoadTile, RoleSync, GridSync, AdvanceRing, TakeTurn,
               PassTurn, PackOperand, CallPart, OpenExchange, TakeTicket, UnpackAgain, Check, LeaveOnFault, PollFault,
               Print, Assert>
      node;
};

}  // namespace pallasgen::program

namespace pallasgen {

// Visits every statement, nested ones after the one that holds them.
void for_each_statement(const program::Statements& statements,
                        const std::function<void(const program::Statement&)>& visit);
// Visits each index of Plan::fragments that one statement names, not of those inside it.
void for_each_fragment(const program::Statement& statement, const std::function<void(int)>& visit);

}  // namespace pallasgen
