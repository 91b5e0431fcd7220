#pragma once

#include "draft.h"

namespace pallasgen {

// The most elements that one access to the ref may move at once by what the spec's facts prove: the last extent, the
// offset of the block and its size are multiples, the array is contiguous; at most 16 bytes. The launcher checks the
// pointer. `why` says what was proved or what is missing.
struct ProvedVector {
  int64_t elements = 1;
  std::string why;
};
ProvedVector proved_vector(const Draft& draft, int ref, const TypedPtr& last_offset, int64_t block_width);

// A block (or part of one) of a ref in global memory: `offsets` in the array, and for each dim of the array the dim of
// the fragment along it (-1: one element). `limits`: AccessDim::size by dim; may be empty.
program::Access block_access(const Draft& draft, int ref, std::vector<TypedPtr> offsets, const std::vector<int>& dims,
                             const std::vector<int64_t>& sizes, ProvedVector vector,
                             const std::vector<TypedPtr>& limits = {});

// The dims of the array that the block keeps, in order: squeezed ones have no dim in the block's shape.
std::vector<int> kept_dims(const Ref& ref);

// Whether an index expression names a sequential axis.
bool mentions_steps(const Kernel& kernel, const TypedPtr& expr);
// Where the kernel's steps are over (an epilogue) sequential axes stand for their last step, in a prologue for 0.
TypedPtr at_last_step(const Kernel& kernel, const TypedPtr& expr);
TypedPtr at_first_step(const Kernel& kernel, const TypedPtr& expr);
// With `step` in place of one sequential axis.
TypedPtr at_step_of(const Kernel& kernel, const TypedPtr& expr, int axis, const TypedPtr& step);

// An index expression per offset, each through at_last_step / at_first_step / as is.
enum class StepPlace : uint8_t { in_loop, first, last };
std::vector<TypedPtr> placed(const Kernel& kernel, std::vector<TypedPtr> expressions, StepPlace place);

// Whether each program that has steps has the first (last) of them: where all sequential axes are 0 (their sizes less
// 1). It need not be there where the size of an axis depends on the steps of others.
bool has_step_at(const Kernel& kernel, StepPlace place, const SymbolFacts& facts);

// What a ref in global memory may be: refuses what no load or store of fragments does, by name.
bool check_direct_access(Draft& draft, int ref);

}  // namespace pallasgen
