#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "check/externs.h"
#include "check/identifiers.h"
#include "diagnostics/diagnostic.h"
#include "expression/typed.h"
#include "spec/spec.h"

namespace pallasgen {

// A checked kernel: its names are resolved, its types, shapes and settings known. The planner decides the rest.

struct Dim {
  std::string name;
  int64_t multiple_of = 1, min = 0;
  std::optional<int64_t> max;
  std::string doc;
  Span span;
};

struct Axis {
  std::string name;
  TypedPtr size;  // index expression of dims and scalars, for a sequential axis also of the axes before it
  bool sequential = false;
  Span span;
};

struct Let {
  std::string name;
  TypedPtr value;
};

struct KernelScalar {
  std::string name;
  DType dtype;
  std::optional<std::vector<TypedPtr>> shape;  // set for arrays in device memory
  Span span;
};

// A named const for the generated file, which prints ints in shapes by name.
struct KernelConst {
  std::string name;
  std::variant<Scalar, DType, std::string> value;
};

enum class BlockKind : uint8_t { blocked, squeezed, element, bounded_slice, whole };

struct BlockDim {
  BlockKind kind = BlockKind::blocked;
  int64_t size = 1;           // elements; 1 for squeezed; for whole: the array's extent, or -1 if it is a runtime size
  TypedPtr size_expr;         // a Constant that keeps the const's name, or an expression of consts, as written
  int64_t low = 0, high = 0;  // padding of element(n, lo, hi)
  TypedPtr index;             // this dim's entry of the index map; element: offset in the padded array
  TypedPtr slice_size;        // bounded_slice: the size; else null
  Span span;
};

// An entry of `transforms`, which give the layout of a block in shared memory.
struct Transform {
  std::string name;              // tile, swizzle or transpose
  std::vector<int64_t> numbers;  // the tile's shape; the bytes; the permutation
  Span span;
};

// A ref whose `space` is gmem, and every workspace ref, is a view of global memory: no copy is made, `block` and
// `index` select the part that the body sees, and an entry of `shape` is -1 for a whole dim with a runtime extent.
struct Ref {
  std::string name;
  RefRole role = RefRole::input;
  DType dtype = DType::f32;
  std::vector<TypedPtr> array_shape;  // index expressions; constants for scratch
  std::vector<TypedPtr> strides;      // in elements; empty: row-major contiguous
  std::vector<BlockDim> block;        // one per array dim
  Shape shape;                        // of the block as the body sees it: without squeezed dims
  MemorySpace space = MemorySpace::smem;
  bool space_given = false;
  std::optional<Scalar> fill, init;
  std::optional<std::string> reduce;
  std::optional<int> stages, delay_release;
  bool automatic_stages = false;  // `stages: auto`
  std::optional<int> alias_of;    // outputs: the input ref whose buffer it shares
  bool scoped = false;            // scratch of a ScopeStmt, which exists only during its body
  std::optional<std::string> multicast;
  std::vector<Transform> transforms;
  std::string doc;
  Span span, type_span, index_map_span;
};

// A function whose operations are all elementwise, typed for one combination of dtypes.
struct Function {
  std::string name;  // unique in the kernel: for a second combination of dtypes it gets the dtype appended
  std::vector<std::pair<std::string, DType>> parameters;  // LocalUse ids 0, 1, … of `body`
  TypedPtr body;                                          // scalar; null for a function of a C++ header
  std::shared_ptr<const ExternFunction> external = {};

