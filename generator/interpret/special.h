#pragma once

#include "check/kernel.h"
#include "interpret/interpret.h"
#include "random_stream.h"
#include "value.h"

namespace pallasgen::interpreter {

// Whether data may decide how often a loop of the body turns: the extreme of an integer is too often.
bool has_loops_by_data(const Kernel& kernel);
// Whether data may decide which element of a ref is read: the extreme of an integer lies past the end, where reading
// gives something unspecified.
bool has_indices_by_data(const Kernel& kernel);

// How many elements of an array become special, and how many of them large.
struct SpecialMix {
  bool finite = false;  // neither NaN nor infinities
  int64_t count = 0, largest = 0;
  double room = 1;          // what large ones are of the largest finite value
  bool multiplied = false;  // into one product: none is subnormal or the largest
};
// For an array of `size` elements. Where the kernel gathers elements they are few, so that most sums meet none, and a
// large value stands once in one array alone: whether a sum overflows on the way depends on its order, which is free.
// `first` says that the array is the kernel's first of floats.
SpecialMix special_mix(const Kernel& kernel, int64_t size, bool first, SpecialValues values);

// Puts NaN, infinities, -0, 200 and -200, and the least and the largest subnormals of both signs into elements that
// `random` chooses, as far as the dtype has them, and large values as `mix` says, with signs in turn. Of integers the
// extremes.
void mix_special_values(Value& value, const SpecialMix& mix, RandomStream& random);

}  // namespace pallasgen::interpreter
