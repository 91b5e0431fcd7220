#include "layout/rows.h"

#include <algorithm>
#include <bit>

#include "layout/warps.h"

namespace pallasgen {

namespace {

constexpr int64_t kMostRowThreads = 256;
constexpr int64_t kRun = 32;  // elements that neighbouring lanes should read together: 64 bytes and more
// Most elements of a row in a lane. In a warp, more lanes cost a shuffle each; several warps cost a tile and a barrier;
// a row that is alone in its block can use all threads of the CTA.
constexpr int64_t kInWarp = 32, kInWarps = 16, kInLongRow = 32, kAlone = 8;
// Twice as many short elements, eight or more of which are moved at once, fit the registers of half of a CTA's most
// lanes if no parameters take registers: an SM has two such rows, so that one is loaded while the other is reduced.
constexpr int64_t kShortElements = 8, kInLongRowOfShort = 64;

// Lanes of a warp for a short row: neighbours read a long run of memory; of such numbers, one with the least padding,
// and then the most lanes.
int64_t lanes_in_warp(int64_t columns, int64_t vector) {
  const auto run = std::min(kRun, static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(columns))));
  int64_t best = 0, least = 0;
  for (int64_t lanes = kWarp; lanes >= 1; lanes /= 2) {
    const int64_t each = row_share(columns, vector, lanes), total = each * lanes;
    if (each > kInWarp || (lanes < kWarp && lanes * vector < run)) continue;
    if (best == 0 || total < least) best = lanes, least = total;
  }
  return best;
}

}  // namespace

int64_t row_share(int64_t columns, int64_t vector, int64_t lanes) {
  return (columns + lanes * vector - 1) / (lanes * vector) * vector;
}

int64_t row_lanes(int64_t rows, int64_t columns, int64_t vector, bool parameters) {
  if (rows == 1) {
    for (int64_t lanes = kWarp; lanes <= kMostRowThreads / 2; lanes *= 2) {
      if (row_share(columns, vector, lanes) <= std::max(kAlone, vector)) return lanes;
    }
  } else {
    if (row_share(columns, vector, kWarp) <= kInWarp) return lanes_in_warp(columns, vector);
    for (int64_t lanes = 2 * kWarp; lanes <= kMostRowThreads / 2; lanes *= 2) {
      if (row_share(columns, vector, lanes) <= kInWarps) return lanes;
    }
  }
  for (int64_t lanes = kMostRowThreads / 2; lanes < kMostLanesOfCta; lanes *= 2) {
    const bool many = 2 * lanes == kMostLanesOfCta && vector >= kShortElements && !parameters;
    if (row_share(columns, vector, lanes) <= (many ? kInLongRowOfShort : kInLongRow)) return lanes;
  }
  int64_t lanes = kMostLanesOfCta;
  while (row_share(columns, vector, lanes) > std::max(kInLongRow, vector)) lanes *= 2;
  return lanes;
}

int64_t column_lanes(int64_t threads, int64_t columns, int64_t vector) {
  const auto run = std::min(kRun, static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(columns))));
  int64_t best = 1, least = 0;
  for (int64_t lanes = 1; threads % lanes == 0; lanes *= 2) {
    const int64_t total = row_share(columns, vector, lanes) * lanes;
    if (lanes * vector < run || (least > 0 && total > least)) continue;
    best = lanes, least = total;
  }
  return best;
}

}  // namespace pallasgen
