#pragma once

#include "program/draft.h"

namespace pallasgen {

// Lets scratch of scopes share memory (SharedField::overlay) if it is never in use at the same time: neither scope is
// inside the other, and the statements from the first to the last use of one are all before or all after those of the
// other. Such scratch is undefined each time its scope begins, so this is also safe in loops. Changes no statement.
// Runs before insert_role_syncs, which then keeps threads from writing what others still read under another name.
void share_scopes(Draft& draft, program::Statements& statements);

// Returns the fields of each place in shared memory, one field or those of an overlay, in the order of their first.
std::vector<std::vector<int>> places_of(const SharedMemory& shared);
// Returns the purposes of a place's fields: "low or high".
std::string purpose_of(const SharedMemory& shared, const std::vector<int>& place);
// Returns the bytes of a place, which are those of its largest field.
int64_t bytes_of(const SharedMemory& shared, const std::vector<int>& place);

}  // namespace pallasgen
