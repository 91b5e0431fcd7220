#pragma once

#include "plan/plan.h"

namespace pallasgen {

// Puts a RoleSync where a thread is about to touch an element of a tile, or of an array that the role writes, that
// another thread has touched since the last one, and one of both wrote it. An element of a loop over a whole tile is
// always the same thread's, so that such loops follow one another without. Loops are walked twice: what their end left
// meets their beginning; what ran before a loop is awaited before it where that spares a sync in every turn.
// `is_warpgroup`: the role is one warpgroup, so that what its threads await for a release serves here too.
void insert_role_syncs(const Plan& plan, bool is_warpgroup, program::Statements& statements);

// Whether two loops over elements may run as one: no thread touches in the second what another, or the same in another
// turn, has touched in the first, unless both only read.
bool runs_as_one(const Plan& plan, const program::Statement& first, const program::Statement& second);

// Whether an access to a tile inside a loop is to the element of the loop's turn, the tile being of the loop's shape.
bool is_own_element(const Plan& plan, int field, const std::vector<TypedPtr>& index, const program::ForElements& loop);

}  // namespace pallasgen
