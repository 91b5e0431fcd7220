#include "convergence.h"

#include <cstring>

#include "current.h"
#include "report.h"
#include "source_place.h"

namespace pallasgen::emulator {
namespace {

constexpr uint32_t kAllLanes = 0xffffffffu;

}  // namespace

void Convergence::pass(Thread& thread, const char* operation, const void* pc, Exited exited) {
  const uint64_t number = thread.converged++;
  if (number == first_ + steps_.size()) {
    const uint32_t gone = ~thread.warp->live;
    if (exited == Exited::kAreMissing && gone != 0)
      rule_broken("%s: lanes 0x%08x of the warp have exited or never were, all must execute it", operation, gone);
    steps_.push_back({operation, pc, exited, 0, gone});
  }
  Step& step = steps_[number - first_];
  if (std::strcmp(step.operation, operation) != 0 || !may_be_same_place(step.pc, pc))
    rule_broken("lanes of a warp disagree: %s here, %s%s in lanes 0x%08x", operation, step.operation,
                at_source_place(step.pc).c_str(), step.passed);
  step.passed |= 1u << thread.lane;
  forget_passed();
}

void Convergence::lane_exited(const Thread& thread) {
  for (uint64_t number = thread.converged; number < first_ + steps_.size(); ++number) {
    Step& step = steps_[number - first_];
    if (step.exited == Exited::kAreMissing)
      rule_broken("the lane exits without %s, which lanes 0x%08x of its warp executed%s", step.operation, step.passed,
                  at_source_place(step.pc).c_str());
    step.gone |= 1u << thread.lane;
  }
  forget_passed();
}

void Convergence::forget_passed() {
  while (!steps_.empty() && (steps_.front().passed | steps_.front().gone) == kAllLanes) {
    steps_.pop_front();
    ++first_;
  }
}

}  // namespace pallasgen::emulator
