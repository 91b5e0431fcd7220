#pragma once

#include "plan/plan.h"

namespace pallasgen {

// True if several CTAs of a cluster contribute to each result of a reduction: more threads than a CTA has share a
// result. The CTAs then exchange values; otherwise each CTA reduces by itself, through a tile of its own.
inline bool is_exchange(const LaunchPlan& launch, int64_t threads) {
  return launch.cluster.value > 1 && threads > launch.threads.value;
}
inline bool is_exchange(const LaunchPlan& launch, const program::ReduceFragment& reduce) {
  return reduce.field >= 0 && is_exchange(launch, reduce.threads);
}

}  // namespace pallasgen
