#include <fmt/format.h>

#include <algorithm>

#include "elementwise.h"
#include "evaluator.h"
#include "fault.h"
#include "interpret/rules.h"

namespace pallasgen::interpreter {
namespace {

bool is_index_scalar(const TypedPtr& expr) {
  return (expr->dtype == DType::index || expr->dtype == DType::boolean) && expr->shape.empty();
}

int64_t floor_quotient(int64_t a, int64_t b) {
  if (b == -1) return static_cast<int64_t>(-static_cast<uint64_t>(a));
  const int64_t whole = a / b;
  return whole - (a % b != 0 && (a < 0) != (b < 0));
}

int64_t floor_remainder(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) -
                              static_cast<uint64_t>(floor_quotient(a, b)) * static_cast<uint64_t>(b));
}

// The common operations of two index values; nothing for the others.
std::optional<int64_t> index_operation(Op op, int64_t a, int64_t b) {
  const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  switch (op) {
    case Op::add:
      return static_cast<int64_t>(x + y);
    case Op::subtract:
      return static_cast<int64_t>(x - y);
    case Op::multiply:
      return static_cast<int64_t>(x * y);
    case Op::floor_divide:
      return floor_quotient(a, b);
    case Op::modulo:
      return floor_remainder(a, b);
    case Op::cdiv:
      return floor_quotient(a, b) + (floor_remainder(a, b) != 0);
    case Op::minimum:
      return std::min(a, b);
    case Op::maximum:
      return std::max(a, b);
    case Op::less:
      return a < b;
    case Op::less_equal:
      return a <= b;
    case Op::greater:
      return a > b;
    case Op::greater_equal:
      return a >= b;
    case Op::equal:
      return a == b;
    case Op::not_equal:
      return a != b;
    default:
      return std::nullopt;
  }
}

bool wraps(Op op, int64_t a, int64_t b) {
  int64_t result = 1;
  switch (op) {
    case Op::add:
      return __builtin_add_overflow(a, b, &result);
    case Op::subtract:
      return __builtin_sub_overflow(a, b, &result);
    case Op::multiply:
      return __builtin_mul_overflow(a, b, &result);
    case Op::power:
      for (int64_t i = 0; i < b && a != 0 && a != 1 && a != -1; ++i) {
        if (__builtin_mul_overflow(result, a, &result)) return true;
      }
      return false;
    default:
      return false;
  }
}

bool divides(Op op) { return op == Op::floor_divide || op == Op::modulo || op == Op::cdiv; }

}  // namespace

int64_t Evaluator::size(const TypedPtr& expr, const Rule& rule, std::string_view what, const std::string& name) {
  wrapped_ = false;
  const int64_t size = integer(expr);
  if (!wrapped_) return size;
  throw Fault{rule, expr->span, fmt::format("{} '{}', {}, is more than 64 bits hold", what, name, to_string(expr))};
}

// Index scalars are most of what is computed between two blocks, so they are computed without making values.
int64_t Evaluator::integer(const TypedPtr& expr) {
  const Typed& e = *expr;
  if (const auto* constant = e.as<Constant>(); constant && !std::holds_alternative<double>(constant->value)) {
    const bool* flag = std::get_if<bool>(&constant->value);
    return flag ? *flag : std::get<int64_t>(constant->value);
  }
  if (const auto* name = e.as<Symbol>(); name && e.dtype == DType::index) return index_symbol(*name, e);
  const auto* node = e.as<Apply>();
  const bool scalars = node && !parameters_ && e.shape.empty() && !node->args.empty() &&
                       std::all_of(node->args.begin(), node->args.end(), is_index_scalar);
  if (scalars && operation(node->op).group == OpGroup::elementwise) {
    switch (node->op) {
      case Op::logical_not:
        return !integer(node->args[0]);
      case Op::logical_and:
        return integer(node->args[0]) && integer(node->args[1]);
      case Op::logical_or:
        return integer(node->args[0]) || integer(node->args[1]);
      case Op::where:
        return integer(node->args[integer(node->args[0]) ? 1 : 2]);
      default:
        break;
    }
    std::vector<int64_t> args;
    for (const TypedPtr& arg : node->args) args.push_back(integer(arg));
    if (divides(node->op) && args[1] == 0) {
      throw Fault{kRunIndexDivision, node->args[1]->span,
                  fmt::format("{} is 0 here, and an index value is divided by it", to_string(node->args[1]))};
    }
    if (args.size() == 2) {
      wrapped_ = wrapped_ || wraps(node->op, args[0], args[1]);
      if (const std::optional<int64_t> result = index_operation(node->op, args[0], args[1])) return *result;
    }
    std::vector<Value> operands;
    for (size_t i = 0; i < args.size(); ++i) operands.push_back(filled_value(node->args[i]->dtype, {}, args[i]));
    return integer_of(apply_elementwise(node->op, e.dtype, std::move(operands)));
  }
  if (const auto* name = e.as<LocalUse>()) return integer_of(local(*name, e.span));
  if (const auto* read_ref = e.as<RefRead>()) return integer_of(read(*read_ref, e.span));
  if (const auto* function = e.as<CallFunction>()) return integer_of(call(*function, e));
  if (const auto* name = e.as<Symbol>()) return integer_of(symbol(*name, e));
  return node ? integer_of(apply(*node, e)) : integer_of(evaluate(expr));
}

}  // namespace pallasgen::interpreter
