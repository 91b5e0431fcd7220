#pragma once

#include "check/kernel.h"

namespace pallasgen {

// The kernel with its loop over slices of global memory as a sequential axis, so that one kind of pipeline serves both:
//
//   acc = zeros(f32, [bm, bn])                          when k == 0: acc[...] = 0
//   for k in range(cdiv(K, bk)):                        grid axis k, a: block [.., bk], index [.., k]
//     acc = acc + dot(a[:, ds(k * bk, bk)], …)          acc[...] = acc + dot(a, …)
//   c[...] = acc                                        when k == num_programs(k) - 1: c[...] = acc
//
// Names that the loop rebinds become scratch. Returns null if `pipeline` asks for no copies ahead, if the grid has
// sequential axes of its own, if the body has no or several loops, if the loop reads no `gmem` input by one slice of
// constant size alone, or if a statement before it could give another value in a later step.
std::shared_ptr<const Kernel> with_loop_as_axis(const Kernel& kernel);

}  // namespace pallasgen
