#pragma once

#include <set>

#include "program/draft.h"

namespace pallasgen {

// An mbarrier in shared memory.
inline constexpr int64_t kBarrierBytes = 8;
// A TileQueue of runtime/pallasgen/dynamic_tiles.cuh, which has two slots.
inline constexpr int64_t kQueueSlots = 2, kQueueBytes = kQueueSlots * (2 * kBarrierBytes + 4);

// The next multiple of `step` from `value` on.
inline int64_t round_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

// Places the fields one after the other, the most aligned first, barriers last, and pads the struct to its alignment.
// Ring operands, stores, barriers and the roles' programs name their fields by index: `fields` are in the order in
// which they were added, and this pass renumbers those indices.
void plan_memory(Draft& draft);

// Adds a field and returns its index.
int add_field(Draft& draft, SharedField field);

// Takes fields that nothing uses any more away and renumbers what `statements` name.
void remove_fields(Draft& draft, program::Statements& statements, const std::set<int>& gone);

// The refusal when the struct is over the limit: the exact sum by field, what fits ("3 stages fit", may be empty), and
// what works. False then.
bool check_memory(Draft& draft, Span span, const std::string& fits, const std::vector<std::string>& remedies);

// The most stages of a ring.
int64_t most_stages(const Plan& plan);

// Smaller blocks, with the field that takes the most; none where there are no fields.
std::vector<std::string> memory_remedies(const Plan& plan);

}  // namespace pallasgen
