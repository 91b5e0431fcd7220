#include "program/numbers.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "expression/constant_text.h"

namespace pallasgen {

namespace {

bool is_atom(const std::string& text) { return text.find(' ') == std::string::npos; }
std::string atom(const std::string& text) { return is_atom(text) ? text : "(" + text + ")"; }

// True if the text is a valid factor without parentheses: it has no operators but products.
bool is_product(const std::string& text) { return text.find_first_of("+-/%?<>") == std::string::npos; }

std::optional<std::string> constant_text(const TypedPtr& expr) {
  if (const Constant* constant = expr->as<Constant>()) {
    if (!constant->name.empty()) return constant->name;
    if (const auto value = constant_value(expr)) return std::to_string(*value);
    return std::nullopt;
  }
  const Apply* apply = expr->as<Apply>();
  if (!apply || apply->args.size() != 2) return std::nullopt;
  const auto a = constant_text(apply->args[0]), b = constant_text(apply->args[1]);
  if (!a || !b) return std::nullopt;
  switch (apply->op) {
    case Op::add:
      return *a + " + " + *b;
    case Op::subtract:
      return *a + " - " + atom(*b);
    case Op::multiply:
      return (is_product(*a) ? *a : atom(*a)) + " * " + atom(*b);
    case Op::floor_divide:
      if (constant_value(apply->args[0]).value_or(0) < 0) return std::nullopt;  // C++ rounds it up
      return atom(*a) + " / " + atom(*b);                                       // sizes are positive
    case Op::modulo:
      if (constant_value(apply->args[0]).value_or(0) < 0) return std::nullopt;
      return atom(*a) + " % " + atom(*b);
    default:
      return std::nullopt;
  }
}

}  // namespace

Number number_of(const TypedPtr& expr, int64_t value) {
  if (expr) {
    if (auto text = constant_text(expr)) return {value, std::move(*text)};
  }
  return number(value);
}

Number number_of(const BlockDim& dim) { return number_of(dim.size_expr, dim.size); }

Number product(const Number& a, const Number& b) {
  if (a.text == "1") return b;
  if (b.text == "1") return a;
  const int64_t value = a.value * b.value;
  if (a.text == std::to_string(a.value) && b.text == std::to_string(b.value)) return number(value);
  return {value, (is_product(a.text) ? a.text : atom(a.text)) + " * " + atom(b.text)};
}

Number quotient(const Number& a, const Number& b) {
  if (b.text == "1") return a;
  const int64_t value = a.value / b.value;
  if (a.text == b.text) return number(value);
  if (a.text == std::to_string(a.value) && b.text == std::to_string(b.value)) return number(value);
  return {value, atom(a.text) + " / " + atom(b.text)};
}

Number sum(const Number& a, const Number& b) {
  const int64_t value = a.value + b.value;
  if (a.text == std::to_string(a.value) && b.text == std::to_string(b.value)) return number(value);
  return {value, a.text + " + " + b.text};
}

TypedPtr to_index(const Number& n) {
  if (n.text == std::to_string(n.value)) return index_constant(n.value);
  return index_constant(n.value, n.text);
}

std::string element_type(DType dtype) {
  if (is_packed(dtype)) return std::string(name_of(dtype)) + "x2";
  if (dtype == DType::bf16 || dtype == DType::f16) return std::string(name_of(dtype));
  return std::string(info(dtype).cuda);
}

std::string bytes_formula(DType dtype, const std::string& elements) {
  const bool is_sum = level_of_name(elements) == NameLevel::sum;
  return fmt::format("{}{} * sizeof({})", is_sum ? "(" + elements + ")" : elements, is_packed(dtype) ? " / 2" : "",
                     element_type(dtype));
}

Number bytes_number(DType dtype, const Number& elements) {
  return {bytes_of(dtype, elements.value), bytes_formula(dtype, elements.text)};
}

}  // namespace pallasgen
