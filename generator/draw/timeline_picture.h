#pragma once

#include <string>

#include "drawing.h"
#include "plan/plan.h"
#include "plan/timeline.h"

namespace pallasgen {

// The pipeline of one CTA over time, from `top` on: lanes for the copies, each slot of each ring, the roles, arithmetic
// and stores. Only for plans with rings.
void draw_timeline(Drawing& drawing, const Plan& plan, const Timeline& timeline, double top);

// The start of it alone, without text: a lane for each slot, at most as many as the area has room for.
void draw_timeline_start(Drawing& drawing, const Plan& plan, const Timeline& timeline, const Area& area);

}  // namespace pallasgen
