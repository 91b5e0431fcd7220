#pragma once

#include "tile/program.h"

namespace pallasgen {

// The statements of a tile that is not skipped: `skip` is a branch around all of them (WorkPlan::skip).
inline const tile::Block& tile_body(const tile::Program& program, const tile::ForTiles& tiles) {
  const auto* branch = tiles.body.size() == 1 ? tiles.body.front().as<tile::If>() : nullptr;
  return program.declarations->skip && branch && branch->otherwise.empty() ? branch->then : tiles.body;
}

}  // namespace pallasgen
