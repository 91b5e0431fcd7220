#include "questions/dot_limits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "plan/words.h"
#include "questions/families.h"
#include "targets/registers.h"

namespace pallasgen {

namespace {

// Registers for the rest of a loop: 200 of accumulators compile without spills under 232, and 208 do not (nvcc 13.0).
constexpr int64_t kMainLoop = 32;

std::string unswizzled(const char* operand, int64_t row_bytes, const Target& target) {
  return fmt::format("rows of {} are {} bytes, which no swizzle divides ({})", operand, row_bytes,
                     fmt::join(target.swizzles, ", "));
}

}  // namespace

int widest_swizzle(const Target& target, int64_t bytes, int limit) {
  for (int span : target.swizzles) {
    if (span <= limit && bytes % span == 0) return span;
  }
  return 0;
}

int64_t store_columns(const Target& target, int64_t columns, int64_t element_bytes, int limit) {
  const int span = widest_swizzle(target, columns * element_bytes, limit);
  return span > 0 ? span / element_bytes : 16 / element_bytes;
}

bool is_across(const DotShape& shape, const Target& target) {
  const int64_t columns = shape.columns / shape.warpgroups;
  const bool wanted = shape.rows % (target.mma_rows * shape.warpgroups) != 0 && shape.rows % target.mma_rows == 0;
  const bool taken = std::any_of(target.families.begin(), target.families.end(), [&](const MmaFamily& row) {
    return row.a == shape.operand && row.accumulator == shape.accumulator &&
           columns % column_step(target, row, columns) == 0;
  });
  if (!wanted || !taken || shape.a_in_registers || columns * shape.warpgroups != shape.columns) return false;
  // If the columns of B are contiguous, each part must have whole swizzle spans.
  return shape.major_b == Major::k || widest_swizzle(target, columns * info(shape.operand).bits / 8) > 0;
}

std::string beyond_limits(const DotShape& shape, const Target& target) {
  const int64_t together = target.mma_rows * shape.warpgroups;
  const bool across = is_across(shape, target);
  const int64_t columns = across ? shape.columns / shape.warpgroups : shape.columns;
  if (shape.rows % together != 0 && !across)
    return fmt::format("{} share {} rows, and each takes a whole number of instructions of {}{}",
                       counted(shape.warpgroups, "compute warpgroup"), shape.rows, target.mma_rows,
                       shape.rows % target.mma_rows == 0 && shape.warpgroups > 1
                           ? fmt::format("; nor can each take an equal part of the {} columns", shape.columns)
                           : "");
  if (columns > target.mma_max_n)
    return fmt::format("it has {} columns{}, and instructions have at most {}", columns,
                       across ? " for each compute warpgroup" : "", target.mma_max_n);
  const int64_t bytes = info(shape.operand).bits / 8;
  const int64_t row_a = (shape.major_a == Major::k ? shape.depth : shape.rows) * bytes;
  const int64_t row_b = (shape.major_b == Major::k ? shape.depth : shape.columns) * bytes;
  if (!shape.a_in_registers && widest_swizzle(target, row_a) == 0) return unswizzled("a", row_a, target);
  if (widest_swizzle(target, row_b) == 0) return unswizzled("b", row_b, target);
  // Registers of each thread for the 64 rows of one instruction.
  const int64_t of_instruction = columns * info(shape.accumulator).bits / 64;
  if (!mma_instruction_fits(target, shape.warpgroups, of_instruction))
    return fmt::format(
        "an instruction over {} columns holds {} registers of accumulators, more than the kernel starts "
        "with beside {}",
        columns, of_instruction, counted(shape.warpgroups, "compute warpgroup"));
  const int64_t all = (across ? shape.rows / target.mma_rows : shape.rows / together) * of_instruction;
  const int64_t available = registers_available(target, shape.warpgroups);
  if (all + kMainLoop > available)
    return fmt::format("its accumulators are {} registers of each thread; with {} for everything else that is {} of {}",
                       all, kMainLoop, all + kMainLoop, available);
  return "";
}

}  // namespace pallasgen
