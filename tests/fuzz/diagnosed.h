#pragma once

#include "diagnostics/diagnostic.h"

namespace pallasgen::fuzz {

// Renders the diagnostics in every format: JSON must parse, every span must lie in its source.
void render_all(const Diagnostics& diagnostics);

}  // namespace pallasgen::fuzz
