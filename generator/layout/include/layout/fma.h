#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// How threads that multiply two matrices divide the result among them, and how their reads of shared memory conflict in
// its banks.
namespace pallasgen {

// An operand of a dot in shared memory, row by row: bytes of an element, and whether its rows run along k.
struct FmaOperand {
  int64_t bytes = 4;
  bool along_k = true;
};
// The parameters of fma_layout().
struct FmaBlocks {
  int64_t across = 1, row_vector = 1, column_vector = 1;
  int64_t thread_rows = 1, thread_columns = 1;  // of a thread's block, with padding
};
// The blocks for which products and reads of shared memory cost `threads` threads least: they have little padding and
// are nearly square. `threads`: whole warps.
FmaBlocks fma_blocks(int64_t threads, int64_t rows, int64_t columns, const FmaOperand& a, const FmaOperand& b);
// Threads for a result: each has 8 x 8 elements, or fewer down to 4 x 4 if there were less than 128 threads otherwise.
int64_t fma_threads(int64_t rows, int64_t columns);
// Elements along k that a thread reads at once of each line of an operand: a vector of up to 4 elements or 16 bytes if
// the rows run along k, else 1.
int64_t fma_step(int64_t depth, const FmaOperand& lies);

// Elements that one read of an operand of `depth` elements along k takes: neighbours along k, or across it.
int64_t fma_read(const FmaBlocks& blocks, size_t operand, int64_t depth, const FmaOperand& lies);
// How many times longer than without bank conflicts, at most, reads of operand 0 or 1, of `lines` lines of `depth`
// elements, keep shared memory busy. `span`: bytes of its swizzle; 0: no swizzle, and rows without gaps.
int64_t fma_conflicts(int64_t threads, const FmaBlocks& blocks, size_t operand, int64_t lines, int64_t depth,
                      const FmaOperand& lies, int64_t span);

// How many times longer the lanes' reads of `bytes` bytes from these addresses take than without bank conflicts (1: no
// conflict). Reads of 8 bytes go by half warps, of 16 bytes by quarters.
int64_t bank_conflicts(const std::array<int64_t, 32>& addresses, int64_t bytes);

}  // namespace pallasgen
