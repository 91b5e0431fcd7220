#pragma once
#include <cstdint>
#include <deque>

namespace pallasgen::emulator {

struct Thread;
struct Warp;

/// Checks the instructions that all lanes of a warp execute together: those that are `.aligned` (PTX ISA), which a warp
/// that has diverged must not execute, and exchanges of all lanes. Each lane executes the same ones, at the same places
/// of the source, in the same order; this class never waits.
class Convergence {
 public:
  /// How an instruction treats lanes that have exited.
  enum class Exited { kCountNoMore, kAreMissing };

  /// Records that the lane executes its next such instruction at `pc` (null: at any place). Fails if other lanes of its
  /// warp executed another one instead, or the same at another place.
  void pass(Thread& thread, const char* operation, const void* pc, Exited exited = Exited::kCountNoMore);
  /// Fails if the lane leaves out an instruction that all lanes must execute.
  void lane_exited(const Thread& thread);

 private:
  struct Step {
    const char* operation;
    const void* pc;
    Exited exited;
    uint32_t passed;  // lanes
    uint32_t gone;    // lanes that exited before they came here, or never existed
  };
  void forget_passed();
  std::deque<Step> steps_;  // steps that some lane has passed and another has not
  uint64_t first_ = 0;      // number of steps_[0]
};

}  // namespace pallasgen::emulator
