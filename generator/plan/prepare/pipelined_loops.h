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
// Names that the loop rebinds become scratch. Null where `pipeline` asks for no copies ahead, where the grid has
// sequential axes of its own, or where the body is not statements, one loop, statements; the loop reads no `gmem` input
// by slices of constant size alone; or what stands before it could give another value in a later step.
std::shared_ptr<const Kernel> with_loop_as_axis(const Kernel& kernel);

}  // namespace pallasgen
