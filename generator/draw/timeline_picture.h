#pragma once

#include <string>

#include "drawing.h"
#include "plan/plan.h"
#include "plan/timeline.h"

namespace pallasgen {

// Draws the pipeline of one CTA over time, from `top` on: lanes for the copies, each slot of each ring, the roles,
// arithmetic and stores. Only for plans with rings.
void draw_timeline(Drawing& drawing, const Plan& plan, const Timeline& timeline, double top);

// Draws its start alone, without text: a lane for each slot, up to 8 slots.
void draw_timeline_start(Drawing& drawing, const Plan& plan, const Timeline& timeline, const Area& area);

}  // namespace pallasgen
