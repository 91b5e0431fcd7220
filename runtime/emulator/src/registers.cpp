#include "registers.h"

#include <pallasgen/emulator/instructions.h>

#include <algorithm>

#include "current.h"
#include "report.h"

namespace pallasgen::emulator {
namespace {

constexpr int kRegisters = 65536;
constexpr int kStep = 8;
constexpr int kMostPerThread = 255;

}  // namespace

int registers_per_thread(int threads) {
  const int warps = (threads + kWarpSize - 1) / kWarpSize;
  return std::min(kRegisters / (warps * kWarpSize), kMostPerThread) / kStep * kStep;
}

RegisterPool::RegisterPool(int threads) {
  warps_.assign(static_cast<size_t>((threads + kWarpSize - 1) / kWarpSize), {registers_per_thread(threads), {}});
  free_ = 0;
}

void RegisterPool::change(Thread& thread, int registers, bool increase) {
  const char* name = increase ? "setmaxnreg.inc" : "setmaxnreg.dec";
  WarpRegisters& warp = warps_[static_cast<size_t>(thread.warp->index)];
  const size_t nth = static_cast<size_t>(thread.register_changes++);
  if (nth < warp.changes.size()) {  // another lane has done it for the warp
    const Change& done = warp.changes[nth];
    if (done.registers != registers || done.increase != increase)
      rule_broken("%s: lanes of the warp disagree, %d and %d registers", name, registers, done.registers);
  } else {
    if (increase ? registers < warp.per_thread : registers > warp.per_thread)
      rule_broken("%s to %d registers, but the warp has %d per thread", name, registers, warp.per_thread);
    warp.changes.push_back({registers, increase});
    asking_.push_back(&warp);
    grant();
  }
  while (warp.granted <= nth) {
    waiting_.add(thread);
    execution().block(thread, {.kind = Wait::Kind::kRegisters, .number = registers});
  }
}

void RegisterPool::grant() {
  bool any = false;
  std::erase_if(asking_, [&](WarpRegisters* warp) {
    const int registers = warp->changes[warp->granted].registers, more = registers - warp->per_thread;
    if (more > free_) return false;
    free_ -= more;
    warp->per_thread = registers;
    ++warp->granted;
    return any = true;
  });
  if (!any) return;
  waiting_.wake_all();
  if (!asking_.empty()) grant();  // the registers that one warp freed may be those that another asked for before
}

void RegisterPool::check_at_exit() const {
  for (size_t warp = 0; warp < warps_.size(); ++warp) {
    const WarpRegisters& first = warps_[warp / kWarpsPerWarpgroup * kWarpsPerWarpgroup];
    const auto same = [](const Change& a, const Change& b) {
      return a.registers == b.registers && a.increase == b.increase;
    };
    if (!std::equal(first.changes.begin(), first.changes.end(), warps_[warp].changes.begin(),
                    warps_[warp].changes.end(), same))
      rule_broken("setmaxnreg: warp %zu did not do the same as the first warp of its warpgroup", warp);
  }
}

void setmaxnreg(int registers, bool increase) {
  Entry entry("setmaxnreg");
  Thread& thread = entry.thread;
  thread.warp->convergence.pass(thread, "setmaxnreg", thread.pc, Convergence::Exited::kAreMissing);
  entry.cta().registers.change(thread, registers, increase);
}

}  // namespace pallasgen::emulator
