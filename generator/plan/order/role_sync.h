#pragma once

#include "plan/plan.h"

namespace pallasgen {

// Inserts a RoleSync before a thread touches an element of a tile, or of an array that the role writes, that another
// thread has touched since the last sync, if one of them writes it. Loops over a whole tile give each element to the
// same thread, so they need no sync in between. Loops are walked twice, so that accesses at their end meet those at
// their start; a sync before a loop replaces one in every iteration if it can. `is_warpgroup`: the role is one
// warpgroup, so that syncs of a release by its threads serve here too.
void insert_role_syncs(const Plan& plan, bool is_warpgroup, program::Statements& statements);

// True if two loops over elements may run as one: no thread touches in the second an element that another thread, or
// the same in another iteration, has touched in the first, unless both only read.
bool runs_as_one(const Plan& plan, const program::Statement& first, const program::Statement& second);

// True if the access to a tile in a loop is to the element of the loop's iteration, and the tile has the loop's shape.
bool is_own_element(const Plan& plan, int field, const std::vector<TypedPtr>& index, const program::ForElements& loop);

}  // namespace pallasgen
