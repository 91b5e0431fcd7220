#include "launch/products.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace pallasgen {

namespace {

class Products {
 public:
  Products(const Kernel& kernel, SymbolFacts facts, std::vector<Requirement>& out)
      : kernel_(kernel), facts_(std::move(facts)), out_(out) {}

  // Requires that each operation of the expression fits in 64 bits, and that none divides by 0.
  void require(const TypedPtr& expr) {
    if (!expr) return;
    if (const Symbol* symbol = expr->as<Symbol>(); symbol && symbol->kind == SymbolKind::let)
      require(kernel_.lets[symbol->id].value);
    const Apply* apply = expr->as<Apply>();
    if (!apply) return;
    // A nested product is one product of all its factors.
    std::vector<TypedPtr> parts;
    collect(expr, parts);
    // The branches of a condition may not be computed; the condition always is.
    const bool chooses = apply->op == Op::where;
    if (chooses) require(apply->args[0]);
    guards_ += chooses;
    for (const TypedPtr& part : parts.front() == expr ? apply->args : parts)
      if (!chooses || part != apply->args[0]) require(part);
    guards_ -= chooses;
    if (apply->op == Op::cdiv || apply->op == Op::floor_divide || apply->op == Op::modulo) divide_by(apply->args[1]);
    const bool grows = apply->op == Op::add || apply->op == Op::subtract || apply->op == Op::negate ||
                       apply->op == Op::multiply || apply->op == Op::power || apply->op == Op::shift_left;
    const Bounds range = bounds(expr, facts_);
    if (grows && expr->dtype == DType::index && !(range.minimum && range.maximum)) limit(expr);
  }

 private:
  const Kernel& kernel_;
  SymbolFacts facts_;
  std::vector<Requirement>& out_;
  int guards_ = 0;

  void divide_by(const TypedPtr& divisor) {
    const Bounds range = bounds(divisor, facts_);
    if (guards_ > 0 || range.minimum.value_or(0) > 0 || range.maximum.value_or(0) < 0) return;
    Requirement requirement{};
    requirement.kind = RequirementKind::condition;
    requirement.conditions = {
        make_typed(divisor->span, DType::boolean, {}, Apply{Op::not_equal, {divisor, index_constant(0)}, {}})};
    requirement.message = to_string(divisor) + " must not be 0";
    const auto same = [&](const Requirement& other) { return other.message == requirement.message; };
    if (std::none_of(out_.begin(), out_.end(), same)) out_.push_back(std::move(requirement));
  }

  // Requires the products in an expression to be so small that sums of them fit in 64 bits.
  void limit(const TypedPtr& expr) {
    const Bounds range = bounds(expr, facts_);
    if (range.minimum && *range.minimum > -kProductLimit && range.maximum && *range.maximum < kProductLimit) return;
    const Apply* apply = expr->as<Apply>();
    switch (apply ? apply->op : Op::multiply) {
      case Op::add:
      case Op::subtract:
      case Op::negate:
      case Op::minimum:
      case Op::maximum:
        for (const TypedPtr& arg : apply->args) limit(arg);
        return;
      case Op::where:
        limit(apply->args[1]);
        return limit(apply->args[2]);
      case Op::cdiv:
      case Op::floor_divide:
        return limit(apply->args[0]);
      default:
        break;
    }
    Requirement requirement{};
    requirement.kind = RequirementKind::product_fits;
    collect(expr, requirement.values);
    const auto same = [&](const Requirement& other) {
      return other.kind == requirement.kind &&
             std::is_permutation(other.values.begin(), other.values.end(), requirement.values.begin(),
                                 requirement.values.end(),
                                 [](const TypedPtr& a, const TypedPtr& b) { return equal(a, b); });
    };
    if (std::any_of(out_.begin(), out_.end(), same)) return;
    const bool negative = range.minimum.value_or(-1) < 0;
    requirement.message =
        fmt::format("{} must be {}", to_string(expr), negative ? "between -2^53 and 2^53" : "below 2^53");
    out_.push_back(std::move(requirement));
  }

  static void collect(const TypedPtr& expr, std::vector<TypedPtr>& factors) {
    const Apply* apply = expr->as<Apply>();
    const std::optional<int64_t> second =
        apply && apply->args.size() == 2 ? constant_value(apply->args[1]) : std::nullopt;
    if (apply && apply->op == Op::multiply) {
      collect(apply->args[0], factors);
      collect(apply->args[1], factors);
    } else if (apply && apply->op == Op::power && second && *second <= 64) {
      factors.insert(factors.end(), static_cast<size_t>(*second), apply->args[0]);
    } else if (apply && apply->op == Op::shift_left && second && *second < 63) {
      collect(apply->args[0], factors);
      factors.push_back(index_constant(int64_t{1} << *second));
    } else {
      factors.push_back(expr);
    }
  }

  static constexpr int64_t kProductLimit = int64_t{1} << 53;
};

}  // namespace

void require_products(Draft& draft, size_t at) {
  const Kernel& kernel = *draft.kernel;
  LaunchPlan& launch = draft.plan.launch;
  SymbolFacts facts = draft.facts;
  const auto within = [&](const Symbol& symbol, bool maximum) -> std::optional<int64_t> {
    if (symbol.kind != SymbolKind::scalar) return maximum ? INT32_MAX : 0;
    const DTypeInfo& dtype = info(kernel.scalars[symbol.id].dtype);
    if (dtype.bits >= 64) return std::nullopt;
    if (maximum) return (int64_t{1} << (dtype.bits - dtype.is_signed)) - 1;
    return dtype.is_signed ? -(int64_t{1} << (dtype.bits - 1)) : 0;
  };
  facts.minimum = [&, known = draft.facts.minimum](const Symbol& symbol) {
    const std::optional<int64_t> found = known(symbol);
    return found ? found : within(symbol, false);
  };
  facts.maximum = [&, known = draft.facts.maximum](const Symbol& symbol) {
    const std::optional<int64_t> found = known(symbol);
    return found ? found : within(symbol, true);
  };
  std::vector<Requirement> requirements;
  Products all(kernel, facts, requirements), workspace(kernel, facts, launch.workspace_requirements);
  for (const LaunchSize& size : launch.sizes) {
    if (!size.on_device) all.require(size.value);
  }
  for (const Ref& ref : kernel.refs) {
    if (ref.role != RefRole::input && ref.role != RefRole::output) continue;
    for (const TypedPtr& extent : ref.array_shape) all.require(extent);
    for (const TypedPtr& stride : ref.strides) all.require(stride);
  }
  for (const KernelScalar& scalar : kernel.scalars) {
    for (const TypedPtr& extent : scalar.shape.value_or(std::vector<TypedPtr>())) all.require(extent);
  }
  for (const WorkspacePart& part : launch.workspace) {
    for (const TypedPtr& extent : part.extents) {
      all.require(extent);
      workspace.require(extent);
    }
  }
  launch.requirements.insert(launch.requirements.begin() + static_cast<std::ptrdiff_t>(at), requirements.begin(),
                             requirements.end());
}

}  // namespace pallasgen
