#pragma once

#include <string>

#include "plan/plan.h"
#include "plan/targets.h"

namespace pallasgen {

// What decides whether a role's warpgroups can multiply by wgmma: sizes of the tile and of a step in elements.
struct DotShape {
  int64_t rows = 0, columns = 0, depth = 0;
  int64_t warpgroups = 0;
  DType operand = DType::bf16, accumulator = DType::f32;
  Major major_a = Major::k, major_b = Major::k;
  bool a_in_registers = false;
};
// The first limit that the shape is beyond, in words; empty: none.
std::string beyond_limits(const DotShape& shape, const Target& target);

// Whether warpgroups have columns each instead, because there are not rows enough for all of them.
bool is_across(const DotShape& shape, const Target& target);

// The widest span that divides `bytes` and is at most `limit`, 0 where none does.
int widest_swizzle(const Target& target, int64_t bytes, int limit = 128);
// Elements of one tensor store along a row of so many columns: the widest swizzle span up to `limit` that divides it.
int64_t store_columns(const Target& target, int64_t columns, int64_t element_bytes, int limit);

}  // namespace pallasgen