  DType result() const { return external ? external->result : body->dtype; }
};

struct KernelStmt;
using KernelStmts = std::vector<KernelStmt>;

struct BindStmt {
  int local;
  std::string name;
  TypedPtr value;
  bool rebinds = false;
};
// ref[index] = value, or ref[index] op= value. `value` has the ref's dtype (after op) and broadcasts to the index's
// shape.
struct StoreStmt {
  int ref;
  std::vector<IndexItem> index;
  bool whole;
  std::optional<Op> op;
  TypedPtr value, mask;
  MemoryOrder order = MemoryOrder::weak;  // order of store(…): weak, relaxed or release
};
// Atomically updates each selected element to op(element, value), once for every element of `value`, even if indices
// repeat; elements with a false mask keep their values. `value`, `compare` and `mask` broadcast to the index's shape.
// The ref is gmem, workspace or smem scratch. `old`, if bound, has the elements from before, in the index's shape and
// the ref's dtype; those with a false mask are unspecified.
enum class AtomicOp : uint8_t { add, max, min, bit_and, bit_or, bit_xor, exchange, compare_exchange };
std::string_view name_of(AtomicOp op);  // as in specs, "atomic_add"
struct AtomicStmt {
  int ref;
  std::vector<IndexItem> index;
  bool whole;
  AtomicOp op;
  TypedPtr value, compare, mask;  // compare: for compare_exchange, else null; mask may be null
  MemoryOrder order = MemoryOrder::relaxed;
  MemoryScope scope = MemoryScope::device;
  int old = -1;  // local bound to the elements from before; -1: none
  std::string old_name = {};
  Shape shape = {};  // shape of the selected elements
};
// A barrier of the whole grid: each program waits until all have reached it, and then sees all memory that they wrote
// before. Needs `schedule: {cooperative: true}`.
struct GridSyncStmt {};
struct WhenStmt {
  TypedPtr condition;
  KernelStmts then, otherwise;
};
struct ForStmt {
  int loop;
  std::string name;
  TypedPtr start, stop, step;
  KernelStmts body;
  std::optional<int64_t> unroll = {};
};
struct WhileStmt {
  TypedPtr condition;
  KernelStmts body;
};
struct PrintStmt {
  std::vector<std::string> texts;  // before, between and after the arguments
  std::vector<TypedPtr> args;
};
struct AssertStmt {
  TypedPtr condition;
  std::string message;
};
// Scratch that exists only during the body: refs of Kernel::refs with `scoped`, undefined each time the body starts.
struct ScopeStmt {
  std::vector<int> refs;
  KernelStmts body;
};

struct KernelStmt {
  Span span;
  std::string text;  // one line: the statement in canonical form, and the output's reduction (reduce: add)
  std::variant<BindStmt, StoreStmt, AtomicStmt, WhenStmt, ForStmt, WhileStmt, ScopeStmt, GridSyncStmt, PrintStmt,
               AssertStmt>
      node;
};

struct IntegerSetting {
  std::optional<int64_t> value;
  bool automatic = false;
  Span span;
};
struct FlagSetting {
  bool value = false;
  bool given = false;
  Span span;
};

inline constexpr int64_t kMostStages = 64;  // most slots of a ring, from a setting or chosen by the planner

struct PipelineSettings {
  IntegerSetting stages, delay_release, prefetch, compute_warpgroups;
  FlagSetting warp_specialized;
};

enum class TileOrderKind : uint8_t { row, column, strips, listed };
// A level of a listed order, outermost first: an axis, from its end if `reversed`, or groups of `width` tiles along it.
struct TileOrderPart {
  int axis = -1;
  bool reversed = false;
  int64_t width = 0;  // tiles; 0: the axis itself
};
struct TileOrder {
  TileOrderKind kind = TileOrderKind::row;
  int axis = -1;  // strips: the axis along which a strip has `width` tiles
  int64_t width = 0;
  std::vector<TileOrderPart> parts;  // listed: each parallel axis once, after the groups along it
  Span span;
};

struct WordSetting {
  std::string word;  // empty if the spec leaves it open
  Span span;
};
struct NamesSetting {
  std::vector<std::string> names;
  Span span;
};

// Each setting's span is that of its key.
struct ScheduleSettings {
  FlagSetting persistent, cooperative, dependent_launch;
  bool dynamic = false;  // `persistent: dynamic`, which is persistent too
  IntegerSetting num_ctas, programs_per_cta;
  TileOrder tile_order;
  std::vector<std::pair<int, int64_t>> cluster;  // axis, size
  Span cluster_span;
  WordSetting consumers, split;  // cooperative, separate; rows, columns
  WordSetting reduction;         // neighbours, halves, shuffle, auto
  NamesSetting take_turns, lookahead;
  // Settings of the language that no planner pass honours yet, with their places: split_k, stream_k, …
  std::vector<std::pair<std::string, Span>> others;
};

// The elements of an array, row-major.
struct ScalarList {
  Shape shape;
  std::vector<Scalar> elements;
};

struct KernelTest {
  std::map<std::string, int64_t> dims;
  std::map<std::string, Scalar> scalars;
  std::map<std::string, ScalarList> lists;  // arrays of scalars
  std::map<std::string, std::string> inputs;
  uint64_t seed = 0;
  std::optional<double> tolerance;
};

struct Gradients;  // check/gradients.h

struct Kernel {
  std::shared_ptr<const Spec> spec;
  std::string name, doc;
  std::vector<std::string> targets;  // never empty
  Span target_span;
  std::vector<Dim> dims;
  std::vector<KernelConst> consts;
  std::vector<Axis> axes;  // parallel axes first
  std::vector<Let> lets;
  TypedPtr skip;          // may be null
  std::vector<Ref> refs;  // inputs, outputs, scratch, workspace; refs whose `present` is false are not here
  std::vector<KernelScalar> scalars;
  std::vector<Function> functions;              // in order of first use
  std::shared_ptr<const ExternHeader> externs;  // null without `extern`
  KernelStmts body;
  PipelineSettings pipeline;
  ScheduleSettings schedule;
  bool approximate_math = false;
  bool counts_sms = false;          // an expression of it depends on `num_sms`
  std::vector<std::string> checks;  // run-time checks compiled in: oob, nan
  Span checks_span;
  bool checks_for(std::string_view what) const { return std::find(checks.begin(), checks.end(), what) != checks.end(); }
  std::vector<KernelTest> tests;
  std::shared_ptr<const Gradients> gradients;  // null without `vjp`, and until link_gradients()
  Span span;
  Identifiers identifiers;  // the identifiers of all these names in generated code

