#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "diagnostics/source.h"
#include "expression/dtype.h"

namespace pallasgen {

// The typed tree: names resolved, dtypes and shapes known, consts folded in. Index values (SPEC.md section 5) are the
// nodes whose dtype is `index`; index maps, sizes and guards use the same tree as values. Immutable and shared.
struct Typed;
using TypedPtr = std::shared_ptr<const Typed>;
using Shape = std::vector<int64_t>;  // {} is a scalar

using Scalar = std::variant<bool, int64_t, double>;  // bool; every integer dtype and index (u64 by its bits); floats

// One row of the table of operations: see operations().
enum class Op : uint8_t {
  // elementwise on numbers (NumPy broadcasting; the node's shape is the result's)
  negate,
  invert,
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  modulo,
  power,
  shift_left,
  shift_right,
  bit_and,
  bit_or,
  bit_xor,
  abs,
  sign,
  minimum,
  maximum,
  clamp,
  floor,
  ceil,
  round,
  trunc,
  sqrt,
  rsqrt,
  exp,
  exp2,
  expm1,
  log,
  log2,
  log1p,
  sin,
  cos,
  tan,
  tanh,
  atan2,
  erf,
  logistic,
  fma,
  cdiv,
  clz,
  popcount,
  // elementwise to bool
  logical_not,
  logical_and,
  logical_or,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  isnan,
  isfinite,
  // elementwise, three operands: where(c, a, b); also `a if c else b`, which short-circuits for scalars
  where,
  // casts: the node's dtype is the target
  cast,
  bitcast,
  // shape
  reshape,
  transpose,
  broadcast_to,
  expand_dims,
  squeeze,
  concatenate,
  iota,
  full,
  slice,
  // reductions over attributes.axes
  sum,
  prod,
  mean,
  max,
  min,
  any,
  all,
  argmax,
  argmin,
  cumsum,
  cummax,
  // matrix
  dot,
  // the mask of a ref's elements that are inside the array, of the block's shape
  valid,
  // arrays of scalars; attributes.scalar is the id in Kernel::scalars. In index places their values are index values.
  element,       // offsets[i, …]: one scalar operand per dim
  searchsorted,  // an index value: how many elements of the ascending array (rank 1) are <= the operand;
                 // attributes.left: <
  // random bits, u32; the three operands are u64 scalars: key, counter, stream. Element i (row-major) of the result is
  // word i % 4 of Philox 4x32-10 with the key words (low, high half of key) and the counter words (low, high half of
  // counter + i / 4, which wraps; low, high half of stream).
  random_bits,
};

enum class OpGroup : uint8_t { elementwise, cast, shape, reduce, matrix, mask, scalars, random };

// The dtypes of what an operation takes. A few have rules beside: a power of integers, for one.
enum class Operands : uint8_t {
  any,
  numbers,  // all but bool
  floats,
  integers,
  integers_or_bools,
  bools,
  factors,  // of dot: floats, and integers of at most 8 bits
  none,     // it has no operand with a dtype
};
std::string_view name_of(Operands operands);

struct Operation {
  Op op;
  std::string_view name;  // as in specs: `maximum`, or the operator's symbol for operators
  OpGroup group;
  int max_args;  // operands that are values
  Operands takes;
  std::string_view signature;  // `sum(x, axis=, keepdims=)`; what ends with = may be left out
  std::string_view meaning;    // one line, without a full stop
};
const Operation& operation(Op op);
const std::vector<Operation>& operations();
// The elementwise operation that puts two parts of a reduction or a scan together.
Op combining(Op op);
// Running sums and maxima.
inline bool is_scan(Op op) { return op == Op::cumsum || op == Op::cummax; }
std::optional<Op> operation_named(std::string_view name);  // by the function's name in specs; operators have none

struct Constant {
  Scalar value;
  // The const of the spec that it came from, or how it was computed from such (constant_text.h); else empty.
  std::string name;
};

// num_sms: how many SMs the device has. ticket: the place of this program in the order in which programs start.
enum class SymbolKind : uint8_t { axis, axis_size, dim, scalar, let, loop, num_sms, ticket };
// `id` indexes Kernel::axes (axis, axis_size), dims, scalars, lets; loop variables are numbered through the kernel;
// num_sms and ticket have the id 0.
struct Symbol {
  SymbolKind kind;
  int id;
  std::string name;
};

struct LocalUse {
  int id;
  std::string name;
};  // a named value of the body, a parameter of a function

// One entry per dim of the ref (ellipsis and missing trailing entries expanded to full slices).
struct IndexInteger {
  TypedPtr value;
};  // drops the dim
struct IndexSlice {
  TypedPtr start;
  int64_t size;
  int64_t step = 1;
  TypedPtr size_text = nullptr;  // the size as the spec writes it, a Constant by its name; null: as a number
};  // start: index expression
// An integer array. Several in one index, and integers beside them, broadcast together as in NumPy: their dims stand
// where the first one stood, in front of all others where they are not neighbours.
struct IndexGather {
  TypedPtr indices;
};
struct IndexNewAxis {};  // takes no dim of the ref
using IndexItem = std::variant<IndexInteger, IndexSlice, IndexGather, IndexNewAxis>;

// How an access to memory that several programs see is ordered (`order=`, `scope=`): `weak` is an ordinary access.
enum class MemoryOrder : uint8_t { weak, relaxed, acquire, release, acq_rel };
enum class MemoryScope : uint8_t { block, device, system };
std::string_view name_of(MemoryOrder order);
std::string_view name_of(MemoryScope scope);

struct RefRead {
  int ref;  // of Kernel::refs
  std::vector<IndexItem> index;
  bool whole = false;                     // `ref`, `ref[...]`: every dim whole
  TypedPtr mask, other;                   // of load(…); each may be null
  std::string name = {};                  // of the ref, for messages
  MemoryOrder order = MemoryOrder::weak;  // of load(…): weak, relaxed or acquire
};

struct OpAttributes {
  std::vector<int64_t> axes;  // reduce: reduced axes; transpose: the permutation; expand_dims, squeeze: positions;
                              // concatenate, iota: the axis
  bool keepdims = false;
  bool trans_a = false, trans_b = false;  // dot
  std::string precision;                  // dot: "", ieee, tf32, bf16x3
  // dot: of the contracted dim, these elements of both operands alone; size 0: all of it. Only programs whose dots have
  // whole blocks as operands say parts of them so.
  int64_t part_first = 0, part_size = 0;
  // dot: the operands behind the two are their scales, [M, G] and [N, G]: each of the G equal parts of the contracted
  // dim is summed by itself, multiplied by its scales and added to what is there before.
  bool scales_a = false, scales_b = false;
  std::vector<IndexItem> items;  // slice: indexing of a value
  int ref = -1;                  // valid
  std::string name = {};         // valid: the ref's name; element, searchsorted: the scalar's, for messages
  int scalar = -1;               // element, searchsorted
  bool left = false;             // searchsorted
};

struct Apply {
  Op op;
  std::vector<TypedPtr> args;
  OpAttributes attributes;
};
// A function of the spec (or of the library) all of whose operations are elementwise: Kernel::functions[function]
// applied to each element, with broadcasting.
struct CallFunction {
  int function;
  std::vector<TypedPtr> args;
  std::string name = {};
};

struct Typed {
  using Node = std::variant<Constant, Symbol, LocalUse, RefRead, Apply, CallFunction>;
  Span span;
  DType dtype = DType::index;
  Shape shape;
  Node node;
  // What the spec calls the value by, where the node is what that stands for: softmax(x, axis=1). Messages show it.
  std::shared_ptr<const std::string> call = nullptr;

