
#include <cmath>
#include <filesystem>

#include "arguments.h"
#include "array_size.h"
#include "fault.h"
#include "interpret/interpret.h"
#include "interpret/rules.h"
#include "random_stream.h"
#include "special.h"

namespace pallasgen {
using namespace interpreter;
namespace {

Value seeded_value(DType dtype, Shape shape, RandomStream& random) {
  Value value = make_value(is_float(dtype) ? DType::f64 : DType::index, std::move(shape));
  const int64_t count = value.size();
  if (is_float(dtype)) {
    double* to = value.edit<double>();
    for (int64_t i = 0; i < count; ++i) to[i] = random.normal();
    if (dtype == DType::f8e8m0) {  // has no sign
      for (int64_t i = 0; i < count; ++i) to[i] = std::fabs(to[i]);
    }
  } else {
    int64_t* to = value.edit<int64_t>();
    const int bits = dtype == DType::boolean ? 1 : info(dtype).is_signed ? 4 : 3;
    const int64_t least = info(dtype).is_signed ? -8 : 0;
    for (int64_t i = 0; i < count; ++i) to[i] = static_cast<int64_t>(random.next() >> (64 - bits)) + least;
  }
  return convert(value, dtype);
}

Scalar seeded_scalar(DType dtype, RandomStream& random) {
  const Value value = seeded_value(dtype, {}, random);
  if (dtype == DType::boolean) return integer_of(value) != 0;
  if (is_float(dtype)) return double_of(value);
  return integer_of(value);
}

// Nothing if a dim has no value or an extent is impossible, which check_arguments() reports.
std::optional<Shape> known_values(const Kernel& kernel, const std::vector<TypedPtr>& shape, const Arguments& arguments,
                                  Environment& environment) {
  Evaluator evaluator(environment);
  Shape extents;
  try {
    for (const TypedPtr& extent : shape) {
      for (size_t dim = 0; dim < kernel.dims.size(); ++dim) {
        const bool given = arguments.dims.contains(kernel.dims[dim].name);
        if (!given && mentions(extent, SymbolKind::dim, static_cast<int>(dim))) return std::nullopt;
      }
      extents.push_back(evaluator.size(extent, kArgumentSize, "an extent", ""));
    }
  } catch (const Fault&) {
    return std::nullopt;
  }
  return extents;
}

std::optional<Shape> known_shape(const Kernel& kernel, const std::vector<TypedPtr>& shape, DType dtype,
                                 const Arguments& arguments, Environment& environment) {
  std::optional<Shape> extents = known_values(kernel, shape, arguments, environment);
  return extents && array_bytes(dtype, *extents) ? extents : std::nullopt;
}

// Elements to which the strides give one place become the first of them, as in an array in memory.
void repeat_by_strides(Array& array, const Shape& strides) {
  std::map<int64_t, int64_t> first;  // place -> element
  for (int64_t i = 0; i < array.size(); ++i) {
    int64_t rest = i, place = 0;
    for (size_t d = array.shape.size(); d-- > 0; rest /= array.shape[d]) place += rest % array.shape[d] * strides[d];
    const int64_t same = first.emplace(place, i).first->second;
    if (same != i && is_float(array.dtype)) array.set(i, array.at(same));
    if (same != i && !is_float(array.dtype)) array.set_integer(i, array.integer_at(same));
  }
}

Array array_of_list(DType dtype, const ScalarList& list) {
  Array array = Array::zeros(dtype, list.shape);
  for (size_t i = 0; i < list.elements.size(); ++i) {
    const auto place = static_cast<int64_t>(i);
    if (const auto* number = std::get_if<double>(&list.elements[i]))
      array.set(place, *number);
    else if (const auto* integer = std::get_if<int64_t>(&list.elements[i]))
      array.set_integer(place, *integer);
    else
      array.set_integer(place, std::get<bool>(list.elements[i]) ? 1 : 0);
  }
  return array;
}

}  // namespace

Array seeded_array(DType dtype, const Shape& shape, uint64_t seed, const std::string& name) {
  RandomStream random(seed, name);
  return array_of(seeded_value(dtype, shape, random));
}

Arguments seeded_arguments(const Kernel& kernel, const KernelTest& test, Diagnostics& diagnostics,
                           SpecialValues special) {
  Arguments arguments{test.dims, test.scalars, {}};
  const std::filesystem::path folder = kernel.spec && kernel.spec->source
                                           ? std::filesystem::path(kernel.spec->source->path()).parent_path()
                                           : std::filesystem::path();
  const auto dtype_of = [&](const std::string& name) -> std::optional<DType> {
    if (const Ref* ref = kernel.find_ref(name)) return ref->dtype;
    for (const KernelScalar& scalar : kernel.scalars) {
      if (scalar.name == name) return scalar.dtype;
    }
    return std::nullopt;
  };
  for (const auto& [name, path] : test.inputs) {
    std::optional<Array> array = read_npy((folder / path).string(), dtype_of(name), diagnostics);
    if (array) arguments.arrays[name] = std::move(*array);
  }
  for (const auto& [name, list] : test.lists) arguments.arrays[name] = array_of_list(*dtype_of(name), list);
  infer_dims(kernel, arguments);
  for (const KernelScalar& scalar : kernel.scalars) {
    if (scalar.shape || arguments.scalars.contains(scalar.name)) continue;
    RandomStream random(test.seed, scalar.name);
    arguments.scalars[scalar.name] = seeded_scalar(scalar.dtype, random);
  }
  Environment environment = environment_of(kernel, arguments);
  const bool integers = special == SpecialValues::all && !has_loops_by_data(kernel) && !has_indices_by_data(kernel);
  bool first_of_floats = true;
  const auto mix = [&](const std::string& name, Value& value) {
    const bool floats = is_float(value.dtype);
    if (special == SpecialValues::none || (!floats && !integers)) return;
    RandomStream random(test.seed, name + " special");
    mix_special_values(value, special_mix(kernel, value.size(), first_of_floats, special), random);
    first_of_floats = first_of_floats && !floats;
  };
  const auto add = [&](const std::string& name, DType dtype, const std::vector<TypedPtr>& shape, bool may_mix) {
    if (arguments.arrays.contains(name) || test.inputs.contains(name)) return;
    const std::optional<Shape> extents = known_shape(kernel, shape, dtype, arguments, environment);
    if (!extents) return;
    RandomStream random(test.seed, name);
    Value value = seeded_value(dtype, *extents, random);
    if (may_mix) mix(name, value);
    arguments.arrays[name] = array_of(value);
  };
  for (const Ref& ref : kernel.refs) {
    if (ref.role != RefRole::input) continue;
    const bool seeded = !arguments.arrays.contains(ref.name);
    add(ref.name, ref.dtype, ref.array_shape, true);
    if (ref.strides.empty() || !seeded || !arguments.arrays.contains(ref.name)) continue;
    const std::optional<Shape> strides = known_values(kernel, ref.strides, arguments, environment);
    if (strides) repeat_by_strides(arguments.arrays[ref.name], *strides);
  }
  for (const KernelScalar& scalar : kernel.scalars) {
    if (scalar.shape) add(scalar.name, scalar.dtype, *scalar.shape, false);
  }
  return arguments;
}

}  // namespace pallasgen
