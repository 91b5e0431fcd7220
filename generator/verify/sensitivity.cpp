#include "sensitivity.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace pallasgen {

namespace {

using Outputs = std::optional<std::map<std::string, Array>>;

constexpr uint64_t kMoves = 4;

Outputs outputs_of(const Kernel& kernel, const Arguments& arguments) {
  Diagnostics running;  // dropped: the run in the kernel's own dtypes has reported them
  return interpret(kernel, arguments, {.in_f64 = true}, running);
}

// The arguments in f64, with each float moved by a random part of its last place.
Arguments moved(const Arguments& arguments, uint64_t seed) {
  Arguments result = arguments;
  for (auto& [name, array] : result.arrays) {
    if (!info(array.dtype).is_float) continue;
    const double half_unit = unit_of(array.dtype == DType::f64 ? DType::f64 : DType::f32) / 2;
    const Array parts = seeded_array(DType::f64, array.shape, seed, name + " moved");
    array = in_f64(array);
    for (int64_t i = 0; i < array.size(); ++i) array.set(i, array.at(i) * (1 + half_unit * parts.at(i)));
  }
  return result;
}

// The distance of two elements; 0 if it is not finite.
double distance(const Array& a, const Array& b, int64_t i) {
  const double apart = std::fabs(a.at(i) - b.at(i));
  return std::isfinite(apart) ? apart : 0;
}

// True if the kernel rounds to a narrower float anywhere except in a store.
bool rounds_on_the_way(const Kernel& kernel) {
  bool found = false;
  const auto visit = [&](const Typed& node) {
    const Apply* cast = node.applies(Op::cast);
    const auto width = [](const TypedPtr& value) { return info(value->dtype).is_float ? info(value->dtype).bits : 0; };
    found = found || (cast && info(node.dtype).is_float && info(node.dtype).bits < width(cast->args[0]));
  };
  for_each_statement(kernel.body, [&](const KernelStmt& statement) {
    const auto* store = std::get_if<StoreStmt>(&statement.node);
    const Apply* last = store ? store->value->applies(Op::cast) : nullptr;
    if (last)
      walk(last->args[0], visit);
    else if (!std::holds_alternative<ForStmt>(statement.node) && !std::holds_alternative<WhenStmt>(statement.node))
      for_each_value({statement}, [&](const TypedPtr& value) { walk(value, visit); });
  });
  for (const Function& function : kernel.functions)
    if (function.body) walk(function.body, visit);
  return found;
}

// True if the kernel has a matrix product of floats narrower than f32, or of f32 rounded to tf32 or split into bf16.
bool multiplies_narrow_matrices(const Kernel& kernel) {
  bool found = false;
  const auto visit = [&](const Typed& node) {
    const Apply* dot = node.applies(Op::dot);
    if (!dot) return;
    for (const TypedPtr& operand : dot->args)
      found = found || (info(operand->dtype).is_float && info(operand->dtype).bits < 32);
    found = found || dot->attributes.precision == "tf32" || dot->attributes.precision == "bf16x3";
  };
  for_each_value(kernel.body, [&](const TypedPtr& value) { walk(value, visit); });
  for (const Function& function : kernel.functions)
    if (function.body) walk(function.body, visit);
  return found;
}

double rounding_of(const Array& interpreted, const Array& wide) {
  if (!info(interpreted.dtype).is_float) return 0;
  const double unit = unit_of(interpreted.dtype), least = smallest_normal(interpreted.dtype);
  double most = 0;
  for (int64_t i = 0; i < wide.size(); ++i)
    most = std::max(most, distance(interpreted, wide, i) - unit * std::max(least, std::fabs(wide.at(i))));
  return most;
}

}  // namespace

bool is_computed_exactly(const Kernel& kernel) {
  return !kernel.approximate_math && !rounds_on_the_way(kernel) && !multiplies_narrow_matrices(kernel);
}

Array in_f64(const Array& array) {
  if (!info(array.dtype).is_float) return array;
  Array wide = Array::zeros(DType::f64, array.shape);
  for (int64_t i = 0; i < array.size(); ++i) wide.set(i, array.at(i));
  return wide;
}

std::map<std::string, Sensitivity> sensitivities(const Kernel& kernel, const Arguments& arguments,
                                                 const std::map<std::string, Array>& interpreted) {
  Arguments wide = arguments;
  for (auto& [name, array] : wide.arrays) array = in_f64(array);
  std::map<std::string, Sensitivity> result;
  const Outputs here = outputs_of(kernel, wide);
  if (!here) return result;
  const bool rounds = rounds_on_the_way(kernel);
  for (const auto& [name, array] : *here) {
    result[name].moves.resize(static_cast<size_t>(array.size()));
    const auto own = interpreted.find(name);
    if (own != interpreted.end() && !rounds) result[name].rounding = rounding_of(own->second, array);
  }
  for (uint64_t seed = 0; seed < kMoves; ++seed) {
    const Outputs there = outputs_of(kernel, moved(arguments, seed));
    if (!there) return {};
    for (const auto& [name, array] : *here) {
      std::vector<double>& most = result[name].moves;
      for (int64_t i = 0; i < array.size(); ++i)
        most[static_cast<size_t>(i)] = std::max(most[static_cast<size_t>(i)], distance(there->at(name), array, i));
    }
  }
  return result;
}

}  // namespace pallasgen
