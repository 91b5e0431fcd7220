#pragma once

#include "check/kernel.h"

namespace pallasgen::schedule {

// True if the body writes the block of an output in parts, each element by one statement and always by the same thread,
// and never reads it: each part is a box of the array. Parts are at constant places, or rows of one statement.
bool is_written_in_parts(const Kernel& kernel, int ref);
// True if the body accesses the buffer of a ref only by slices of views, each in a whole statement, so that each is a
// box: threads have what a statement reads in registers before it writes.
bool is_reached_by_boxes(const Kernel& kernel, int ref);

}  // namespace pallasgen::schedule
