#pragma once

#include <vector>

#include "fragments/fragment_values.h"

namespace pallasgen::planning {

// Where a part of a slot begins, in elements, and how many elements its rows are apart.
struct SlotPart {
  TypedPtr offset;
  Number pitch;
};
// A part of an entry, of whose dims one has rows and one their elements. `sizes`: of the entry.
SlotPart part_of_slot(const FragmentValues& values, const Apply& part, const std::vector<Number>& sizes);

// The statements that read an entry: the element at this place, which all threads load; what each thread has of a part,
// or of the whole.
program::Statement load_one_of_slot(const Plan& plan, int ring, int member, const TypedPtr& at, int scalar,
                                    bool declares, bool constant);
program::LoadShared load_part_of_slot(const Draft& draft, FragmentValues& values, tile::ValueId value, int ring,
                                      int member, const SlotPart& part);
program::LoadShared load_whole_slot(FragmentValues& values, tile::ValueId value, int ring, int member);

// Clears what lies behind so many rows of an entry, if it has more, before instructions read it: at the end of `out`,
// in the branch that stands there already where another entry ends with the same row.
void clear_slot(const Plan& plan, int ring, int member, const TypedPtr& rows, program::Statements& out);

}  // namespace pallasgen::planning
