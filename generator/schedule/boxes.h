#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// The box of its array that a ref's block is, at the symbols of the current step.
tile::Box box_of(const Kernel& kernel, int ref);
// The mask of a ref's elements inside its array (`valid`), as comparisons of their coordinates.
TypedPtr mask_of(const Kernel& kernel, int ref, Span span);

}  // namespace pallasgen::schedule
