#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Makes each way into shared memory a channel: copies that their own role waits for, values that threads make for
// instructions to read, and values that tensor or bulk copies take to global memory. Channels that move and are used
// together become one. Each gets the number of slots that the spec asks for, and the delay of its release.
tile::Program form_channels(const tile::Program& program);

}  // namespace pallasgen::schedule
