#include "gradients.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "check/gradients.h"
#include "sensitivity.h"

namespace pallasgen {

namespace {

using Arrays = std::map<std::string, Array>;

// Step of the difference: the largest move of an element along the gradient, the mean one in a random direction. The
// third derivative leaves an error of about 2^-26 of itself, rounding in f64 one of about 2^-39.
constexpr double kStep = 0x1p-13;
constexpr int kRandomDirections = 2;
constexpr double kLargestTolerance = 0.25;
constexpr int64_t kFewElements = int64_t{1} << 16;  // in all inputs and outputs
constexpr int kElementsLookedAt = 8;
constexpr size_t kSpread = 0x9e3779b1;  // a prime: its multiples spread evenly over any array

std::optional<int64_t> index_at(const TypedPtr& expr, const Kernel& kernel, const Arguments& arguments) {
  return evaluate_index(expr, [&](const Symbol& symbol) -> std::optional<int64_t> {
    if (symbol.kind == SymbolKind::num_sms) return arguments.num_sms;
    if (symbol.kind != SymbolKind::dim) return std::nullopt;
    const auto found = arguments.dims.find(kernel.dims[static_cast<size_t>(symbol.id)].name);
    return found == arguments.dims.end() ? std::nullopt : std::optional(found->second);
  });
}

// The dims of a gradient kernel; empty if the kernel does not accept them.
std::optional<std::map<std::string, int64_t>> dims_at(const Kernel& forward, const GradientStep& step,
                                                      const Arguments& arguments) {
  std::map<std::string, int64_t> dims;
  for (size_t i = 0; i < step.dims.size(); ++i) {
    const Dim& dim = step.kernel->dims[i];
    const std::optional<int64_t> size = index_at(step.dims[i], forward, arguments);
    if (!size || *size < dim.min || (dim.max && *size > *dim.max) || *size % dim.multiple_of != 0) return std::nullopt;
    dims[dim.name] = *size;
  }
  return dims;
}

bool takes(const Kernel& forward, const Arguments& arguments) {
  return std::all_of(forward.gradients->steps.begin(), forward.gradients->steps.end(),
                     [&](const GradientStep& step) { return dims_at(forward, step, arguments).has_value(); });
}

int64_t elements_of(const ForwardRun& run) {
  int64_t elements = 0;
  for (const Arrays* arrays : {&run.arguments->arrays, run.outputs}) {
    for (const auto& [name, array] : *arrays) {
      if (array.size() == 0) return 0;
      elements += array.size();
    }
  }
  return elements;
}

// The largest run of at most kFewElements elements, otherwise the smallest run.
const ForwardRun* run_for_gradients(const Kernel& forward, const std::vector<ForwardRun>& runs) {
  const ForwardRun* best = nullptr;
  for (const ForwardRun& run : runs) {
    const int64_t elements = elements_of(run);
    if (elements == 0 || !takes(forward, *run.arguments)) continue;
    const int64_t before = best ? elements_of(*best) : 0;
    const bool larger = before <= kFewElements && elements <= kFewElements && elements > before;
    const bool smaller = before > kFewElements && elements < before;
    if (!best || larger || smaller) best = &run;
  }
  return best;
}

// Runs the gradient kernels. Returns all arrays by their names in the chain, or nothing after an error.
std::optional<Arrays> run_gradients(const Kernel& forward, const ForwardRun& run, Diagnostics& diagnostics) {
  Arrays flows = run.arguments->arrays;
  flows.insert(run.outputs->begin(), run.outputs->end());
  for (const auto& [output, name] : forward.gradients->cotangents) {
    const Array& array = run.outputs->at(output);
    flows[name] = seeded_array(array.dtype, array.shape, run.seed, "cotangent of " + output);
  }
  for (const GradientStep& step : forward.gradients->steps) {
    const Kernel& kernel = *step.kernel;
    Arguments arguments;
    arguments.num_sms = run.arguments->num_sms;
    arguments.dims = *dims_at(forward, step, *run.arguments);
    for (const auto& [name, value] : step.scalars) {
      const std::string* from = std::get_if<std::string>(&value);
      arguments.scalars[name] = from ? run.arguments->scalars.at(*from) : std::get<Scalar>(value);
    }
    for (const auto& [name, here] : step.inputs) {
      Array array = flows.at(here);
      array.shape.clear();
      const Ref* ref = kernel.find_ref(name);
      const auto scalar = std::find_if(kernel.scalars.begin(), kernel.scalars.end(),
                                       [&, &key = name](const KernelScalar& row) { return row.name == key; });
      for (const TypedPtr& extent : ref ? ref->array_shape : *scalar->shape)
        array.shape.push_back(index_at(extent, kernel, arguments).value_or(-1));
      arguments.arrays[name] = std::move(array);
    }
    if (!complete_arguments(kernel, arguments, diagnostics)) return std::nullopt;
    std::optional<Arrays> made = interpret(kernel, arguments, {}, diagnostics);
    if (!made) return std::nullopt;
    for (const auto& [name, here] : step.outputs) flows[here] = std::move(made->at(name));
  }
  return flows;
}

// The sum of the outputs times their cotangents, in f64, as a function of the inputs.
class Objective {
 public:
  Objective(const Kernel& forward, const ForwardRun& run, const Arrays& flows, Diagnostics& diagnostics)
      : forward_(forward), arguments_(*run.arguments), diagnostics_(diagnostics) {
    for (auto& [name, array] : arguments_.arrays) array = in_f64(array);
    for (const auto& [output, name] : forward.gradients->cotangents) cotangents_[output] = in_f64(flows.at(name));
  }

