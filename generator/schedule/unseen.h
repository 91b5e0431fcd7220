#pragma once

#include "tile/program.h"

namespace pallasgen::schedule {

// Takes the limits of bounded slices away from reads where nothing tells the difference: what lies past the limit
// reaches nothing but elements that a bounded slice with the same limit drops when it is written. The box may then be
// brought by copies that know no such limit. Each is a decision of the program.
void drop_unseen_limits(tile::Program& program);

}  // namespace pallasgen::schedule
