#include "cta.h"

#include "current.h"
#include "report.h"

namespace pallasgen::emulator {

void WaitList::add(Thread& thread) {
  thread.next_waiting = nullptr;
  (first_ == nullptr ? first_ : last_->next_waiting) = &thread;
  last_ = &thread;
}

void WaitList::wake_all() {
  Thread* thread = first_;
  first_ = last_ = nullptr;
  while (thread != nullptr) {
    Thread* next = thread->next_waiting;
    execution().wake(*thread);
    thread = next;
  }
}

Cta::Cta(Cluster& cluster, uint3 index, uint32_t rank, uint3 shape, size_t shared_bytes, const std::string& name)
    : cluster(cluster),
      index(index),
      rank(rank),
      threads(shape.x * shape.y * shape.z),
      warps((threads.size() + kWarpSize - 1) / kWarpSize),
      shared(shared_bytes),
      mbarriers(*this),
      named_barriers(*this),
      registers(static_cast<int>(threads.size())),
      live(static_cast<int>(threads.size())) {
  const bool per_thread = execution().options().per_thread;
  const auto agent = [&](const char* kind, int i, race::Context global) {
    return race::create_agent(race::enabled() ? text("%s %d of %s", kind, i, name.c_str()).c_str() : "", global);
  };
  for (size_t i = 0; i < warps.size(); ++i) {
    warps[i].cta = this;
    warps[i].index = static_cast<int>(i);
    if (per_thread)
      warps[i].agent.async[static_cast<int>(race::Space::kGlobal)] = race::create("");
    else
      warps[i].agent = agent("warp", warps[i].index, nullptr);
  }
  for (size_t i = 0; i < threads.size(); ++i) {
    Thread& thread = threads[i];
    thread.cta = this;
    thread.warp = &warps[i / kWarpSize];
    thread.index = static_cast<int>(i);
    thread.lane = static_cast<int>(i % kWarpSize);
    const unsigned x = static_cast<unsigned>(i);
    thread.place = {x % shape.x, x / shape.x % shape.y, x / shape.x / shape.y};
    thread.warp->live |= 1u << thread.lane;
    const race::Agent& warp = thread.warp->agent;
    thread.agent = per_thread ? agent("thread", thread.index, warp.async_in(race::Space::kGlobal)) : warp;
  }
  for (size_t i = 0; i < threads.size(); i += kWarpgroupSize)
    wgmma_units.push_back(std::make_unique<WgmmaUnit>(*this, static_cast<int>(i / kWarpgroupSize), name));
}

Cta::~Cta() {
  const bool per_thread = execution().options().per_thread;
  for (Thread& thread : threads) {
    race::destroy(thread.inits.all);
    race::destroy(thread.inits.fenced);
    thread.agent.async[static_cast<int>(race::Space::kGlobal)] = nullptr;  // the warp's clock
    if (per_thread) race::destroy(thread.agent);
  }
  for (const Warp& warp : warps) race::destroy(warp.agent);
  race::destroy(root);
}

}  // namespace pallasgen::emulator
