#include "planted.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

// The modes that claim a planted mistake must report it.
namespace {

const Planted kPlanted[] = {
    {"no_empty_wait", kAlways, {kRule, kDeadlock}, {kRule, kRace}},
    {"no_full_wait", kSometimes, {kRule, kDeadlock, kWrongNumbers}, {kRule, kRace}},
    {"early_release", kSometimes, {kWrongNumbers, kDeadlock}, {kRace}},
    {"no_release", kAlways, {kDeadlock}, {kDeadlock}},
    {"release_by_one_warp", kNever, {}, {kRace}},
    {"no_proxy_fence", kNever, {}, {kRace}},
    {"no_fence_before_load", kNever, {}, {kRace}},
    {"no_barrier_fence", kAlways, {kRule}, {kRule}},
    {"no_sync_after_init", kNever, {}, {kRace}},
    {"half_the_bytes", kAlways, {kRule, kDeadlock}, {kDeadlock}},
    {"twice_the_bytes", kAlways, {kDeadlock}, {kDeadlock}},
    {"wrong_count", kAlways, {kRule, kDeadlock}, {kDeadlock, kRace}},
    {"over_arrival", kAlways, {kRule}, {kRule}},
    {"wrong_parity_of_empty", kAlways, {kDeadlock}, {kDeadlock}},
    {"wrong_parity_of_full", kAlways, {kRule, kDeadlock}, {kRule, kRace}},
    {"wrong_swizzle", kAlways, {kWrongNumbers}, {kWrongNumbers}},
    {"wrong_stride", kAlways, {kWrongNumbers}, {kRace}},
    {"wrong_leading_stride", kAlways, {kWrongNumbers}, {kRace}},
    {"wrong_box", kAlways, {kDeadlock}, {kDeadlock}},
    {"stage_overrun", kAlways, {kWrongNumbers}, {kRace}},
    {"shared_overrun", kAlways, {kCrash, kRule}, {kCrash}},
    {"copy_behind_the_end", kAlways, {kRule}, {kRule}},
    {"misaligned_copy", kAlways, {kRule}, {kRule}},
    {"box_amid_16_bytes", kAlways, {kRule}, {kRule}},
    {"store_before_array", kAlways, {kRule}, {kRule}},
    {"no_tensor_map", kAlways, {kRule}, {kRule}},
    {"staging_reused", kByLuck, {kWrongNumbers}, {kRace}},
    {"no_sync_before_reuse", kNever, {}, {kRace}},
    {"no_sync_before_store", kSometimes, {kWrongNumbers}, {kRace}},
    {"no_store_commit", kAlways, {kRule}, {kRace}},
    {"exit_before_store", kAlways, {kRule}, {kRule}},
    {"tile_off_alignment", kAlways, {kRule}, {kRule}},
    {"diverged_barrier", kAlways, {kRule}, {kRule}},
    {"accumulator_too_early", kAlways, {kWrongNumbers, kDeadlock}, {kRace}},
    {"accumulator_peeked", kNever, {}, {kRace}},
    {"no_wgmma_fence", kAlways, {kRule}, {kRule}},
    {"no_wgmma_commit", kAlways, {kRule, kDeadlock}, {kRule, kRace}},
    {"threads_disagree", kAlways, {kRule}, {kRule}},
    {"too_many_registers", kAlways, {kDeadlock}, {kDeadlock}},
    {"barrier_not_initialised", kAlways, {kRule}, {kRule}},
    {"deadlock_by_order", kAlways, {kDeadlock}, {kDeadlock}},
    {"counts_disagree", kAlways, {kRule, kDeadlock}, {kRule, kDeadlock}},
    {"off_by_one_tile", kAlways, {kWrongNumbers}, {kWrongNumbers}},
    {"ragged_tile_dropped", kAlways, {kWrongNumbers}, {kWrongNumbers}},
    {"race_between_programs", kAlways, {kWrongNumbers}, {kRace}},
};

const Planted kPlantedInClusters[] = {
    {"wrong_rank", kAlways, {kDeadlock}, {kDeadlock}},
    {"wrong_mask", kAlways, {kDeadlock}, {kDeadlock}},
    {"no_fence_before_release", kNever, {}, {kRace}},
    {"no_cluster_sync", kAlways, {kRule}, {kRule}},
    {"exit_before_peers", kAlways, {kRule}, {kRule, kRace}},
    {"sleep_before_exit", kNever, {}, {kRace}},
    {"no_last_wait", kAlways, {kRule, kWrongNumbers}, {kRule, kRace}},
    {"acquire_of_cta", kNever, {}, {kRace}},
};

const Planted kPlantedInGrids[] = {
    {"no_wait_for_copies", kSometimes, {kWrongNumbers}, {kRace}},
    {"no_fence_after_copies", kNever, {}, {kRace}},
    {"store_into_reduction", kSometimes, {kWrongNumbers}, {kRace}},
    {"no_grid_sync", kSometimes, {kWrongNumbers}, {kRace}},
    {"one_cta_missing", kAlways, {kNoProgress}, {kRace}},
    {"no_wait_for_grid", kNever, {}, {kRace}},
    {"map_too_large", kAlways, {kRule}, {kRule}},
    {"extents_too_large", kAlways, {kRule}, {kRule}},
    {"part_too_small", kAlways, {kRule}, {kRule}},
};

const Planted kPlantedInLoads[] = {
    {"no_fence_before_release", kNever, {}, {kRace}},
    {"fence_before_reads", kNever, {}, {kRace}},
    {"fence_by_leader", kNever, {}, {kRace}},
    {"no_sync_before_release", kSometimes, {kDeadlock, kWrongNumbers}, {kRace}},
    {"fence_of_global", kNever, {}, {kRace}},
    {"shared_fence_for_global", kNever, {}, {kRace}},
    {"global_fence_after_init", kAlways, {kRule}, {kRule}},
    {"proxy_fence_after_init", kNever, {}, {0}},  // correct
};

const Planted kPlantedInProducts[] = {
    {"arrival_before_copies", kAlways, {kRule}, {kRace}}, {"no_sync_of_operand", kNever, {}, {kRace}},
    {"rows_of_another_warp", kNever, {}, {kRace}},        {"no_sync_before_reuse", kNever, {}, {kRace}},
    {"one_fence_of_two", kAlways, {kRule}, {kRule}},      {"fence_before_sums", kAlways, {kRule}, {kRule}},
    {"fence_before_operand", kAlways, {kRule}, {kRule}},
};

/// "planted.cu:86": the line of this program's source that holds `text`.
std::string place_of(const std::string& text, const std::string& file = "planted.cu") {
  std::ifstream in(std::string(PALLASGEN_SOURCE_DIR) + "/tests/emulator/planted/" + file);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number)
    if (line.find(text) != std::string::npos) return file + ":" + std::to_string(number);
  return "no line has " + text;
}

