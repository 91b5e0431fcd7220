#pragma once

#include "check/kernel.h"

namespace pallasgen {

// Whether an output begins as what its input's block holds: it is that input's buffer, with the same block and index
// map. Of an output that is a view, nothing is copied, and this says nothing.
bool starts_as_input(const Kernel& kernel, const Ref& output);
// Whether the two refs, by number, are one buffer.
bool same_buffer(const Kernel& kernel, int a, int b);

}  // namespace pallasgen
