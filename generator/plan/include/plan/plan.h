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

// One constant of the generated file. Those of one `line` share a declaration: `constexpr int bm = 128, bn = 256;`.
struct PlanConstant {
  std::string name;
  int64_t value = 0;
  std::optional<double> real;  // in place of `value`, rounded to f32
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
  std::string type = {};  // of the runtime: "TileQueue"; empty: Barrier, or the dtype's
  DType dtype = DType::f32;
  bool packed = false;       // bytes of two elements each, as arrays of 4-bit elements are; the last bound counts bytes
  std::vector<Number> dims;  // array bounds
  int64_t bytes = 0, offset = 0;
  int64_t alignment = 1;
  bool align = false;   // alignas(alignment) is written: the offset is not aligned by the sizes before it
  std::string purpose;  // for the facts line: "a", "c staging", "barriers"
  int scope = -1;       // of scoped scratch, undefined each time its scope begins: the number of the ScopeStmt
  int last_scope = -1;  // and of the last one inside it
  int overlay = -1;     // fields of one overlay, not -1, lie at one place: one of them is in use at a time
};

struct SharedMemory {
  std::vector<SharedField> fields;  // none: the kernel has no Smem
  int64_t alignment = 1024;
  int64_t padding = 0;  // to the size of the struct
  int64_t total = 0;    // sizeof(Smem)
  int64_t limit = 0;
};

struct TensorMapPlan {
  std::string name;  // map_a
  int ref = -1;
  std::vector<TypedPtr> extents;  // elements, outermost first, over dims
  std::vector<TypedPtr> strides;  // elements, outermost first; none: row-major
  std::vector<Number> box;        // elements, outermost first
  Swizzle swizzle = Swizzle::none;
  bool is_store = false, may_be_empty = false;  // empty: an array to store without elements has no map
  bool tf32 = false;                            // its copies round f32 elements to tf32
};

// How an operand of a ring comes into its slot: by a tensor copy, a bulk copy of one run of memory, cp.async or loads
// and stores; `made`: the threads that read it compute it.
enum class CopyPath : uint8_t { tensor, bulk, async, registers, made };

// How many threads of a role do something: its first one, its first warp or all of them.
enum class Hands : uint8_t { one_thread, one_warp, all };

// An operand of a ring: a block in shared memory as slabs, each `slab_width` elements wide along the contiguous dim and
// as long as the rest of the block; slab after slab. With several row boxes a slab is filled by several copies.
struct RingOperand {
  std::string name;  // of the ref, or of the value that is made
  DType dtype = DType::f32;
  int ref = -1;    // made: -1
  int field = -1;  // of SharedMemory::fields
  CopyPath path = CopyPath::tensor;
  std::string way;  // the path in words: "cp.async, 16 bytes at a time"
  int map = -1;     // tensor
  Swizzle swizzle = Swizzle::none;
  Major major = Major::none;
  std::vector<TypedPtr> coordinates;            // of the block's first element, outermost first: m * bm
  Number slabs, slab_width, slab_elements;      // 1, the whole width, the whole block where one box serves
  Number row_boxes, row_box, row_box_elements;  // 1 unless a slab has more rows than a box may have
  int row_dim = -1, column_dim = -1;            // of coordinates: which grow from box to box
  // Of the box (i, r), i the slab and r the row box: `coordinates` plus the variables slab_variable, row_variable where
  // there are several; and how many elements after the slot's start it lands, null where there is one box.
  std::vector<TypedPtr> box_coordinates;
  TypedPtr box_offset;
  std::string row_variable = "r";
  std::string slab_variable;  // "i"
  Number bytes;               // of a slot
  Number extent, width;  // length of a slab along the dim that is not contiguous: bm, bk; of all slabs along the other
  // Whether its elements are found by their slabs and the swizzle, not row by row.
  bool lies_in_slabs() const { return major != Major::none || swizzle != Swizzle::none; }
};

