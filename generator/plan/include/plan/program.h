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

// The statements of a role, in the vocabulary of mesh kernels . Integers name entries of the Plan:
// rings, operands of a ring, barriers, fragments, refs of the kernel, maps.
// Index expressions (TypedPtr of dtype index) use these symbols:
//   axis         the tile's coordinate (tile.m) for a parallel axis; the loop variable (k) for a sequential one
//   axis_size    number of tiles or steps of the axis (tiles_m, steps_k)
//   dim, scalar  the launcher's parameters
//   let          declared by DeclareLet
//   loop, id < 0 a variable that the program declares: `row0` (first row of this warpgroup's part), an index of the
//                body, or that of an enclosing ForStoreColumns (j) or ForChunks (i), or of a box (i, r)
// Constants with a name are those of the file.
namespace pallasgen::program {

struct Statement;
using Statements = std::vector<Statement>;

// A loop over the tiles of this CTA; its body alone, without a loop, if the work is one tile per CTA.
// `rings` advance with the tile, in the loop's header: they advance with no sequential axis.
struct ForTiles {
  std::vector<Statement> body;
  std::vector<int> rings;
};

// const int steps_j = ends[i + 1] - ends[i]: the LaunchSize of a sequential axis whose size differs from tile to tile.
struct DeclareSteps {
  int axis;
};

// const int g = …: a `let` of the spec, declared once the axes that it depends on are known.
struct DeclareLet {
  int let;
};

// for (int k = 0; k < steps_k; ++k, ring.advance()): all or some steps of the axis, with which `rings` advance.
struct ForSteps {
  int axis;
  std::vector<int> rings;
  std::vector<Statement> body;
  TypedPtr first = {}, last = {}, middle = {};  // null: 0; the number of steps; no second run
  // With a second run, from `middle` on: variables with the number of the run (`masked`: 0, then 1) and with its end.
  std::string second = {}, end = {};
};

// TMA copies of all boxes of one operand into the current slot (RingOperand has their number and places).
struct TensorLoad {
  int ring;
  int operand;
  std::vector<TypedPtr> coordinates = {};  // place of a box; empty: the operand's box_coordinates
};

// packed = pack_steps(fragment): A in the registers that wgmma reads, which keep their values while it runs.
struct PackOperand {
  int packed, fragment;
};

// A register array of the role: Plan::fragments[fragment].
struct DeclareFragment {
  int fragment;
};

// A call, with these fragments, of the function (Plan::parts) for statements that occur several times in the role.
struct CallPart {
  int part;
  std::vector<int> fragments;  // in the order of PartPlan::fragments
};

// const float scale = …: a scalar of the body that every thread holds, one of Plan::scalars.
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
  TypedPtr k_first;          // first of these MMAs among those of the operands' blocks
  Number row_tiles;      // groups of 64 rows of this warpgroup: "kRowsPerConsumer / 64"; 1: the accumulator as a whole
  TypedPtr a_first;      // a's first row (MN-major: column) of this warpgroup: row0; null: 0
  TypedPtr b_first;      // b's first column (K-major: row) of this warpgroup, if all warpgroups take the same rows
  Number row_tile_rows;  // rows from one group to the next: 64
  Accumulate accumulate;
  std::vector<int> axes;                          // the sequential axes of not_first_step, outermost first
  bool set_by_threads = false, discards = false;  // threads wrote the accumulator before; nobody reads what it held
  // Majors of operands in rings, the variables of their descriptors, and whether this block declares those above.
  Major a_major = Major::none, b_major = Major::none;
  std::string a_descriptor = {}, b_descriptor = {};  // if A is in registers: the name of its packed form
  bool a_described = false, b_described = false;
};

