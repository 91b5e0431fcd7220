#pragma once

#include "plan/plan.h"

namespace pallasgen {

// Whether CTAs of a cluster share the results of a reduction, which is then one of the cluster's exchanges: more
// threads than a CTA has put each together. What one CTA has whole it reduces by itself, through a tile of its own.
inline bool is_exchange(const LaunchPlan& launch, int64_t threads) {
  return launch.cluster.value > 1 && threads > launch.threads.value;
}
inline bool is_exchange(const LaunchPlan& launch, const program::ReduceFragment& reduce) {
  return reduce.field >= 0 && is_exchange(launch, reduce.threads);
}

}  // namespace pallasgen
