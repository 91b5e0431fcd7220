#include "draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "cost.h"
#include "expression/constant_text.h"

namespace pallasgen {

namespace {

// Lets are names for index expressions. In index maps and sizes they are written out, so that what is known of their
// symbols helps; elsewhere, and where they read memory, a role declares them.
TypedPtr without_lets(const Kernel& kernel, const TypedPtr& expr) {
  if (!expr || kernel.lets.empty()) return expr;
  const auto reads_arrays = [](const TypedPtr& value) {
    bool found = false;
    walk(value, [&](const Typed& node) {
      if (const Apply* apply = node.as<Apply>()) found = found || operation(apply->op).group == OpGroup::scalars;
    });
    return found;
  };
  return substitute(expr, [&](const Symbol& symbol) -> TypedPtr {
    if (symbol.kind != SymbolKind::let || reads_arrays(kernel.lets[symbol.id].value)) return nullptr;
    return without_lets(kernel, kernel.lets[symbol.id].value);
  });
}

int64_t slot_bytes(const Ref& ref) {
  int64_t elements = 1;
  for (int64_t size : ref.shape) elements *= std::max<int64_t>(size, 1);
  return elements * std::max(8, info(ref.dtype).bits) / 8;
}

// `stages: auto` of operands alone: what hides the latency of their copies, within half of what the rings of the others
// leave. Beside `stages: auto` of the pipeline, or a producer without a number, they have the pipeline's; what no step
// moves has none.
void choose_own_stages(Kernel& kernel, const Target& target) {
  const PipelineSettings& pipeline = kernel.pipeline;
  const bool shared = pipeline.stages.automatic || (pipeline.warp_specialized.value && !pipeline.stages.value);
  int64_t own = 0, left = target.shared_limit;
  for (Ref& ref : kernel.refs) {
    if (shared || is_view(ref) || !moves_with_steps(kernel, ref)) ref.automatic_stages = false;
    if (ref.role != RefRole::input || is_view(ref)) continue;
    if (ref.automatic_stages)
      own += slot_bytes(ref);
    else
      left -= slot_bytes(ref) * ref.stages.value_or(pipeline.stages.value.value_or(0));
  }
  if (own == 0) return;
  const int64_t hide = stages_to_hide_latency(step_cost(target, 0, static_cast<double>(own)));
  const int64_t fit = std::max<int64_t>(0, left / 2 / own);
  for (Ref& ref : kernel.refs) {
    if (ref.automatic_stages)
      ref.stages = static_cast<int>(std::max<int64_t>(1 + ref.delay_release.value_or(0), std::min(fit, hide)));
  }
}

bool renames_consts(const Kernel& kernel) {
  return std::any_of(kernel.consts.begin(), kernel.consts.end(), [&](const KernelConst& constant) {
    return kernel.identifiers.of(constant.name) != constant.name;
  });
}

// Calls `change` on each expression of the kernel.
void change_expressions(Kernel& kernel, const std::function<void(TypedPtr&)>& change) {
  const auto some = [&](TypedPtr& value) {
    if (value) change(value);
  };
  for (Axis& axis : kernel.axes) some(axis.size);
  for (Let& let : kernel.lets) some(let.value);
  for (Function& function : kernel.functions) some(function.body);
  for (KernelScalar& scalar : kernel.scalars) {
    if (scalar.shape) std::for_each(scalar.shape->begin(), scalar.shape->end(), some);
  }
  for (Ref& ref : kernel.refs) {
    for (TypedPtr& extent : ref.array_shape) some(extent);
    for (TypedPtr& stride : ref.strides) some(stride);
    for (BlockDim& dim : ref.block) {
      for (TypedPtr* value : {&dim.size_expr, &dim.index, &dim.slice_size}) some(*value);
    }
  }
  some(kernel.skip);
  change_values(kernel.body, change);
}

// Constants take the names that they have in the file, for sizes are texts from here on, and the plan's own constants
// may have a name that the spec gave to another.
void rename_consts(Kernel& kernel) {
  change_expressions(kernel, [&](TypedPtr& value) {
    value = rewrite(value, [&](const TypedPtr& node) -> TypedPtr {
      const Constant* constant = node->as<Constant>();
      if (!constant || constant->name.empty()) return nullptr;
      return make_typed(node->span, node->dtype, node->shape,
                        Constant{constant->value, identifiers_in(kernel.identifiers, constant->name)});
    });
  });
}

std::shared_ptr<const Kernel> prepared(std::shared_ptr<const Kernel> source, const Target& target) {
  const bool stages =
      std::any_of(source->refs.begin(), source->refs.end(), [](const Ref& ref) { return ref.automatic_stages; });
  const bool renames = renames_consts(*source);
  if (source->lets.empty() && !stages && !renames) return source;
  auto kernel = std::make_shared<Kernel>(*source);
  if (renames) rename_consts(*kernel);
  if (stages) choose_own_stages(*kernel, target);
  for (Ref& ref : kernel->refs) {
    for (BlockDim& dim : ref.block) {
      dim.index = without_lets(*kernel, dim.index);
      dim.slice_size = without_lets(*kernel, dim.slice_size);
    }
  }
  for (Axis& axis : kernel->axes) axis.size = without_lets(*kernel, axis.size);
  return kernel;
}

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

Draft::Draft(std::shared_ptr<const Kernel> source, const Target& target_in, Diagnostics& diagnostics_in)
    : kernel(prepared(std::move(source), target_in)),
      target(&target_in),
      diagnostics(diagnostics_in),
      facts(kernel->facts()) {
  plan.kernel = kernel;
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
