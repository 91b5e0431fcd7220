#pragma once

#include <functional>

#include "tile/program.h"

namespace pallasgen::schedule {

// Cuts stores that are staged in shared memory for a tensor copy into chunks of columns. A loop computes what is needed
// for the store alone, puts it into its channel and writes it, chunk by chunk, so that neither shared memory nor
// registers hold the whole. `columns`: columns of a chunk of this channel's member; a store whose columns they do not
// divide stays whole.
tile::Program cut_stores(const tile::Program& program, const std::function<int64_t(const tile::Channel&)>& columns);

}  // namespace pallasgen::schedule
