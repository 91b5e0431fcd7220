#include "options.h"

#include <doctest/doctest.h>

#include <utility>

#include "child.h"

using namespace pallasgen::emulator;

TEST_CASE("a list of settings makes options") {
  const Options random = parse_options("policy=random,seed=7,,sms=9,stack=131072,per_thread");
  CHECK(random.copies == Completion::kRandom);
  CHECK(random.mma == Completion::kRandom);
  CHECK(random.random_order);
  CHECK(random.seed == 7);
  CHECK(random.sms == 9);
  CHECK(random.stack_bytes == 131072);
  CHECK(random.per_thread);
  const Options mixed = parse_options("copies=early,mma=late,polls=5,seconds=0.5,statistics=1,counted_workspace=1");
  CHECK(mixed.copies == Completion::kEarly);
  CHECK(mixed.mma == Completion::kLate);
  CHECK_FALSE(mixed.random_order);
  CHECK(mixed.poll_limit == 5);
  CHECK(mixed.seconds_without_switch == 0.5);
  CHECK(mixed.statistics);
  CHECK(mixed.counted_workspace);
  CHECK(parse_options("").copies == Completion::kLate);
  CHECK(parse_options("policy=random,random_order=0").random_order == false);
}

TEST_CASE("what cannot be read is refused with what could") {
  const std::pair<const char*, const char*> cases[] = {{"policy=soon", "expected late, early or random"},
                                                       {"sms=0", "expected a number from 1 to 1024"},
                                                       {"sms=4x", "expected a number"},
                                                       {"seed=", "expected a number"},
                                                       {"speed=3", "expected policy, copies, mma"}};
  for (const auto& [list, message] : cases) {
    const ChildResult result = in_child([list = list] { parse_options(list); });
    INFO(result.output);
    CHECK(result.code == kExitBadOptions);
    CHECK(result.output.find(message) != std::string::npos);
  }
}
