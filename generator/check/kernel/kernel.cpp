#include "check/kernel.h"

#include <algorithm>

namespace pallasgen {

namespace {

std::optional<int64_t> at_least(std::optional<int64_t> value, int64_t least) {
  return value ? std::optional<int64_t>(std::max(*value, least)) : std::nullopt;
}

Bounds size_bounds(const Kernel& kernel, int axis) {
  const TypedPtr& size = kernel.axes[axis].size;
  if (!size) return {0, std::nullopt};
  const Bounds range = bounds(size, kernel.facts());
  return {std::max<int64_t>(range.minimum.value_or(0), 0), at_least(range.maximum, 0)};
}

Bounds symbol_bounds(const Kernel& kernel, const Symbol& symbol) {
  switch (symbol.kind) {
    case SymbolKind::dim:
      return {kernel.dims[symbol.id].min, kernel.dims[symbol.id].max};
    case SymbolKind::axis_size:
      return size_bounds(kernel, symbol.id);
    case SymbolKind::axis: {
      const Bounds size = size_bounds(kernel, symbol.id);
      return {0, size.maximum ? std::optional<int64_t>(std::max<int64_t>(*size.maximum - 1, 0)) : std::nullopt};
    }
    case SymbolKind::let:
      return bounds(kernel.lets[symbol.id].value, kernel.facts());
    case SymbolKind::num_sms:
      return {1, std::nullopt};
    case SymbolKind::ticket:
      return {0, std::nullopt};
    default:
      return {};
  }
}

int64_t symbol_multiple(const Kernel& kernel, const Symbol& symbol) {
  switch (symbol.kind) {
    case SymbolKind::dim:
      return kernel.dims[symbol.id].multiple_of;
    case SymbolKind::axis_size:
      return kernel.axes[symbol.id].size ? multiple_of(kernel.axes[symbol.id].size, kernel.facts()) : 1;
    case SymbolKind::let:
      return multiple_of(kernel.lets[symbol.id].value, kernel.facts());
    default:
      return 1;
  }
}

// The axis whose first or last step `condition` tests, and which of the two; axis -1 if it tests neither.
struct StepTest {
  int axis = -1;
  GuardKind kind = GuardKind::none;
};

// The expression with all lets replaced by their values.
TypedPtr with_lets_expanded(const Kernel& kernel, const TypedPtr& expr) {
  if (!expr || kernel.lets.empty()) return expr;
  return substitute(expr, [&](const Symbol& symbol) {
    return symbol.kind == SymbolKind::let ? with_lets_expanded(kernel, kernel.lets[symbol.id].value) : nullptr;
  });
}

StepTest step_test(const Kernel& kernel, const TypedPtr& guard) {
  const TypedPtr condition = with_lets_expanded(kernel, guard);
  const Apply* test = condition->applies(Op::equal);
  if (!test || test->args[0]->dtype != DType::index) return {};
  for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    if (!kernel.axes[axis].sequential) continue;
    const int id = static_cast<int>(axis);
    // In the difference of both sides, the axis must have the coefficient 1 or -1; the rest gives the step.
    const TypedPtr size = with_lets_expanded(kernel, kernel.axes[axis].size);
    const auto named_size = [&](const TypedPtr& side) {
      if (!size || constant_value(size)) return side;
      // replaces `cdiv(K, bk) - 1` by `num_programs(k) - 1`
      const Apply* minus = side->applies(Op::subtract);
      if (!minus || !equal(minus->args[0], simplify(size))) return side;
      return index_apply(
          Op::subtract,
          make_typed(side->span, DType::index, {}, Symbol{SymbolKind::axis_size, id, kernel.axes[axis].name}),
          minus->args[1]);
    };
    std::optional<Affine> difference =
        affine(index_apply(Op::subtract, named_size(test->args[0]), named_size(test->args[1])));
    if (!difference || difference->terms.empty()) continue;
    int64_t own = 0, steps = 0, other = 0;
    for (const Affine::Term& term : difference->terms) {
      if (term.symbol.kind == SymbolKind::axis && term.symbol.id == id) {
        own = term.coefficient;
      } else if (term.symbol.kind == SymbolKind::axis_size && term.symbol.id == id) {
        steps = term.coefficient;
      } else {
        ++other;
      }
    }
    if ((own != 1 && own != -1) || other > 0) continue;
    const int64_t constant = -difference->constant * own;  // k == constant - own * steps * size
    if (steps == 0 && constant == 0) return {id, GuardKind::first};
    if (steps == -own && constant == -1) return {id, GuardKind::last};
    const std::optional<int64_t> known = constant_value(size);
    if (known && steps == 0 && constant == *known - 1) return {id, GuardKind::last};
  }
  return {};
}

void collect(const Kernel& kernel, const TypedPtr& condition, std::vector<StepTest>& tests) {
  if (const Apply* both = condition->applies(Op::logical_and)) {
    collect(kernel, both->args[0], tests);
    collect(kernel, both->args[1], tests);
  } else {
    tests.push_back(step_test(kernel, condition));
  }
}

}  // namespace

int Kernel::sequential_axes() const {
  return static_cast<int>(std::count_if(axes.begin(), axes.end(), [](const Axis& axis) { return axis.sequential; }));
}

const Ref* Kernel::find_ref(const std::string& wanted) const {
  for (const Ref& ref : refs) {
    if (ref.name == wanted) return &ref;
  }
  return nullptr;
}

std::string_view name_of(AtomicOp op) {
  static constexpr std::string_view kNames[] = {"atomic_add", "atomic_max", "atomic_min",  "atomic_and",
                                                "atomic_or",  "atomic_xor", "atomic_xchg", "atomic_cas"};
  return kNames[static_cast<size_t>(op)];
}

bool is_view(const Ref& ref) {
  return ref.role == RefRole::workspace || (ref.role != RefRole::scratch && ref.space == MemorySpace::gmem);
}

SymbolFacts Kernel::facts() const {
  return {[this](const Symbol& symbol) { return symbol_bounds(*this, symbol).minimum; },
          [this](const Symbol& symbol) { return symbol_bounds(*this, symbol).maximum; },
          [this](const Symbol& symbol) { return symbol_multiple(*this, symbol); }};
}

GuardKind guard_kind(const Kernel& kernel, const TypedPtr& condition) {
  const int wanted = kernel.sequential_axes();
  if (wanted == 0 || !condition) return GuardKind::none;
  std::vector<StepTest> tests;
  collect(kernel, condition, tests);
  std::vector<bool> seen(kernel.axes.size());
  for (const StepTest& test : tests) {
    if (test.axis < 0 || test.kind != tests[0].kind || seen[test.axis]) return GuardKind::none;
    seen[test.axis] = true;
  }
  return std::count(seen.begin(), seen.end(), true) == wanted ? tests[0].kind : GuardKind::none;
}

GuardKind guard_kind(const Kernel& kernel, const TypedPtr& condition, int axis) {
  const StepTest test = step_test(kernel, condition);
  return test.axis == axis ? test.kind : GuardKind::none;
}

}  // namespace pallasgen
