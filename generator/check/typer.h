#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "context.h"
#include "scope.h"

namespace pallasgen {

// Whether a value has the dtype of an element, and is neither an index nor a literal.
inline bool has_dtype(const TypedPtr& value) { return value->dtype != DType::index && value->dtype != DType::literal; }

// Which names an expression may use, and what it is called in messages.
struct Place {
  std::string_view what;  // "an index map"
  bool dims = false, scalars = false, lets = false, refs = false;
  int axes = 0;                     // how many, from the first
  bool integers_are_index = false;  // integer scalars are index values here
  std::string_view allowed;         // "axes, dims, consts, scalars and lets"
};
inline constexpr int kAllAxes = 1 << 30;
inline constexpr Place kConstantPlace{"a constant", false, false, false, false, 0, false, "literals and consts"};
inline constexpr Place kFunctionPlace{"a function", false, false, false,
                                      false,        0,     false, "its parameters, consts and functions"};
inline constexpr Place kIndexPlace{"an index map", true,     true, true,
                                   false,          kAllAxes, true, "axes, dims, consts, scalars and lets"};
inline constexpr Place kBodyPlace{"the body", true, true, true, true, kAllAxes, false, ""};
inline constexpr Place kReferencePlace{
    "the reference", true, true, false, true, 0, false, "inputs, dims, consts and scalars"};

// Arguments of a call, put in the order of the operation's parameters; absent ones are null.
using Bound = std::vector<ExprPtr>;

// Types expressions: names resolved, consts folded, dtypes and shapes settled. A null TypedPtr or an empty optional
// means that an error was reported, here or where the name was made.
class Typer {
 public:
  // `scope` may be null (no names of a body); `prelude` takes bindings that an expression needs before it, or is null.
  Typer(Context& context, const Place& place, Scope* scope = nullptr, KernelStmts* prelude = nullptr)
      : context_(context), diagnostics_(&context.diagnostics), place_(place), scope_(scope), prelude_(prelude) {}

  // What the expression stands for, whatever kind of thing that is.
  Value evaluate(const ExprPtr& expr);
  // A value of any dtype and shape; a ref is read.
  TypedPtr value(const ExprPtr& expr);
  // A scalar integer that is an index value; `what` names it in messages ("the size of axis 'm'").
  TypedPtr index(const ExprPtr& expr, std::string_view what, const Rule& rule);
  // A scalar integer, an index value or of a dtype.
  TypedPtr integer(const ExprPtr& expr, std::string_view what);
  // A scalar truth value.
  TypedPtr condition(const ExprPtr& expr, std::string_view what);
  std::optional<int64_t> constant_integer(const ExprPtr& expr, std::string_view what);
  std::optional<bool> constant_bool(const ExprPtr& expr, std::string_view what);
  std::optional<DType> dtype(const ExprPtr& expr);
  // A list of constant integers >= 0; one integer is a list of one.
  std::optional<Shape> shape(const ExprPtr& expr);
  // A constant of that dtype (`fill`, `init`).
  std::optional<Scalar> constant_of(const ExprPtr& expr, DType dtype, std::string_view what);

  // An elementwise operation on typed operands: dtypes unified, shapes broadcast.
  TypedPtr operate(Span span, Op op, std::vector<TypedPtr> args);
  bool divides_by_zero(Op op, const std::vector<TypedPtr>& args) const;
  // The value with dtype `dtype`, where it is an index value or a literal; others must have it already.
  TypedPtr coerce(const TypedPtr& value, DType dtype);
  // The entries of `base[items]` for a thing of that shape, and the shape of the result.
  std::optional<std::vector<IndexItem>> items(const std::vector<ExprPtr>& items, Span span, const std::string& name,
                                              const Shape& shape, Shape& result, bool& whole);
  // The same for a ref or a view of one: entries of the ref itself.
  std::optional<std::vector<IndexItem>> ref_items(const RefName& ref, const std::vector<ExprPtr>& entries, Span span,
                                                  Shape& result, bool& whole);
  // Whether a value can have that shape: an error for a dim of the ref `name` that is whole and has a runtime extent.
  bool sized(const Shape& shape, Span span, const std::string& name);
  // One entry of an index, or the entries of a list of them.
  static std::vector<ExprPtr> entries_of(const ExprPtr& index);
  // The value of a thing: a ref is read whole. Anything else is an error.
  TypedPtr read(const Value& value);
  RefRead read_whole(int ref) const;
  const Shape& shape_of(int ref) const;
  // While set, `a * b` of constants with a const's name stays as written.
  void keep_constants(bool keep) { keep_constants_ = keep; }
  // Literals and index values in a value that needs a dtype of its own: an error for a literal that is no constant.
  TypedPtr settled(const TypedPtr& value, std::string_view what);

