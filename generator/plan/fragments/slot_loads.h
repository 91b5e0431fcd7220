#pragma once

#include <vector>

#include "fragments/fragment_values.h"

namespace pallasgen::planning {

// The offset of a part of a slot, and the distance between its rows, both in elements.
struct SlotPart {
  TypedPtr offset;
  Number pitch;
};
// Returns where a slice of an entry lies; one of its dims has rows and one their elements. `sizes`: the entry's sizes.
SlotPart part_of_slot(const FragmentValues& values, const Apply& part, const std::vector<Number>& sizes);

// Statements that read an entry: all threads load the element at `at`, or each thread loads its elements of a part or
// of the whole.
program::Statement load_one_of_slot(const Plan& plan, int ring, int member, const TypedPtr& at, int scalar,
                                    bool declares, bool constant);
program::LoadShared load_part_of_slot(const Draft& draft, FragmentValues& values, tile::ValueId value, int ring,
                                      int member, const SlotPart& part);
program::LoadShared load_whole_slot(FragmentValues& values, tile::ValueId value, int ring, int member);

// Adds statements to `out` that clear the rows of an entry from `rows` on, if it has more, before instructions read it.
// They join the last branch of `out` if it clears another entry from the same row on.
void clear_slot(const Plan& plan, int ring, int member, const TypedPtr& rows, program::Statements& out);

}  // namespace pallasgen::planning
