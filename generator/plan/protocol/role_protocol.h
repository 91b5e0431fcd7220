#pragma once

#include "tile/program.h"

namespace pallasgen {

// Inserts waits, arrivals and fences of the channels between this role and others: a filling role waits for a free
// entry before its first copy to it; a using role waits for a full one before its first use, and frees it after the
// last.
void insert_role_protocol(const tile::Program& program, tile::Role& role);

}  // namespace pallasgen
