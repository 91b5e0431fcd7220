#pragma once

#include "tile/program.h"

namespace pallasgen {

// What a tile does that is not passed over: `skip` stands around all of it (WorkPlan::skip).
inline const tile::Block& tile_body(const tile::Program& program, const tile::ForTiles& tiles) {
  const auto* branch = tiles.body.size() == 1 ? tiles.body.front().as<tile::If>() : nullptr;
  return program.declarations->skip && branch && branch->otherwise.empty() ? branch->then : tiles.body;
}

}  // namespace pallasgen
