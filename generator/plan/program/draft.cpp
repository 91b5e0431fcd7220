#include "program/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "expression/constant_text.h"
#include "program/spec_names.h"

namespace pallasgen {

namespace {

bool is_atom(const std::string& text) { return text.find(' ') == std::string::npos; }
std::string atom(const std::string& text) { return is_atom(text) ? text : "(" + text + ")"; }

// Factors may stand bare in a product when they hold nothing but products.
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

Draft::Draft(const PreparedKernel& prepared, Diagnostics& diagnostics_in)
    : kernel(prepared.kernel()),
      source(prepared.source()),
      target(&prepared.target()),
      diagnostics(diagnostics_in),
      facts(kernel->facts()) {
  plan.kernel = kernel;
  plan.faults = prepared.faults();  // before the roles are planned, for what loops do after a fault
  plan.target = target;
  plan.shared.limit = target->shared_limit;
  const auto with_loops = [this](auto known, std::optional<int64_t> Bounds::* bound) {
    return [this, known, bound](const Symbol& symbol) -> std::optional<int64_t> {
      const auto loop = symbol.kind == SymbolKind::loop ? loops.find(symbol.id) : loops.end();
      return loop == loops.end() ? known(symbol) : loop->second.*bound;
    };
  };
  facts.minimum = with_loops(facts.minimum, &Bounds::minimum);
  facts.maximum = with_loops(facts.maximum, &Bounds::maximum);
}

Number Draft::constant(std::string name, int64_t value, int line, std::string formula, std::string comment) {
  PlanConstant constant;
  constant.name = name;
  constant.value = value;
  constant.formula = std::move(formula);
  constant.comment = std::move(comment);
  constant.line = line;
  plan.constants.push_back(std::move(constant));
  return {value, std::move(name)};
}

Diagnostic& Draft::refuse(const Rule& rule, Span span, std::string message) {
  return diagnostics.error(rule, span, std::move(message));
}

void Draft::decide(std::string subject, std::string choice, std::string reason) {
  plan.decisions.push_back({std::move(subject), std::move(choice), std::move(reason)});
}

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

TypedPtr variable(const std::string& name) {
  return make_typed({}, DType::index, {}, Symbol{SymbolKind::loop, -1, name});
}

TypedPtr dim_symbol(const Kernel& kernel, int dim) {
  return make_typed({}, DType::index, {}, Symbol{SymbolKind::dim, dim, kernel.dims[dim].name});
}

TypedPtr add(TypedPtr a, TypedPtr b) {
  if (!a) return b;
  if (!b) return a;
  return index_apply(Op::add, std::move(a), std::move(b));
}

TypedPtr multiply(TypedPtr a, TypedPtr b) { return index_apply(Op::multiply, std::move(a), std::move(b)); }

std::string identifiers_in(const Identifiers& identifiers, const std::string& text) {
  return with_names(text, [&](const std::string& name) { return identifiers.of(name); });
}

TypedPtr typed_constant(DType dtype, Scalar value) { return make_typed({}, dtype, {}, Constant{value, {}}); }

TypedPtr zero_of(DType dtype) {
  if (dtype == DType::boolean) return typed_constant(dtype, false);
  return typed_constant(dtype, info(dtype).is_float ? Scalar(0.0) : Scalar(int64_t{0}));
}

std::string name_in_spec(const Kernel& kernel, const std::string& identifier) {
  std::string found;
  const auto ask = [&](const std::string& name) {
    if (name != identifier && kernel.identifiers.of(name) == identifier) found = name;
  };
  for (const KernelConst& constant : kernel.consts) ask(constant.name);
  for (const Ref& ref : kernel.refs) ask(ref.name);
  for_each_statement(kernel.body, [&](const KernelStmt& statement) {
    if (const auto* bind = std::get_if<BindStmt>(&statement.node)) ask(bind->name);
  });
  return found.empty() ? identifier : found;
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

std::string name_apart(const std::string& name, const std::function<bool(const std::string&)>& is_taken) {
  if (!is_taken(name)) return name;
  std::string apart = name + "_";
  for (int number = 2; is_taken(apart); ++number) apart = name + "_" + std::to_string(number);
  return apart;
}

}  // namespace pallasgen
