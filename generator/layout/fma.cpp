#include "layout/fma.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace pallasgen {

namespace {

constexpr int64_t kReadBytes = 16, kMostVector = 4;    // of one read; elements of it side by side
constexpr int64_t kBlock = 64, kLeastBlock = 16;       // elements of a thread
constexpr int64_t kWanted = 128, kMostOfBlocks = 256;  // threads
constexpr int64_t kWarpLanes = 32, kNeighbours = 8;
constexpr int64_t kBanks = 32, kBankBytes = 4;

int64_t vector_of(const FmaOperand& operand, int64_t lines) {
  return operand.along_k ? 1 : std::gcd(std::min(kMostVector, kReadBytes / operand.bytes), lines);
}

// Elements of a side that each of `threads` threads has.
int64_t share(int64_t size, int64_t threads, int64_t vector) {
  return (size + threads * vector - 1) / (threads * vector) * vector;
}

}  // namespace

FmaBlocks fma_blocks(int64_t threads, int64_t rows, int64_t columns, const FmaOperand& a, const FmaOperand& b) {
  const int64_t row_vector = vector_of(a, rows), column_vector = vector_of(b, columns);
  FmaBlocks best;
  auto least = std::tuple(INT64_MAX, INT64_MAX, true);
  const int64_t warps = threads / kWarpLanes;
  for (int64_t across = 1; across <= threads; across *= 2) {
    const int64_t beside = std::min(across, kNeighbours);
    if (threads % across != 0 || warps % (across / beside) != 0) continue;
    const FmaBlocks blocks{across, row_vector, column_vector, share(rows, threads / across, row_vector),
                           share(columns, across, column_vector)};
    const auto cost = std::tuple(blocks.thread_rows * blocks.thread_columns, blocks.thread_rows + blocks.thread_columns,
                                 across < kNeighbours);
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

int64_t fma_step(int64_t depth, const FmaOperand& a, const FmaOperand& b) {
  int64_t step = 1;
  for (const FmaOperand& operand : {a, b}) {
    if (operand.along_k) step = std::max(step, std::gcd(std::min(kMostVector, kReadBytes / operand.bytes), depth));
  }
  return step;
}

int64_t bank_conflicts(const std::array<int64_t, 32>& addresses, int64_t bytes) {
  const int64_t at_once = kWarpLanes * kBankBytes / std::max(kBankBytes, bytes);  // lanes
  int64_t needed = 0, taken = 0;
  for (int64_t first = 0; first < kWarpLanes; first += at_once) {
    std::map<int64_t, std::set<int64_t>> words;  // by bank: those that are read
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
