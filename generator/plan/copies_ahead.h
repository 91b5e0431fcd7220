#pragma once

#include "body.h"

namespace pallasgen {

// A pipeline whose threads prefetch and compute: inputs that move with the steps of the innermost sequential axis are
// copied into rings, some steps ahead, by the threads that read them. A group of copies is committed for each step, so
// that waiting for all but the last few is waiting for a step. One synchronisation a step does for both sides: behind
// it the copies of all threads have arrived, and what the step before read may be overwritten. There is none where each
// thread reads just what it copied itself. The rings go on from
// tile to tile (and from one step of an outer axis to the next), where the copies begin again: they take only slots
// that were read before the last synchronisation, since a ring has a slot more than its copies go ahead.
struct CopiesAhead {
  struct Ring {
    int ring, delay;
    std::vector<program::Access> accesses;  // by operand, at the step itself
  };
  int axis = -1;
  std::vector<Ring> rings;
};

// Whether the settings, of the pipeline or of an operand, ask for slots.
bool asks_for_stages(const Kernel& kernel);

// Plans the rings and enters their operands in the frame. No rings: nothing was asked for, or (`stages: auto`) no input
// moves with the steps. Null after a refusal.
std::optional<CopiesAhead> plan_copies_ahead(Draft& draft, BlockFrame& frame);

// The loop over the steps of the axis with its copies; `first` begins those of the first steps, before it.
struct StepsWithCopies {
  program::Statements first, loop;
};
StepsWithCopies steps_with_copies(const Draft& draft, const BlockFrame& frame, const CopiesAhead& copies, Section step);

// Refuses what does not fit in shared memory, after plan_memory. `span`: where there is no better place.
bool check_slots_fit(Draft& draft, const CopiesAhead& copies);

}  // namespace pallasgen
