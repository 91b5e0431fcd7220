#include "interpret/interpret.h"

#include <fmt/format.h>

#include <charconv>
#include <iostream>

#include "commands.h"

namespace pallasgen {

namespace {

std::optional<std::pair<std::string, std::string>> split(const std::string& text, const char* option,
                                                         Diagnostics& diagnostics) {
  const size_t equals = text.find('=');
  if (equals != std::string::npos && equals > 0 && equals + 1 < text.size())
    return std::pair{text.substr(0, equals), text.substr(equals + 1)};
  diagnostics.error(kCommandLine, {}, fmt::format("{} '{}' is not of the form NAME=VALUE", option, text));
  return std::nullopt;
}

std::optional<Scalar> parse_scalar(DType dtype, const std::string& text) {
  const char* end = text.data() + text.size();
  if (dtype == DType::boolean && (text == "true" || text == "false")) return Scalar(text == "true");
  if (info(dtype).is_float) {
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && stop == end) return Scalar(value);
  } else {
    int64_t value = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && stop == end) return Scalar(value);
  }
  return std::nullopt;
}

bool read_input(const Kernel& kernel, const std::string& name, const std::string& value, Arguments& arguments,
                Diagnostics& diagnostics) {
  for (const KernelScalar& scalar : kernel.scalars) {
    if (scalar.name != name || scalar.shape) continue;
    const std::optional<Scalar> parsed = parse_scalar(scalar.dtype, value);
    if (!parsed) {
      diagnostics.error(
          kCommandLine, {},
          fmt::format("--in {}={}: the scalar is {}, and '{}' is none", name, value, name_of(scalar.dtype), value));
      return false;
    }
    arguments.scalars[name] = *parsed;
    return true;
  }
  std::optional<DType> dtype;
  for (const Ref& ref : kernel.refs) {
    if (ref.role == RefRole::input && ref.name == name) dtype = ref.dtype;
  }
  for (const KernelScalar& scalar : kernel.scalars) {
    if (scalar.name == name) dtype = scalar.dtype;
  }
  if (!dtype) {
    arguments.arrays[name] = {};  // complete_arguments() refuses the name
    return true;
  }
  std::optional<Array> array = read_npy(value, dtype, diagnostics);
  if (!array) return false;
  arguments.arrays[name] = std::move(*array);
  return true;
}

std::string element_text(const Array& array, int64_t i) {
  return info(array.dtype).is_float ? fmt::format("{:.6g}", array.at(i)) : fmt::format("{}", array.integer_at(i));
}

// Prints the rows of an array, cut with `…` if it is large.
void print_array(const std::string& name, const Array& array) {
  constexpr int64_t kMost = 24;
  fmt::print("{}: {}[{}]\n", name, name_of(array.dtype), fmt::join(array.shape, ", "));
  const int64_t columns = array.shape.empty() ? 1 : array.shape.back();
  const int64_t rows = columns == 0 ? 0 : array.size() / columns;
  for (int64_t row = 0; row < std::min(rows, kMost); ++row) {
    std::string line = "  [";
    for (int64_t column = 0; column < std::min(columns, kMost); ++column)
      line += (column == 0 ? "" : " ") + element_text(array, row * columns + column);
    fmt::print("{}{}]\n", line, columns > kMost ? " …" : "");
  }
  if (rows > kMost) fmt::print("  … {} rows more\n", rows - kMost);
}

// The arguments of an entry of `tests`, empty for entry 0; nullopt with diagnostics and the exit code in `code`.
std::optional<Arguments> arguments_of_test(const Kernel& kernel, int test, Diagnostics& diagnostics, int& code) {
  if (test == 0) return Arguments();
  if (test > static_cast<int>(kernel.tests.size())) {
    diagnostics.error(kCommandLine, {}, fmt::format("--test {}: the spec has {} tests", test, kernel.tests.size()));
    return std::nullopt;
  }
  Arguments arguments = seeded_arguments(kernel, kernel.tests[test - 1], diagnostics);
  if (!diagnostics.has_errors()) return arguments;
  code = kFiles;
  return std::nullopt;
}

ProgramOrder order_named(const std::string& name) {
  return name == "random"     ? ProgramOrder::random
         : name == "reversed" ? ProgramOrder::reversed
                              : ProgramOrder::row_major;
}

// True if it is an array that a caller of the kernel passes.
bool is_argument(const Kernel& kernel, const std::string& name) {
  const Ref* ref = kernel.find_ref(name);
  const bool is_scalars = std::any_of(kernel.scalars.begin(), kernel.scalars.end(),
                                      [&](const KernelScalar& each) { return each.name == name && each.shape; });
  return is_scalars || (ref != nullptr && (ref->role == RefRole::input || ref->role == RefRole::output));
}

bool run(SpecResult& result, const InterpretOptionsText& options, int& code) {
  const Kernel& kernel = *result.kernel;
  Diagnostics& diagnostics = result.diagnostics;
  code = kUsage;
  const auto dims = parse_dims(options.dims, diagnostics);
  if (!dims) return false;
  auto arguments = arguments_of_test(kernel, options.test, diagnostics, code);
  if (!arguments) return false;
  arguments->num_sms = options.sms;
  for (const auto& [name, size] : *dims) arguments->dims[name] = size;
  for (const std::string& text : options.in) {
    const auto parts = split(text, "--in", diagnostics);
    if (!parts) return false;
    if (!read_input(kernel, parts->first, parts->second, *arguments, diagnostics)) {
      code = kFiles;
      return false;
    }
  }
  std::map<std::string, std::string> out;
  for (const std::string& text : options.out) {
    const auto parts = split(text, "--out", diagnostics);
    if (!parts) return false;
    if (!is_argument(kernel, parts->first)) {
      diagnostics.error(kCommandLine, {}, fmt::format("--out {}: the kernel has no array of that name", parts->first));
      return false;
    }
    out.insert(*parts);
  }
  if (!complete_arguments(kernel, *arguments, diagnostics)) return false;
  InterpretOptions interpret_options;
  interpret_options.order = order_named(options.order);
  interpret_options.roles = order_named(options.roles);
  interpret_options.seed = options.seed;
  interpret_options.print = &std::cout;
  code = kSpecWrong;
  const auto program = options.at.empty() ? std::nullopt : lowered_to(options.at, result, options);
  if (!program && !options.at.empty()) return false;
  const auto results = program ? interpret(*program, *arguments, interpret_options, diagnostics)
                               : interpret(kernel, *arguments, interpret_options, diagnostics);
  if (!results) return false;
  if (out.empty()) {
    for (const auto& [name, array] : *results) print_array(name, array);
  }
  for (const auto& [name, file] : out) {
    const auto result = results->find(name);
    if (write_npy(file, result == results->end() ? arguments->arrays.at(name) : result->second, diagnostics)) continue;
    code = kFiles;
    return false;
  }
  code = kFine;
  return true;
}

}  // namespace

int run_interpret(const InterpretOptionsText& options) {
  Diagnostics diagnostics;
  const bool fine = parse_defines(options.defines, diagnostics).has_value();
  const auto files = fine ? find_specs(options, diagnostics) : std::nullopt;
  if (files && files->size() != 1) diagnostics.error(kCommandLine, {}, "interpret takes one spec");
  print(diagnostics, options);
  if (!files || files->size() != 1) return kUsage;
  const auto results = load_specs(*files, options, Stage::check);
  if (!print_all(results, options)) return kSpecWrong;
  int code = kFine;
  SpecResult& result = *results.front();
  result.diagnostics = {};
  run(result, options, code);
  print(result.diagnostics, options);
  return code;
}

}  // namespace pallasgen
