#pragma once

#include <string>
#include <vector>

#include "drawing.h"
#include "plan/traffic.h"

namespace pallasgen {

// Draws a bar of each array's bytes: those that device memory moves, those that the L2 cache serves again, and those in
// the sectors that warps touch besides the wanted ones.
void draw_bytes(Drawing& drawing, const Plan& plan, const std::vector<ArrayTraffic>& arrays, double top);
std::vector<std::string> bytes_words(const std::vector<ArrayTraffic>& arrays);

}  // namespace pallasgen
