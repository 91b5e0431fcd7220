#include "expression/derivative.h"

#include <numbers>

namespace pallasgen {

namespace {

std::optional<double> number_in(const TypedPtr& value) {
  const Constant* constant = value->as<Constant>();
  const double* number = constant ? std::get_if<double>(&constant->value) : nullptr;
  return number ? std::optional<double>(*number) : std::nullopt;
}

// Applies the chain rule to one tree. A null derivative means 0, so that parts that do not depend on the parameter make
// no terms.
class Derivative {
 public:
  Derivative(int parameter, std::string& refusal) : parameter_(parameter), refusal_(refusal) {}

  TypedPtr of(const TypedPtr& value) {
    if (!info(value->dtype).is_float) return nullptr;  // a step function, which is 0 wherever it has a derivative
    if (const LocalUse* local = value->as<LocalUse>()) return local->id == parameter_ ? number(value, 1) : nullptr;
    const Apply* node = value->as<Apply>();
    if (!node) return nullptr;
    std::vector<TypedPtr> d;
    bool any = false;
    for (const TypedPtr& arg : node->args) {
      d.push_back(of(arg));
      any = any || d.back();
    }
    return any ? rule(value, node->op, node->args, d) : nullptr;
  }

 private:
  int parameter_;
  std::string& refusal_;

  static TypedPtr number(const TypedPtr& like, double value) {
    return make_typed(like->span, like->dtype, {}, Constant{value, {}});
  }
  static TypedPtr make(Op op, std::vector<TypedPtr> args) {
    const Span span = args[0]->span;
    const DType dtype = args.back()->dtype;
    return make_typed(span, dtype, {}, Apply{op, std::move(args), {}});
  }
  static TypedPtr add(const TypedPtr& a, const TypedPtr& b) { return !a ? b : !b ? a : make(Op::add, {a, b}); }
  static TypedPtr subtract(const TypedPtr& a, const TypedPtr& b) {
    return !b ? a : !a ? make(Op::negate, {b}) : make(Op::subtract, {a, b});
  }
  static TypedPtr multiply(const TypedPtr& a, const TypedPtr& b) {
    if (!a || !b) return nullptr;
    if (number_in(a) == 1) return b;
    return number_in(b) == 1 ? a : make(Op::multiply, {a, b});
  }
  static TypedPtr divide(const TypedPtr& a, const TypedPtr& b) { return a ? make(Op::divide, {a, b}) : nullptr; }
  static TypedPtr compare(Op op, const TypedPtr& a, const TypedPtr& b) {
    return make_typed(a->span, DType::boolean, {}, Apply{op, {a, b}, {}});
  }
  static TypedPtr select(const TypedPtr& test, const TypedPtr& a, const TypedPtr& b) {
    return make(Op::where, {test, a, b});
  }

