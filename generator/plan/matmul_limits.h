#pragma once

#include <optional>
#include <string>
#include <vector>

#include "matmul_form.h"
#include "registers.h"

namespace pallasgen {

// The numbers of a warp-specialised matmul that decide whether it can be planned.
struct MatmulShape {
  int64_t bm = 0, bn = 0, bk = 0;
  int64_t consumers = 0, stages = 0;
  int64_t element_bytes = 2;
  int64_t accumulator_bytes = 4;
  Major major_a = Major::k, major_b = Major::k;
  std::vector<int64_t> store_bytes;  // of an element of each output stored by tensor copies
  EpilogueAccesses epilogue;         // what a chunk of the epilogue reaches by pointer

  int64_t rows_per_consumer() const { return bm / consumers; }
};

enum class MatmulProblem : uint8_t {
  rows,     // bm is no multiple of 64 * consumers
  columns,  // bn is no multiple of 8, or over 256
  depth,    // bk is no multiple of 16
  swizzle_a,
  swizzle_b,
  pool,         // more compute warpgroups than the register file serves
  registers,    // the accumulator of a warpgroup
  instruction,  // one MMA instruction
  store_box,    // rows of one tensor store
  stages,
  memory,
};

// The widest span that divides `bytes` and is at most `limit`, 0 where none does.
int widest_swizzle(const Target& target, int64_t bytes, int limit = 128);
// Elements of one tensor store along a row of c: the widest swizzle span up to `limit` that divides it.
int64_t store_columns(const Target& target, int64_t bn, int64_t element_bytes, int limit);

// How the epilogue walks a tile: a store of at most `span` bytes of a row, `chunk` columns at a time. The widest that
// leaves the accumulators their registers.
struct MatmulEpilogue {
  int span = 128;
  int64_t chunk = 16;
  ConsumerRegisters registers;
};
MatmulEpilogue matmul_epilogue(const MatmulShape& shape, const Target& target);

struct MatmulMemory {
  int64_t a = 0, b = 0;  // of one stage
  int64_t staging = 0;   // all buffers of all stores
  int64_t buffers = 0;   // per warpgroup
  int64_t barriers = 0, padding = 0, total = 0;
};
// With `buffers` staging buffers per warpgroup.
MatmulMemory matmul_memory(const MatmulShape& shape, const Target& target, int64_t buffers);
// Two staging buffers where they fit, else one.
int64_t staging_buffers(const MatmulShape& shape, const Target& target);
// The most stages that fit; 0 if not even one.
int64_t stages_that_fit(const MatmulShape& shape, const Target& target);

std::optional<MatmulProblem> matmul_problem(const MatmulShape& shape, const Target& target);

// The values that can be changed, by the names that the user gave them.
struct MatmulNames {
  std::string bm, bn, bk;  // const names or expressions; equal names move together
};

// "bm 128 works", "compute_warpgroups 1 works": for each number the nearest value that plans with all others as they
// are; where no single one does, the nearest pair or triple. Every one was tried.
std::vector<std::string> nearest_that_work(const MatmulShape& shape, const MatmulNames& names, const Target& target);

}  // namespace pallasgen
