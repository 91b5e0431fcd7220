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

// The typed tree: names are resolved, dtypes and shapes known, consts folded in. Nodes of dtype `index` are index
// values (docs/language.md section 7); index maps, sizes and guards use this tree as well. Immutable and shared.
struct Typed;
using TypedPtr = std::shared_ptr<const Typed>;
using Shape = std::vector<int64_t>;  // {} is a scalar

using Scalar = std::variant<bool, int64_t, double>;  // bool; every integer dtype and index (u64 by its bits); floats

// The operations; operations() has a row for each.
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
  // arrays of scalars; attributes.scalar is the id in Kernel::scalars. Their values in an index are index values.
  element,       // offsets[i, …]: one scalar operand per dim
  searchsorted,  // an index value: how many elements of the ascending array (rank 1) are <= the operand;
                 // attributes.left: <
  // random bits, u32; the three operands are u64 scalars: key, counter, stream. Element i (row-major) of the result is
  // word i % 4 of Philox 4x32-10 with the key words (low, high half of key) and the counter words (low, high half of
  // counter + i / 4, which wraps; low, high half of stream).
  random_bits,
};

enum class OpGroup : uint8_t { elementwise, cast, shape, reduce, matrix, mask, scalars, random };

// The dtypes of an operation's operands. A few operations have further rules, such as a power of integers.
enum class Operands : uint8_t {
  any,
  numbers,  // all but bool
  floats,
  integers,
  integers_or_bools,
  bools,
  factors,  // operands of dot: floats, and integers of at most 8 bits
  none,     // no operand has a dtype
};
std::string_view name_of(Operands operands);

struct Operation {
  Op op;
  std::string_view name;  // as written in specs: `maximum`, or the symbol of an operator
  OpGroup group;
  int max_args;  // operands that are values
  Operands takes;
  std::string_view signature;  // `sum(x, axis=, keepdims=)`; arguments with = may be left out
  std::string_view meaning;    // one line, without a full stop
};
const Operation& operation(Op op);
const std::vector<Operation>& operations();
// The elementwise operation that combines two parts of a reduction or a scan.
Op combining(Op op);
// True for running sums and maxima.
inline bool is_scan(Op op) { return op == Op::cumsum || op == Op::cummax; }
std::optional<Op> operation_named(std::string_view name);  // by the function's name in specs; operators have none

struct Constant {
  Scalar value;
  // The const of the spec, or how the value was computed from consts (constant_text.h); else empty.
  std::string name;
};

// num_sms is the number of SMs of the device; ticket is the place of this program in the order in which programs start.
enum class SymbolKind : uint8_t { axis, axis_size, dim, scalar, let, loop, num_sms, ticket };
// `id` indexes Kernel::axes (axis, axis_size), dims, scalars or lets; loop variables are numbered through the kernel;
// num_sms and ticket have the id 0.
struct Symbol {
  SymbolKind kind;
  int id;
  std::string name;
};

struct LocalUse {
  int id;
  std::string name;
};  // a named value of the body, or a parameter of a function

// One entry per dim of the ref; ellipses and missing trailing entries are full slices.
struct IndexInteger {
  TypedPtr value;
};  // drops the dim
struct IndexSlice {
  TypedPtr start;
  int64_t size;
  int64_t step = 1;
  TypedPtr size_text = nullptr;  // the size as the spec writes it, a named Constant; null: as a number
};  // start: index expression
// An integer array. Several in one index broadcast together with its integers, as in NumPy: their dims lie where the
// first of them was, or before all others if they are not neighbours.
struct IndexGather {
  TypedPtr indices;
};
struct IndexNewAxis {};  // takes no dim of the ref
using IndexItem = std::variant<IndexInteger, IndexSlice, IndexGather, IndexNewAxis>;

// The order of an access to memory that several programs share (`order=`, `scope=`); `weak` is an ordinary access.
enum class MemoryOrder : uint8_t { weak, relaxed, acquire, release, acq_rel };
enum class MemoryScope : uint8_t { block, device, system };
std::string_view name_of(MemoryOrder order);
std::string_view name_of(MemoryScope scope);

struct RefRead {
  int ref;  // index in Kernel::refs
  std::vector<IndexItem> index;
  bool whole = false;                     // `ref` or `ref[...]`: all of every dim
  TypedPtr mask, other;                   // arguments of load(…); each may be null
  std::string name = {};                  // the ref's name, for messages
  MemoryOrder order = MemoryOrder::weak;  // weak, or of load(…): relaxed or acquire
};

struct OpAttributes {
  std::vector<int64_t> axes;  // reduce: reduced axes; transpose: the permutation; expand_dims, squeeze: positions;
                              // concatenate, iota: the axis
  bool keepdims = false;
  bool trans_a = false, trans_b = false;  // dot
  std::string precision;                  // dot: "", ieee, tf32, bf16x3
  // dot: the first element of the contracted dim and the number of elements that are contracted; size 0: all. Only
  // programs whose dots have whole blocks as operands have parts.
  int64_t part_first = 0, part_size = 0;
  // dot: the operands after the two are their scales, [M, G] and [N, G]. Each of the G equal parts of the contracted
  // dim is summed by itself, multiplied by its scales and added to the sum of the parts before it.
  bool scales_a = false, scales_b = false;
  std::vector<IndexItem> items;  // slice: the index of a value
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
// A function of the spec or of the library whose operations are all elementwise: Kernel::functions[function] is applied
// to each element, with broadcasting.
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
  // The call in the spec that the node was expanded from, such as softmax(x, axis=1); messages show it.
  std::shared_ptr<const std::string> call = nullptr;