struct RingPlan {
  std::string name;               // ring; several: ring_q, ring_kv
  std::string cursor, slot_name;  // the C++ variables: the name, or what rings share that move on together; s
  std::string suffix;             // of its barriers' names: _q; empty: of the only ring
  Number slots;
  std::vector<RingOperand> operands;
  int full = -1, empty = -1;     // barriers; full -1: who reads a slot fills it; empty -1: each is filled once
  Hands filled_by = Hands::all;  // one_thread of a producer: the arrival on `full` says all bytes, or follows its own
                                 // copies; one_warp: each copy (bulk) has it expect those that are inside the array
  Number ahead;                  // without barriers: by so many steps the copies go ahead
  Number bytes;                  // of a slot, all operands: kStageBytes
  std::vector<int> moves_on;     // sequential axes; empty: moves with the tile
  int delay = 0;                 // steps that a slot is kept after its use
  bool own = false;              // each thread reads what it has copied itself, and nothing else
  std::string path;              // "TMA tensor copy": of its operands, for explain
};

struct BarrierPlan {
  std::string name;  // full; in a field that holds more: tiles.full
  int field = -1;
  Number slots, count;
  std::optional<Number> tx_bytes;
  std::string completes_after;  // "1 arrival + 49,152 bytes"
  std::string arrived_by, waited_by, means;
};

// A staging area for tensor stores: per warpgroup a few buffers that are filled and stored in turn.
struct StorePlan {
  std::string name;  // store: the variable that counts the buffers
  int ref = -1, field = -1, map = -1;
  Number groups, buffers;  // kConsumers, kStoreBuffers
  Number rows, columns;    // of one store
  Swizzle swizzle = Swizzle::none;
  std::string staging;       // staging: the pointer to the current buffer
  bool own_buffers = false;  // there is a buffer for each of the stores that follow one another
  // Of Plan::rings, where another role stores what warpgroups write to its entries; -1: they store it themselves.
  int ring = -1;
  bool across = false;  // then: each warpgroup has columns of its own, `part` of them; else so many rows
  Number part, copies;  // and how many stores its part takes
};

struct FragmentPlan {
  std::string name;
  DType dtype = DType::f32;
  ValueLayout layout;
  std::string layout_text;    // "WgmmaLayout<kRowsPerConsumer, bn>"
  bool is_row_slice = false;  // one element for each row of a matrix
  bool packed = false;        // elements of 16 bits, two in each register, as instructions add to them
  bool in_loop = false;       // one loop over elements makes and reads it: a variable of its body, of one element
  bool operand_a = false;  // operand A in the registers of wgmma: PackedSteps of the rows and columns in `layout_text`
};

// A layout that the file names: `using Rows = RowsLayout<kThreads, kRowLanes, 4, bm, bn>;`.
struct LayoutName {
  std::string name, text;
  std::string comment = {};  // what it says, above it
};

// A scalar value of the body that all threads hold.
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
// A parameter of a role, the kernel or the launcher. `index`: of maps, refs, LaunchPlan::workspace, dims, scalars, or
// for `size` an axis. An output that is the buffer of an input has the input's parameter (buffer_of).
struct Parameter {
  ParameterKind kind;
  int index = -1;
  std::string name;
};

enum class RegisterChange : uint8_t { none, down, up };

struct RolePlan {
  std::string name;     // producer, consumer: the function; empty: the kernel's own body
  std::string purpose;  // for the facts: "one thread issues the copies"
  int first_warp = 0, warps = 4;
  bool shares_group = false;  // its warpgroup has warps of other roles, too
  Number groups;              // warpgroups (kConsumers); 1 for a producer
  RegisterChange change = RegisterChange::none;
  Number registers;              // of setmaxnreg; else what the launch bound leaves
  int64_t registers_needed = 0;  // of a thread, for values and addresses: an estimate (live_registers.h)
  Hands run_by = Hands::all;     // the others return at once
  bool needs_group = false;      // declares wg, the warpgroup's index among the role's
  bool needs_row0 = false;       // declares row0 = wg * rows_per_group
  bool needs_leader = false, needs_first_lane = false, needs_first_warp = false;  // declares the variables so named
  Number rows_per_group;
  std::vector<int> rings, stores;  // whose variables the role declares
  std::vector<Parameter> parameters;
  program::Statements program;
};

// Statements that stand several times in a role. What they use is a parameter, but for fragments that they declare.
struct PartPlan {
  std::string name;     // compute_p: the function
  std::string comment;  // what it does, above it
  int role = 0, places = 0;
  struct Argument {
    int fragment;
    bool written, read;  // read: what it held before
  };
  std::vector<Argument> fragments;    // parameters, in order; by their names in the first place
  std::vector<int> scalars;           // of Plan::scalars
  std::vector<Parameter> parameters;  // dims and scalars of the spec, by value
  program::Statements program;
};

