#include <doctest/doctest.h>
#include <pallasgen/launch.h>

#include "order_kernels.cuh"

using namespace pallasgen;

TEST_CASE("atomic: of several CTAs the first takes a word") {
  uint32_t word = 0;
  uint64_t wide = 0;
  REQUIRE(launch(orders::take_first<uint32_t>, 4, 1, 0, nullptr, &word) == cudaSuccess);
  REQUIRE(launch(orders::take_first<uint64_t>, 4, 1, 0, nullptr, &wide) == cudaSuccess);
  CHECK((word >= 1 && word <= 4));
  CHECK((wide >= 1 && wide <= 4));
}

TEST_CASE("atomic: a CTA hands a value over to another") {
  uint32_t flag = 0;
  int data = 0, out = 0;
  REQUIRE(launch(orders::hand_over<int>, 2, 1, 0, nullptr, &flag, &data, &out) == cudaSuccess);
  CHECK(out == 42);
}
