#pragma once

#include "draft.h"

namespace pallasgen {

// What a consumer says of the slots that it reads in one step of its rings (in one tile, where they move with it).
struct RingSteps {
  program::Statements arrived;  // at the head of the step
  program::Statements release;  // where the slots have been read: all readers come together, the slots are free
  program::Statements drained;  // after the last step
};
// Of rings that move on the same axes. `together` brings together the threads whose leader releases the slots.
RingSteps ring_steps(const Draft& draft, const std::vector<int>& rings, program::Statement together);

// Puts the steps of `rings` into a tile's program that reads their slots by bindings (Binding::ring): the slots are
// awaited at the head of the innermost step and released after the last statement of it that reads one.
void read_through_rings(const Draft& draft, const std::vector<int>& rings, program::Statements& tile);

}  // namespace pallasgen
