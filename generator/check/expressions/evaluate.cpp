#include "expressions/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "expressions/calls.h"
#include "expressions/habits.h"
#include "expressions/operators.h"
#include "names/language.h"

namespace pallasgen {

namespace {

constexpr uint64_t kFirstBeyond = uint64_t{1} << 63;  // first integer past i64

// "[_, 4]": a view's shape with unknown runtime sizes.
std::string view_text(const Shape& shape) {
  std::string out;
  for (int64_t extent : shape) out += (out.empty() ? "" : ", ") + (extent < 0 ? "_" : fmt::format("{}", extent));
  return "[" + out + "]";
}

// Notes which integer to write for a float literal or const that is a whole number.
void note_whole(Diagnostic& out, const TypedPtr& value) {
  const Constant* constant = value->as<Constant>();
  const double* number = constant ? std::get_if<double>(&constant->value) : nullptr;
  if (!number || std::floor(*number) != *number || std::abs(*number) > 1e15) return;
  const auto whole = static_cast<int64_t>(*number);
  if (constant->name.empty())
    out.note(fmt::format("write {}", whole));
  else
    out.note(fmt::format("the const would be an integer as {}: {}", constant->name, whole));
}

Value conditional(TypingContext& in, const ConditionalExpr& node, Span span) {
  const TypedPtr test = condition_of(
      in, node.condition, "the condition",
      fmt::format("where({}, {}, {})", to_string(*node.condition), to_string(*node.then), to_string(*node.otherwise)));
  if (!test) return {Poison{}, span};
  if (const Constant* constant = test->as<Constant>()) {  // the other branch is not checked
    return evaluate(in, std::get<bool>(constant->value) ? node.then : node.otherwise);
  }
  const TypedPtr then = value_of(in, node.then), otherwise = value_of(in, node.otherwise);
  if (!then || !otherwise) return {Poison{}, span};
  return {operate(in, span, Op::where, {test, then, otherwise}), span};
}

std::optional<bool> compare_names(const Value& a, const Value& b, CompareOp op) {
  if (op != CompareOp::equal && op != CompareOp::not_equal) return std::nullopt;
  const DType *x = a.as<DType>(), *y = b.as<DType>();
  if (x && y) return (*x == *y) == (op == CompareOp::equal);
  const auto text = [](const Value& value) -> std::optional<std::string> {
    if (const Text* text = value.as<Text>()) return text->value;
    if (const FunctionName* function = value.as<FunctionName>()) return function->name;
    return std::nullopt;
  };
  const std::optional<std::string> left = text(a), right = text(b);
  if (left && right) return (*left == *right) == (op == CompareOp::equal);
  return std::nullopt;
}

Value comparison(TypingContext& in, const CompareExpr& node, Span span) {
  static constexpr Op kOps[] = {Op::less, Op::less_equal, Op::greater, Op::greater_equal, Op::equal, Op::not_equal};
  std::vector<Value> operands;
  for (const ExprPtr& operand : node.operands) operands.push_back(evaluate(in, operand));
  TypedPtr all;
  for (size_t i = 0; i < node.ops.size(); ++i) {
    if (operands[i].poisoned() || operands[i + 1].poisoned()) return {Poison{}, span};
    TypedPtr one;
    if (const std::optional<bool> truth = compare_names(operands[i], operands[i + 1], node.ops[i])) {
      one = make_typed(span, DType::boolean, {}, Constant{*truth, {}});
    } else {
      const TypedPtr left = read(in, operands[i]), right = read(in, operands[i + 1]);
      if (!left || !right) return {Poison{}, span};
      const Span place = join(node.operands[i]->span, node.operands[i + 1]->span);
      one = operate(in, place, kOps[static_cast<size_t>(node.ops[i])], {left, right});
    }
    if (!one) return {Poison{}, span};
    all = all ? operate(in, span, Op::logical_and, {all, one}) : one;
    if (!all) return {Poison{}, span};
  }
  return {all, span};
}

RefRead read_whole(const Context& context, int ref) {
  RefRead out;
  out.ref = ref;
  out.whole = true;
  out.name = context.kernel.refs[ref].name;
  for (int64_t extent : shape_of_ref(context, ref)) out.index.push_back(IndexSlice{index_constant(0), extent, 1});
  return out;
}

}  // namespace

Value evaluate(TypingContext& in, const ExprPtr& expr) {
  const Span span = expr->span;
  if (const auto* node = expr->as<IntegerLiteral>()) {
    if (node->value >= kFirstBeyond) {
      in.error(kLiteralRange, span, "{} does not fit in 64 bits with a sign", node->value)
          .note(fmt::format("as bits of u64 it is bitcast(i64(-{}), u64)", ~node->value + 1));
      return {Poison{}, span};
    }
    return {make_typed(span, DType::index, {}, Constant{static_cast<int64_t>(node->value), {}}), span};
  }
  if (const auto* node = expr->as<FloatLiteral>()) {
    return {make_typed(span, DType::literal, {}, Constant{node->value, {}}), span};
  }
  if (const auto* node = expr->as<BoolLiteral>()) {
    return {make_typed(span, DType::boolean, {}, Constant{node->value, {}}), span};
  }
  if (expr->as<NoneLiteral>()) return {Nothing{}, span};
  if (const auto* node = expr->as<StringExpr>()) return {Text{node->value}, span};
  if (const auto* node = expr->as<NameExpr>()) return name_value(in, node->name, span);
  if (const auto* node = expr->as<ConditionalExpr>()) return conditional(in, *node, span);
  if (const auto* node = expr->as<CompareExpr>()) return comparison(in, *node, span);
  if (const auto* node = expr->as<AttributeExpr>()) return attribute_value(in, *node, span);
  if (const auto* node = expr->as<SubscriptExpr>()) return subscript_value(in, *node, span);
  if (const auto* node = expr->as<CallExpr>()) return call_value(in, *node, span);
  if (expr->as<ListExpr>() || expr->as<TupleExpr>()) {
    Sequence out;
    for (const ExprPtr& entry : entries_of(expr)) out.push_back(evaluate(in, entry));
    return {std::move(out), span};
  }
  if (const auto* node = expr->as<UnaryExpr>()) {
    const auto* least = node->op == UnaryOp::negate ? node->operand->as<IntegerLiteral>() : nullptr;
    if (least && least->value == kFirstBeyond)
      return {make_typed(span, DType::index, {}, Constant{INT64_MIN, {}}), span};
    const TypedPtr operand = value_of(in, node->operand);
    if (!operand) return {Poison{}, span};
    switch (node->op) {
      case UnaryOp::negate:
        return {operate(in, span, Op::negate, {operand}), span};
      case UnaryOp::logical_not:
        return {operate(in, span, Op::logical_not, {operand}), span};
      case UnaryOp::invert:
        return {operate(in, span, Op::invert, {operand}), span};
      case UnaryOp::plus:
        if (operand->dtype != DType::boolean) return {operand, span};
        return {in.fail(kOperandDType, span, "'+' needs a number, not a bool"), span};
    }
  }
  if (const auto* node = expr->as<BinaryExpr>()) {
    const TypedPtr left = value_of(in, node->left), right = value_of(in, node->right);
    if (!left || !right) return {Poison{}, span};
    if (node->op == BinaryOp::matmul) return {dot(in, span, left, right, {}, std::nullopt), span};
    return {operate(in, span, operation_of(node->op), {left, right}), span};
  }
  if (expr->as<SliceExpr>() || expr->as<EllipsisLiteral>()) {
    return {in.fail(kNameKind, span, "a slice has a meaning only between the brackets of an index"), span};
  }
  return {in.fail(kNameKind, span, "this has no meaning as a value"), span};
}

TypedPtr value_of(TypingContext& in, const ExprPtr& expr) { return read(in, evaluate(in, expr)); }

TypedPtr read(TypingContext& in, const Value& value) {
  if (value.poisoned()) return nullptr;
  if (const TypedPtr* typed = value.as<TypedPtr>()) return *typed;
  if (const RefName* ref = value.as<RefName>()) {
    const Ref& target = in.context.kernel.refs[ref->ref];
    const Shape& all = ref->view ? ref->shape : shape_of_ref(in.context, ref->ref);
    if (std::find(all.begin(), all.end(), -1) != all.end()) {
      in.error(kRuntimeShape, value.span, "'{}' is read whole, and its shape {} is known only at launch", target.name,
               view_text(all))
          .note(fmt::format("read a part of constant size: {}[ds(start, 128)]", target.name));
      return nullptr;
    }
    RefRead out = read_whole(in.context, ref->ref);
    if (ref->view) {
      out.whole = false;
      out.index = ref->items;
    }
    return make_typed(value.span, target.dtype, ref->view ? ref->shape : shape_of_ref(in.context, ref->ref),
                      std::move(out));
  }
  if (const ScalarArrayName* array = value.as<ScalarArrayName>()) {
    const std::string& name = in.context.kernel.scalars[array->scalar].name;
    in.error(kNameKind, value.span, "'{}' is an array of scalars, of which one element is a value", name)
        .note(fmt::format("write {}[i]; an input can be read as a block", name));
    return nullptr;
  }
  Diagnostic& out = in.error(kNameKind, value.span, "a value is needed here, not {}", describe(value));
  if (value.as<Nothing>())
    out.note("None is a new axis between the brackets of an index; one element of a dim is `squeezed` in a block");
  const Text* text = value.as<Text>();
  const std::string truth = text ? nearest(text->value, {"true", "false"}) : "";
  if (!truth.empty()) out.note(fmt::format("did you mean '{}'?", truth));
  if (out.notes.empty()) note_parameters(in, out);
  return nullptr;
}

const Shape& shape_of_ref(const Context& context, int ref) {
  return context.extents ? context.array_shapes[ref] : context.kernel.refs[ref].shape;
}

TypedPtr index_of(TypingContext& in, const ExprPtr& expr, std::string_view what, const Rule& rule) {
  const TypedPtr result = value_of(in, expr);
  if (!result) return nullptr;
  if (result->dtype == DType::index && result->shape.empty()) return result;
  note_whole(in.error(rule, expr->span, "{} must be an integer, not {}", what, describe(result)), result);
  return nullptr;
}

TypedPtr integer_of(TypingContext& in, const ExprPtr& expr, std::string_view what) {
  const TypedPtr result = value_of(in, expr);
  if (!result) return nullptr;
  const bool is_integer = result->dtype == DType::index || info(result->dtype).is_integer;
  if (is_integer && result->shape.empty()) return result;
  note_whole(in.error(kOperandDType, expr->span, "{} must be an integer, not {}", what, describe(result)), result);
  return nullptr;
}

TypedPtr condition_of(TypingContext& in, const ExprPtr& expr, std::string_view what, const std::string& choice) {
  const TypedPtr result = value_of(in, expr);
  if (!result) return nullptr;
  if (result->dtype == DType::boolean && result->shape.empty()) return result;
  std::string message = fmt::format("{} must be one truth value, not {}", what, describe(result));
  Diagnostic& diagnostic = in.error(kOperandDType, expr->span, std::move(message));
  if (result->dtype == DType::boolean) {
    diagnostic.note(choice.empty() ? fmt::format("to choose for each element: where({}, …, …)", to_string(*expr))
                                   : fmt::format("to choose for each element, write {}", choice));
    diagnostic.note("any(…) and all(…) make one truth value of an array");
  }
  if (result->dtype == DType::index) diagnostic.note(fmt::format("write {} != 0", to_string(result)));
  return nullptr;
}

std::optional<int64_t> constant_integer(TypingContext& in, const ExprPtr& expr, std::string_view what,
                                        std::string_view remedy) {
  const TypedPtr result = value_of(in, expr);
  if (!result) return std::nullopt;
  const auto with_remedy = [&](Diagnostic& error) {
    if (!remedy.empty()) error.note(std::string(remedy));
    return std::nullopt;
  };
  if (result->dtype == DType::index) {
    const auto none = [](const Symbol&) { return std::optional<int64_t>(); };
    if (const std::optional<int64_t> number = evaluate_index(result, none)) return number;
    return with_remedy(in.error(kConstant, expr->span, "{} must be a constant, but {} is known only at launch", what,
                                to_string(result)));
  }
  Diagnostic& error = in.error(kConstant, expr->span, "{} must be a constant integer, not {}", what, describe(result));
  note_whole(error, result);
  return with_remedy(error);
}

std::optional<bool> constant_bool(TypingContext& in, const ExprPtr& expr, std::string_view what) {
  const TypedPtr result = value_of(in, expr);
  if (!result) return std::nullopt;
  const Constant* constant = result->as<Constant>();
  if (constant && std::holds_alternative<bool>(constant->value)) return std::get<bool>(constant->value);
  in.fail(kConstant, expr->span,
          result->dtype == DType::boolean
              ? fmt::format("{} must be a constant, but {} is known only at launch", what, to_string(result))
              : fmt::format("{} must be a constant truth value, not {}", what, describe(result)));
  return std::nullopt;
}

std::optional<DType> dtype_of(TypingContext& in, const ExprPtr& expr) {
  const Value result = evaluate(in, expr);
  if (result.poisoned()) return std::nullopt;
  if (const DType* found = result.as<DType>()) return *found;
  Diagnostic& out = in.error(kNameKind, expr->span, "a dtype is needed here, not {}", describe(result));
  const Text* text = result.as<Text>();
  const std::string word = !text ? "" : dtype_named(text->value) ? text->value : dtype_called(text->value);
  if (!word.empty()) out.note(fmt::format("a dtype goes by its name: write {}", word));
  if (out.notes.empty()) note_parameters(in, out);
  return std::nullopt;
}

std::optional<Shape> shape_of(TypingContext& in, const ExprPtr& expr) {
  Shape out;
  bool good = true;
  for (const ExprPtr& entry : entries_of(expr)) {
    const std::optional<int64_t> extent = constant_integer(in, entry, "a size");
    if (extent && *extent < 0) in.error(kConstant, entry->span, "a size of {} is negative", *extent);
    good = good && extent && *extent >= 0;
    if (good) out.push_back(*extent);
  }
  return good ? std::optional<Shape>(std::move(out)) : std::nullopt;
}

std::optional<Scalar> constant_of(TypingContext& in, const ExprPtr& expr, DType dtype, std::string_view what) {
  const TypedPtr result = value_of(in, expr);
  if (!result) return std::nullopt;
  if (!result->as<Constant>()) {
    in.error(kConstant, expr->span, "{} must be a literal, not {}", what, to_string(result));
    return std::nullopt;
  }
  if (result->dtype != DType::index && result->dtype != DType::literal && result->dtype != dtype) {
    in.error(kDTypeMismatch, expr->span, "{} is {}, but must be {}", what, describe(result), name_of(dtype));
    return std::nullopt;
  }
  const TypedPtr typed = coerce(in, result, dtype);
  return typed ? std::optional<Scalar>(typed->as<Constant>()->value) : std::nullopt;
}

Value attribute_value(TypingContext& in, const AttributeExpr& node, Span span, const CallExpr* call) {
  if (node.name == "T") {
    const TypedPtr base = value_of(in, node.base);
    return {base ? transpose(in, base, nullptr, span) : nullptr, span};
  }
  if (node.name == "at") {
    return {in.fail(kArguments, node.name_span, "'.at' needs an index: write .at[0:4]"), span};
  }
  if (node.name == "astype") {
    return {in.fail(kArguments, node.name_span, "'.astype' needs a dtype: write .astype(f32)"), span};
  }
  Diagnostic& out = in.error(kUnknownName, node.name_span, "nothing has an attribute '{}'", node.name);
  const std::string near = nearest(node.name, {"T", "at", "astype"});
  const std::string remedy =
      near.empty() ? remedy_for_attribute(in, node, call) : fmt::format("did you mean '.{}'?", near);
  if (!remedy.empty()) out.note(remedy);
  return {Poison{}, span};
}

}  // namespace pallasgen
