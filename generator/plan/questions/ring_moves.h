#pragma once

#include <functional>
#include <set>
#include <vector>

#include "tile/program.h"

namespace pallasgen {

// Separates the rings that the header of the loop around them moves on from those that the tile program moves.
class RingMoves {
 public:
  // The rings that move on exactly once in each iteration of the body, at its end, which the loop's header does.
  std::vector<int> with_turns(const tile::Block& body, const std::function<int(tile::ChannelId)>& ring_of);
  bool in_header(const tile::Statement& advance) const { return in_headers_.count(&advance) > 0; }

 private:
  std::set<const tile::Statement*> in_headers_;
};

// The entry that is got next in the block, from the statement at `from` on; null: there is none.
const tile::Entry* next_entry(const tile::Block& block, size_t from);

}  // namespace pallasgen
