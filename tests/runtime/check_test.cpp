#include <doctest/doctest.h>
#include <pallasgen/check.h>
#include <pallasgen/launch.h>

#include <array>
#include <string>

#include "order_kernels.cuh"

using namespace pallasgen;

namespace {

constexpr const char* kFaults[] = {"one", "two", "three"};

}  // namespace

TEST_CASE("check: of several CTAs one writes its fault and where it was") {
  std::array<uint32_t, 3> status{};
  REQUIRE(launch(orders::find_fault<2>, 3, 1, 0, nullptr, status.data()) == cudaSuccess);
  REQUIRE((status[0] >= 1 && status[0] <= 3));
  CHECK(status[1] == (status[0] - 1) * 10);
  CHECK(status[2] == (status[0] - 1) * 10 + 1);
  const std::string text = check_status(status.data(), kFaults, {"i", "j"});
  CHECK(text == std::string(kFaults[status[0] - 1]) + ", at i = " + std::to_string(status[1]) +
                    ", j = " + std::to_string(status[2]));
  std::array<uint32_t, 2> pointless{0, 77};
  REQUIRE(launch(orders::find_fault<0>, 3, 1, 0, nullptr, pointless.data()) == cudaSuccess);
  CHECK((pointless[0] >= 1 && pointless[0] <= 3));
  CHECK(pointless[1] == 77);
}

TEST_CASE("check: a status without a fault, of another kernel, or of more axes than grids have says nothing") {
  const uint32_t none[17] = {}, unknown[17] = {4}, second[17] = {2};
  CHECK(std::string(check_status(none, kFaults, {"i"})).empty());
  CHECK(std::string(check_status(unknown, kFaults, {"i"})).empty());
  CHECK(std::string(check_status(second, kFaults, {})) == "two");
  CHECK(std::string(check_status(second, kFaults,
                                 {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"}))
            .empty());
}
