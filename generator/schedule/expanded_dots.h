#pragma once

#include "check/kernel.h"

namespace pallasgen::schedule {

// The kernel with those dots written out for which no target has an instruction; null if it has none. With scales:
//
//   acc[...] += dot(a, b, a_scale=s, b_scale=t)     s_t = s.T.astype(f32), t_t = t.T.astype(f32)
//                                                   acc[...] += dot(a[:, 0:v], b[0:v, :]) * s_t[0][:, None] * t_t[0]
//                                                   acc[...] += dot(a[:, v:2 * v], …) * s_t[1][:, None] * t_t[1]
//
// so that only one part's products are in registers at a time; those of f32 at `precision=bf16x3`:
//
//   acc[...] += dot(a, b, precision=bf16x3)         a_high = a.astype(bf16)
//                                                   a_low = (a - a_high.astype(f32)).astype(bf16), of infinities 0
//                                                   b_high, b_low
//                                                   acc[...] += dot(a_low, b_high)
//                                                   acc[...] += dot(a_high, b_low)
//                                                   acc[...] += dot(a_high, b_high)
//
// A dot inside an expression becomes a name before it.
std::shared_ptr<const Kernel> with_dots_expanded(const Kernel& kernel);

}  // namespace pallasgen::schedule
