#include "layout/fma.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "layout/layout.h"

namespace pallasgen {

namespace {

constexpr int64_t kReadBytes = 16, kMostOfRead = 4;    // bytes of one read; neighbouring elements in it
constexpr int64_t kBlock = 64, kLeastBlock = 16;       // elements of a thread
constexpr int64_t kWanted = 128, kMostOfBlocks = 256;  // threads
constexpr int64_t kWarpLanes = 32, kNeighbours = 8, kParts = 4;
constexpr int64_t kBanks = 32, kBankBytes = 4;

int64_t vector_of(const FmaOperand& operand, int64_t lines) {
  return operand.along_k ? 1 : std::gcd(std::min(kMostOfRead, kReadBytes / operand.bytes), lines);
}

// Elements of one side that each of `threads` threads has.
int64_t share(int64_t size, int64_t threads, int64_t vector) {
  return (size + threads * vector - 1) / (threads * vector) * vector;
}

}  // namespace

FmaBlocks fma_blocks(int64_t threads, int64_t rows, int64_t columns, const FmaOperand& a, const FmaOperand& b) {
  const int64_t row_vector = vector_of(a, rows), column_vector = vector_of(b, columns);
  FmaBlocks best;
  auto least = std::pair(INT64_MAX, true);
  const int64_t warps = threads / kWarpLanes;
  for (int64_t across = 1; across <= threads; across *= 2) {
    const int64_t beside = std::min(across, kNeighbours);
    if (threads % across != 0 || warps % (across / beside) != 0) continue;
    const FmaBlocks blocks{across, row_vector, column_vector, share(rows, threads / across, row_vector),
                           share(columns, across, column_vector)};
    // A warp's read of a word takes shared memory as long as four products take, one in each of an SM's four parts.
    const int64_t products = blocks.thread_rows * blocks.thread_columns;
    const int64_t reads = kParts * (blocks.thread_rows + blocks.thread_columns);
    const auto cost = std::pair(products + reads, across < kNeighbours);
    if (cost < least) least = cost, best = blocks;
  }
  return best;
}

int64_t fma_threads(int64_t rows, int64_t columns) {
  const auto elements = static_cast<uint64_t>(rows * columns);
  const auto full = static_cast<int64_t>(std::bit_ceil(std::max<uint64_t>(1, elements / kBlock)));
  const auto most = static_cast<int64_t>(std::bit_floor(std::max<uint64_t>(1, elements / kLeastBlock)));
  return std::clamp(std::max(full, std::min(kWanted, most)), kWarpLanes, kMostOfBlocks);
}

int64_t fma_step(int64_t depth, const FmaOperand& lies) {
  return lies.along_k ? std::gcd(std::min(kMostOfRead, kReadBytes / lies.bytes), depth) : 1;
}

int64_t fma_read(const FmaBlocks& blocks, size_t operand, int64_t depth, const FmaOperand& lies) {
  if (lies.along_k) return fma_step(depth, lies);
  return operand == 0 ? blocks.row_vector : blocks.column_vector;
}

int64_t fma_conflicts(int64_t threads, const FmaBlocks& blocks, size_t operand, int64_t lines, int64_t depth,
                      const FmaOperand& lies, int64_t span) {
  const bool down = operand == 0;
  const ValueLayout layout = fma_layout(threads, blocks.across, blocks.row_vector, blocks.column_vector,
                                        down ? lines : threads / blocks.across * blocks.row_vector,
                                        down ? blocks.across * blocks.column_vector : lines);
  const int64_t read = fma_read(blocks, operand, depth, lies);
  const int64_t slots = down ? blocks.thread_rows : blocks.thread_columns;
  const int64_t apart = down ? blocks.column_vector : 1;  // registers from one line of a thread to the next
  const auto place = [&](int64_t line, int64_t k) {
    if (!lies.along_k) return (k * lines + line) * lies.bytes;
    if (span == 0) return (line * depth + k) * lies.bytes;
    const int64_t width = span / lies.bytes, at = ((k / width * lines + line) * width + k % width) * lies.bytes;
    return at ^ ((at >> 7 & (span / kReadBytes - 1)) << 4);
  };
  int64_t most = 1;
  for (int64_t slot = 0; slot < slots; slot += lies.along_k ? 1 : read) {
    for (int64_t k = 0; k < depth; k += lies.along_k ? read : 1) {
      std::array<int64_t, 32> addresses{};
      for (int lane = 0; lane < kWarpLanes; ++lane) {
        const auto at = element_of(layout, lane, static_cast<int>(slot * apart));
        addresses[static_cast<size_t>(lane)] = place(at ? (*at)[operand] : 0, k);
      }
      most = std::max(most, bank_conflicts(addresses, read * lies.bytes));
    }
  }
  return most;
}

int64_t bank_conflicts(const std::array<int64_t, 32>& addresses, int64_t bytes) {
  const int64_t at_once = kWarpLanes * kBankBytes / std::max(kBankBytes, bytes);  // lanes
  int64_t needed = 0, taken = 0;
  for (int64_t first = 0; first < kWarpLanes; first += at_once) {
    std::map<int64_t, std::set<int64_t>> words;  // the words that are read, by bank
    for (int64_t lane = first; lane < first + at_once; ++lane) {
      const int64_t from = addresses[static_cast<size_t>(lane)];
      for (int64_t byte = from; byte < from + bytes; byte += std::min(bytes, kBankBytes))
        words[byte / kBankBytes % kBanks].insert(byte / kBankBytes);
    }
    size_t most = 0;
    for (const auto& [bank, read] : words) most = std::max(most, read.size());
    taken += static_cast<int64_t>(most);
    ++needed;
  }
  return taken / needed;
}

}  // namespace pallasgen
