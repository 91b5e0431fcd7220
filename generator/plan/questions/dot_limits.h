#pragma once

#include <string>

#include "plan/plan.h"
#include "plan/targets.h"

namespace pallasgen {

// The sizes that decide whether a role's warpgroups can multiply by wgmma, in elements of the tile and of a step.
struct DotShape {
  int64_t rows = 0, columns = 0, depth = 0;
  int64_t warpgroups = 0;
  DType operand = DType::bf16, accumulator = DType::f32;
  Major major_a = Major::k, major_b = Major::k;
  bool a_in_registers = false;
};
// The first limit that the shape exceeds, in words; empty if it exceeds none.
std::string beyond_limits(const DotShape& shape, const Target& target);

// True if warpgroups divide the columns instead, because there are not enough rows for all of them.
bool is_across(const DotShape& shape, const Target& target);

// The widest swizzle span up to `limit` that divides `bytes`; 0 if none does.
int widest_swizzle(const Target& target, int64_t bytes, int limit = 128);
// Elements of one tensor store along a row: the widest swizzle span up to `limit` that divides it, or else 16 bytes.
int64_t store_columns(const Target& target, int64_t columns, int64_t element_bytes, int limit);

}  // namespace pallasgen