  TypedPtr rule(const TypedPtr& y, Op op, const std::vector<TypedPtr>& x, const std::vector<TypedPtr>& d) {
    const auto n = [&](double value) { return number(y, value); };
    const auto scaled = [&](const TypedPtr& factor) { return multiply(factor, d[0]); };
    switch (op) {
      case Op::negate:
        return make(Op::negate, {d[0]});
      case Op::add:
        return add(d[0], d[1]);
      case Op::subtract:
        return subtract(d[0], d[1]);
      case Op::multiply:
        return add(multiply(d[0], x[1]), multiply(x[0], d[1]));
      case Op::divide:
        return divide(subtract(d[0], multiply(y, d[1])), x[1]);
      case Op::fma:
        return add(add(multiply(d[0], x[1]), multiply(x[0], d[1])), d[2]);
      case Op::power: {
        TypedPtr base;
        if (d[0]) {
          const std::optional<double> exponent = number_in(x[1]);
          const TypedPtr less = exponent ? n(*exponent - 1) : make(Op::subtract, {x[1], n(1)});
          base = multiply(multiply(x[1], exponent == 2 ? x[0] : make(Op::power, {x[0], less})), d[0]);
        }
        return add(base, d[1] ? multiply(multiply(y, make(Op::log, {x[0]})), d[1]) : nullptr);
      }
      case Op::abs:
        return scaled(make(Op::sign, {x[0]}));
      case Op::sign:
      case Op::floor:
      case Op::ceil:
      case Op::round:
      case Op::trunc:
        return nullptr;
      case Op::minimum:
      case Op::maximum: {  // if both are equal, each gets half of the derivative
        const Op wins = op == Op::maximum ? Op::greater : Op::less;
        const TypedPtr share =
            select(compare(wins, x[0], x[1]), n(1), select(compare(Op::equal, x[0], x[1]), n(0.5), n(0)));
        return add(multiply(share, d[0]), d[1] ? multiply(make(Op::subtract, {n(1), share}), d[1]) : nullptr);
      }
      case Op::clamp: {
        const TypedPtr above = compare(Op::greater, x[0], x[1]), below = compare(Op::less, x[0], x[2]);
        const auto part = [&](const TypedPtr& test, const TypedPtr& value) {
          return value ? select(test, value, n(0)) : nullptr;
        };
        return add(add(part(compare(Op::logical_and, above, below), d[0]), part(compare(Op::less, x[0], x[1]), d[1])),
                   part(compare(Op::greater, x[0], x[2]), d[2]));
      }
      case Op::sqrt:
        return divide(multiply(n(0.5), d[0]), y);
      case Op::rsqrt:
        return multiply(n(-0.5), scaled(divide(y, x[0])));
      case Op::exp:
        return scaled(y);
      case Op::exp2:
        return scaled(multiply(n(std::numbers::ln2), y));
      case Op::expm1:
        return scaled(make(Op::exp, {x[0]}));
      case Op::log:
        return divide(d[0], x[0]);
      case Op::log2:
        return divide(multiply(n(std::numbers::log2e), d[0]), x[0]);
      case Op::log1p:
        return divide(d[0], make(Op::add, {n(1), x[0]}));
      case Op::sin:
        return scaled(make(Op::cos, {x[0]}));
      case Op::cos:
        return make(Op::negate, {scaled(make(Op::sin, {x[0]}))});
      case Op::tan:
        return scaled(make(Op::add, {n(1), multiply(y, y)}));
      case Op::tanh:
        return scaled(make(Op::subtract, {n(1), multiply(y, y)}));
      case Op::atan2: {
        const TypedPtr square = add(multiply(x[0], x[0]), multiply(x[1], x[1]));
        return divide(subtract(multiply(x[1], d[0]), multiply(x[0], d[1])), square);
      }
      case Op::erf:
        return scaled(
            multiply(n(2 * std::numbers::inv_sqrtpi), make(Op::exp, {make(Op::negate, {multiply(x[0], x[0])})})));
      case Op::logistic:
        return scaled(multiply(y, make(Op::subtract, {n(1), y})));
      case Op::where:
        return select(x[0], d[1] ? d[1] : n(0), d[2] ? d[2] : n(0));
      case Op::cast:
        return make_typed(y->span, y->dtype, {}, Apply{Op::cast, {d[0]}, {}});
      default:
        refusal_ = operation(op).name;
        return nullptr;
    }
  }
};

}  // namespace

bool is_larger(const TypedPtr& tree, int64_t limit) {
  int64_t left = limit;
  const std::function<void(const TypedPtr&)> count = [&](const TypedPtr& node) {
    if (--left < 0) return;
    const Apply* apply = node->as<Apply>();
    const CallFunction* call = node->as<CallFunction>();
    if (!apply && !call) return;
    for (const TypedPtr& arg : apply ? apply->args : call->args) {
      if (left >= 0) count(arg);
    }
  };
  count(tree);
  return left < 0;
}

TypedPtr inline_calls(const TypedPtr& body, const std::function<TypedPtr(int)>& function_body, int64_t limit) {
  int64_t left = limit;
  const std::function<TypedPtr(const TypedPtr&, const std::vector<TypedPtr>*)> inlined =
      [&](const TypedPtr& value, const std::vector<TypedPtr>* arguments) -> TypedPtr {
    if (--left < 0) return nullptr;
    if (const LocalUse* local = value->as<LocalUse>()) return arguments ? (*arguments)[local->id] : value;
    const Apply* node = value->as<Apply>();
    const CallFunction* call = value->as<CallFunction>();
    if (!node && !call) return value;
    std::vector<TypedPtr> given;
    for (const TypedPtr& each : node ? node->args : call->args) {
      given.push_back(inlined(each, arguments));
      if (!given.back()) return nullptr;
    }
    if (call) return inlined(function_body(call->function), &given);
    return make_typed(value->span, value->dtype, value->shape, Apply{node->op, std::move(given), node->attributes});
  };
  const TypedPtr out = inlined(body, nullptr);
  return out && !is_larger(out, limit) ? out : nullptr;
}

TypedPtr derivative(const TypedPtr& body, int parameter, std::string& refusal) {
  const TypedPtr out = Derivative(parameter, refusal).of(body);
  if (!refusal.empty()) return nullptr;
  return out ? out : make_typed(body->span, body->dtype, {}, Constant{0.0, {}});
}

}  // namespace pallasgen
