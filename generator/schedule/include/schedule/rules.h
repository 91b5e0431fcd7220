#pragma once

#include "diagnostics/diagnostic.h"

namespace pallasgen::schedule {

inline constexpr Rule kScheduleLookahead{"lookahead", "Dots that cannot be issued a step ahead of the others."};
inline constexpr Rule kScheduleTurns{"take-turns", "Dots that warpgroups cannot issue in turns."};

// All rules of the passes that order one thread of control, in the order of docs/errors.md.
inline constexpr const Rule* kScheduleRules[] = {&kScheduleLookahead, &kScheduleTurns};

}  // namespace pallasgen::schedule
