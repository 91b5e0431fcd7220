#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/kernel.h"
#include "layout/layout.h"
#include "plan/number.h"
#include "plan/prepared.h"
#include "plan/program.h"

namespace pallasgen {

// A constant of the generated file. Constants of one `line` share a declaration: `constexpr int bm = 128, bn = 256;`.
struct PlanConstant {
  std::string name;
  int64_t value = 0;
  std::optional<double> real;  // replaces `value` for a float constant; rounded to f32
  std::string formula;         // C++ text made of other constants, printed in place of the value; may be empty
  std::string type = "int";
  std::string comment;
  int line = 0;
  bool checked = false;  // a static_assert in the file states `value` of the formula
};

enum class Swizzle : uint8_t { none, k32, k64, k128 };
int swizzle_bytes(Swizzle swizzle);         // 0, 32, 64, 128
std::string swizzle_text(Swizzle swizzle);  // "Swizzle::k128B": the runtime's name

// One member of `struct Smem`, in order.
struct SharedField {
  std::string name;
  bool is_barrier = false;
  std::string type = {};  // a type of the runtime: "TileQueue"; empty: Barrier, or the dtype's type
  DType dtype = DType::f32;
  bool packed = false;       // each byte holds two 4-bit elements; the last bound counts bytes
  std::vector<Number> dims;  // array bounds
  int64_t bytes = 0, offset = 0;
  int64_t alignment = 1;
  bool align = false;   // alignas(alignment) is written: the offset is not aligned by the sizes before it
  std::string purpose;  // for the facts line: "a", "c staging", "barriers"
  int scope = -1;       // number of the ScopeStmt of scoped scratch, which is undefined each time its scope begins
  int last_scope = -1;  // number of the last ScopeStmt inside that one
  int overlay = -1;     // fields with the same overlay, not -1, share one place: one of them is in use at a time
};

struct SharedMemory {
  std::vector<SharedField> fields;  // empty: the kernel has no Smem
  int64_t alignment = 1024;
  int64_t padding = 0;  // bytes after the last field, up to the size of the struct
  int64_t total = 0;    // sizeof(Smem)
  int64_t limit = 0;
};

struct TensorMapPlan {
  std::string name;  // map_a
  int ref = -1;
  std::vector<TypedPtr> extents;  // elements, outermost first, over dims
  std::vector<TypedPtr> strides;  // elements, outermost first; empty: row-major
  std::vector<Number> box;        // elements, outermost first
  Swizzle swizzle = Swizzle::none;
  bool is_store = false, may_be_empty = false;  // the array of a store may have no elements, and then has no map
  bool tf32 = false;                            // its copies round f32 elements to tf32
};

// How an operand of a ring gets into its slot: a tensor copy, a bulk copy of one run of memory, cp.async, loads and
// stores through registers, or (`made`) computation by the threads that read it.
enum class CopyPath : uint8_t { tensor, bulk, async, registers, made };

// The threads of a role that do something: its first one, its first warp or all of them.
enum class Issuer : uint8_t { one_thread, one_warp, all };

// An operand of a ring: a block in shared memory that is cut along its contiguous dim into `column_boxes` parts, which
// follow one another, each `column_box_width` elements wide. With several row boxes, several copies fill each part.
struct RingOperand {
  std::string name;  // name of the ref, or of the value that is made
  DType dtype = DType::f32;
  int ref = -1;    // made: -1
  int field = -1;  // index in SharedMemory::fields
  CopyPath path = CopyPath::tensor;
  std::string way;  // the path in words: "cp.async, 16 bytes at a time"
  int map = -1;     // for tensor copies
  Swizzle swizzle = Swizzle::none;
  Major major = Major::none;
  std::vector<TypedPtr> coordinates;  // place of the block's first element, outermost first: m * bm
  Number column_boxes, column_box_width, column_box_elements;  // 1, the width and the block if one box is enough
  Number row_boxes, row_box, row_box_elements;                 // 1 unless a part has more rows than a box may have
  int row_dim = -1, column_dim = -1;                           // indices of the coordinates that grow from box to box
  // Place of the box of part i and row box r: `coordinates` plus terms of column_box_variable and row_variable if there
  // are several. `box_offset` counts the elements from the start of the slot; null if there is one box.
  std::vector<TypedPtr> box_coordinates;
  TypedPtr box_offset;
  std::string row_variable = "r";
  std::string column_box_variable;  // "i"
  Number bytes;                     // in one slot
  Number extent, width;  // length along the dim that is not contiguous (bm), and along the contiguous dim (bk)
  // True if the parts and the swizzle determine where an element is; otherwise elements lie row by row.
  bool lies_in_column_boxes() const { return major != Major::none || swizzle != Swizzle::none; }
};

struct RingPlan {
  std::string name;               // ring; several: ring_q, ring_kv
  std::string cursor, slot_name;  // C++ variables: `name`, or one that rings that advance together share; s
  std::string suffix;             // suffix of its barriers' names: _q; empty for an only ring
  Number slots;
  std::vector<RingOperand> operands;
  int full = -1, empty = -1;  // barriers; full -1: the readers of a slot fill it; empty -1: each slot is filled once
  Issuer filled_by = Issuer::all;  // one_thread of a producer: its arrival on `full` expects all bytes, or follows its
                                   // own copies; one_warp: each bulk copy expects its bytes inside the array
  Number ahead;                    // steps by which copies go ahead, without barriers
  Number bytes;                    // all operands of one slot: kStageBytes
  std::vector<int> moves_on;       // sequential axes with which it advances; empty: it advances with the tile
  int delay = 0;                   // steps that a slot is kept after its use
  bool own = false;                // each thread reads only elements that it has copied itself
  std::string path;                // how its operands are copied, for explain: "TMA tensor copy"
};

struct BarrierPlan {
  std::string name;  // full; tiles.full for a member of a field
  int field = -1;
  Number slots, count;
  std::optional<Number> tx_bytes;
  std::string completes_after;  // "1 arrival + 49,152 bytes"
  std::string arrived_by, waited_by, means;
};

// A staging area for tensor stores: each warpgroup has a few buffers that it fills and stores one after the other.
struct StorePlan {
  std::string name;  // store: the variable that counts the buffers
  int ref = -1, field = -1, map = -1;
  Number groups, buffers;  // kConsumers, kStoreBuffers
  Number rows, columns;    // elements of one store
  Swizzle swizzle = Swizzle::none;
  std::string staging;       // staging: the pointer to the current buffer
  bool own_buffers = false;  // each of the stores that follow one another has its own buffer
  // Index in Plan::rings of the ring whose entries warpgroups write and another role stores; -1: they store themselves.
  int ring = -1;
  bool across = false;  // with a ring: each warpgroup has `part` columns of its own; otherwise `part` rows
  Number part, copies;  // with a ring: `copies` stores take the part of a warpgroup
};

struct FragmentPlan {
  std::string name;
  DType dtype = DType::f32;
  ValueLayout layout;
  std::string layout_text;    // "WgmmaLayout<kRowsPerConsumer, bn>"
  bool is_row_slice = false;  // one element for each row of a matrix
  bool packed = false;        // two 16-bit elements in each register, as the accumulators of instructions have them
  bool in_loop = false;       // a one-element variable in the body of the loop over elements that makes and reads it
  bool operand_a = false;     // operand A of wgmma in registers: PackedSteps of the rows and columns in `layout_text`
};

// A layout that the file names: `using Rows = RowsLayout<kThreads, kRowLanes, 4, bm, bn>;`.
struct LayoutName {
  std::string name, text;
  std::string comment = {};  // the text of the comment above it
};

// A scalar of the body that every thread holds.
struct ScalarValue {
  std::string name;
  DType dtype = DType::index;
  TypedPtr value;
};

enum class ParameterKind : uint8_t {
  smem,
  map,
  ref,
  part,
  dim,
  scalar,
  num_sms,
  size,
  workspace,
  workspace_bytes,
  stream
};
// A parameter of a role, the kernel or the launcher. `index` is one of maps, refs, LaunchPlan::workspace, dims, scalars
// or, for `size`, axes. An output that is the buffer of an input has the input's parameter (buffer_of).
struct Parameter {
  ParameterKind kind;
  int index = -1;
  std::string name;
};

enum class RegisterChange : uint8_t { none, down, up };

struct RolePlan {
  std::string name;  // producer, consumer: the function; empty: the kernel's own body
  tile::Duties duties;
  std::string purpose;  // for the facts: "one thread issues the copies"
  int first_warp = 0, warps = 4;
  bool shares_group = false;  // its warpgroup also has warps of other roles
  Number groups;              // warpgroups (kConsumers); 1 for a producer
  RegisterChange change = RegisterChange::none;
  Number registers;              // per thread: the operand of setmaxnreg, else what the launch bound leaves
  int64_t registers_needed = 0;  // estimate of a thread's registers for values and addresses (live_registers.h)
  Issuer run_by = Issuer::all;   // the role's other threads return at once
  bool needs_group = false;      // declares wg, the warpgroup's index among the role's
  bool needs_row0 = false;       // declares row0 = wg * rows_per_group
  bool needs_leader = false, needs_first_lane = false, needs_first_warp = false;  // declares the variables so named
  Number rows_per_group;
  std::vector<int> rings, stores;  // the role declares the variables of these
  std::vector<Parameter> parameters;
  program::Statements program;
};

// A function of statements that occur several times in a role; its parameters are all it uses but does not declare.
struct PartPlan {
  std::string name;     // the function: compute_p
  std::string comment;  // the text above it
  int role = 0, places = 0;
  struct Argument {
    int fragment;
    bool written, read;  // read: the function reads the elements that the caller set
  };
  std::vector<Argument> fragments;    // parameters, in order, with their names at the first occurrence
  std::vector<int> scalars;           // indices in Plan::scalars
  std::vector<Parameter> parameters;  // dims and scalars of the spec, by value
  program::Statements program;
};

using tile::WorkKind;
enum class TileWalk : uint8_t { row_major, column_major, strips, listed };

struct WorkPlan {
  WorkKind kind = WorkKind::one_per_cta;
  int queue = -1;  // dynamic: the field, a TileQueue or a word, from which the CTA's threads read their next tile
  TileWalk walk = TileWalk::row_major;
  std::vector<int> axes;  // parallel axes, outermost first; empty: one program
  int strip_axis = -1;
  Number strip_width;
  std::vector<TileOrderPart> order;      // for TileWalk::listed
  std::string order_words;               // the order in words: "4 of h at a time, i from its end, b, h"
  std::vector<int> sequential;           // axes
  std::string variable;                  // tile
  std::string tiles_type;                // type of its range: "StripTiles<kStripWidth>"; empty: no axes
  std::vector<std::string> coordinates;  // one per entry of `axes`: "tile.m", "tile[0]"
  std::vector<Number> tile;              // sizes that one step computes: bm, bn, bk; or the block that is stored
  TypedPtr skip;                         // tiles for which it is true are skipped; may be null
  std::vector<int> skip_lets;            // indices in Kernel::lets that it names, in order, declared before it

