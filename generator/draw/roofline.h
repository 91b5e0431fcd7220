#pragma once

#include <string>
#include <vector>

#include "drawing.h"
#include "plan/plan.h"

namespace pallasgen {

// What a unit does at most, in operations a second.
struct Roof {
  std::string name;  // "bf16 tensor cores"
  double peak = 0;
  Tone tone = Tone::grey;
};
// What the kernel does on it in the time of the cost model.
struct RoofPoint {
  size_t roof = 0;
  double operations = 0;  // in all
  double intensity = 0;   // operations a byte of device memory
  double rate = 0;        // operations a second
  double attainable = 0;  // under the roof at that intensity
};
struct Roofline {
  double memory = 0, l2 = 0;      // bytes a second: of device memory, of all SMs' ports to the L2 cache
  std::vector<Roof> roofs;        // highest first
  std::vector<RoofPoint> points;  // none: no operations, no bytes or no time
};

// Of the device of the cost model, with the roofs of what the kernel uses. An instruction of the ordinary cores counts
// as the two operations of the multiply-add that it takes the place of.
Roofline roofline_of(const Plan& plan);

// In words, a sentence for each point.
std::vector<std::string> roofline_words(const Plan& plan, const Roofline& roofline);

void draw_roofline(Drawing& drawing, const Plan& plan, const Roofline& roofline, double top);

// Where the time goes, as the cost model has it: a step's arithmetic, transfer and latency, and the bubble in all.
void draw_cost(Drawing& drawing, const Plan& plan, double top);
// The three bars of a step alone, with short names.
void draw_cost_bars(Drawing& drawing, const Plan& plan, const Area& area);

}  // namespace pallasgen
