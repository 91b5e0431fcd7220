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

TEST_CASE("a name of one letter is a slip of the case alone") {
  CHECK(nearest("i", {"pi"}) == "");
  CHECK(nearest("N", {"M", "n"}) == "n");
}

TEST_CASE("keys are known by their parts") {
  std::vector<std::string> keys = {"stages", "delay_release", "warp_specialized", "compute_warpgroups"};
  CHECK(nearest_key("num_stages", keys) == "stages");
  CHECK(nearest_key("delay", keys) == "delay_release");
  CHECK(nearest_key("stgaes", keys) == "stages");
  CHECK(nearest_key("num_warps", keys) == "");
  CHECK(nearest_key("tol", {"dims", "tolerance"}) == "tolerance");
  CHECK(nearest_key("input_output_aliases", {"inputs", "outputs", "aliases"}) == "aliases");
  CHECK(nearest_key("to", {"dims", "tolerance"}) == "");
  CHECK(nearest_key("_", keys) == "");
}