  bool is_loop() const { return kind != WorkKind::one_per_cta; }  // true if a CTA loops over tiles
};

// Number of tiles of a parallel axis, or of steps of a sequential one. The launcher computes it and passes it to the
// kernel; if it depends on other axes or on arrays (`on_device`), each role does for each tile (program::DeclareSteps).
struct LaunchSize {
  int axis;
  std::string name;
  TypedPtr value;
  bool on_device = false;
};

enum class RequirementKind : uint8_t {
  condition,     // all of `conditions` hold
  fits_int32,    // each of `values` fits
  product_fits,  // the product of `values` is below 2^53
  aligned,       // the pointer of `ref` or `scalar` is a multiple of `bytes`, and not null unless its array is empty
  distinct,      // the strides of `ref` put no two elements at one place
};
struct Requirement {
  RequirementKind kind;
  std::vector<TypedPtr> conditions;  // bool index expressions
  std::vector<TypedPtr> values;
  int ref = -1, scalar = -1;  // aligned: one of the two; `scalar` is an array in Kernel::scalars
  Number bytes;
  std::string message;  // without the kernel's name: "N and K must be multiples of 8"
};

// Names of the workspace's words that the plan itself needs, and that the launcher sets to 0.
namespace workspace_name {
inline constexpr const char *status = "check_status",  // program::Check writes the first fault down; comes first
    *grid_barrier = "grid_barrier",                    // program::GridSync counts in it
        *tickets = "ticket_counter",                   // program::TakeTicket draws from it
            *tiles = "tile_counter";                   // CTAs take their next tiles from it (WorkKind::dynamic)
}

// A part of the workspace: a ref, or words that the plan itself needs (`ref` -1).
struct WorkspacePart {
  std::string name;
  int ref = -1;
  DType dtype = DType::u32;
  std::vector<TypedPtr> extents;  // empty: one element
};

// An array that the launcher sets on the stream before anything else.
struct FillPlan {
  int ref = -1, part = -1;  // either an output or a part of the workspace
  TypedPtr value;           // a Constant of its dtype
};

struct LaunchPlan {
  Number threads;                         // kThreads, those of each program
  std::optional<int64_t> least_ctas;      // CTAs that an SM must be able to hold at once, if the launch bounds say so
  std::vector<Parameter> parameters;      // parameters of the launcher, stream last
  std::vector<Parameter> arguments;       // parameters of the kernel
  std::vector<Requirement> requirements;  // in order, checked before anything else
  std::map<int, int64_t> most;            // by dim: the launcher refuses more, so that blocks end below 2^31
  std::vector<TypedPtr> empty_when;       // if any of these is true, the launcher succeeds without a launch
  std::vector<LaunchSize> sizes;
  std::vector<Requirement> workspace_requirements;  // of dims, checked before the workspace's bytes are counted
  std::vector<WorkspacePart> workspace;
  std::vector<FillPlan> fills;  // one launch fills all arrays without strides
  bool persistent = false;      // the grid has as many CTAs as SMs, at most one per tile; else one per tile
  int64_t ctas = 0;             // persistent: the largest number of CTAs; 0: as many as SMs
  bool num_sms = false;         // the launcher asks how many SMs the device has
  bool cooperative = false;     // all CTAs run at the same time, or the launch fails
  bool dependent = false;       // may start before the previous kernel in the stream ends
  Number cluster = number(1), programs = number(1);  // CTAs that compute one tile together; tiles of one CTA
};

// A choice of the planner with its reason, for explain.
struct Decision {
  std::string subject, choice, reason;
};

enum class Bound : uint8_t { latency, bandwidth, rate };
// The cost model's verdict for one example size: a model, not a measurement.
struct CostModel {
  std::string device;
  std::vector<std::pair<std::string, int64_t>> dims;  // the example
  double seconds = 0, step_seconds = 0, bubble_seconds = 0;
  // Figures of one step of one CTA: bytes wanted, bytes of the sectors that its warps touch, operations of matrix
  // instructions, instructions of the ordinary cores.
  double bytes_per_step = 0, touched_per_step = 0, operations_per_step = 0, instructions_per_step = 0;
  double bytes_in_flight = 0;                                           // bytes under way at once on one SM
  double latency_seconds = 0, bandwidth_seconds = 0, rate_seconds = 0;  // time of one step by each bound alone
  double tile_seconds = 0, fill_seconds = 0;                  // of a tile, outside of its steps; until the first data
  double memory_bytes = 0, operations = 0, instructions = 0;  // totals of the launch; the bytes are device memory's
  double steps = 0, tiles = 0, waves = 0;
  bool by_data = false;  // there are loops whose length depends on data, which count as one iteration
  Bound bound = Bound::rate;
  std::string moved_by;  // a change that would improve the time
};

// Every decision about one kernel for one target. A finished plan is immutable; emit prints it and explain explains it.
struct Plan {
  std::shared_ptr<const Lowered> lowered;  // its origin
  std::shared_ptr<const Kernel> kernel;    // the prepared kernel
  const Target* target = nullptr;
  std::vector<PlanConstant> constants;
  SharedMemory shared;
  std::vector<TensorMapPlan> maps;
  std::vector<RingPlan> rings;
  std::vector<BarrierPlan> barriers;
  std::vector<StorePlan> stores;
  std::vector<LayoutName> layouts;
  std::vector<PartPlan> parts;
  std::vector<FragmentPlan> fragments;
  std::vector<ScalarValue> scalars;
  std::vector<std::string> faults;  // messages of run-time checks: check, operand, statement
  std::vector<int> functions;       // indices in Kernel::functions of those used, in order
  std::set<std::string> headers;    // headers of the runtime that device.cuh does not include
  WorkPlan work;
  std::vector<RolePlan> roles;  // as in the tile program
  LaunchPlan launch;
  std::vector<Decision> decisions;
  CostModel cost;
};

using tile::computing_role, tile::has_several_roles, tile::role_with;

// Returns the input that an output is aliased to, else the ref itself.
int buffer_of(const Kernel& kernel, int ref);
// True if a thread of the role takes the CTA's tiles (WorkKind::dynamic).
bool takes_tiles(const Plan& plan, const RolePlan& role);
// True if the kernel writes the array of this ref.
bool is_written(const Kernel& kernel, int ref);

// Plans the kernel for one target (one of Kernel::targets or any name of targets()). Null after an error: every refusal
// is a diagnostic with the operand, the limit and a value that plans. Warnings point out legal but slow choices.
std::optional<Plan> make_plan(const Kernel& kernel, const std::string& target, Diagnostics& diagnostics);

// One entry of the facts at the start of a generated file: `label`, then lines that are aligned under the first.
struct Fact {
  std::string label;
  std::vector<std::string> lines;
};
// Computes the facts tile, ring, roles and memory from the plan's numbers, at most 105 columns a line. Barriers are a
// table of their own (Plan::barriers).
std::vector<Fact> facts(const Plan& plan);

// Returns the plan in words: roles, rings, bytes against limits, barriers, decisions with reasons, the model's verdict.
std::string explain(const Plan& plan);

// Returns the slices of one grid point for given dims, "x[20:30, 80:100]" for every ref, and says what lies past the
// end. Null with a diagnostic if the point is outside the grid, or a dim is missing.
std::optional<std::string> explain_program(const Kernel& kernel, const std::vector<int64_t>& program,
                                           const std::map<std::string, int64_t>& dims, Diagnostics& diagnostics);

// Returns the versioned projection of the plan for people and tools (.plan.json), indented, newline at the end.
std::string plan_json(const Plan& plan);

}  // namespace pallasgen
