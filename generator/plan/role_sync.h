#pragma once

#include "draft.h"

namespace pallasgen {

// Puts a RoleSync where a thread is about to touch an element of a tile, or of an array that the role writes, that
// another thread has touched since the last one, and one of both wrote it. An element of a loop over a whole tile is
// always the same thread's, so that such loops follow one another without. Loops are walked twice: what their end left
// meets their beginning; what ran before a loop is awaited before it where that spares a sync in every turn.
void insert_role_syncs(const Draft& draft, program::Statements& statements);

}  // namespace pallasgen
