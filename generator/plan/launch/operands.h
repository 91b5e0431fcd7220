#pragma once

#include "program/draft.h"

namespace pallasgen {

// What the launcher does for the operands: arrays that are filled first, the parts of the workspace, strides that must
// not overlap.
void plan_operands(Draft& draft);

// The launcher's checks of pointers: the widest access, in bytes, of each ref that the roles' programs reach by
// pointer. Refs with a tensor map are checked by making it.
void require_pointers(Draft& draft);

// Adds the words of the workspace that the roles' programs count in or report to, which the launcher sets to 0. The
// status comes first. Before any other part.
void add_own_parts(Plan& plan);
// The index of the part of this name, which must be there.
int part_named(const Plan& plan, const char* name);

}  // namespace pallasgen