TEST_CASE("nothing planted, nothing found") {
  for (const std::string program : {"planted", "planted_cluster", "planted_grid", "planted_loads", "planted_order",
                                    "planted_products", "planted_streams", "planted_ticket"})
    for (const std::string mode : {"", "_address", "_thread"}) {
      if (!has_mode(program + mode)) {
        MESSAGE("no clang: ", program, mode, " was not built");
        continue;
      }
      for (const std::string& policy : kPolicies) {
        const ChildResult result = run_program("./" + program + mode, "none", policy);
        INFO(program, mode, " ", policy, "\n", result.output);
        CHECK(result.code == 0);
      }
      for (int seed = 2; seed <= 4; ++seed) {
        const ChildResult result =
            run_program("./" + program + mode, "none", "policy=random,seed=" + std::to_string(seed));
        INFO(program, mode, " seed ", seed, "\n", result.output);
        CHECK(result.code == 0);
      }
    }
}

TEST_CASE("mistakes in a pipelined matmul") { test_program("planted", kPlanted); }

TEST_CASE("mistakes in clusters") { test_program("planted_cluster", kPlantedInClusters); }

// Races between lanes of one warp: clocks per warp find none, clocks per thread all, in a program with sanitizer.
TEST_CASE("mistakes inside a warp") {
  constexpr bool kPerThread = true;
  const auto run = [](const std::string& program, const char* name, const std::string& policy, bool per_thread) {
    return run_program("./" + program, name, policy + (per_thread ? ",per_thread=1" : ""));
  };
  const struct {
    const char* name;
    Found plain;
    std::string line;  // line of the second access
  } kPlantedInWarps[] = {
      {"no_sync_in_warp", kSometimes, "smem.passed[lane - 1]"},
      {"shuffle_for_sync", kNever, "sum += smem.handed"},
      {"no_sync_before_ldmatrix", kNever, "ptx::ldmatrix_x4"},
      {"no_sync_after_leader", kSometimes, "sum += smem.leader"},
  };
  for (const auto& planted : kPlantedInWarps) {
    INFO(std::string(planted.name));
    size_t wrong = 0;
    for (const std::string& policy : kPolicies) wrong += run("planted_warp", planted.name, policy, false).code != 0;
    if (planted.plain == kNever) CHECK(wrong == 0);
    if (planted.plain == kSometimes) CHECK(wrong > 0);
    if (!has_mode("planted_warp_thread")) continue;
    CHECK(run("planted_warp_thread", planted.name, "policy=late", !kPerThread).code != kRace);
    for (const std::string& policy : kPolicies) {
      const ChildResult result = run("planted_warp_thread", planted.name, policy, kPerThread);
      INFO(policy, "\n", result.output);
      CHECK(result.code == kRace);
      CHECK(result.output.find("by thread ") != std::string::npos);
      const std::string place = place_of(planted.line, "planted_warp.cu");
      CHECK_MESSAGE(result.output.find(place) != std::string::npos, place);
    }
  }
  // Without a mistake clocks per thread report nothing, in all programs.
  for (const std::string program : {"planted_thread", "planted_cluster_thread", "planted_grid_thread",
                                    "planted_loads_thread", "planted_warp_thread"}) {
    if (!has_mode(program)) continue;
    for (const std::string& policy : kPolicies) {
      const ChildResult result = run(program, "none", policy, kPerThread);
      INFO(program, " ", policy, "\n", result.output);
      CHECK(result.code == 0);
    }
  }
}