using tile::WorkKind;
enum class TileWalk : uint8_t { row_major, column_major, strips, listed };

struct WorkPlan {
  WorkKind kind = WorkKind::one_per_cta;
  int queue = -1;  // dynamic: the field by which the CTA's threads learn their next tile, a TileQueue or a word
  TileWalk walk = TileWalk::row_major;
  std::vector<int> axes;  // parallel axes, outermost first; empty: one program
  int strip_axis = -1;
  Number strip_width;
  std::vector<TileOrderPart> order;      // of a walk that is listed
  std::string order_words;               // of it: "4 of h at a time, i from its end, b, h"
  std::vector<int> sequential;           // axes
  std::string variable;                  // tile
  std::string tiles_type;                // of it: "StripTiles<kStripWidth>", "RowMajorTiles<2>"; empty: no axes
  std::vector<std::string> coordinates;  // one per entry of `axes`: "tile.m", "tile[0]"
  std::vector<Number> tile;              // sizes of what one step computes: bm, bn, bk; the block that is stored
  TypedPtr skip;                         // tiles for which it holds are passed over; may be null
  std::vector<int> skip_lets;            // what it names of Kernel::lets, in order: declared before it

  bool is_loop() const { return kind != WorkKind::one_per_cta; }  // of a CTA over its tiles
};

// Tiles of a parallel axis, steps of a sequential one: computed by the launcher and passed to the kernel, or
// `on_device`, where it depends on other axes or on arrays, by each role for each tile (program::DeclareSteps).
struct LaunchSize {
  int axis;
  std::string name;
  TypedPtr value;
  bool on_device = false;
};

enum class RequirementKind : uint8_t {
  condition,     // all of `conditions`
  fits_int32,    // all of `values`
  product_fits,  // of `values` the product, which is below 2^53
  aligned,       // pointer of `ref` or `scalar`, not null unless its array is empty, multiple of `bytes`
  distinct,      // no two elements of `ref` lie at one place by its strides
};
struct Requirement {
  RequirementKind kind;
  std::vector<TypedPtr> conditions;  // bool index expressions, joined by and
  std::vector<TypedPtr> values;
  int ref = -1, scalar = -1;  // aligned: one of them, the other an array of Kernel::scalars
  Number bytes;
  std::string message;  // without the kernel's name: "N and K must be multiples of 8"
};

// The parts of the workspace that plans need for themselves, words that the launcher sets to 0.
namespace workspace_name {
inline constexpr const char *status = "check_status",  // program::Check writes the first fault down; comes first
    *grid_barrier = "grid_barrier",                    // program::GridSync counts in it
        *tickets = "ticket_counter",                   // program::TakeTicket draws from it
            *tiles = "tile_counter";                   // CTAs take their next tiles from it (WorkKind::dynamic)
}

// A part of the workspace: a ref, or what the plan itself needs (`ref` -1).
struct WorkspacePart {
  std::string name;
  int ref = -1;
  DType dtype = DType::u32;
  std::vector<TypedPtr> extents;  // none: one element
};

// An array that the launcher sets on the stream before anything else.
struct FillPlan {
  int ref = -1, part = -1;  // one of them: an output, a part of the workspace
  TypedPtr value;           // a Constant of its dtype
};

struct LaunchPlan {
  Number threads;                         // kThreads, of each program
  std::optional<int64_t> least_ctas;      // that an SM holds at once at the least, where that is asked for
  std::vector<Parameter> parameters;      // of the launcher, stream last
  std::vector<Parameter> arguments;       // of the kernel
  std::vector<Requirement> requirements;  // in order, before anything else is done
  std::map<int, int64_t> most;            // by dim: the launcher refuses more, so that blocks end below 2^31
  std::vector<TypedPtr> empty_when;       // any of these: nothing to launch, success
  std::vector<LaunchSize> sizes;
  std::vector<Requirement> workspace_requirements;  // what is asked of dims before the workspace's bytes are counted
  std::vector<WorkspacePart> workspace;
  std::vector<FillPlan> fills;  // all without strides by one launch
  bool persistent = false;      // the grid: as many CTAs as SMs, at most one per tile; else one per tile
  int64_t ctas = 0;             // persistent: at most so many, in place of the SMs'; 0: as many as SMs
  bool num_sms = false;         // the launcher asks how many SMs the device has
  bool cooperative = false;     // all CTAs run at the same time, or the launch fails
  bool dependent = false;       // may start before the kernel ahead of it in the stream ends
  Number cluster = number(1), programs = number(1);  // CTAs that have one tile together; tiles of one CTA
};

