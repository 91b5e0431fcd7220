#include "bulk_groups.h"

#include <doctest/doctest.h>

#include "copy_arrivals.h"

using pallasgen::emulator::BulkGroups;
using pallasgen::emulator::CopyArrivals;

TEST_CASE("a wait covers all but the last groups, and reads come before completions") {
  BulkGroups groups;
  const uint64_t first = groups.add();
  groups.commit();
  const uint64_t second = groups.add();
  CHECK(second == first + 1);
  groups.commit();
  CHECK(groups.done(2, false));
  CHECK_FALSE(groups.done(1, true));
  groups.has_read(first, nullptr);
  CHECK(groups.done(1, true));
  CHECK_FALSE(groups.done(1, false));
  CHECK_FALSE(groups.done(0, true));
  groups.has_completed(first, nullptr);
  CHECK(groups.done(1, false));
  groups.waited(1, false, {});
  CHECK_FALSE(groups.all_waited_for());
  groups.has_read(second, nullptr);
  groups.has_completed(second, nullptr);
  CHECK_FALSE(groups.all_waited_for());  // complete, but without a wait
  groups.waited(0, true, {});
  CHECK(groups.all_waited_for());
}

TEST_CASE("a copy in a group that was never committed is not waited for") {
  BulkGroups groups;
  groups.add();
  groups.waited(0, false, {});
  CHECK_FALSE(groups.all_waited_for());
}

TEST_CASE("empty groups count as groups") {
  BulkGroups groups;
  groups.add();
  groups.commit();
  groups.commit();
  groups.commit();
  CHECK(groups.done(3, false));
  CHECK_FALSE(groups.done(2, false));
}

TEST_CASE("an arrival stands for a wait for the copies before it") {
  BulkGroups groups;
  groups.add();
  groups.followed_by_arrival();
  CHECK(groups.all_waited_for());
  groups.add();  // in the same group
  CHECK_FALSE(groups.all_waited_for());
}

TEST_CASE("an arrival follows the copies before it, and none that come later") {
  CopyArrivals arrivals;
  const uint64_t copy = arrivals.add_copy(), first = arrivals.add();
  const uint64_t later = arrivals.add_copy();
  CHECK_FALSE(arrivals.is_due(first));
  arrivals.has_completed(copy, nullptr);
  CHECK(arrivals.is_due(first));
  const uint64_t second = arrivals.add(), third = arrivals.add();
  CHECK_FALSE(arrivals.is_due(second));
  arrivals.has_completed(later, nullptr);
  CHECK(arrivals.is_due(third));
  for (const uint64_t number : {third, first, second}) arrivals.arrive(number, nullptr);
  CHECK(arrivals.is_due(arrivals.add()));
}