// if (steps_k == 0) fill(fragment, value).
struct FillIfNoStep {
  int fragment;
  int axis;
  TypedPtr value;
};
// for (int j = 0; j < count; ++j, store.advance()) over the columns of one tensor store; unrolled.
// The body declares `staging`: the warpgroup's current buffer, or the iteration's own (StorePlan::own_buffers).
struct ForStoreColumns {
  std::string variable;
  Number count;
  int store;
  std::vector<Statement> body;
  // The loop ends once `first`, the store's first column in the array, reaches `extent`: elements past the end are not
  // computed. The branch also keeps ptxas from overlapping all stores' arithmetic, which spilled (measured with
  // erff, one tile per CTA: 52 bytes).
  TypedPtr first = nullptr, extent = nullptr;
  std::string group = {};  // the warpgroup whose buffers these are, in a role that stores all of them; empty: its own
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

// store_fragment<swizzle>(staging, i, pack(fragment)): writes chunk `chunk` of the staging buffer by stmatrix. With
// `pack` the fragment is f32 and is rounded to the store's dtype first.
struct StageChunk {
  int store;
  int fragment;
  std::string chunk;
  bool pack;
};

// fence.proxy.async: orders this thread's ordinary accesses to shared memory before accesses there by TMA, bulk copies
// and wgmma that threads issue after they have synchronized with it.
struct FenceAsync {
  bool global = false;  // also orders its accesses to global memory
};

// The leader: tma_store(map, coordinates, staging) and commit. With `adds` the copy adds to the array, each element
// atomically. Stores with buffers of their own are in a branch for the leader alone, which commits after the last of
// them (StoreCommit).
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

// fragment = block of a ref in global memory; past the end: `fill`, or zero if null (unspecified by the language).
struct Load {
  int fragment;
  Access access;
  TypedPtr fill;
  std::vector<Binding> bindings = {};  // for gathered dims
};

// Copies a block into the slot that the ring reaches after `ahead` steps, the way RingOperand::path names: cp.async of
// the role's threads, or copies through registers if no 4-byte alignment is proved; or one bulk copy of a run, by one
// thread if the access is not masked, else by a warp. Elements past the end are `fill`, or zero if that is null. The
// dims of the access's fragment are those of the block.
struct AsyncCopy {
  int ring, operand;
  TypedPtr ahead;
  std::vector<Number> shape;
  Access access;
  TypedPtr fill;
  std::vector<Binding> bindings = {};  // for gathered dims
};

// Prefetches into the L2 cache the runs that the AsyncCopy of `ahead` steps later copies; a hint.
struct Prefetch {
  int64_t ahead;
  std::vector<Number> shape;
  Access access;
  std::vector<Binding> bindings = {};  // for gathered dims
};

// Rounds to tf32 the elements of the ring's current slot that the thread copied (AsyncCopy of equal shape and vector).
struct RoundCopied {
  int ring, operand;
  std::vector<Number> shape;
  Number vector;
};

// Clears the rows of an operand of the ring's current slot from `first` on; all rows if `first` is below 0.
struct ClearRows {
  int ring, operand;
  TypedPtr first;
};

// operand of the ring's current slot = fragment, in the layout that matrix instructions read. `offset`: row-major place
// of the fragment's first element within the operand; null: 0.
struct StoreOperand {
  int fragment;
  int ring, operand;
  TypedPtr offset = nullptr;
  bool tf32 = false;  // elements are rounded to tf32
};

// fragment = elements of an operand of the ring's current slot from `offset` on, row-major. `pitch`: length of the
// operand's rows if they are longer than the fragment's, else 1.
struct LoadShared {
  int fragment;
  int ring, operand;
  TypedPtr offset;
  Number vector;
  Number pitch = number(1);
};

// target[e] = value: a scalar expression of LocalUses, whose ids index `bindings`, Constants, Symbols, elementwise
// operations, casts and CallFunctions.
struct ElementwiseStatement {
  int target;  // fragment
  TypedPtr value;
  std::vector<Binding> bindings;
  std::string quoted;   // the statement of the spec
  bool paired = false;  // the only statement of its loop, which takes two elements at a time (goes_by_pairs)
};

// One loop over the elements of `layout_of` (a fragment) for neighbouring statements of one layout.
struct Elementwise {
  int layout_of;
  std::vector<ElementwiseStatement> statements;
};

// A branch on a scalar condition over index symbols, scalars and bindings.
struct If {
  TypedPtr condition;
  std::vector<Statement> then, otherwise;
  std::vector<Binding> bindings = {};
  std::string run = {};  // printed in place of a condition that distinguishes the loop's runs (ForSteps::second)
};

// for (int i = thread; i < count; i += threads) over the elements of a block, row-major, by all threads of the role:
// the body computes one element at a time of values in shared memory. The coordinates are variables of the body (loop
// symbols, id < 0) with these names, one per dim. Without dims only the first thread runs the body.
struct ForElements {
  std::vector<Number> shape;
  std::vector<std::string> coordinates;
  std::vector<Statement> body;
  Share by = Share::threads;
  int64_t parts = 1;
  std::string part = {};  // a coordinate of the enclosing loop
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

// Sets a scalar of Plan::scalars: declares it (`const` unless it is assigned later) or assigns it. Inside ForElements
// each thread has its own; outside, all threads hold the same value.
struct SetScalar {
  int scalar;
  TypedPtr value;
  std::vector<Binding> bindings;
  bool declares = true, constant = true;
  std::string quoted = {};  // the statement of the spec, printed above
};

// block of a ref in global memory = fragment, masked past the end; with `combine`, atomics combine the two.
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
  std::vector<bool> may_leave = {};  // ref: nothing is stored outside the array
  TypedPtr condition = nullptr;      // nothing is stored if it is false; may be null
  TypedPtr value;
  std::vector<Binding> bindings = {};
  std::optional<AtomicUpdate> atomic = {};
  std::string quoted = {};
  std::optional<MemoryOrder> order = {};  // ref, not atomic: relaxed or release, as in Binding
};

// Copies between a tile and a fragment, by all threads.
struct StoreTile : TileAccess {};
struct LoadTile : TileAccess {};

// Syncs all threads of the role, so that each sees the role's writes to tiles and to global memory.
struct RoleSync {};
// Syncs the CTAs of a cluster before they exchange values through the barriers in the field, so that all are running.
struct OpenExchange {
  int field;
};
// Syncs all threads of the launch (schedule.cooperative).
struct GridSync {};
// const int ticket = …: the place of this tile in the order in which tiles start, the same in all threads of the CTA,
// which sync here. `field` is a word of shared memory.
struct TakeTicket {
  int field;
};

// printf by one thread, of the arguments with the texts before, between and after them.
struct Print {
  std::vector<std::string> texts;
  std::vector<TypedPtr> args;
  std::vector<Binding> bindings;
};
// A run-time check: if `violated` is true, the thread records the fault (a number of Plan::faults, from 1) with the
// grid point, one index expression per axis, and leaves the kernel; it `stays` if others would wait for it.
struct Check {
  int fault;
  TypedPtr violated;
  std::vector<Binding> bindings;
  std::vector<TypedPtr> point;
  bool stays = false;
};
// The thread leaves the kernel if another one has found a fault.
struct LeaveOnFault {};
// The role's first thread writes into the one-element tile `field` whether a fault was found, for all to read.
struct PollFault {
  int field;
};
// Traps with the message if the condition is false.
struct Assert {
  TypedPtr condition;
  std::string message;
  std::vector<Binding> bindings;
};

struct Statement {
  // What the statement does or makes safe, in words; with `quotes` the spec's statement in its own notation.
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

// Visits every statement, each before those nested in it.
void for_each_statement(const program::Statements& statements,
                        const std::function<void(const program::Statement&)>& visit);
// Visits each index of Plan::fragments that one statement names, except those of the statements nested in it.
void for_each_fragment(const program::Statement& statement, const std::function<void(int)>& visit);

}  // namespace pallasgen
