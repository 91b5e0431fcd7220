#include <pallasgen/emulator/instructions.h>

#include "current.h"
#include "report.h"

// Clusters (PTX ISA, "mapa", "barrier.cluster").
namespace pallasgen::emulator {
namespace {

void finish_if_complete(Cluster& cluster) {
  ClusterBarrier& barrier = cluster.barrier;
  if (barrier.arrived == 0 || barrier.arrived < live_threads(cluster)) return;
  barrier.arrived = 0;
  ++barrier.generation;
  barrier.waiting.wake_all();
}

}  // namespace

int live_threads(const Cluster& cluster) {
  int live = 0;
  for (const auto& cta : cluster.ctas) live += cta->live;
  return live;
}

void leave_cluster_barrier(const Thread& thread) {
  ClusterBarrier& barrier = thread.cta->cluster.barrier;
  if (thread.cluster_arrivals > barrier.generation)
    --barrier.arrived;  // it had arrived, and is not counted among the live
  finish_if_complete(thread.cta->cluster);
}

uint32_t cluster_ctarank() { return current_thread("cluster_ctarank").cta->rank; }

uint32_t cluster_nctarank() {
  return static_cast<uint32_t>(current_thread("cluster_nctarank").cta->cluster.ctas.size());
}

uint32_t mapa(uint32_t address, uint32_t rank) {
  const Cluster& cluster = current_thread("mapa").cta->cluster;
  if (rank >= cluster.ctas.size()) rule_broken("mapa: rank %u in a cluster of %zu CTAs", rank, cluster.ctas.size());
  return cluster_address(address, rank);
}

void cluster_arrive(bool release) {
  Entry entry("barrier.cluster.arrive");
  Thread& thread = entry.thread;
  thread.warp->convergence.pass(thread, "barrier.cluster.arrive", thread.pc);
  Cluster& cluster = entry.cta().cluster;
  ClusterBarrier& barrier = cluster.barrier;
  if (thread.cluster_arrivals > barrier.generation)
    rule_broken("barrier.cluster.arrive: the thread arrives again without a wait between");
  thread.cluster_arrivals = barrier.generation + 1;
  race::Sync& sync = barrier.syncs[barrier.generation & 1];
  if (release)
    race::release(thread.agent, sync);
  else
    race::release(thread.inits.fenced, sync.generic);
  ++barrier.arrived;
  finish_if_complete(cluster);
}

void cluster_wait() {
  Entry entry("barrier.cluster.wait");
  Thread& thread = entry.thread;
  thread.warp->convergence.pass(thread, "barrier.cluster.wait", thread.pc);
  ClusterBarrier& barrier = entry.cta().cluster.barrier;
  if (thread.cluster_arrivals == 0 || thread.cluster_waits == thread.cluster_arrivals)
    rule_broken("barrier.cluster.wait: the thread has not arrived");
  thread.cluster_waits = thread.cluster_arrivals;
  while (barrier.generation < thread.cluster_arrivals) {
    barrier.waiting.add(thread);
    execution().block(thread, {.kind = Wait::Kind::kCluster});
  }
  race::acquire(thread.agent, barrier.syncs[(thread.cluster_arrivals - 1) & 1]);
}

}  // namespace pallasgen::emulator
