#include "planted.h"

// Mistakes in the order of memory between CTAs: one for each use of a release, an acquire, a fence or a scope.
namespace {

const Planted kPlantedInOrders[] = {
    {"release_dropped", kSometimes, {kWrongNumbers}, {kRace}},
    {"acquire_dropped", kSometimes, {kWrongNumbers}, {kRace}},
    {"scope_of_release", kAlways, {kRule}, {kRule}},
    {"scope_of_acquire", kAlways, {kRule}, {kRule}},
    {"scope_of_update", kAlways, {kRule}, {kRule}},
    {"fence_dropped", kNever, {}, {kRace}},
    {"fence_of_block", kNever, {}, {kRace}},
    {"fence_of_reader_dropped", kNever, {}, {kRace}},
    {"flag_before_data", kAlways, {kWrongNumbers}, {kRace}},
    {"update_in_two_steps", kAlways, {kWrongNumbers}, {kWrongNumbers}},
    {"flag_of_two_sizes", kAlways, {kRule}, {kRule}},
};

// Streams run in order whatever the calls say: only race clocks detect these.
const Planted kPlantedInStreams[] = {
    {"read_only_after_write", kNever, {}, {kRace}},
    {"read_only_before_write", kNever, {}, {kRace}},
    {"no_event", kNever, {}, {kRace}},
    {"event_too_early", kNever, {}, {kRace}},
    {"copy_on_other_stream", kNever, {}, {kRace}},
    {"memset_on_other_stream", kNever, {}, {kRace}},
    {"no_wait_of_host", kNever, {}, {kRace}},
    {"copy_of_many_ctas", kNever, {}, {kRace}},
};

TEST_CASE("mistakes in the order of streams, and of loads through the read-only cache") {
  test_program("planted_streams", kPlantedInStreams);
}

TEST_CASE("reports name streams and loads through the read-only cache") {
  if (!has_mode("planted_streams_thread")) return;
  const ChildResult written = run_program("./planted_streams_thread", "read_only_after_write", "policy=late");
  expect(written, kRace, "although it is read as memory that the kernel does not write");
  expect(written, kRace, "read by __ldg, which takes it for unwritten, at planted_streams.cu:");
  expect(run_program("./planted_streams_thread", "copy_on_other_stream", "policy=late"), kRace,
         "read by stream 1 of those created at planted_streams.cu:");
}

TEST_CASE("mistakes in the order of memory") { test_program("planted_order", kPlantedInOrders); }

// Volatile accesses are relaxed ones, which fences order.
TEST_CASE("polls of volatile words behind fences are right, and a fence that is not there is missed") {
  if (!has_mode("planted_volatile_thread")) return;
  for (const std::string& policy : kPolicies) {
    INFO(policy);
    expect(run_program("./planted_volatile_thread", "none", policy), 0, "0 wrong");
    for (const char* bug : {"fence_dropped", "fence_of_reader_dropped"})
      expect(run_program("./planted_volatile_thread", bug, policy), kRace, "data race");
  }
}

// Strong loads read all memory that threads share there, so that no race clock detects these: only older values do, and
// scopes that exclude the other thread.
TEST_CASE("mistakes in the order of the generated sum_by_ticket") {
  const struct {
    const char* name;
    std::vector<int> codes;
  } kMistakes[] = {
      {"release_dropped", {kWrongNumbers}},
      {"acquire_dropped", {kWrongNumbers}},
      {"scope_of_update", {kRule}},
      {"scope_of_acquire", {kRule, kWrongNumbers}},
  };
  for (const std::string program : {"planted_ticket", "planted_ticket_thread"}) {
    if (!has_mode(program)) continue;
    for (const auto& mistake : kMistakes)
      for (int seed = 1; seed <= 4; ++seed) {
        const ChildResult result =
            run_program("./" + program, mistake.name, "sms=3,policy=random,seed=" + std::to_string(seed));
        INFO(program, " ", std::string(mistake.name), " seed ", seed, "\n", result.output);
        CHECK_MESSAGE(contains(mistake.codes, result.code), "exit code ", result.code);
      }
  }
}

// ThreadSanitizer remembers four accesses to a word: of many readers, it may forget the one that does not wait before
// the write comes. The schedule decides which ones, so a verdict takes several seeds, as many as `make test` runs.
TEST_CASE("one reader of many that comes too late is found by one of three seeds") {
  if (!has_mode("planted_readers_thread")) return;
  for (int first = 1; first <= 10; first += 3) {
    size_t found = 0;
    for (int seed = first; seed < first + 3; ++seed) {
      const std::string policy = "policy=random,seed=" + std::to_string(seed);
      const ChildResult result = run_program("./planted_readers_thread", "one_reader_of_many", policy);
      INFO(policy, "\n", result.output);
      CHECK((result.code == 0 || result.code == kRace));
      found += result.code == kRace;
      // The program ends without waiting for its launch, which is correct.
      CHECK(run_program("./planted_readers_thread", "none", policy).code == 0);
    }
    INFO("seeds from ", first);
    CHECK(found > 0);
  }
}

TEST_CASE("the report of a scope that is too narrow names both accesses") {
  const ChildResult result = run_program("./planted_order", "scope_of_acquire", "policy=late");
  INFO(result.output);
  for (const char* part : {"data race at byte 0 of an array of", "this access has the scope .cta",
                           "the store of thread 0 of CTA (0,0,0) before it .gpu", "at planted_order.cu:"})
    CHECK_MESSAGE(result.output.find(part) != std::string::npos, part);
}

}  // namespace
