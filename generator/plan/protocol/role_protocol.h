#pragma once

#include "tile/program.h"

namespace pallasgen {

// Inserts waits, arrivals and fences of the channels between this role and others: a role that fills entries waits for
// a free one before its first copy to it; a role that uses them waits for a full one, and frees it after the last use.
void insert_role_protocol(const tile::Program& program, tile::Role& role);

}  // namespace pallasgen
