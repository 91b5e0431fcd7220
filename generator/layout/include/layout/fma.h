#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// How the threads that multiply two matrices share out the result, and how their reads of shared memory meet in its
// banks.
namespace pallasgen {

// An operand of a dot in shared memory, row by row: its elements' bytes, and whether its rows run along k.
struct FmaOperand {
  int64_t bytes = 4;
  bool along_k = true;
};
// The numbers of fma_layout().
struct FmaBlocks {
  int64_t across = 1, row_vector = 1, column_vector = 1;
  int64_t thread_rows = 1, thread_columns = 1;  // of the block of a thread, with what lies past the end
};
// The blocks of `threads` threads whose products and reads of shared memory together take least: of few elements with
// what lies past the end, and as near to a square as can be.
FmaBlocks fma_blocks(int64_t threads, int64_t rows, int64_t columns, const FmaOperand& a, const FmaOperand& b);
// Threads for a result: each has 8 x 8 elements of it, or fewer down to 4 x 4 where there would be less than 128.
int64_t fma_threads(int64_t rows, int64_t columns);
// Elements of k that a thread reads of each line of an operand at once: a vector of up to 16 bytes where its rows run
// along k.
int64_t fma_step(int64_t depth, const FmaOperand& lies);

// Elements that one read of an operand of so many elements along k takes: neighbours along k, or across it.
int64_t fma_read(const FmaBlocks& blocks, size_t operand, int64_t depth, const FmaOperand& lies);
// How many times longer than without conflicts of banks the reads of operand 0 or 1, of `lines` lines of `depth`
// elements, keep shared memory busy, at most. `span`: of its swizzle, in bytes; 0: none, and its rows without gaps.
int64_t fma_conflicts(int64_t threads, const FmaBlocks& blocks, size_t operand, int64_t lines, int64_t depth,
                      const FmaOperand& lies, int64_t span);

// How many times longer reads of `bytes` bytes by the lanes of a warp, from these addresses, keep shared memory busy
// than the banks need for them: 1 is no conflict. Of 8 bytes half a warp reads at once, of 16 a quarter.
int64_t bank_conflicts(const std::array<int64_t, 32>& addresses, int64_t bytes);

}  // namespace pallasgen