TEST_CASE("mistakes in grids") { test_program("planted_grid", kPlantedInGrids); }

TEST_CASE("mistakes with operands, accumulators and copies of products") {
  test_program("planted_products", kPlantedInProducts);
}

TEST_CASE("mistakes with stages that threads read by ordinary loads") {
  test_program("planted_loads", kPlantedInLoads);
  if (!has_mode("planted_loads_thread")) return;
  // If the lanes share a clock, the lane of a warp that runs first decides whether a fence seems to precede the arrival
  // of the warp's leader.
  for (const char* mistake : {"fence_after_release", "fence_before_reads", "no_fence_before_release"})
    for (const std::string& policy : kPolicies) {
      const ChildResult result = run_program("./planted_loads_thread", mistake, policy + ",per_thread=1");
      INFO(std::string(mistake), " ", policy, "\n", result.output);
      CHECK(result.code == kRace);
    }
}

TEST_CASE("the sanitizers report with their own codes") {
  if (has_mode("planted_address"))
    for (const char* mistake : {"shared_overrun", "gap_written", "field_overrun"}) {
      const ChildResult result = run_program("./planted_address", mistake, "policy=late");
      INFO(result.output);
      CHECK(result.code == kAddress);
      CHECK(result.output.find("AddressSanitizer reports: kernel planted_kernel, CTA (0,0,0), thread") !=
            std::string::npos);
    }
  if (has_mode("planted_thread")) {
    const ChildResult result = run_program("./planted_thread", "no_proxy_fence", "policy=late");
    CHECK(result.code == kRace);
    INFO(result.output);
    for (const std::string& part :
         {std::string("pallasgen emulator: data race at +0x12000 of shared memory (c[0]) of CTA (0,0,0)"),
          "\n  read by TMA store of thread 128, CTA (0,0,0) at " + place_of("tma_store(map_c") + " (tensor_store_2d)",
          "\n  written by warp 4 of CTA (0,0,0) at " + place_of("store_fragment<") + " (stmatrix_x4), which nothing"})
      CHECK_MESSAGE(result.output.find(part) != std::string::npos, part);
    const ChildResult load = run_program("./planted_thread", "no_fence_before_load", "policy=late");
    INFO(load.output);
    for (const std::string& part :
         {"\n  written by TMA load of thread 0, CTA (0,0,0) at " + place_of("tma_load(smem.a[s]") + " (tensor_load_2d)",
          "\n  written by warp 0 of CTA (0,0,0) at " + place_of("smem.a[0][0] =") +
              ", and no fence.proxy.async or end of its instruction that was waited for came between"})
      CHECK_MESSAGE(load.output.find(part) != std::string::npos, part);
  }
  if (has_mode("planted_loads_thread")) {
    const ChildResult result = run_program("./planted_loads_thread", "no_fence_before_release", "policy=late");
    INFO(result.output);
    for (const std::string& part :
         {"\n  written by TMA load of thread 0, CTA (0,0,0) at " + place_of("tma_load(smem.x[s]", "planted_loads.cu"),
          " of CTA (0,0,0) at " + place_of("acc[i] += scale", "planted_loads.cu"), std::string("\n  read by warp "),
          std::string(", and no fence.proxy.async or end of its instruction that was waited for came between")})
      CHECK_MESSAGE(result.output.find(part) != std::string::npos, part);
  }
}

TEST_CASE("reports name the line of the instruction that broke a rule") {
  const ChildResult result = run_program("./planted", "misaligned_copy", "policy=late");
  INFO(result.output);
  const std::string place = "thread 0 (warpgroup 0, warp 0, lane 0) at " + place_of("tma_load(b + i");
  CHECK_MESSAGE(result.output.find(place + " (tensor_load_2d)") != std::string::npos, place);
}

TEST_CASE("the report of a deadlock names kernel, CTA, threads, barrier, phase and counts") {
  const ChildResult result = run_program("./planted", "deadlock_by_order", "policy=late");
  CHECK(result.code == kDeadlock);
  INFO(result.output);
  for (const char* part : {"pallasgen emulator: deadlock: ", "CTA (0,0,0)", "kernel planted_kernel",
                           "threads 0-31 (warp 0): wait for parity 0 of",
                           "(right): phase 0 (parity 0) is open, 0 of 1 arrivals, 0 bytes outstanding",
                           "(left): phase 0 (parity 0) is open, 0 of 1 arrivals, 0 bytes outstanding"})
    CHECK_MESSAGE(result.output.find(part) != std::string::npos, part);
  const std::string place = "0 bytes outstanding, at " + place_of("smem.pair[1 - warp].wait(0)");
  CHECK_MESSAGE(result.output.find(place + " (mbarrier_try_wait_parity)") != std::string::npos, place);
}

}  // namespace
