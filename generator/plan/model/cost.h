#pragma once

#include "plan/plan.h"

namespace pallasgen {

// The model of software pipelining: with latency a, bandwidth b, rate F, X bytes and Y operations per step, N steps
// take about (a + X/b) + N*Y/F when compute-bound, a + N*X/b when bandwidth-bound, N*a/stages when latency-bound.
// Figures of one SM: its share of the device's rate and bandwidth.
struct StepCost {
  double latency = 0;   // seconds from the issue of a copy to its data
  double transfer = 0;  // X/b
  double compute = 0;   // Y/F
  double seconds() const { return transfer > compute ? transfer : compute; }
};
// `flops` of 16-bit operands (of_16_bits).
StepCost step_cost(const Target& target, double flops, double bytes);
// So many operations of matrix instructions on such operands, in operations on 16 bits: an instruction takes as many
// bytes of k of each dtype, in the same time.
double of_16_bits(double flops, DType operand);
// So many operations that threads do, f32 at the full rate, in operations on 16 bits of the same time.
double of_cores(const Target& target, double flops, DType sum);
// Slots so that copies issued ahead cover the latency, with half of it again for jitter; at least 2, at most
// kMostStages.
int64_t stages_to_hide_latency(const StepCost& step);

// The model's verdict on a finished plan: what its role programs do (counts.h), in rounds over the SMs. Each array
// comes from device memory once, all other accesses to it from the L2 cache.
CostModel model_cost(const Plan& plan);
// Tiles of an SM at once: as many as it may have, and as many as it has in the example.
struct TilesOfSm {
  double most = 1, in_example = 1;
};
TilesOfSm tiles_of_sm(const Plan& plan);

}  // namespace pallasgen
