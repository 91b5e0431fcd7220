#pragma once

#include "check/kernel.h"

namespace pallasgen {

// True if an output starts with the contents of its input's block: it shares that input's buffer and has the same block
// and index map. Says nothing about an output that is a view, for which no block is copied.
bool starts_as_input(const Kernel& kernel, const Ref& output);
// True if the two refs, by their numbers in Kernel::refs, share one buffer.
bool same_buffer(const Kernel& kernel, int a, int b);

}  // namespace pallasgen
