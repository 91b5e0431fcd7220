#pragma once

#include "tile/program.h"

namespace pallasgen {

// The waits, arrivals and fences of the channels between this role and others: a filling role waits for a free entry
// before its first copy to it, a using role for a full one before its first use, and frees it behind the last one.
void insert_role_protocol(const tile::Program& program, tile::Role& role);

}  // namespace pallasgen
