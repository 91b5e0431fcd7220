#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <set>

#include "specs.h"

using namespace pallasgen;

// Seeded inputs with special values among them.

namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

std::map<std::string, Array> arrays_of(const std::string& type, const std::string& body, SpecialValues special) {
  const auto checked =
      check_text("special.yaml", "pallasgen: 1\nkernel: special\nscalars: {t: \"i32[40]\"}\ninputs: {x: {type: \"" +
                                     type + "\"}, y: {type: \"" + type + "\"}}\noutputs: {o: {type: \"" + type +
                                     "\"}}\nbody:\n  - " + body + "\n");
  REQUIRE_MESSAGE(checked->kernel, render(checked->diagnostics, ErrorFormat::text, false));
  return seeded_arguments(*checked->kernel, {}, checked->diagnostics, special).arrays;
}

struct Count {
  int64_t nan = 0, infinite = 0, beyond_exp = 0, subnormal = 0, negative_zero = 0, largest = 0;
};

Count count_of(const Array& array, double least_normal, double largest) {
  Count count;
  for (int64_t i = 0; i < array.size(); ++i) {
    const double value = array.at(i), magnitude = std::fabs(value);
    count.nan += std::isnan(value);
    count.infinite += std::isinf(value);
    count.beyond_exp += magnitude == 200;
    count.subnormal += magnitude > 0 && magnitude < least_normal;
    count.negative_zero += value == 0 && std::signbit(value);
    count.largest += magnitude == largest;
  }
  return count;
}

}  // namespace

TEST_CASE("an elementwise kernel gets every kind of special value in every array, for a quarter of the elements") {
  const struct {
    const char* type;
    double least_normal, largest;
    bool has_infinity;
  } rows[] = {{"f64[400]", 0x1p-1022, std::numeric_limits<double>::max(), true},
              {"f32[400]", 0x1p-126, std::numeric_limits<float>::max(), true},
              {"bf16[400]", 0x1p-126, 0x1.fep127, true},
              {"f16[400]", 0x1p-14, 65504, true},
              {"f8e5m2[400]", 0x1p-14, 57344, false},
              {"f8e4m3[400]", 0x1p-6, 448, false}};
  for (const auto& row : rows) {
    CAPTURE(row.type);
    for (const auto& [name, array] : arrays_of(row.type, "o[...] = where(x < y, x, y)", SpecialValues::all)) {
      if (name == "t") continue;
      const Count count = count_of(array, row.least_normal, row.largest);
      CHECK(count.nan > 4);
      CHECK((count.infinite > 8) == row.has_infinity);
      CHECK(count.subnormal > 16);
      CHECK(count.negative_zero > 4);
      CHECK(count.largest > 8);
      // e5m2 has 192 and 224 only.
      CHECK((count.beyond_exp > 8) == (array.dtype != DType::f8e5m2 && array.dtype != DType::f8e4m3));
    }
  }
}

TEST_CASE("a kernel that sums gets few special values, and one large one that leaves room, in its first array") {
  const auto arrays = arrays_of("f32[400]", "o[...] = x - sum(x + y)", SpecialValues::all);
  const double large = std::numeric_limits<float>::max() * 0x1p-12;
  const Count x = count_of(arrays.at("x"), 0x1p-126, large), y = count_of(arrays.at("y"), 0x1p-126, large);
  CHECK(x.largest == 1);
  CHECK(y.largest == 0);
  for (const Count& count : {x, y}) {
    const int64_t special = count.nan + count.infinite + count.beyond_exp + count.subnormal + count.negative_zero;
    CHECK(special > 18);
    CHECK(special <= 24);
    CHECK(count.nan > 0);
    CHECK(count.infinite > 0);
  }
  CHECK(count_of(arrays_of("f16[400]", "o[...] = x - sum(x)", SpecialValues::all).at("x"), 1, 65504).largest == 1);
}

TEST_CASE("finite special values are finite; without special values nothing changes; scalars never do") {
  const auto finite = arrays_of("f32[400]", "o[...] = x + y", SpecialValues::finite);
  const Count count = count_of(finite.at("x"), 0x1p-126, std::numeric_limits<float>::max());
  CHECK(count.nan + count.infinite == 0);
  CHECK(count.beyond_exp > 8);
  const auto none = arrays_of("f32[400]", "o[...] = x + y", SpecialValues::none);
  CHECK(count_of(none.at("x"), 0x1p-126, kNoLimit).subnormal == 0);
  CHECK(none.at("t").bytes == finite.at("t").bytes);
}

TEST_CASE("integers get their extremes with all special values alone") {
  const auto extremes = [](SpecialValues special) {
    std::set<int64_t> found;
    const Array x = arrays_of("i8[400]", "o[...] = x + y", special).at("x");
    for (int64_t i = 0; i < x.size(); ++i)
      if (std::abs(x.integer_at(i)) > 100) found.insert(x.integer_at(i));
    return found;
  };
  CHECK(extremes(SpecialValues::all) == std::set<int64_t>{-128, -127, 126, 127});
  CHECK(extremes(SpecialValues::floats).empty());
}
