#pragma once

#include <string>
#include <vector>

#include "drawing.h"
#include "plan/traffic.h"

namespace pallasgen {

// What the kernel moves of each array: a bar of what device memory moves, what the L2 cache gives again, and what is in
// the sectors that warps touch beside what they want.
void draw_bytes(Drawing& drawing, const Plan& plan, const std::vector<ArrayTraffic>& arrays, double top);
std::vector<std::string> bytes_words(const std::vector<ArrayTraffic>& arrays);

}  // namespace pallasgen
