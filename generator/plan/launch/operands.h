#pragma once

#include "program/draft.h"

namespace pallasgen {

// Plans the launcher's work for the operands: arrays that it fills first, the parts of the workspace, strides whose
// elements must not overlap.
void plan_operands(Draft& draft);

// Adds the launcher's checks of pointers: each is a multiple of the widest access, in bytes, by which the roles'
// programs reach the ref. Refs with a tensor map are checked when the map is made.
void require_pointers(Draft& draft);

// Adds the workspace words that the roles' programs count in or report to, which the launcher sets to 0; the status is
// the first. Must come before any other part.
void add_own_parts(Plan& plan);
// The index of the part of this name, which must exist.
int part_named(const Plan& plan, const char* name);

}  // namespace pallasgen
