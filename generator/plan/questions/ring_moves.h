#pragma once

#include <functional>
#include <set>
#include <vector>

#include "tile/program.h"

namespace pallasgen {

// Which rings move on in the header of the loop around them, and which where the tile program says so.
class RingMoves {
 public:
  // The rings that move on once in each turn of the body, at its end: its loop does it.
  std::vector<int> with_turns(const tile::Block& body, const std::function<int(tile::ChannelId)>& ring_of);
  bool in_header(const tile::Statement& advance) const { return in_headers_.count(&advance) > 0; }

 private:
  std::set<const tile::Statement*> in_headers_;
};

// The entry that is got next in the block, from the statement at `from` on; null: there is none.
const tile::Entry* next_entry(const tile::Block& block, size_t from);

}  // namespace pallasgen