// What was decided and why, for explain.
struct Decision {
  std::string subject, choice, reason;
};

enum class Bound : uint8_t { latency, bandwidth, rate };
// The cost model's verdict on one example size: a model, not a measurement.
struct CostModel {
  std::string device;
  std::vector<std::pair<std::string, int64_t>> dims;  // the example
  double seconds = 0, step_seconds = 0, bubble_seconds = 0;
  // Of one step of one CTA: bytes wanted and those of the sectors that its warps touch, operations of matrix
  // instructions, instructions of the ordinary cores.
  double bytes_per_step = 0, touched_per_step = 0, operations_per_step = 0, instructions_per_step = 0;
  double bytes_in_flight = 0;                                           // of one SM: what is under way at once
  double latency_seconds = 0, bandwidth_seconds = 0, rate_seconds = 0;  // of one step, alone
  double tile_seconds = 0, fill_seconds = 0;                  // of a tile, outside of its steps; until the first data
  double memory_bytes = 0, operations = 0, instructions = 0;  // in all: of device memory; as of a step, and outside
  double steps = 0, tiles = 0, waves = 0;
  bool by_data = false;  // loops of which data say how long they are count as one turn
  Bound bound = Bound::rate;
  std::string moved_by;  // what would move it
};

// Every decision about one kernel for one target, made once. Immutable once made; what emit prints, explain tells.
struct Plan {
  std::shared_ptr<const Lowered> lowered;  // what it was made of
  std::shared_ptr<const Kernel> kernel;    // as it was prepared
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
  std::vector<std::string> faults;  // what run-time checks may find: check, operand, statement
  std::vector<int> functions;       // of Kernel::functions, those used, in order
  std::set<std::string> headers;    // of the runtime, which device.cuh does not include
  WorkPlan work;
  std::vector<RolePlan> roles;  // in order of their warps
  LaunchPlan launch;
  std::vector<Decision> decisions;
  CostModel cost;
};

// The ref whose array this one is: the input of an output that is aliased to it, else the ref itself.
int buffer_of(const Kernel& kernel, int ref);
// Whether a thread of the role takes the CTA's tiles (WorkKind::dynamic).
bool takes_tiles(const Plan& plan, const RolePlan& role);
// Whether the kernel writes the array of this ref.
bool is_written(const Kernel& kernel, int ref);

// Plans the kernel for one target (one of Kernel::targets or any name of targets()). Null after an error: every refusal
// is a diagnostic with the operand, the limit and a value that plans. Warnings tell of legal but slow choices.
std::optional<Plan> make_plan(const Kernel& kernel, const std::string& target, Diagnostics& diagnostics);

// One entry of the facts at the head of a generated file: `label`, then lines that are aligned under the first.
struct Fact {
  std::string label;
  std::vector<std::string> lines;
};
// tile, ring, roles, memory: computed from the plan's numbers, at most 105 columns a line. Barriers are a table of
// their own (Plan::barriers).
std::vector<Fact> facts(const Plan& plan);

// The plan in words: roles, rings, bytes against limits, barriers, decisions with reasons, the model's verdict.
std::string explain(const Plan& plan);

// The slices of one grid point for given dims: "x[20:30, 80:100]" for every ref, what lies past the end told. Null with
// a diagnostic when the point is outside the grid, or a dim is missing.
std::optional<std::string> explain_program(const Kernel& kernel, const std::vector<int64_t>& program,
                                           const std::map<std::string, int64_t>& dims, Diagnostics& diagnostics);

// The versioned projection of the plan for people and tools (.plan.json), two-space indented, newline at the end.
std::string plan_json(const Plan& plan);

}  // namespace pallasgen
