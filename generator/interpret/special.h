#pragma once

#include "check/kernel.h"
#include "interpret/interpret.h"
#include "random_stream.h"
#include "value.h"

namespace pallasgen::interpreter {

// True if data may decide how many iterations a loop of the body has: extremes of integers are too many.
bool has_loops_by_data(const Kernel& kernel);
// True if data may decide which element of a ref is read: extremes of integers lie past the end, where elements are
// unspecified.
bool has_indices_by_data(const Kernel& kernel);

// How many elements of an array become special, and how many of them large.
struct SpecialMix {
  bool finite = false;  // neither NaN nor infinities
  int64_t count = 0, largest = 0;
  double room = 1;          // large values, as a part of the largest finite value
  bool multiplied = false;  // elements are factors of one product: none is subnormal or large
};
// For an array of `size` elements. If the kernel gathers elements, few are special, so that most sums meet none, and
// only one array has one large value: whether a sum overflows on the way depends on its order, which is free. `first`:
// the array is the kernel's first of floats.
SpecialMix special_mix(const Kernel& kernel, int64_t size, bool first, SpecialValues values);

// Puts special values into elements that `random` chooses: for floats NaN, infinities, -0, 200 and -200, and the least
// and the largest subnormals of both signs, as far as the dtype has them, and large values as `mix` says, with
// alternating signs; for integers the extremes.
void mix_special_values(Value& value, const SpecialMix& mix, RandomStream& random);

}  // namespace pallasgen::interpreter
