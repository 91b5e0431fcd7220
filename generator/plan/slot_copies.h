#pragma once

#include "draft.h"

namespace pallasgen {

// A ref's whole block in global memory as copies into slots reach it, at the step of the grid's axes: rows as wide as
// its facts prove them aligned. Dims of the fragment are the block's.
program::Access slot_access(const Draft& draft, int ref);
// The same `step` for a sequential axis.
program::Access at_step_of(const Kernel& kernel, program::Access access, int axis, const TypedPtr& step);

// How threads bring the access's block into a slot: cp.async where it moves 4 bytes at once or more.
CopyPath thread_path(const Draft& draft, const program::Access& access);
// "cp.async, 16 bytes at a time".
std::string path_text(const Draft& draft, CopyPath path, const program::Access& access);

// The sizes of the block as the body sees it.
std::vector<Number> block_sizes(const Ref& ref);

// Warns where a fact would let the copies of a ref's block be wider.
void warn_of_narrow_copies(Draft& draft, const program::Access& access);

}  // namespace pallasgen
