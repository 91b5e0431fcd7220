#pragma once

#include "plan/plan.h"

namespace pallasgen {

// The model of software pipelining: with latency a, bandwidth b, rate F, X bytes and Y operations per step, N steps
// take about (a + X/b) + N*Y/F when compute-bound, a + N*X/b when bandwidth-bound, N*a/stages when latency-bound.
// Figures of one SM: its share of the device's rate and bandwidth.
struct StepCost {
  double latency = 0;   // a: seconds from the issue of a copy to its data
  double transfer = 0;  // X/b
  double compute = 0;   // Y/F
  double seconds() const { return transfer > compute ? transfer : compute; }
};
// `flops`: operations on 16-bit operands (of_16_bits).
StepCost step_cost(const Target& target, double flops, double bytes);
// Converts operations of matrix instructions on `operand` to operations on 16 bits that take as long: an instruction
// takes the same time and the same bytes of k for each dtype.
double of_16_bits(double flops, DType operand);
// Converts operations of threads to operations of matrix instructions on 16 bits that take as long. f32 has the full
// rate, other sums half of it.
double of_tensor_cores(const Target& target, double flops, DType sum);
// Returns the slots for copies issued ahead to cover the latency, and half of it again for jitter; 2 to kMostStages.
int64_t stages_to_hide_latency(const StepCost& step);

// Returns the model's verdict on a finished plan, from counts of its role programs (counts.h) in rounds over the SMs.
// Each array comes from device memory once; all other accesses to it come from the L2 cache.
CostModel model_cost(const Plan& plan);
// Tiles of an SM at once: the most that fit, and those that it has in the example.
struct TilesOfSm {
  double most = 1, in_example = 1;
};
TilesOfSm tiles_of_sm(const Plan& plan);

}  // namespace pallasgen
