#include "typer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pallasgen {

namespace {

// "[_, 4]": a view's shape, whose runtime sizes are not known.
std::string view_text(const Shape& shape) {
  std::string out;
  for (int64_t extent : shape) out += (out.empty() ? "" : ", ") + (extent < 0 ? "_" : fmt::format("{}", extent));
  return "[" + out + "]";
}

// A float literal or const that is a whole number says which integer would do.
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

}  // namespace

std::vector<ExprPtr> Typer::entries_of(const ExprPtr& index) {
  if (const auto* list = index->as<ListExpr>()) return list->items;
  if (const auto* list = index->as<TupleExpr>()) return list->items;
  return {index};
}

Diagnostic& Typer::error(const Rule& rule, Span span, std::string message) {
  Diagnostic& out = diagnostics_->error(rule, span, std::move(message));
  for (auto call = calls_.rbegin(); call != calls_.rend(); ++call) out.note(call->span, call->message);
  return out;
}

TypedPtr Typer::fail(const Rule& rule, Span span, std::string message) {
  error(rule, span, std::move(message));
  return nullptr;
}

Value Typer::evaluate(const ExprPtr& expr) {
  const Span span = expr->span;
  if (const auto* node = expr->as<IntegerLiteral>()) {
    if (node->value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
      return make(span, fail(kLiteralRange, span, fmt::format("{} does not fit in 64 bits with a sign", node->value)));
    }
    return make(span, make_typed(span, DType::index, {}, Constant{static_cast<int64_t>(node->value), {}}));
  }
  if (const auto* node = expr->as<FloatLiteral>()) {
    return make(span, make_typed(span, DType::literal, {}, Constant{node->value, {}}));
  }
  if (const auto* node = expr->as<BoolLiteral>()) {
    return make(span, make_typed(span, DType::boolean, {}, Constant{node->value, {}}));
  }
  if (expr->as<NoneLiteral>()) return {Nothing{}, span};
  if (const auto* node = expr->as<StringExpr>()) return {Text{node->value}, span};
  if (const auto* node = expr->as<NameExpr>()) return name(*node, span);
  if (const auto* node = expr->as<ConditionalExpr>()) return conditional(*node, span);
  if (const auto* node = expr->as<CompareExpr>()) return compare(*node, span);
  if (const auto* node = expr->as<AttributeExpr>()) return attribute(*node, span);
  if (const auto* node = expr->as<SubscriptExpr>()) return subscript(*node, span);
  if (const auto* node = expr->as<CallExpr>()) return call(*node, span);
  const std::vector<ExprPtr>* entries = nullptr;
  if (const auto* node = expr->as<ListExpr>()) entries = &node->items;
  if (const auto* node = expr->as<TupleExpr>()) entries = &node->items;
  if (entries) {
    Sequence out;
    for (const ExprPtr& entry : *entries) out.push_back(evaluate(entry));
    return {std::move(out), span};
  }
  if (const auto* node = expr->as<UnaryExpr>()) {
    const TypedPtr operand = value(node->operand);
    if (!operand) return {Poison{}, span};
    switch (node->op) {
      case UnaryOp::negate:
        return make(span, operate(span, Op::negate, {operand}));
      case UnaryOp::logical_not:
        return make(span, operate(span, Op::logical_not, {operand}));
      case UnaryOp::invert:
        return make(span, operate(span, Op::invert, {operand}));
      case UnaryOp::plus:
        if (operand->dtype != DType::boolean) return make(span, operand);
        return make(span, fail(kOperandDType, span, "'+' needs a number, not a bool"));
    }
  }
  if (const auto* node = expr->as<BinaryExpr>()) {
    const TypedPtr left = value(node->left), right = value(node->right);
    if (!left || !right) return {Poison{}, span};
    if (node->op == BinaryOp::matmul) return make(span, dot(span, left, right, {}, std::nullopt));
    static constexpr Op kOps[] = {Op::add,     Op::subtract, Op::multiply, Op::divide,      Op::floor_divide,
                                  Op::modulo,  Op::power,    Op::dot,      Op::shift_left,  Op::shift_right,
                                  Op::bit_and, Op::bit_or,   Op::bit_xor,  Op::logical_and, Op::logical_or};
    return make(span, operate(span, kOps[static_cast<size_t>(node->op)], {left, right}));
  }
  if (expr->as<SliceExpr>() || expr->as<EllipsisLiteral>()) {
    return make(span, fail(kNameKind, span, "a slice has a meaning only between the brackets of an index"));
  }
  return make(span, fail(kNameKind, span, "this has no meaning as a value"));
}

