#pragma once

#include <functional>

#include "tile/program.h"

namespace pallasgen::schedule {

// Cuts stores that wait in shared memory for a tensor copy into chunks of columns. A loop makes one chunk after the
// other, puts it into its channel and writes it, so that neither shared memory nor registers hold the whole. What is
// computed for the store alone is computed in the loop. `columns`: of a chunk of this channel's member; what does not
// divide its columns leaves it whole.
tile::Program cut_stores(const tile::Program& program, const std::function<int64_t(const tile::Channel&)>& columns);

}  // namespace pallasgen::schedule
