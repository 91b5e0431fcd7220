#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "specs.h"

using namespace pallasgen;
namespace fs = std::filesystem;

// Tests seeded inputs, comparison, and the specs of the library on both: interpreter against reference.

namespace {

std::unique_ptr<Checked> library_spec(const std::string& name) {
  const std::string path = (fs::path(PALLASGEN_SOURCE_DIR) / "specs" / name).string();
  return check_text(path, bytes_of(path));
}

Array array_of(DType dtype, const std::vector<double>& elements) {
  Array array = Array::zeros(dtype, {static_cast<int64_t>(elements.size())});
  for (size_t i = 0; i < elements.size(); ++i) array.set(static_cast<int64_t>(i), elements[i]);
  return array;
}

uint64_t hash_of(const Array& array) {
  uint64_t hash = 0xcbf29ce484222325;
  for (std::byte byte : array.bytes) hash = (hash ^ std::to_integer<uint64_t>(byte)) * 0x100000001b3;
  return hash;
}

Array seeded(const std::string& type, uint64_t seed) {
  const auto checked =
      check_text("seeded.yaml", "pallasgen: 1\nkernel: seeded\ninputs: {x: {type: \"" + type +
                                    "\"}}\noutputs: {o: {type: \"" + type + "\"}}\nbody:\n  - o[...] = x\n");
  REQUIRE(checked->kernel);
  KernelTest test;
  test.seed = seed;
  return seeded_arguments(*checked->kernel, test, checked->diagnostics).arrays.at("x");
}

}  // namespace

TEST_CASE("every test of every spec of the library: the interpreter gives what the reference gives") {
  int tests = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(PALLASGEN_SOURCE_DIR) / "specs")) {
    if (entry.path().extension() != ".yaml") continue;
    CAPTURE(entry.path().string());
    if (bytes_of(entry.path().string()).find("\nextern:") != std::string::npos) continue;  // no headers are read here
    const auto checked = check_text(entry.path().string(), bytes_of(entry.path().string()));
    REQUIRE_MESSAGE(checked->kernel, render(checked->diagnostics, ErrorFormat::text, false));
    const Kernel& kernel = *checked->kernel;
    if (!kernel.spec->reference.present()) continue;
    for (const KernelTest& test : kernel.tests) {
      Diagnostics diagnostics;
      const Arguments arguments = seeded_arguments(kernel, test, diagnostics);
      const auto got = interpret(kernel, arguments, {ProgramOrder::random, test.seed, nullptr}, diagnostics);
      const auto want = evaluate_reference(kernel, arguments, diagnostics);
      const bool both = got && want;
      REQUIRE_MESSAGE(both, render(diagnostics, ErrorFormat::text, false));
      CHECK(got->size() == want->size());
      for (const auto& [name, array] : *want) {
        const double tolerance = test.tolerance.value_or(default_tolerance(kernel, *kernel.find_ref(name), arguments));
        const Difference difference = compare(got->at(name), array, tolerance);
        CHECK_MESSAGE(difference.equal, name << ": element " << difference.first << " is " << difference.got
                                             << ", expected " << difference.want);
      }
      ++tests;
    }
  }
  CHECK(tests > 30);
}

TEST_CASE("a wrong kernel is found") {
  auto checked = library_spec("matmul/matmul.yaml");
  std::string text(checked->kernel->spec->source->text());
  const size_t at = text.find("acc[...] += dot");
  REQUIRE(at != std::string::npos);
  text.replace(at, 12, "acc[...] = ");
  checked = check_text("wrong.yaml", text);
  REQUIRE(checked->kernel);
  const Arguments arguments = seeded_arguments(*checked->kernel, checked->kernel->tests[1], checked->diagnostics);
  const auto got = interpret(*checked->kernel, arguments, {}, checked->diagnostics);
  const auto want = evaluate_reference(*checked->kernel, arguments, checked->diagnostics);
  REQUIRE(got);
  REQUIRE(want);
  CHECK_FALSE(compare(got->at("c"), want->at("c"), 0.05).equal);
}

