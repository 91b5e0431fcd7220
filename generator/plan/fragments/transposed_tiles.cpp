#include "fragments/transposed_tiles.h"

#include <algorithm>
#include <array>
#include <functional>

#include "layout/fma.h"
#include "layout/warps.h"

namespace pallasgen {

namespace {

constexpr int64_t kLine = 128, kChunk = 16, kChunks = kLine / kChunk;

// True if no two elements get the same place: rows that share 128 bytes move in the same way.
bool is_possible(int64_t together, int64_t row_bytes, int64_t rows) {
  if (together == 0) return true;
  if (row_bytes * rows % kLine != 0) return false;
  return row_bytes % kLine == 0 || (kLine % row_bytes == 0 && together * row_bytes % kLine == 0);
}

// Returns the most turns of the banks that the first warp takes for an access of `vector` registers.
int64_t turns(const ValueLayout& layout, int64_t vector, int64_t bytes,
              const std::function<int64_t(const std::vector<int64_t>&)>& place) {
  int64_t most = 1;
  for (int64_t reg = 0; reg < registers_per_thread(layout); reg += vector) {
    std::array<int64_t, kWarp> addresses{};
    for (int lane = 0; lane < std::min<int64_t>(kWarp, threads(layout)); ++lane) {
      if (const auto at = element_of(layout, lane, static_cast<int>(reg)))
        addresses[static_cast<size_t>(lane)] = place(*at);
    }
    most = std::max(most, bank_conflicts(addresses, vector * bytes));
  }
  return most;
}

}  // namespace

TransposedTile transposed_tile(const ValueLayout& from, const ValueLayout& to, int64_t vector, int64_t bytes) {
  const int64_t rows = from.shape[0], row_bytes = from.shape[1] * bytes;
  TransposedTile best;
  int64_t least = 0;
  for (const int64_t together : {0, 1, 2, 4, 8, 16}) {
    if (!is_possible(together, row_bytes, rows)) continue;
    const auto place = [&](int64_t row, int64_t column) {
      const int64_t at = row * row_bytes + column * bytes;
      return together == 0 ? at : at ^ (row / together % kChunks * kChunk);
    };
    TransposedTile tile{together};
    tile.store_turns = turns(from, std::min(vector, kChunk / bytes), bytes,
                             [&](const std::vector<int64_t>& at) { return place(at[0], at[1]); });
    tile.load_turns = turns(to, 1, bytes, [&](const std::vector<int64_t>& at) { return place(at[1], at[0]); });
    const int64_t all = tile.store_turns + tile.load_turns * vector;
    if (least == 0 || all < least) best = tile, least = all;
  }
  return best;
}

}  // namespace pallasgen
