#pragma once

#include "check/kernel.h"

namespace pallasgen::schedule {

// Whether the body writes the block of an output in parts, each element by one statement and always by the same thread,
// and never reads it: each part is then a box of the array. Parts are at constant places, or rows of one statement.
bool is_written_in_parts(const Kernel& kernel, int ref);
// Whether all that the body reads and writes of the buffer of a ref are slices of views, whole statements, so that each
// is a box: threads have what a statement reads in registers before it writes.
bool is_reached_by_boxes(const Kernel& kernel, int ref);

}  // namespace pallasgen::schedule
