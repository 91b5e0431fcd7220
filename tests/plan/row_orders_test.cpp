#include "questions/row_orders.h"

#include <doctest/doctest.h>

using namespace pallasgen;

namespace {

RowOrder row(uint32_t place, int64_t lanes, int64_t vector = 4) {
  RowOrder order{Span{nullptr, place, place + 1}};
  order.lanes = lanes;
  order.vector = vector;
  return order;
}

}  // namespace

TEST_CASE("row orders: the first reduction with other lanes is found by its place in the spec") {
  const std::vector<RowOrder> wanted = {row(10, 32), row(20, 8)};
  CHECK(!other_order(wanted, wanted));
  // A reduction that only one of the programs has is ignored.
  CHECK(!other_order(wanted, {row(20, 8)}));
  CHECK(!other_order(wanted, {row(5, 64), row(20, 8), row(10, 32)}));
  const auto found = other_order(wanted, {row(5, 64), row(10, 32), row(20, 16)});
  REQUIRE(found);
  CHECK(found->wanted.lanes == 8);
  CHECK(found->other.lanes == 16);
  CHECK(other_order(wanted, {row(20, 16)}));
}

TEST_CASE("row orders: several reductions of one place are compared one by one, or with any where there are more") {
  CHECK(!other_order({row(10, 32), row(10, 8)}, {row(10, 32), row(10, 8)}));
  CHECK(other_order({row(10, 32), row(10, 8)}, {row(10, 8), row(10, 32)}));
  CHECK(!other_order({row(10, 32), row(10, 8)}, {row(10, 8), row(10, 32), row(10, 8)}));
  CHECK(other_order({row(10, 32), row(10, 8)}, {row(10, 8), row(10, 16), row(10, 8)}));
}

TEST_CASE("row orders: what warnings tell of is no difference") {
  CHECK(!other_order({row(10, 0)}, {row(10, 32)}));
  CHECK(!other_order({row(10, 32, 1)}, {row(10, 16, 4)}));
  CHECK(other_order({row(10, 32, 1)}, {row(10, 0)}));
}
