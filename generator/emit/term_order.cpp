#include "term_order.h"

#include "expression/constant_text.h"

namespace pallasgen {

namespace {

// True if the text of the constant is a product, whose factors are not 0; a sum may have negative terms.
bool is_product(const Constant& constant) {
  return level_of_name(constant.name) == NameLevel::product && constant.name.find_first_of("/%") == std::string::npos;
}

}  // namespace

bool goes_on(Op op, const TypedPtr& with, const SymbolFacts& facts) {
  if (op != Op::add && op != Op::multiply) return false;
  if (const Constant* constant = with->as<Constant>()) return op == Op::multiply && is_product(*constant);
  const Apply* apply = with->applies(op);
  const auto is_part = [&](const TypedPtr& arg) {
    return bounds(arg, facts).minimum.value_or(-1) >= 0 && (!arg->applies(op) || goes_on(op, arg, facts));
  };
  return apply && is_part(apply->args[0]) && is_part(apply->args[1]);
}

}  // namespace pallasgen