  // The value with a dtype, where it is an index value that is made of integer scalars and their elements: theirs. Any
  // other value is given back as it is.
  TypedPtr with_own_dtype(const TypedPtr& value);

  // Binds the value to a name of the body, so that it is computed once though it is used more than once.
  // `copies`: also where the value is a name already, which may be bound again before it is used.
  TypedPtr keep(const std::string& name, const TypedPtr& value, bool copies = false);
  // The arguments of a call by the operation's parameters, of which the first `required` must be there.
  std::optional<Bound> bind(const CallExpr& node, Span span, std::string_view name,
                            const std::vector<std::string_view>& parameters, size_t required);

 private:
  Context& context_;
  Diagnostics* diagnostics_;
  Place place_;
  Scope* scope_;
  KernelStmts* prelude_;
  bool keep_constants_ = false;
  std::vector<Note> calls_;  // functions whose bodies are being typed, outermost first

  Diagnostic& error(const Rule& rule, Span span, std::string message);
  TypedPtr fail(const Rule& rule, Span span, std::string message);
  Value make(Span span, TypedPtr typed) { return {std::move(typed), span}; }

  // names.cpp of the typer
  Value name(const NameExpr& name, Span span);
  Value named(const Name& name, const std::string& text, Span span);
  void unknown_name(const std::string& name, Span span);
  Value conditional(const ConditionalExpr& node, Span span);
  Value compare(const CompareExpr& node, Span span);
  Value attribute(const AttributeExpr& node, Span span);
  std::optional<bool> compare_names(const Value& a, const Value& b, CompareOp op);

  // operators.cpp
  bool unify(Span span, Op op, std::vector<TypedPtr>& args, size_t first);
  bool check_operands(Span span, Op op, const std::vector<TypedPtr>& args);
  bool broadcast(Span span, std::string_view what, const std::vector<TypedPtr>& args, Shape& shape);
  TypedPtr power(Span span, std::vector<TypedPtr> args);

  // subscripts.cpp
  Value subscript(const SubscriptExpr& node, Span span);
  Value view(const AttributeExpr& at, const std::vector<ExprPtr>& entries, Span span);
  bool gathered_shape(const std::vector<IndexItem>& index, Span span, const std::string& name, Shape& result);
  std::nullopt_t counts_from_end(Span span, const std::string& name);
  std::optional<IndexItem> compose(const IndexSlice& outer, const IndexItem& item, Span span);
  std::optional<IndexItem> item(const ExprPtr& expr, const std::string& name, int64_t extent, Shape& result);
  std::optional<IndexItem> slice(const SliceExpr& slice, Span span, const std::string& name, int64_t extent,
                                 Shape& result);
  std::optional<IndexItem> dynamic_slice(const CallExpr& call, Span span, const std::string& name, int64_t extent,
                                         Shape& result);

  // calls.cpp
  Value call(const CallExpr& node, Span span);
  TypedPtr operation_call(const CallExpr& node, Span span, const std::string& name);
  TypedPtr elementwise_call(const CallExpr& node, Span span, Op op, const std::string& name);
  TypedPtr cast(const TypedPtr& value, DType dtype, Span span);
  TypedPtr load(const Bound& args, Span span);
  TypedPtr grid_call(const CallExpr& node, Span span, const std::string& name);
  TypedPtr axis_index_call(const CallExpr& node, Span span);

  // scalar_arrays.cpp
  TypedPtr num_sms(Span span);
  TypedPtr ticket_call(const CallExpr& node, Span span);
  TypedPtr element(int scalar, const std::vector<ExprPtr>& entries, Span span);
  int64_t extent_of(const TypedPtr& extent) const;
  TypedPtr part_of_scalars(int scalar, const std::vector<IndexItem>& items, const Shape& result, Span span);
  TypedPtr searchsorted_call(const CallExpr& node, Span span);

