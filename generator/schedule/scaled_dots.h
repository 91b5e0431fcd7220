#pragma once

#include "check/kernel.h"

namespace pallasgen::schedule {

// The kernel with its dots that have scales written out, as targets without instructions for them do them:
//
//   acc[...] += dot(a, b, a_scale=s, b_scale=t)     s_0 = s[:, 0].astype(f32), t_0, s_1, t_1, …
//                                                   acc[...] += dot(a[:, 0:v], b[0:v, :]) * s_0[:, None] * t_0
//                                                   acc[...] += dot(a[:, v:2 * v], …) * s_1[:, None] * t_1
//
// so that one part's products are in registers at a time. A dot inside an expression becomes a name before it. Null
// where there is none.
std::shared_ptr<const Kernel> with_scales_written_out(const Kernel& kernel);

}  // namespace pallasgen::schedule