  template <class T>
  const T* as() const {
    return std::get_if<T>(&node);
  }
  // The operands if this applies `op`, else null.
  const Apply* applies(Op op) const {
    const Apply* apply = as<Apply>();
    return apply && apply->op == op ? apply : nullptr;
  }
};

// The operands of which each element of the expression takes one each, with broadcasting; null: it takes others.
const std::vector<TypedPtr>* elementwise_operands(const Typed& expr);

TypedPtr make_typed(Span span, DType dtype, Shape shape, Typed::Node node);
// The operand of a dot by its number as a value of its own: a slice of it where the dot takes a part.
TypedPtr dot_operand(const Apply& dot, size_t number);
// The dot of one of the parts of a scaled dot, without its scales; the part's number counts from 0.
TypedPtr dot_of_group(const TypedPtr& scaled, int64_t group);
// How many parts a dot with scales has.
int64_t groups_of(const Apply& scaled);
// The column of a scale of that part, of its own dtype: [M, 1].
TypedPtr scale_of_group(const TypedPtr& scale, int64_t group);
// A dot of two slices of names, of the contracted dim alone and of the same elements of both, with the names as its
// operands; null: it is none.
TypedPtr dot_of_parts(const TypedPtr& dot);
// Index nodes for planners and checkers; constants fold, x + 0, x * 1, x * 0 simplify.
TypedPtr index_constant(int64_t value, std::string name = {});
TypedPtr index_apply(Op op, TypedPtr a, TypedPtr b);
// `op` on operands whose dtypes and shapes are settled: folds constants of index, literal and bool, and the identities
// that simplify() knows.
TypedPtr apply(Span span, Op op, DType dtype, Shape shape, std::vector<TypedPtr> args, OpAttributes attributes = {});
// The value of an elementwise operation on constants: exact 64-bit integers for index (none where it overflows or has
// no value, as a division by zero), doubles for literal, bools for boolean; `operand` is the dtype of the operands.
std::optional<Scalar> fold(Op op, DType operand, const std::vector<Scalar>& args);
// The value of a constant index or integer expression, if it is one.
std::optional<int64_t> constant_value(const TypedPtr& expr);
// Whether it is the second power of a float, which one multiplication gives.
bool is_square(const Apply& apply);
bool equal(const TypedPtr& a, const TypedPtr& b);  // structural, spans and const names ignored
// Folds constants and the identities of +, *, //, %, min, max, cdiv, and, or, not, where, comparisons on index values.
TypedPtr simplify(const TypedPtr& expr);
// Calls `visit` on the node and everything below it, operands and index entries too, parents first.
void walk(const TypedPtr& expr, const std::function<void(const Typed&)>& visit);
bool mentions(const TypedPtr& expr, SymbolKind kind, int id);
// The tree with each symbol replaced by what `replace` returns, or kept where it returns null; simplified.
TypedPtr substitute(const TypedPtr& expr, const std::function<TypedPtr(const Symbol&)>& replace);
// The same of any node, outer ones first; what replaces a node is taken as it is.
TypedPtr rewrite(const TypedPtr& expr, const std::function<TypedPtr(const TypedPtr&)>& replace);
// The spec's own notation: `brief` for messages and comments; `exact` where it is typed again, with the dtype of each
// constant that no other operand gives one.
enum class TypedText : uint8_t { brief, exact };
std::string to_string(const TypedPtr& expr, TypedText form = TypedText::brief);

// What is known of symbols when an index expression is judged.
struct Bounds {
  std::optional<int64_t> minimum, maximum;  // inclusive
};
struct SymbolFacts {
  std::function<std::optional<int64_t>(const Symbol&)> minimum, maximum;  // inclusive
  std::function<int64_t(const Symbol&)> multiple_of;                      // 1 when nothing is known
  std::function<Bounds(const LocalUse&)> value = {};                      // of an index; empty: nothing is known
};
Bounds bounds(const TypedPtr& expr, const SymbolFacts& facts);
// The largest known m such that the expression is always a multiple of m (0 for the constant 0).
int64_t multiple_of(const TypedPtr& expr, const SymbolFacts& facts);

// coefficient * symbol + … + constant, where the expression is affine in its symbols.
struct Affine {
  struct Term {
    Symbol symbol;
    int64_t coefficient;
  };
  std::vector<Term> terms;  // each symbol once, no zero coefficient
  int64_t constant = 0;
};
std::optional<Affine> affine(const TypedPtr& expr);

// The value of an index (or bool) expression for given symbols; nullopt when `value` has none for a symbol, or at a
// division by zero. bools come as 0 and 1.
std::optional<int64_t> evaluate_index(const TypedPtr& expr,
                                      const std::function<std::optional<int64_t>(const Symbol&)>& value);

}  // namespace pallasgen