TEST_CASE("seeded inputs") {
  // The bits are the same on every machine: these were recorded once.
  CHECK(hash_of(seeded("f32[1000]", 1)) == 13487996869542547477u);
  CHECK(hash_of(seeded("bf16[1000]", 1)) == 4559632846641188549u);
  CHECK(hash_of(seeded("i8[1000]", 7)) == 17077659723486121766u);
  CHECK(seeded("f32[8]", 1).bytes != seeded("f32[8]", 2).bytes);

  const Array normal = seeded("f64[20000]", 3);
  double sum = 0, squares = 0, fourth = 0;
  for (int64_t i = 0; i < normal.size(); ++i) {
    const double x = normal.at(i);
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  const auto count = static_cast<double>(normal.size());
  CHECK(std::fabs(sum / count) < 0.03);
  CHECK(squares / count == doctest::Approx(1).epsilon(0.04));
  CHECK(fourth / count == doctest::Approx(2.9).epsilon(0.1));  // 3 - 1.2 / 12 for a sum of twelve

  const auto range = [](const std::string& type) {
    const Array array = seeded(type, 5);
    std::pair<double, double> ends(array.at(0), array.at(0));
    for (int64_t i = 0; i < array.size(); ++i) {
      ends.first = std::min(ends.first, array.at(i));
      ends.second = std::max(ends.second, array.at(i));
    }
    return ends;
  };
  CHECK(range("i32[500]") == std::pair(-8.0, 7.0));
  CHECK(range("i4[500]") == std::pair(-8.0, 7.0));
  CHECK(range("u64[500]") == std::pair(0.0, 7.0));
  CHECK(range("bool[500]") == std::pair(0.0, 1.0));
}

TEST_CASE("comparison") {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const auto same = [](const std::vector<double>& got, const std::vector<double>& want, double tolerance) {
    return compare(array_of(DType::f32, got), array_of(DType::f32, want), tolerance).equal;
  };
  CHECK(same({1, nan, infinity, -0.0}, {1, nan, infinity, 0.0}, 0));
  CHECK_FALSE(same({nan}, {1}, 1e9));
  CHECK_FALSE(same({1}, {nan}, 1e9));
  CHECK_FALSE(same({infinity}, {1}, 1e9));
  CHECK_FALSE(same({infinity}, {-infinity}, 1e9));
  CHECK(same({100.5}, {100}, 0.005));
  CHECK_FALSE(same({100.75}, {100}, 0.005));
  // Errors of smaller elements are measured by the largest element, or by 1.
  CHECK(same({0.0009765625, 1}, {0, 1}, 0.001));
  CHECK(same({0.0009765625, 50}, {0, 50}, 0.001));
  CHECK_FALSE(same({0.0009765625, 0.5}, {0, 0.5}, 0.001));
  CHECK(same({0.0009765625, infinity, 1}, {0, infinity, 1}, 0.001));
  CHECK_FALSE(same({0.0009765625, infinity}, {0, infinity}, 0.001));
  CHECK_FALSE(same({0.0009765625}, {0}, 0.001));
  CHECK(same({0x1p-140}, {0}, 0x1p-10));  // the format has no finer steps
  CHECK(scale_of(array_of(DType::f16, {0, 0x1p-20})) == 0x1p-14);
  CHECK(scale_of(array_of(DType::f64, {0, -0x1p-20})) == 0x1p-20);
  CHECK(scale_of(array_of(DType::f32, {0.25, -0.5, nan})) == 0.5);
  CHECK(scale_of(array_of(DType::f32, {0.25, 3})) == 1);
  const auto one_kind = [](double got, double want) {
    return compare(array_of(DType::f32, {got}), array_of(DType::f32, {want}), 1e9, true).equal;
  };
  CHECK(one_kind(nan, infinity));
  CHECK(one_kind(infinity, -infinity));
  CHECK_FALSE(one_kind(nan, 1));
  CHECK_FALSE(one_kind(1, infinity));
  const Difference difference = compare(array_of(DType::f32, {1, 2, 3.5, 9}), array_of(DType::f32, {1, 2, 3, 4}), 0.1);
  CHECK(difference.first == 2);
  CHECK(difference.got == 3.5);
  CHECK(difference.want == 3);
  CHECK(difference.max_absolute == 5);
  CHECK(difference.of_allowed == doctest::Approx(12.5));
  Array a = Array::zeros(DType::i64, {1}), b = a;
  a.set_integer(0, (int64_t{1} << 60) + 1);
  b.set_integer(0, int64_t{1} << 60);
  CHECK_FALSE(compare(a, b, 0).equal);
}

TEST_CASE("default tolerances") {
  const auto matmul = library_spec("matmul/matmul.yaml"), add = library_spec("elementwise/add_matrices.yaml");
  REQUIRE(matmul->kernel);
  REQUIRE(add->kernel);
  // One unit of bf16, and four half units of f32 for each of 4 steps of 64 terms.
  CHECK(default_tolerance(*matmul->kernel, *matmul->kernel->find_ref("c"),
                          {{{"M", 1}, {"N", 8}, {"K", 256}}, {}, {}}) == 0x1p-7 + 4 * 256 * 0x1p-24);
  CHECK(default_tolerance(*add->kernel, *add->kernel->find_ref("z"), {{{"M", 1}, {"N", 8}}, {}, {}}) == 16 * 0x1p-23);
  const auto ids = library_spec("basics/iota8.yaml");
  CHECK(default_tolerance(*ids->kernel, *ids->kernel->find_ref("o"), {}) == 0);
  // 31 programs add to each element.
  const auto sums = library_spec("operands/column_sums.yaml");
  CHECK(default_tolerance(*sums->kernel, *sums->kernel->find_ref("total"), {{{"M", 31}, {"N", 8}}, {}, {}}) ==
        16 * 0x1p-23 + 4 * 31 * 0x1p-24);
  // 3 programs, of which the first adds up 34 rows.
  const auto totals = library_spec("operands/column_totals.yaml");
  CHECK(default_tolerance(*totals->kernel, *totals->kernel->find_ref("o"), {{{"M", 100}, {"N", 8}}, {}, {}, 3}) ==
        16 * 0x1p-23 + 4 * 3 * 34 * 0x1p-24);
  // Means of 2,048 terms count as 8 times their root.
  const auto norms = library_spec("rows/rms_norm_bwd.yaml");
  CHECK(default_tolerance(*norms->kernel, *norms->kernel->find_ref("dx"), {{{"M", 2}}, {}, {}}) ==
        16 * 0x1p-23 + 4 * 362 * 0x1p-24);
}

TEST_CASE("sums of 8-bit floats keep 14 bits in tensor cores, and the tolerance grows with what they add") {
  const auto matmul = library_spec("matmul/matmul_f8.yaml"), halves = library_spec("matmul/matmul_f16_acc.yaml");
  REQUIRE(matmul->kernel);
  REQUIRE(halves->kernel);
  // 4 steps of 128 terms, which leave the tensor cores after 128.
  Arguments arguments{{{"M", 1}, {"N", 16}, {"K", 512}}, {{"scale", 1.0}}, {}};
  const double rounded = 0x1p-7 + 4 * 512 * 0x1p-24, sums = 2 * 0x1p-13 * std::sqrt(512.0 * 128.0);
  const auto tolerance = [&] { return default_tolerance(*matmul->kernel, *matmul->kernel->find_ref("c"), arguments); };
  CHECK(tolerance() == doctest::Approx(rounded + sums));
  // 60 * 12 instead of 6 * 6.
  arguments.arrays.emplace("a", Array::zeros(DType::f8e4m3, {1, 512}));
  arguments.arrays.emplace("b", Array::zeros(DType::f8e5m2, {16, 512}));
  CHECK(tolerance() == doctest::Approx(rounded + sums));
  arguments.arrays.at("a").set(3, -60);
  arguments.arrays.at("b").set(5, 12);
  CHECK(tolerance() == doctest::Approx(rounded + 20 * sums));
  CHECK(
      default_tolerance(*halves->kernel, *halves->kernel->find_ref("c"), {{{"M", 1}, {"N", 8}, {"K", 128}}, {}, {}}) ==
      doctest::Approx(0x1p-10 + 4 * 128 * 0x1p-24 + 4 * 128 * 0x1p-11));
}