  template <class T>
  const T* as() const {
    return std::get_if<T>(&node);
  }
  // The application if this applies `op`, else null.
  const Apply* applies(Op op) const {
    const Apply* apply = as<Apply>();
    return apply && apply->op == op ? apply : nullptr;
  }
};

// The operands if each element of the expression takes one element of each, with broadcasting; else null.
const std::vector<TypedPtr>* elementwise_operands(const Typed& expr);

TypedPtr make_typed(Span span, DType dtype, Shape shape, Typed::Node node);
// Operand `number` of a dot as a value of its own: a slice if the dot takes a part of it.
TypedPtr dot_operand(const Apply& dot, size_t number);
// The dot of one part of a scaled dot, without its scales. Parts are numbered from 0.
TypedPtr dot_of_group(const TypedPtr& scaled, int64_t group);
// The number of parts of a dot with scales.
int64_t groups_of(const Apply& scaled);
// The column of a scale for that part, in the scale's dtype: [M, 1].
TypedPtr scale_of_group(const TypedPtr& scale, int64_t group);
// A dot of equal slices of two named values along the contracted dim alone, as a dot of parts of the named values; null
// if `dot` is none.
TypedPtr dot_of_parts(const TypedPtr& dot);
// Index nodes for planners and checkers; constants are folded, and x + 0, x * 1 and x * 0 are simplified.
TypedPtr index_constant(int64_t value, std::string name = {});
TypedPtr index_apply(Op op, TypedPtr a, TypedPtr b);
// `op` on operands whose dtypes and shapes are settled. Folds constants of index, literal and bool, and simplifies by
// the identities of simplify().
TypedPtr apply(Span span, Op op, DType dtype, Shape shape, std::vector<TypedPtr> args, OpAttributes attributes = {});
// The value of an elementwise operation on constants: exact 64-bit integers for index (none after an overflow or a
// division by zero), doubles for literal, bools for boolean; `operand` is the operands' dtype.
std::optional<Scalar> fold(Op op, DType operand, const std::vector<Scalar>& args);
// The value of an expression that is an integer constant, else none.
std::optional<int64_t> constant_value(const TypedPtr& expr);
// True for the second power of a float, which is one multiplication.
bool is_square(const Apply& apply);
bool equal(const TypedPtr& a, const TypedPtr& b);  // compares structures, without spans and const names
// Folds constants, and simplifies +, *, //, %, min, max, cdiv, and, or, not, where and comparisons of index values.
TypedPtr simplify(const TypedPtr& expr);
// Calls `visit` for the node and all nodes below it, operands and index entries included, parents first.
void walk(const TypedPtr& expr, const std::function<void(const Typed&)>& visit);
bool mentions(const TypedPtr& expr, SymbolKind kind, int id);
// The tree with each symbol replaced by the result of `replace`, or kept if that is null; simplified.
TypedPtr substitute(const TypedPtr& expr, const std::function<TypedPtr(const Symbol&)>& replace);
// The same for any node, outer nodes first; a replacement is not visited.
TypedPtr rewrite(const TypedPtr& expr, const std::function<TypedPtr(const TypedPtr&)>& replace);
// The spec's own notation: `brief` for messages and comments; `exact` for text that is typed again, with the dtype of
// each constant that has it from no other operand.
enum class TypedText : uint8_t { brief, exact };
std::string to_string(const TypedPtr& expr, TypedText form = TypedText::brief);

// Facts about symbols for judging an index expression.
struct Bounds {
  std::optional<int64_t> minimum, maximum;  // inclusive
};
struct SymbolFacts {
  std::function<std::optional<int64_t>(const Symbol&)> minimum, maximum;  // inclusive
  std::function<int64_t(const Symbol&)> multiple_of;                      // 1 if nothing is known
  std::function<Bounds(const LocalUse&)> value = {};                      // of an index; empty: unknown
};
Bounds bounds(const TypedPtr& expr, const SymbolFacts& facts);
// The largest known m such that the expression is always a multiple of m; 0 for the constant 0.
int64_t multiple_of(const TypedPtr& expr, const SymbolFacts& facts);

// The sum of coefficient * symbol and a constant, for an expression that is affine in its symbols.
struct Affine {
  struct Term {
    Symbol symbol;
    int64_t coefficient;
  };
  std::vector<Term> terms;  // each symbol once, no zero coefficient
  int64_t constant = 0;
};
std::optional<Affine> affine(const TypedPtr& expr);

// The value of an index or bool expression for given symbols, 0 or 1 for a bool. Nullopt if `value` has none for a
// symbol, after an overflow, or at a division by zero.
std::optional<int64_t> evaluate_index(const TypedPtr& expr,
                                      const std::function<std::optional<int64_t>(const Symbol&)>& value);

}  // namespace pallasgen