TypedPtr Typer::value(const ExprPtr& expr) { return read(evaluate(expr)); }

TypedPtr Typer::read(const Value& value) {
  if (value.poisoned()) return nullptr;
  if (const TypedPtr* typed = value.as<TypedPtr>()) return *typed;
  if (const RefName* ref = value.as<RefName>()) {
    const Ref& target = context_.kernel.refs[ref->ref];
    const Shape& all = ref->view ? ref->shape : shape_of(ref->ref);
    if (std::find(all.begin(), all.end(), -1) != all.end()) {
      error(kRuntimeShape, value.span,
            fmt::format("'{}' is read whole, and its shape {} is known only at launch", target.name, view_text(all)))
          .note(fmt::format("read a part of constant size: {}[ds(start, 128)]", target.name));
      return nullptr;
    }
    RefRead out = read_whole(ref->ref);
    if (ref->view) {
      out.whole = false;
      out.index = ref->items;
    }
    return make_typed(value.span, target.dtype, ref->view ? ref->shape : shape_of(ref->ref), std::move(out));
  }
  if (const ScalarArrayName* array = value.as<ScalarArrayName>()) {
    const std::string& name = context_.kernel.scalars[array->scalar].name;
    error(kNameKind, value.span, fmt::format("'{}' is an array of scalars, of which one element is a value", name))
        .note(fmt::format("write {}[i]; an input can be read as a block", name));
    return nullptr;
  }
  return fail(kNameKind, value.span, fmt::format("a value is needed here, not {}", describe(value)));
}

const Shape& Typer::shape_of(int ref) const {
  return context_.extents ? context_.array_shapes[ref] : context_.kernel.refs[ref].shape;
}

RefRead Typer::read_whole(int ref) const {
  RefRead out;
  out.ref = ref;
  out.whole = true;
  out.name = context_.kernel.refs[ref].name;
  for (int64_t extent : shape_of(ref)) out.index.push_back(IndexSlice{index_constant(0), extent, 1});
  return out;
}

TypedPtr Typer::index(const ExprPtr& expr, std::string_view what, const Rule& rule) {
  const TypedPtr result = value(expr);
  if (!result) return nullptr;
  if (result->dtype == DType::index && result->shape.empty()) return result;
  note_whole(error(rule, expr->span, fmt::format("{} must be an integer, not {}", what, describe(result))), result);
  return nullptr;
}

TypedPtr Typer::integer(const ExprPtr& expr, std::string_view what) {
  const TypedPtr result = value(expr);
  if (!result) return nullptr;
  const bool is_integer = result->dtype == DType::index || info(result->dtype).is_integer;
  if (is_integer && result->shape.empty()) return result;
  note_whole(error(kOperandDType, expr->span, fmt::format("{} must be an integer, not {}", what, describe(result))),
             result);
  return nullptr;
}

TypedPtr Typer::condition(const ExprPtr& expr, std::string_view what) {
  const TypedPtr result = value(expr);
  if (!result) return nullptr;
  if (result->dtype == DType::boolean && result->shape.empty()) return result;
  std::string message = fmt::format("{} must be one truth value, not {}", what, describe(result));
  Diagnostic& diagnostic = error(kOperandDType, expr->span, std::move(message));
  if (result->dtype == DType::boolean) diagnostic.note("any(…) and all(…) make one truth value of an array");
  if (result->dtype == DType::index) diagnostic.note(fmt::format("write {} != 0", to_string(result)));
  return nullptr;
}

