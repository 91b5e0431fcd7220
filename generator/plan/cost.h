#pragma once

#include "draft.h"

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
// Slots so that copies issued ahead cover the latency, with half of it again for jitter; at least 2, at most
// kMostStages.
int64_t stages_to_hide_latency(const StepCost& step);

struct MatmulCostInput {
  int axis;  // of the steps; -1: a tile is one step
  int64_t bm, bn, bk, stages;
  DType dtype;        // of the operands
  int64_t bytes = 0;  // of both in a step; 0: all that they have
};
CostModel matmul_cost(const Draft& draft, const MatmulCostInput& input);

// A kernel that moves `bytes` per step of each CTA (reads and writes) and computes `flops`, with `stages` copies under
// way at once.
CostModel streaming_cost(const Draft& draft, double bytes, double flops, int64_t stages);

}  // namespace pallasgen
