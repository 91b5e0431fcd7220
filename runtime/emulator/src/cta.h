#pragma once
#include <vector_types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bulk_groups.h"
#include "convergence.h"
#include "copy_arrivals.h"
#include "fiber.h"
#include "mbarrier.h"
#include "named_barrier.h"
#include "race.h"
#include "registers.h"
#include "shared_memory.h"
#include "strong_memory.h"
#include "wait.h"
#include "warp_exchange.h"
#include "wgmma.h"

namespace pallasgen::emulator {

struct Cta;
struct Cluster;
struct Warp;

constexpr int kWarpSize = 32;
constexpr int kWarpsPerWarpgroup = 4;
constexpr int kWarpgroupSize = kWarpSize * kWarpsPerWarpgroup;

/// The barriers that a thread has initialised, in clocks of their own: fence.mbarrier_init orders only these, even
/// before arrivals that release nothing else.
struct BarrierInits {
  race::Context all = nullptr, fenced = nullptr;  // created with the first barrier
  uint64_t done = 0, fence = 0;
};

/// One CUDA thread.
struct Thread {
  enum class State { kReady, kRunning, kBlocked, kExited };

  Cta* cta = nullptr;
  Warp* warp = nullptr;
  int index = 0;  // in the CTA, threadIdx.x fastest
  int lane = 0;
  uint3 place{};  // threadIdx
  Fiber fiber;
  State state = State::kReady;
  const void* pc = nullptr;  // where the kernel last called an instruction
  Wait wait;
  Thread* next_waiting = nullptr;            // in a WaitList
  race::Agent agent;                         // the warp's, or its own with Options::per_thread
  std::unique_ptr<BulkGroups> bulk, copies;  // groups of bulk and TMA stores, of cp.async; created when first used
  std::unique_ptr<CopyArrivals> arrivals;    // arrivals that follow cp.async; created likewise
  std::unique_ptr<StrongThread> strong;      // for atomics, ordered accesses and fences; created with the first one
  WgmmaThread wgmma;
  BarrierInits inits;
  uint64_t cluster_arrivals = 0, cluster_waits = 0;  // generations of the cluster's barrier, plus 1
  int register_changes = 0;
  uint64_t converged = 0;  // instructions that it executed together with its warp
};

struct Warp {
  static constexpr int kNeverPolled = 1 << 30;
  Cta* cta = nullptr;
  uint64_t priority = 0;  // priority of its threads among the ready ones, in schedules with favourites
  int index = 0;
  uint32_t live = 0;                    // lanes that exist and have not exited
  int waits_since_poll = kNeverPolled;  // waits of its lanes for one another
  WarpExchanges exchanges;
  Convergence convergence;
  race::Agent agent;
  AccumulatorClock accumulators;
};

/// One CTA while it runs.
struct Cta {
  Cta(Cluster& cluster, uint3 index, uint32_t rank, uint3 threads, size_t shared_bytes, const std::string& name);
  ~Cta();
  Cta(const Cta&) = delete;
  Cta& operator=(const Cta&) = delete;

  Cluster& cluster;
  const uint3 index;    // blockIdx
  const uint32_t rank;  // in the cluster
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::vector<std::unique_ptr<WgmmaUnit>> wgmma_units;  // one per warpgroup
  SharedMemory shared;
  Mbarriers mbarriers;
  NamedBarriers named_barriers;
  RegisterPool registers;
  std::unique_ptr<Stacks> stacks;
  race::Context root = nullptr;  // the context before its first and after its last thread
  race::Sync begin, end;
  race::Sync left;    // what its threads had seen when they exited
  race::Sync fences;  // fence.sc of its threads, of any scope
  int live = 0;       // threads that have not exited
};

/// The barrier of a cluster: each thread that has not exited arrives and waits alternately.
struct ClusterBarrier {
  uint64_t generation = 0;
  int arrived = 0;
  WaitList waiting;
  race::Sync syncs[2];
};

/// The CTAs that one scheduler runs together.
struct Cluster {
  uint3 shape{1, 1, 1};
  std::vector<std::unique_ptr<Cta>> ctas;  // by rank
  ClusterBarrier barrier;
  race::Sync fences;  // fence.sc of its threads, of scope cluster and wider
};

/// Returns the number of the cluster's threads that have not exited, for which its barrier waits.
int live_threads(const Cluster& cluster);
/// Makes the barrier of the cluster not wait for the thread, which has exited.
void leave_cluster_barrier(const Thread& thread);

}  // namespace pallasgen::emulator
