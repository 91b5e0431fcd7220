#pragma once

#include <string>
#include <vector>

#include "drawing.h"
#include "plan/plan.h"

namespace pallasgen {

// The peak rate of a unit, in operations a second.
struct Roof {
  std::string name;  // "bf16 tensor cores"
  double peak = 0;
  Tone tone = Tone::grey;
};
// The kernel's operations on a unit in the time of the cost model.
struct RoofPoint {
  size_t roof = 0;
  double operations = 0;  // those of the whole kernel
  double intensity = 0;   // operations a byte of device memory
  double rate = 0;        // operations a second
  double attainable = 0;  // the most operations a second under the roof at that intensity
};
struct Roofline {
  double memory = 0, l2 = 0;      // bytes a second: of device memory, of all SMs' ports to the L2 cache
  std::vector<Roof> roofs;        // the highest first
  std::vector<RoofPoint> points;  // none without operations, bytes or time
};

// The roofline of the cost model's device, with the roofs of the units that the kernel uses. An instruction of the
// ordinary cores counts as two operations, those of the multiply-add in whose place it is.
Roofline roofline_of(const Plan& plan);

// The roofline in words, a sentence for each point.
std::vector<std::string> roofline_words(const Plan& plan, const Roofline& roofline);

void draw_roofline(Drawing& drawing, const Plan& plan, const Roofline& roofline, double top);

// Draws the time of the cost model: a step's arithmetic, transfer and latency, and the bubble of the whole kernel.
void draw_cost(Drawing& drawing, const Plan& plan, double top);
// Draws the three bars of a step alone, with short names.
void draw_cost_bars(Drawing& drawing, const Plan& plan, const Area& area);

}  // namespace pallasgen