std::optional<int64_t> Typer::constant_integer(const ExprPtr& expr, std::string_view what) {
  const TypedPtr result = value(expr);
  if (!result) return std::nullopt;
  if (result->dtype == DType::index) {
    const auto none = [](const Symbol&) { return std::optional<int64_t>(); };
    if (const std::optional<int64_t> number = evaluate_index(result, none)) return number;
    fail(kConstant, expr->span,
         fmt::format("{} must be a constant, but {} is known only at launch", what, to_string(result)));
    return std::nullopt;
  }
  note_whole(error(kConstant, expr->span, fmt::format("{} must be a constant integer, not {}", what, describe(result))),
             result);
  return std::nullopt;
}

std::optional<bool> Typer::constant_bool(const ExprPtr& expr, std::string_view what) {
  const TypedPtr result = value(expr);
  if (!result) return std::nullopt;
  const Constant* constant = result->as<Constant>();
  if (constant && std::holds_alternative<bool>(constant->value)) return std::get<bool>(constant->value);
  fail(kConstant, expr->span,
       result->dtype == DType::boolean
           ? fmt::format("{} must be a constant, but {} is known only at launch", what, to_string(result))
           : fmt::format("{} must be a constant truth value, not {}", what, describe(result)));
  return std::nullopt;
}

std::optional<DType> Typer::dtype(const ExprPtr& expr) {
  const Value result = evaluate(expr);
  if (result.poisoned()) return std::nullopt;
  if (const DType* found = result.as<DType>()) return *found;
  error(kNameKind, expr->span, fmt::format("a dtype is needed here, not {}", describe(result)));
  return std::nullopt;
}

std::optional<Shape> Typer::shape(const ExprPtr& expr) {
  const std::vector<ExprPtr>* entries = nullptr;
  if (const auto* node = expr->as<ListExpr>()) entries = &node->items;
  if (const auto* node = expr->as<TupleExpr>()) entries = &node->items;
  const std::vector<ExprPtr> single{expr};
  Shape out;
  bool good = true;
  for (const ExprPtr& entry : entries ? *entries : single) {
    const std::optional<int64_t> extent = constant_integer(entry, "a size");
    if (extent && *extent < 0) error(kConstant, entry->span, fmt::format("a size of {} is negative", *extent));
    good = good && extent && *extent >= 0;
    if (good) out.push_back(*extent);
  }
  return good ? std::optional<Shape>(std::move(out)) : std::nullopt;
}

std::optional<Scalar> Typer::constant_of(const ExprPtr& expr, DType dtype, std::string_view what) {
  const TypedPtr result = value(expr);
  if (!result) return std::nullopt;
  if (!result->as<Constant>()) {
    error(kConstant, expr->span, fmt::format("{} must be a literal, not {}", what, to_string(result)));
    return std::nullopt;
  }
  if (result->dtype != DType::index && result->dtype != DType::literal && result->dtype != dtype) {
    error(kDTypeMismatch, expr->span, fmt::format("{} is {}, but must be {}", what, describe(result), name_of(dtype)));
    return std::nullopt;
  }
  const TypedPtr typed = coerce(result, dtype);
  return typed ? std::optional<Scalar>(typed->as<Constant>()->value) : std::nullopt;
}

std::string shape_text(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

std::string describe(DType dtype, const Shape& shape) {
  if (dtype == DType::index) return shape.empty() ? "an integer" : "integers of shape " + shape_text(shape);
  if (dtype == DType::literal)
    return shape.empty() ? "a float literal" : "float literals of shape " + shape_text(shape);
  return std::string(name_of(dtype)) + (shape.empty() ? "" : shape_text(shape));
}

std::string describe(const TypedPtr& value) { return describe(value->dtype, value->shape); }

std::string describe(const Value& value) {
  if (const TypedPtr* typed = value.as<TypedPtr>(); typed && *typed) return describe(*typed);
  if (const DType* dtype = value.as<DType>()) return fmt::format("the dtype {}", name_of(*dtype));
  if (value.as<RefName>()) return "a ref";
  if (value.as<ScalarArrayName>()) return "an array of scalars";
  if (const FunctionName* function = value.as<FunctionName>()) return fmt::format("the function {}", function->name);
  if (const Text* text = value.as<Text>()) return fmt::format("the text \"{}\"", text->value);
  if (value.as<Nothing>()) return "None";
  return "a list";
}

}  // namespace pallasgen
