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

// Places the fields one after the other, the most aligned first and barriers last, and pads the struct to its
// alignment. Ring operands, stores, barriers and the roles' programs name fields by index, in the order in which they
// were added; this pass renumbers those indices.
void plan_memory(Draft& draft);

// Adds a field and returns its index.
int add_field(Draft& draft, SharedField field);

// Removes the fields `gone`, which nothing uses, and renumbers the fields that the plan and `statements` name.
void remove_fields(Draft& draft, program::Statements& statements, const std::set<int>& gone);

// Returns false if the struct is over the limit, with a diagnostic: the exact sum by field, what fits ("3 stages fit",
// may be empty), and remedies.
bool check_memory(Draft& draft, Span span, const std::string& fits, const std::vector<std::string>& remedies);

// Returns the most slots of any ring, at least 1.
int64_t most_stages(const Plan& plan);

// Returns the remedy of smaller blocks, with the field that takes the most bytes; empty if there are no fields.
std::vector<std::string> memory_remedies(const Plan& plan);

}  // namespace pallasgen
