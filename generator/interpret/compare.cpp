#include <algorithm>
#include <cmath>
#include <limits>

#include "arguments.h"
#include "diagnostics/assert.h"
#include "fault.h"
#include "interpret/interpret.h"

namespace pallasgen {
using namespace interpreter;
namespace {

// The distance from 1 to the next value of a float dtype.
double unit(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return 0x1p-52;
    case DType::f32:
      return 0x1p-23;
    case DType::f16:
      return 0x1p-10;
    case DType::bf16:
      return 0x1p-7;
    case DType::f8e4m3:
      return 0x1p-3;
    case DType::f8e5m2:
      return 0x1p-2;
    case DType::f4e2m1:
      return 0x1p-1;
    default:
      return 1;  // f8e8m0
  }
}

bool accumulates(Op op) {
  return op == Op::sum || op == Op::mean || op == Op::prod || op == Op::cumsum || op == Op::dot;
}

// Elements that one sum or dot of the expression adds up, at most.
int64_t longest_sum(const TypedPtr& expr) {
  int64_t longest = 0;
  if (!expr) return longest;
  walk(expr, [&](const Typed& node) {
    const auto* apply = node.as<Apply>();
    if (!apply || !accumulates(apply->op)) return;
    const Shape& shape = apply->args[0]->shape;
    int64_t length = 1;
    if (apply->op == Op::dot) {
      if (shape.size() >= 2) length = shape[shape.size() - (apply->attributes.trans_a ? 2 : 1)];
    } else if (apply->attributes.axes.empty()) {
      length = std::max<int64_t>(elements_of(shape), 1);
    } else {
      for (int64_t axis : apply->attributes.axes) length *= shape[static_cast<size_t>(axis)];
    }
    longest = std::max(longest, length);
  });
  return longest;
}

int64_t longest_sum(const KernelStmts& statements) {
  int64_t longest = 0;
  const auto take = [&](int64_t length) { longest = std::max(longest, length); };
  for_each_value(statements, [&](const TypedPtr& value) { take(longest_sum(value)); });
  return longest;
}

// Steps of the last program, which has as many as any where sizes of sequential axes grow with the axes before.
int64_t steps_of(const Kernel& kernel, const std::map<std::string, int64_t>& dims) {
  Environment environment = environment_of(kernel, {dims, {}, {}});
  Evaluator evaluator(environment);
  const size_t first = kernel.axes.size() - static_cast<size_t>(kernel.sequential_axes());
  int64_t steps = 1;
  try {
    for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
      const int64_t size = std::max<int64_t>(evaluator.integer(kernel.axes[axis].size), 1);
      environment.axis_sizes[axis] = size;
      environment.axes[axis] = size - 1;
      if (axis >= first) steps *= size;
    }
  } catch (const Fault&) {  // interpret() reports it
    return 1;
  }
  return steps;
}

}  // namespace

Difference compare(const Array& got, const Array& want, double tolerance) {
  PALLASGEN_ASSERT(got.dtype == want.dtype && got.shape == want.shape);
  Difference difference;
  if (got.bytes == want.bytes) return difference;
  const Value a = value_of(got), b = value_of(want);
  const bool exact = !is_float(got.dtype);
  for (int64_t i = 0; i < a.size(); ++i) {
    if (exact && integer_of(a, i) == integer_of(b, i)) continue;
    const double x = double_of(a, i), y = double_of(b, i);
    if (!exact && (x == y || (std::isnan(x) && std::isnan(y)))) continue;
    // Two 64-bit integers may differ and be one double.
    const double absolute = std::max(std::fabs(x - y), exact ? 1.0 : 0.0);
    const bool comparable = std::isfinite(x) && std::isfinite(y);
    if (comparable) {
      difference.max_absolute = std::max(difference.max_absolute, absolute);
      difference.max_relative =
          std::max(difference.max_relative, absolute / std::max(std::fabs(y), std::numeric_limits<double>::min()));
    } else {
      difference.max_absolute = difference.max_relative = std::numeric_limits<double>::infinity();
    }
    if (difference.equal && !(comparable && absolute <= tolerance * std::max(1.0, std::fabs(y)))) {
      difference.equal = false;
      difference.first = i;
      difference.got = x;
      difference.want = y;
    }
  }
  return difference;
}

double default_tolerance(const Kernel& kernel, const Ref& output, const std::map<std::string, int64_t>& dims) {
  if (!is_float(output.dtype)) return 0;
  const double roundings = info(output.dtype).bits < 32 ? 1 : 16;
  const double half_unit_of_sums = unit(output.dtype == DType::f64 ? DType::f64 : DType::f32) / 2;
  const int64_t terms = longest_sum(kernel.body);
  const double sums =
      terms > 0 ? 4 * half_unit_of_sums * static_cast<double>(terms) * static_cast<double>(steps_of(kernel, dims)) : 0;
  // The coarsest approximation is tanh's, 2^-11; what follows it may make more of its error.
  const double approximations = kernel.approximate_math ? 0x1p-9 : 0;
  return roundings * unit(output.dtype) + sums + approximations;
}

}  // namespace pallasgen
