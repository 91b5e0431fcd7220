#include <doctest/doctest.h>

#include "diagnostics/diagnostic.h"

using namespace pallasgen;

TEST_CASE("the nearest name is a slip of the hand away") {
  std::vector<std::string> keys = {"stages", "delay_release", "warp_specialized", "compute_warpgroups"};
  CHECK(nearest("stage", keys) == "stages");
  CHECK(nearest("stgaes", keys) == "stages");
  CHECK(nearest("fro", {"when", "for"}) == "for");  // a swap is one step
  CHECK(nearest("Stages", keys) == "stages");
  CHECK(nearest("warpspecialised", keys) == "warp_specialized");
  CHECK(nearest("delay", keys) == "");
  CHECK(nearest("", keys) == "");
  CHECK(nearest("stages", {}) == "");
}

TEST_CASE("short names must have something in common; ties go to the first") {
  CHECK(nearest("x", {"y"}) == "");
  CHECK(nearest("k", {"K"}) == "K");
  CHECK(nearest("bk", {"bm", "bn"}) == "bm");
  CHECK(nearest("ab", {"cd"}) == "");
  CHECK(nearest("abc", {"abd", "abc"}) == "abc");
}
