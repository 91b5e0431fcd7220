#include "printed.h"

#include <doctest/doctest.h>

using namespace pallasgen;

namespace {

using Lines = std::vector<std::string>;

std::string compared(const Lines& got, const Lines& want, double tolerance = 0) {
  return compare_printed(got, want, tolerance, "the kernel", "the interpreter");
}

}  // namespace

TEST_CASE("printed lines are the same in any order, each as often") {
  CHECK(compared({}, {}) == "");
  CHECK(compared({"a 1", "b 2", "a 1"}, {"b 2", "a 1", "a 1"}) == "");
  CHECK(compared({"a 1"}, {"a 1", "a 1"}) == "the interpreter prints \"a 1\", the kernel does not");
  CHECK(compared({"a 1", "a 1"}, {"a 1"}) == "the kernel prints \"a 1\", the interpreter does not");
  CHECK(compared({"a 1"}, {"b 1"}) == "the kernel prints \"a 1\", the interpreter does not");
}

TEST_CASE("printed floats agree in five digits or within the tolerance, integers exactly") {
  CHECK(compared({"x=0.333333, 2"}, {"x=0.33333334, 2"}) == "");
  CHECK(compared({"x=0.333333, 2"}, {"x=0.33333334, 3"}) != "");
  CHECK(compared({"x=0.3334"}, {"x=0.33333334"}) != "");
  CHECK(compared({"x=0.3334"}, {"x=0.33333334"}, 1e-3) == "");
  CHECK(compared({"1.23457e+06"}, {"1234567"}) == "");
  CHECK(compared({"1234568"}, {"1234567"}, 1) != "");
  CHECK(compared({"-0"}, {"0"}) == "");
  CHECK(compared({"-nan inf"}, {"nan inf"}) == "");
  CHECK(compared({"inf"}, {"-inf"}, 1) != "");
  CHECK(compared({"3.5"}, {"inf"}, 1) != "");
  CHECK(compared({"x=1.5 y"}, {"x=1.5"}, 1) != "");
  CHECK(compared({"true"}, {"false"}) != "");
  // Two similar lines have one twin each.
  CHECK(compared({"0.1", "0.100001"}, {"0.10000001", "0.1000005"}) == "");
}
