#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "specs.h"

using namespace pallasgen;
namespace fs = std::filesystem;

// Runs every case of tests/oracle/cases, from its spec to its outputs, in every order of programs, and by its reference
// if it has one, against the arrays of NumPy or JAX. (tests/oracle/README.md describes the files.)

namespace {

const fs::path kOracle = fs::path(PALLASGEN_SOURCE_DIR) / "tests" / "oracle";

std::set<std::string> pending_cases() {
  std::set<std::string> names;
  std::istringstream lines(bytes_of((kOracle / "pending.txt").string()));
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] != '#') names.insert(line.substr(0, line.find(' ')));
  }
  return names;
}

Scalar scalar_of(const nlohmann::json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<int64_t>();
  return value.get<double>();
}

std::optional<std::string> difference_of(const Array& got, const Array& want, double tolerance) {
  if (got.shape != want.shape) return "another shape";
  const Difference difference = compare(got, want, tolerance);
  if (difference.equal) return std::nullopt;
  return fmt::format("element {} is {}, expected {}", difference.first, difference.got, difference.want);
}

// Returns why the case fails; empty if it passes.
std::string judge(const fs::path& folder) {
  const nlohmann::json description = nlohmann::json::parse(bytes_of((folder / "case.json").string()));
  const std::string path = (folder / "spec.yaml").string();
  const auto checked = check_text(path, bytes_of(path));
  if (!checked->kernel) return render(checked->diagnostics, ErrorFormat::text, false);
  const Kernel& kernel = *checked->kernel;
  Diagnostics diagnostics;
  const auto text_of = [&] { return render(diagnostics, ErrorFormat::text, false); };
  const auto read = [&](const std::string& name, const nlohmann::json& file) {
    const std::optional<DType> dtype = dtype_named(description.at("dtypes").at(name).get<std::string>());
    return read_npy((folder / file.get<std::string>()).string(), dtype, diagnostics);
  };

  Arguments arguments;
  for (const auto& [name, size] : description.at("dims").items()) arguments.dims[name] = size.get<int64_t>();
  for (const auto& [name, file] : description.at("inputs").items()) {
    if (std::optional<Array> array = read(name, file)) arguments.arrays[name] = std::move(*array);
  }
  for (const auto& [name, value] : description.at("scalars").items()) {
    if (!value.is_string())
      arguments.scalars[name] = scalar_of(value);
    else if (std::optional<Array> array = read(name, value))
      arguments.arrays[name] = std::move(*array);
  }
  if (!complete_arguments(kernel, arguments, diagnostics)) return text_of();

  std::map<std::string, Array> wanted;
  for (const auto& [name, file] : description.at("outputs").items()) {
    std::optional<Array> array = read(name, file);
    if (!array) return text_of();
    wanted[name] = std::move(*array);
  }
  const double tolerance = description.at("tolerance").get<double>();
  const auto judge_outputs = [&](const std::optional<std::map<std::string, Array>>& outputs, std::string_view how) {
    if (!outputs) return fmt::format("{}: {}", how, text_of());
    if (outputs->size() != wanted.size()) return fmt::format("{}: {} outputs", how, outputs->size());
    for (const auto& [name, array] : wanted) {
      const auto got = outputs->find(name);
      if (got == outputs->end()) return fmt::format("{}: no {}", how, name);
      if (const auto what = difference_of(got->second, array, tolerance))
        return fmt::format("{}: {}: {}", how, name, *what);
    }
    return std::string();
  };
  for (const auto& [order, how] :
       {std::pair(ProgramOrder::row_major, "row-major order"), std::pair(ProgramOrder::reversed, "reversed order"),
        std::pair(ProgramOrder::random, "random order")}) {
    const std::string why = judge_outputs(interpret(kernel, arguments, {order, 7, nullptr}, diagnostics), how);
    if (!why.empty()) return why;
  }
  if (!kernel.spec->reference.present()) return "";
  return judge_outputs(evaluate_reference(kernel, arguments, diagnostics), "reference");
}

}  // namespace

std::string pallasgen::bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST_CASE("oracle cases") {
  const std::set<std::string> pending = pending_cases();
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(kOracle / "cases")) names.insert(entry.path().filename().string());
  REQUIRE(!names.empty());
  int skipped = 0;
  for (const std::string& name : names) {
    const std::string why = judge(kOracle / "cases" / name);
    if (pending.contains(name)) {
      ++skipped;
      CHECK_MESSAGE(!why.empty(), "pending case " << name << " passes");
    } else {
      CHECK_MESSAGE(why.empty(), name << ": " << why);
    }
  }
  MESSAGE((names.size() - static_cast<size_t>(skipped)) << " oracle cases, " << skipped << " pending");
}
