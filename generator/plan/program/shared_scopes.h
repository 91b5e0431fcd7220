#pragma once

#include "program/draft.h"

namespace pallasgen {

// Lets scratch of scopes share memory (SharedField::overlay) where it is never in use at the same time: neither scope
// stands in the other, and the statements from the first to the last use of one lie wholly before or behind those of
// the other. Such scratch is undefined each time its scope begins, so that this holds in loops too. Changes no
// statement. Before insert_role_syncs, which then keeps threads from writing what others still read under another name.
void share_scopes(Draft& draft, program::Statements& statements);

// The fields of each place in shared memory: one, or those of an overlay. In the order of the first of each.
std::vector<std::vector<int>> places_of(const SharedMemory& shared);
// Its fields' purposes: "low or high".
std::string purpose_of(const SharedMemory& shared, const std::vector<int>& place);
// The bytes of a place: those of its largest field.
int64_t bytes_of(const SharedMemory& shared, const std::vector<int>& place);

}  // namespace pallasgen
