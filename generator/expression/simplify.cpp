
#include "expression/constant_text.h"
#include "expression/typed.h"

namespace pallasgen {

namespace {

const Constant* constant_of(const TypedPtr& expr) { return expr ? expr->as<Constant>() : nullptr; }

std::optional<bool> bool_value(const TypedPtr& expr) {
  const Constant* constant = constant_of(expr);
  const bool* value = constant ? std::get_if<bool>(&constant->value) : nullptr;
  return value ? std::optional<bool>(*value) : std::nullopt;
}

TypedPtr fold_all(Span span, Op op, DType dtype, const Shape& shape, const std::vector<TypedPtr>& args) {
  if (args.empty() || !shape.empty()) return nullptr;
  const DType operand = args[0]->dtype;
  if (operand != DType::index && operand != DType::literal && operand != DType::boolean) return nullptr;
  std::vector<Scalar> values;
  for (const TypedPtr& arg : args) {
    const Constant* constant = constant_of(arg);
    if (!constant || arg->dtype != operand) return nullptr;
    values.push_back(constant->value);
  }
  const std::optional<Scalar> value = fold(op, operand, values);
  return value ? make_typed(span, dtype, {}, Constant{*value, computed_name(op, args)}) : nullptr;
}

// x + c or x - c as (x, c), for a constant c that is not a const itself.
struct Sum {
  TypedPtr base;
  int64_t constant;
};
std::optional<Sum> as_sum(const TypedPtr& expr) {
  const Apply* apply = expr->as<Apply>();
  if (!apply || (apply->op != Op::add && apply->op != Op::subtract)) return std::nullopt;
  const std::optional<int64_t> constant = constant_value(apply->args[1]);
  if (!constant || is_const(*constant_of(apply->args[1])) || *constant == INT64_MIN) return std::nullopt;
  return Sum{apply->args[0], apply->op == Op::add ? *constant : -*constant};
}

TypedPtr plus_constant(Span span, const TypedPtr& base, int64_t constant) {
  if (constant == 0) return base;
  const Op op = constant > 0 || constant == INT64_MIN ? Op::add : Op::subtract;
  TypedPtr amount = make_typed(span, DType::index, {}, Constant{op == Op::add ? constant : -constant, {}});
  return make_typed(span, DType::index, {}, Apply{op, {base, std::move(amount)}, {}});
}

// y if `expr` is y * factor, else null.
TypedPtr quotient(const TypedPtr& expr, const TypedPtr& factor) {
  const Apply* product = expr->applies(Op::multiply);
  if (!product) return nullptr;
  if (equal(product->args[1], factor)) return product->args[0];
  if (equal(product->args[0], factor)) return product->args[1];
  return nullptr;
}

// Applies the identities of integer arithmetic to two index scalars; null if none applies.
TypedPtr index_identity(Span span, Op op, const TypedPtr& a, const TypedPtr& b) {
  const std::optional<int64_t> x = constant_value(a), y = constant_value(b);
  const auto zero = [&] { return make_typed(span, DType::index, {}, Constant{int64_t{0}, {}}); };
  const auto truth = [&](bool value) { return make_typed(span, DType::boolean, {}, Constant{value, {}}); };
  switch (op) {
    case Op::add:
      if (x == 0) return b;
      if (y == 0) return a;
      break;
    case Op::subtract:
      if (y == 0) return a;
      if (equal(a, b)) return zero();
      break;
    case Op::multiply:
      if (x == 0 || y == 1) return a;
      if (y == 0 || x == 1) return b;
      break;
    case Op::floor_divide:
    case Op::cdiv:
      if (y == 1) return a;
      if (y && *y != 0) return quotient(a, b);
      break;
    case Op::modulo:
      if (y == 1 || y == -1 || (y && *y != 0 && quotient(a, b))) return zero();
      break;
    case Op::power:
      if (y == 1) return a;
      break;
    case Op::shift_left:
    case Op::shift_right:
      if (y == 0) return a;
      break;
    case Op::minimum:
    case Op::maximum:
      if (equal(a, b)) return a;
      break;
    case Op::equal:
    case Op::less_equal:
    case Op::greater_equal:
      if (equal(a, b)) return truth(true);
      break;
    case Op::not_equal:
    case Op::less:
    case Op::greater:
      if (equal(a, b)) return truth(false);
      break;
    default:
      break;
  }
  if ((op == Op::add || op == Op::subtract) && y && !is_const(*constant_of(b)) && *y != INT64_MIN) {
    if (const std::optional<Sum> inner = as_sum(a)) {
      int64_t total = 0;
      if (!__builtin_add_overflow(inner->constant, op == Op::add ? *y : -*y, &total)) {
        return plus_constant(span, inner->base, total);
      }
    }
  }
  return nullptr;
}

TypedPtr bool_identity(Op op, const Shape& shape, const std::vector<TypedPtr>& args) {
  if (op == Op::logical_not) {
    const Apply* inner = args[0]->applies(Op::logical_not);
    return inner ? inner->args[0] : nullptr;
  }
  if (op != Op::logical_and && op != Op::logical_or) return nullptr;
  for (int i = 0; i < 2; ++i) {
    const std::optional<bool> value = bool_value(args[i]);
    if (!value) continue;
    const TypedPtr& result = *value == (op == Op::logical_and) ? args[1 - i] : args[i];
    if (result->shape == shape) return result;
  }
  return equal(args[0], args[1]) ? args[0] : nullptr;
}

std::vector<IndexItem> rebuild_items(const std::vector<IndexItem>& items,
                                     const std::function<TypedPtr(const TypedPtr&)>& rebuild) {
  std::vector<IndexItem> out = items;
  for (IndexItem& item : out) {
    if (auto* integer = std::get_if<IndexInteger>(&item)) integer->value = rebuild(integer->value);
    if (auto* slice = std::get_if<IndexSlice>(&item)) slice->start = rebuild(slice->start);
    if (auto* gather = std::get_if<IndexGather>(&item)) gather->indices = rebuild(gather->indices);
  }
  return out;
}

// Builds the tree anew from the leaves, so that every node is simplified.
TypedPtr rebuild(const TypedPtr& expr, const std::function<TypedPtr(const TypedPtr&)>& replace) {
  if (!expr) return nullptr;
  if (TypedPtr other = replace(expr)) return other;
  const auto below = [&](const TypedPtr& child) { return rebuild(child, replace); };
  const auto all_below = [&](const std::vector<TypedPtr>& children) {
    std::vector<TypedPtr> out;
    for (const TypedPtr& child : children) out.push_back(below(child));
    return out;
  };
  if (const Apply* node = expr->as<Apply>()) {
    OpAttributes attributes = node->attributes;
    attributes.items = rebuild_items(attributes.items, below);
    return apply(expr->span, node->op, expr->dtype, expr->shape, all_below(node->args), std::move(attributes));
  }
  if (const CallFunction* call = expr->as<CallFunction>()) {
    return make_typed(expr->span, expr->dtype, expr->shape,
                      CallFunction{call->function, all_below(call->args), call->name});
  }
  if (const RefRead* read = expr->as<RefRead>()) {
    RefRead out = *read;
    out.index = rebuild_items(read->index, below);
    out.mask = below(read->mask);
    out.other = below(read->other);
    return make_typed(expr->span, expr->dtype, expr->shape, std::move(out));
  }
  return expr;
}

}  // namespace

TypedPtr apply(Span span, Op op, DType dtype, Shape shape, std::vector<TypedPtr> args, OpAttributes attributes) {
  if (operation(op).group == OpGroup::elementwise) {
    if (TypedPtr folded = fold_all(span, op, dtype, shape, args)) return folded;
    if (op == Op::where) {
      const std::optional<bool> condition = bool_value(args[0]);
      if (condition) {
        const TypedPtr& arm = *condition ? args[1] : args[2];
        if (arm->shape == shape && arm->dtype == dtype) return arm;
      }
      if (equal(args[1], args[2]) && args[1]->shape == shape) return args[1];
    }
    TypedPtr simpler;
    if (dtype == DType::boolean && args[0]->dtype == DType::boolean) simpler = bool_identity(op, shape, args);
    if (args.size() == 2 && args[0]->dtype == DType::index && args[1]->dtype == DType::index && shape.empty()) {
      simpler = index_identity(span, op, args[0], args[1]);
    }
    if (simpler) return simpler;
  }
  return make_typed(span, dtype, std::move(shape), Apply{op, std::move(args), std::move(attributes)});
}

TypedPtr index_apply(Op op, TypedPtr a, TypedPtr b) {
  const Span span = a->span;
  const bool compares = op >= Op::less && op <= Op::not_equal;
  return apply(span, op, compares ? DType::boolean : DType::index, {}, {std::move(a), std::move(b)});
}

TypedPtr simplify(const TypedPtr& expr) {
  return rebuild(expr, [](const TypedPtr&) { return TypedPtr(); });
}

TypedPtr substitute(const TypedPtr& expr, const std::function<TypedPtr(const Symbol&)>& replace) {
  return rebuild(expr, [&](const TypedPtr& node) {
    const Symbol* symbol = node->as<Symbol>();
    return symbol ? replace(*symbol) : nullptr;
  });
}

TypedPtr rewrite(const TypedPtr& expr, const std::function<TypedPtr(const TypedPtr&)>& replace) {
  return rebuild(expr, replace);
}

}  // namespace pallasgen
