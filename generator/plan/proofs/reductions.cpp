#include "proofs/reductions.h"

#include <limits>

#include "layout/warps.h"
#include "program/index_terms.h"
#include "proofs/element_site.h"

namespace pallasgen {

namespace {

int64_t lowest_integer(DType dtype) {
  const int bits = info(dtype).bits;
  return info(dtype).is_signed ? (bits == 64 ? INT64_MIN : -(int64_t{1} << (bits - 1))) : 0;
}

int64_t highest_integer(DType dtype) {
  const int bits = info(dtype).bits - (info(dtype).is_signed ? 1 : 0);
  return bits >= 64 ? -1 : static_cast<int64_t>((uint64_t{1} << bits) - 1);  // u64: all bits set
}

}  // namespace

DType accumulator(Op op, DType dtype) {
  const bool sums = op == Op::sum || op == Op::prod || op == Op::mean || op == Op::cumsum || op == Op::dot;
  return sums && info(dtype).is_float && info(dtype).bits < 32 ? DType::f32 : dtype;
}

TypedPtr neutral(Op op, DType dtype) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const bool is_float = info(dtype).is_float;
  switch (op) {
    case Op::any:
      return typed_constant(DType::boolean, false);
    case Op::all:
      return typed_constant(DType::boolean, true);
    case Op::max:
    case Op::argmax:
    case Op::cummax:
      if (dtype == DType::f8e8m0) return typed_constant(dtype, 0x1p-127);  // it has no sign
      return typed_constant(dtype, is_float ? Scalar(-kInfinity) : Scalar(lowest_integer(dtype)));
    case Op::min:
    case Op::argmin:
      return typed_constant(dtype, is_float ? Scalar(kInfinity) : Scalar(highest_integer(dtype)));
    case Op::prod:
      return typed_constant(dtype, is_float ? Scalar(1.0) : Scalar(int64_t{1}));
    default:
      return typed_constant(dtype, is_float ? Scalar(0.0) : Scalar(int64_t{0}));
  }
}

std::optional<Op> combination(Op op) {
  if (op == Op::mean || op == Op::cumsum) return Op::sum;
  if (op == Op::cummax) return Op::max;
  const bool known =
      op == Op::sum || op == Op::prod || op == Op::max || op == Op::min || op == Op::any || op == Op::all;
  return known ? std::optional(op) : std::nullopt;
}

void note_terms(const TypedPtr& expr, int value, Op reduction, std::set<const Typed*>& terms) {
  const Apply* apply = expr->as<Apply>();
  if (!apply) return;
  const auto uses_value = [&](const TypedPtr& operand) {
    bool found = false;
    walk(operand, [&](const Typed& node) {
      const auto* use = node.as<LocalUse>();
      found = found || (use && use->id == value);
    });
    return found;
  };
  if (apply->op == reduction) terms.insert(expr.get());
  const bool combines = apply->op == combining(reduction), scales = reduction == Op::sum && apply->op == Op::multiply;
  for (const TypedPtr& operand : apply->args) {
    if (combines || (scales && uses_value(operand))) note_terms(operand, value, reduction, terms);
  }
}

TypedPtr cast_to(const TypedPtr& value, DType dtype) {
  if (value->dtype == dtype) return value;
  return make_typed(value->span, dtype, value->shape, Apply{Op::cast, {value}, {}});
}

TypedPtr scalar_apply(Span span, Op op, DType dtype, std::vector<TypedPtr> args) {
  return make_typed(span, dtype, {}, Apply{op, std::move(args), {}});
}

bool takes_warps(const Kernel& kernel, const TypedPtr& node) {
  constexpr int64_t kTermsOfWarp = 2 * kWarp;       // two for each lane
  constexpr int64_t kResultsOfThreads = 4 * kWarp;  // enough results to keep threads busy with one each
  const Apply* apply = node->as<Apply>();
  if (!apply || operation(apply->op).group != OpGroup::reduce) return false;
  if (!kernel.checks.empty()) return false;  // a thread that has found a fault leaves its warp
  const std::vector<int64_t>& axes = apply->attributes.axes;
  const Shape& shape = apply->args[0]->shape;
  const auto last = static_cast<int64_t>(shape.size()) - 1;
  int64_t results = std::max<int64_t>(elements_of(node->shape), 1);
  if (is_scan(apply->op))  // the results are its lines
    results /= std::max<int64_t>(shape[static_cast<size_t>(axes.at(0))], 1);
  const int64_t terms = elements_of(shape) / results;
  const bool along_rows = axes.empty() || std::find(axes.begin(), axes.end(), last) != axes.end();
  return terms >= kTermsOfWarp && (along_rows || results < kResultsOfThreads);
}

bool is_computed_whole(const Kernel& kernel, const TypedPtr& node) {
  const Apply* apply = node->as<Apply>();
  if (apply && is_scan(apply->op)) return elements_of(node->shape) > 1;
  const RefRead* read = node->as<RefRead>();
  return (read && read->order != pallasgen::MemoryOrder::weak) || takes_warps(kernel, node);
}

}  // namespace pallasgen