  // The value with an input moved by `factor` times the direction; NaN after an error.
  double at(const std::string& input, const std::vector<double>& direction, double factor) {
    Arguments moved = arguments_;
    Array& array = moved.arrays.at(input);
    for (int64_t i = 0; i < array.size(); ++i) array.set(i, array.at(i) + factor * direction[static_cast<size_t>(i)]);
    const auto outputs = forward_.spec->reference.present()
                             ? evaluate_reference(forward_, moved, diagnostics_, true)
                             : interpret(forward_, moved, {.in_f64 = true}, diagnostics_);
    if (!outputs) return std::nan("");
    double sum = 0;
    for (const auto& [output, cotangent] : cotangents_) {
      const Array& values = outputs->at(output);
      for (int64_t i = 0; i < values.size(); ++i) sum += values.at(i) * cotangent.at(i);
    }
    return sum;
  }

  // The derivative along the direction, by a central difference.
  double slope(const std::string& input, const std::vector<double>& direction) {
    return (at(input, direction, kStep) - at(input, direction, -kStep)) / (2 * kStep);
  }

 private:
  const Kernel& forward_;
  Arguments arguments_;
  Arrays cotangents_;
  Diagnostics& diagnostics_;
};

// The unit of the coarsest rounding on the way to a gradient: by stores, by casts and by tf32 products. Scales without
// a fraction (f8e8m0) do not count.
double coarsest_unit(const Kernel& forward) {
  double unit = unit_of(DType::f32);
  bool approximate = forward.approximate_math;
  const auto add = [&](DType dtype) {
    if (info(dtype).is_float && dtype != DType::f8e8m0 && dtype != DType::f64) unit = std::max(unit, unit_of(dtype));
  };
  const auto add_kernel = [&](const Kernel& kernel) {
    for (const Ref& ref : kernel.refs)
      if (ref.role != RefRole::input) add(ref.dtype);
    for_each_value(kernel.body, [&](const TypedPtr& value) {
      walk(value, [&](const Typed& node) {
        if (node.applies(Op::cast)) add(node.dtype);
        const Apply* dot = node.applies(Op::dot);
        if (dot && dot->attributes.precision == "tf32") add(DType::f16);  // as many bits of fraction
      });
    });
    approximate = approximate || kernel.approximate_math;
  };
  add_kernel(forward);
  for (const GradientStep& step : forward.gradients->steps) add_kernel(*step.kernel);
  return std::max(unit, approximate ? 0x1p-11 : 0.0);
}

double norm_of(const std::vector<double>& x) {
  double squares = 0;
  for (const double value : x) squares += value * value;
  return std::sqrt(squares);
}

double product_of(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

// Describes the element, among a few, whose derivative is farthest from the gradient.
std::string worst_element(Objective& objective, const std::string& input, const Shape& shape,
                          const std::vector<double>& gradient) {
  const auto larger = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const size_t size = gradient.size();
  std::string text;
  double worst = -1;
  for (int n = 0; n < kElementsLookedAt; ++n) {
    const size_t at =
        n == 0 ? static_cast<size_t>(std::max_element(gradient.begin(), gradient.end(), larger) - gradient.begin())
               : static_cast<size_t>(n) * kSpread % size;
    std::vector<double> one(size, 0.0);
    one[at] = 1;
    const double found = objective.slope(input, one), apart = std::abs(found - gradient[at]);
    if (apart <= worst) continue;
    worst = apart;
    Shape index(shape.size());
    int64_t rest = static_cast<int64_t>(at);
    for (size_t d = shape.size(); d-- > 0; rest /= shape[d]) index[d] = rest % shape[d];
    text = fmt::format("at {}[{}] differences give {:.6g}, the gradient is {:.6g}", input, fmt::join(index, ", "),
                       found, gradient[at]);
  }
  return text;
}

ChainRow check_gradient(const Kernel& forward, const ForwardRun& run, const std::string& input, const std::string& name,
                        const Arrays& flows, Diagnostics& diagnostics) {
  ChainRow row{run.text, fmt::format("gradient {} of {}", name, input), true, 0, 0, ""};
  row.tolerance = std::min(4 * coarsest_unit(forward) + 0x1p-12, kLargestTolerance);
  const Array& array = flows.at(name);
  std::vector<double> gradient;
  for (int64_t i = 0; i < array.size(); ++i) gradient.push_back(array.at(i));
  const double size = norm_of(gradient), elements = static_cast<double>(gradient.size());
  double largest = 0;
  for (const double value : gradient) largest = std::max(largest, std::abs(value));
  Objective objective(forward, run, flows, diagnostics);
  for (int n = 0; n <= kRandomDirections && row.passed; ++n) {
    std::vector<double> direction;
    if (n == 0) {
      for (const double value : gradient) direction.push_back(largest > 0 ? value / largest : 0);
    } else {
      const Array drawn = seeded_array(DType::f64, array.shape, run.seed, fmt::format("direction {} of {}", n, input));
      for (int64_t i = 0; i < drawn.size(); ++i) direction.push_back(drawn.at(i));
    }
    const double told = product_of(gradient, direction), found = objective.slope(input, direction);
    // In a random direction the derivative is about as large as the gradient's norm, but may be close to 0.
    const double scale = std::max(std::abs(told), size * norm_of(direction) / std::sqrt(elements));
    const double apart = std::abs(found - told);
    const double allowed = row.tolerance * scale + 0x1p-30;
    row.max_error = std::max(row.max_error, scale > 0 ? apart / scale : apart);
    row.of_allowed = std::max(row.of_allowed, apart / allowed);
    if (apart <= allowed) continue;
    row.passed = false;
    row.failure = fmt::format(
        "moving '{}' {}, the outputs times their cotangents change by {:.6g} a unit, '{}' says "
        "{:.6g}; {}",
        input, n == 0 ? "along its gradient" : "in a random direction", found, name, told,
        worst_element(objective, input, run.arguments->arrays.at(input).shape, gradient));
  }
  return row;
}

}  // namespace

std::vector<ChainRow> check_gradients(const Kernel& kernel, const std::vector<ForwardRun>& runs, bool all_tests) {
  const ForwardRun* run = run_for_gradients(kernel, runs);
  if (!run && !all_tests) return {};
  if (!run) {
    const std::string none = "no test has sizes that the kernels of `vjp` take and no empty array";
    return {{"(any test)", "gradients", false, 0, 0, none}};
  }
  Diagnostics diagnostics;
  std::vector<ChainRow> rows;
  const std::optional<Arrays> flows = run_gradients(kernel, *run, diagnostics);
  if (flows) {
    for (const auto& [input, name] : kernel.gradients->gradients) {
      rows.push_back(check_gradient(kernel, *run, input, name, *flows, diagnostics));
      if (diagnostics.has_errors()) break;
    }
  }
  if (!diagnostics.has_errors()) return rows;
  return {{run->text, "gradients", false, 0, 0, render(diagnostics, ErrorFormat::text, false)}};
}

}  // namespace pallasgen