  // random.cpp
  struct Stream {
    TypedPtr key, counter, high;  // u64 scalars
  };
  TypedPtr random_call(const CallExpr& node, Span span, const std::string& name);
  void warn_of_shifted(const Stream& stream, const Shape& shape, Span span);
  std::optional<Stream> stream(const Bound& args);
  TypedPtr word_of(const ExprPtr& expr, std::string_view what);
  TypedPtr bits(Span span, const Stream& stream, const Shape& shape, int64_t draw);
  TypedPtr unit(Span span, const Stream& stream, const Shape& shape, DType dtype, int64_t draw, bool open_at_zero);

  // quantize.cpp
  TypedPtr quantize_call(const CallExpr& node, Span span);
  TypedPtr dequantize_call(const CallExpr& node, Span span);

  // einsum.cpp
  TypedPtr einsum_call(const CallExpr& node, Span span);
  TypedPtr permuted(const TypedPtr& value, const std::vector<int64_t>& axes, Span span);
  TypedPtr reshaped(const TypedPtr& value, Shape shape, Span span);

  // gradient.cpp
  Value grad_call(const CallExpr& node, Span span);
  Value call_gradient(const FunctionName& function, const std::vector<Value>& args, Span span);

  // shapes.cpp
  TypedPtr shape_call(const CallExpr& node, Span span, Op op, const std::string& name);
  TypedPtr reshape(const Bound& args, Span span);
  TypedPtr transpose(const TypedPtr& value, const ExprPtr& axes, Span span);
  TypedPtr expand(const Bound& args, Span span);
  TypedPtr squeeze(const Bound& args, Span span);
  TypedPtr concatenate(const Bound& args, Span span);
  TypedPtr generate(Op op, const Bound& args, Span span);
  // Axes of what is said to be `of`: "f32[8, 8]".
  std::optional<std::vector<int64_t>> axes(const ExprPtr& expr, size_t rank, std::string_view what,
                                           const std::string& of);

  // reductions.cpp
  TypedPtr reduce_call(const CallExpr& node, Span span, Op op, const std::string& name);
  TypedPtr reduce(Span span, Op op, const TypedPtr& value, std::vector<int64_t> axes, bool keepdims);
  TypedPtr finite_or_zero(const TypedPtr& x);
  TypedPtr composed_call(const CallExpr& node, Span span, const std::string& name);

  // dot.cpp
  TypedPtr dot_call(const CallExpr& node, Span span);
  TypedPtr dot(Span span, const TypedPtr& a, const TypedPtr& b, OpAttributes attributes, std::optional<DType> dtype);

  // functions.cpp
  Value call_function(const FunctionName& function, const std::vector<Value>& args, Span span);
  std::optional<Specialization> specialize(const FunctionName& function, const std::vector<Value>& args, Span span);
  Value inline_call(const FunctionName& function, const std::vector<Value>& args, Span span);
  Function scalar_function(const FunctionName& function, const std::vector<Value>& args, Span span,
                           Diagnostics& diagnostics);
};

// The word that an argument such as `order=relaxed` is; empty after an error, or where it is absent.
std::optional<MemoryOrder> memory_order(const ExprPtr& expr, const std::vector<MemoryOrder>& allowed,
                                        std::string_view what, Diagnostics& diagnostics);
std::optional<MemoryScope> memory_scope(const ExprPtr& expr, Diagnostics& diagnostics);
// The atomic of that name: "atomic_add".
std::optional<AtomicOp> atomic_named(const std::string& name);
// Whether every node of a scalar body is an elementwise operation or a cast, so that it can be a Function.
bool is_elementwise(const TypedPtr& body);
// A name that no function of the kernel has, made of `name` and, where that is taken, the dtypes of the arguments.
std::string unique_function_name(const Kernel& kernel, std::string name, const std::vector<TypedPtr>& args);

// Names of the language that no spec may take: operations, dtypes, literals and words of the grammar.
bool is_language_name(const std::string& name);
const std::vector<std::string>& language_names();
// The dtype that other languages call so: f32 of float, i8 of int8 and the like; empty where there is none.
std::string dtype_called(std::string name);
// "a dtype", "an operation" or "a word": what a name of the language is.
std::string_view language_kind(const std::string& name);
// Operations of SPEC.md that have no meaning yet.
bool is_later_operation(const std::string& name);
// Functions of the library, written in the language itself; null when there is none of that name.
const FunctionSpec* library_function(const std::string& name);
const std::vector<std::string>& library_names();
// dot-partial-contraction, for one operand; `axis` is the contracted axis of the operand as written.
void check_partial(Context& context, const TypedPtr& operand, int64_t axis, Span span, Diagnostics& diagnostics);

}  // namespace pallasgen