  int sequential_axes() const;
  const Ref* find_ref(const std::string& name) const;
  // Facts for bounds() and multiple_of(): declared facts of dims, and for axes those that follow from their sizes.
  SymbolFacts facts() const;
};

// Calls `visit` on each statement and those inside it, outer ones first, in the order of the text.
void for_each_statement(const KernelStmts& statements, const std::function<void(const KernelStmt&)>& visit);
// Calls `visit` on each value of the statements and those inside them: values, masks, conditions, bounds, arguments and
// index expressions. Null members are left out.
void for_each_value(const KernelStmts& statements, const std::function<void(const TypedPtr&)>& visit);
// The same on statements and values, which may be changed.
void change_statements(KernelStmts& statements, const std::function<void(KernelStmt&)>& change);
void change_values(KernelStmts& statements, const std::function<void(TypedPtr&)>& change);
// True if the body sees the ref as a view of global memory.
bool is_view(const Ref& ref);

// The steps of the sequential axes that a guard selects. `first` and `last` test every sequential axis (each `k == 0`,
// or each `k == num_programs(k) - 1`, joined by `and`).
enum class GuardKind : uint8_t { none, first, last };
GuardKind guard_kind(const Kernel& kernel, const TypedPtr& condition);
// The same for one sequential axis; `none` if the guard has any other condition.
GuardKind guard_kind(const Kernel& kernel, const TypedPtr& condition, int axis);

// Checks names, types, index values, broadcasting, dtype rules, index maps, accumulators, guards,
// dot-partial-contraction, written outputs, blocks outside, races. None after an error. `open_extern` reads the header
// of `extern`; if it is empty, specs with one are refused.
std::optional<Kernel> check(const std::shared_ptr<const Spec>& spec, Diagnostics& diagnostics,
                            const OpenExtern& open_extern = {});

// The `reference` of the spec, typed for concrete extents (whole arrays). Its statements bind locals; an output's value
// is the last binding of its name. type_reference() returns none after an error, or if the spec has no reference.
struct ReferenceProgram {
  KernelStmts statements;
  std::vector<std::pair<std::string, int>> outputs;  // name of the output ref, id of its local
  // Inputs are RefReads of Kernel::refs with the array's concrete shape; functions are in `functions`.
  std::vector<Function> functions;
};
std::optional<ReferenceProgram> type_reference(const Kernel& kernel, const std::map<std::string, int64_t>& dims,
                                               Diagnostics& diagnostics);

}  // namespace pallasgen
