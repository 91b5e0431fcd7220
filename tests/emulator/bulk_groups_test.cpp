#include "bulk_groups.h"

#include <doctest/doctest.h>

using pallasgen::emulator::BulkGroups;

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
  CHECK_FALSE(groups.all_waited_for());  // complete, but nobody has waited
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
