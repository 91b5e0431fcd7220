#pragma once

#include "diagnostics/diagnostic.h"

namespace pallasgen::tile {

inline constexpr Rule kTileText{"tile-text", "a line of a tile program that is none"};

}  // namespace pallasgen::tile
