#include <doctest/doctest.h>
#include <pallasgen/emulator/emulator.h>
#include <pallasgen/launch.h>

#include <vector>

#include "order_kernels.cuh"

using namespace pallasgen;

TEST_CASE("grid: all threads of a CTA have its ticket, turn after turn without another meeting") {
  constexpr int kCtas = 3, kTurns = 4, kThreads = 64;
  // Some threads run ahead of others, in several orders.
  for (uint64_t seed = 0; seed < 8; ++seed) {
    emulator::Options options;
    options.random_order = (options.seed = seed) != 0;
    emulator::set_options(options);
    uint32_t counter = 0;
    std::vector<int> counts(kCtas * kTurns);
    REQUIRE(launch(orders::count_tickets<kTurns>, kCtas, kThreads, sizeof(uint32_t), nullptr, &counter,
                   counts.data()) == cudaSuccess);
    CHECK(counter == kCtas * kTurns);
    CHECK(counts == std::vector<int>(kCtas * kTurns, kThreads));
  }
  emulator::set_options({});
}

TEST_CASE("grid: what all have written before they meet is seen behind it, launch after launch") {
  constexpr int kCtas = 4, kThreads = 64;
  uint32_t word = 0;
  std::vector<int> all(kCtas * kThreads), sums(kCtas * kThreads);
  for (int turn = 1; turn <= 3; ++turn) {
    REQUIRE(launch(orders::add_up<int>, Grid(kCtas).cooperative(), kThreads, 0, nullptr, &word, all.data(), sums.data(),
                   turn) == cudaSuccess);
    const int want = turn * kCtas * kThreads * (kCtas * kThreads - 1) / 2;
    CHECK(sums == std::vector<int>(kCtas * kThreads, want));
  }
}
