#include "model/instruction_slots.h"

namespace pallasgen {

namespace {

constexpr double kSpecial = 8;
constexpr double kExternal = 20;  // a function of a C++ header, whose cost is not known

double slots_of_node(const Typed& node, const Kernel& kernel) {
  if (const auto* call = node.as<CallFunction>()) {
    const Function& function = kernel.functions[static_cast<size_t>(call->function)];
    return function.external ? kExternal : slots_of(function.body, kernel);
  }
  const Apply* apply = node.as<Apply>();
  if (!apply || node.dtype == DType::index) return 0;
  switch (apply->op) {
    case Op::exp:
    case Op::exp2:
    case Op::log:
    case Op::log2:
    case Op::sqrt:
    case Op::rsqrt:
    case Op::sin:
    case Op::cos:
    case Op::tanh:
    case Op::divide:
      return 1 + kSpecial;
    case Op::floor_divide:
    case Op::modulo:
    case Op::cdiv:
    case Op::logistic:
    case Op::expm1:
    case Op::log1p:
      return 4 + 2 * kSpecial;
    case Op::tan:
    case Op::erf:
    case Op::power:
    case Op::atan2:
      return 20 + 2 * kSpecial;
    case Op::random_bits:  // ten rounds of two wide products, shared by four elements
      return 20;
    default:
      return 1;
  }
}

}  // namespace

double slots_of(const TypedPtr& expr, const Kernel& kernel) {
  double slots = 0;
  if (expr) walk(expr, [&](const Typed& node) { slots += slots_of_node(node, kernel); });
  return slots;
}

}  // namespace pallasgen
