#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "expression/expr.h"

namespace pallasgen {

// One spec file, decoded by the tables of keys but not checked yet: every name, type and shape is still a text or a
// tree. Lists have the order of the file.

struct Named {
  std::string name;
  Span span;  // the place of the name, or of the key that is the name
};

struct DimSpec : Named {
  ExprPtr multiple_of, min, max;  // constant expressions; each may be null
  std::string doc;
};

struct ConstSpec : Named {
  ExprPtr value;          // a literal, a name (dtype, function, text) or a constant expression
  ExprPtr replaced = {};  // the spec's own value if the command line replaced it, else null
};

struct FunctionSpec : Named {
  std::vector<Named> parameters;
  ExprPtr body;
};

struct AxisSpec : Named {
  ExprPtr size;
  bool sequential = false;
};

struct LetSpec : Named {
  ExprPtr value;
};

// A type `dtype[dim, …]`. `f32` alone, a scalar passed by value, has no dims and is not an array.
struct TypeSpec {
  Span span;
  ExprPtr dtype;  // a name: dtype or const
  std::vector<ExprPtr> dims;
  bool array = true;
};

enum class RefRole { input, output, scratch, workspace };
enum class MemorySpace { automatic, smem, gmem, reg, acc, tmem };

struct BarrierSpec {
  ExprPtr arrivals, count;
  bool orders_tensor_core = false;
  std::string means;
};

// A key of `pipeline`, `schedule`, `math` or `mesh` with its expression, or with the entries of its mapping.
struct Setting : Named {
  ExprPtr value;                 // null for a mapping; a YAML list is a ListExpr, unless it may hold mappings
  std::vector<Setting> entries;  // of a mapping, in order, or of a list that may hold mappings, named "0", "1", …
  Span value_span;
  bool is_list() const { return !entries.empty() && entries.front().name == "0"; }
};

struct RefSpec : Named {
  RefRole role = RefRole::input;
  TypeSpec type;                              // without a dtype for barriers and semaphores
  std::optional<std::vector<ExprPtr>> block;  // names `squeezed`, calls `element(…)`, `bounded_slice(n)`, expressions
  std::optional<std::vector<ExprPtr>> index_map;
  std::optional<std::vector<ExprPtr>> strides;  // the name `_` where contiguous
  Span block_span, index_map_span, strides_span;
  MemorySpace space = MemorySpace::automatic;
  Span space_span;
  ExprPtr fill, init, present, stages, delay_release;  // each may be null
  std::optional<std::string> reduce;                   // add, min, max
  Span reduce_span;
  std::optional<std::string> multicast;
  std::vector<std::pair<std::string, ExprPtr>> transforms;  // tile, swizzle, transpose, in order
  std::optional<BarrierSpec> barrier;
  // Keys of scratch that only mesh kernels have: layout, packed, collective, cluster_barrier, semaphore,
  // cluster_cancel_result, union. They are read and printed but have no meaning yet.
  std::vector<Setting> mesh_settings;
  bool has_gradient = true;  // false: `gradient: none`
  std::string doc;
};

struct ScalarSpec : Named {
  TypeSpec type;
};

struct Stmt;
using StmtList = std::vector<Stmt>;

struct WhenSyntax {
  ExprPtr condition;
  StmtList then, otherwise;
  bool has_otherwise = false;
};
struct ForSyntax {
  Named variable;
  std::vector<ExprPtr> range;
  ExprPtr unroll;
  StmtList body;
};
struct WhileSyntax {
  ExprPtr condition;
  StmtList body;
};
struct ScopeSyntax {
  std::vector<RefSpec> refs;
  StmtList body;
};
struct PrintSyntax {
  std::string format;
  std::vector<ExprPtr> args;
};
struct AssertSyntax {
  ExprPtr condition;
  std::string message;
};
struct ProfileSyntax {
  std::string name;
  StmtList body;
};
struct InlineCudaSyntax {
  std::string code;
  std::vector<Named> reads, writes;
};
// The forms of mesh kernels, which are read and printed but have no meaning yet.
struct MeshSyntax {
  std::string form;  // thread, warp, pipeline, nd_loop, dynamic_schedule
  std::vector<Setting> settings;
  StmtList body;
};

struct Stmt {
  Span span;
  std::variant<StatementSyntax, WhenSyntax, ForSyntax, WhileSyntax, ScopeSyntax, PrintSyntax, AssertSyntax,
               ProfileSyntax, InlineCudaSyntax, MeshSyntax>
      node;
  std::string text;  // canonical form (to_string) of a string statement, so that spacing changes no output; else empty
};

struct TestSpec {
  Span span;
  std::vector<std::pair<Named, ExprPtr>> dims, scalars;
  std::vector<std::pair<Named, std::string>> inputs;  // .npy paths relative to the spec
  ExprPtr seed, tolerance;
};

struct Reference {
  Span span;
  std::vector<std::pair<Named, ExprPtr>> outputs;  // the mapping form
  StmtList statements;                             // or the list form
  bool present() const { return !outputs.empty() || !statements.empty(); }
};

// A known warning, and the reason why it stays.
struct AllowedWarning {
  Span span;
  std::string rule, reason;
};

struct TuneSpec {
  Span span;
  std::vector<std::pair<Named, std::vector<ExprPtr>>> values;
  ExprPtr where;
};

// An entry of `vjp`: a kernel, and what its inputs, outputs, dims and scalars are called in this spec.
struct GradientSpec : Named {
  std::vector<std::pair<Named, ExprPtr>> with;
};

struct Spec {
  const SourceText* source = nullptr;
  Span span;
  Named kernel;
  std::string doc;
  std::vector<Named> targets;  // empty: the default target
  std::vector<DimSpec> dims;
  std::vector<ConstSpec> consts;
  std::vector<FunctionSpec> functions;
  Named extern_header;                  // with the span of the text
  std::vector<Named> extern_functions;  // empty without `extern`
  Span extern_span;
  std::vector<AxisSpec> grid;
  std::vector<Setting> mesh;
  bool has_grid = false, has_mesh = false;
  std::vector<LetSpec> lets;
  ExprPtr skip;
  std::vector<RefSpec> refs;  // inputs, outputs, scratch, workspace, in that order; each in the order of the file
  std::vector<std::pair<Named, Named>> aliases;  // output, input
  std::vector<ScalarSpec> scalars;
  std::vector<Setting> pipeline, schedule, math;
  StmtList body;
  std::vector<Named> checks;
  Reference reference;
  std::vector<TestSpec> tests;
  std::optional<TuneSpec> tune;
  std::vector<GradientSpec> vjp;  // in the order in which they run
  Span vjp_span;
  std::vector<Setting> partition;
  std::vector<AllowedWarning> allow;
};

// One `-D name=value`. A name with dots is a path into `pipeline`, `schedule` or `math`.
struct Define {
  std::string name, value;
};

// The result of read_spec() after errors: nothing, or, if the only errors are unknown or misplaced keys, the spec
// without those keys, so that check() finds its errors in the same run.
enum class AfterErrors : uint8_t { nothing, what_is_left };

// Checks the bytes (size up to 16 MiB, UTF-8, NUL, BOM), reads YAML or JSON, decodes it by the tables of keys, and
// replaces consts and settings by `defines` (whose places are the define's own text). All errors of the file are
// reported in one run; null after an error, but for `after`.
std::optional<Spec> read_spec(const SourceText& source, const std::vector<Define>& defines, Sources& sources,
                              Diagnostics& diagnostics, AfterErrors after = AfterErrors::nothing);

// The spec as JSON with every expression and statement as a tree (`pallasgen lower --to ops`). read_spec() reads an
// equal spec from it.
std::string to_ops_json(const Spec& spec);

// The JSON Schema (draft 2020-12) of the language, made from the tables of keys (`pallasgen schema`).
std::string json_schema();

}  // namespace pallasgen
