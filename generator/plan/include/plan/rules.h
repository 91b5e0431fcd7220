#pragma once

#include "diagnostics/diagnostic.h"

namespace pallasgen {

inline constexpr Rule kPlanSharedMemory{"shared-memory", "The kernel needs more shared memory than a CTA may have."};
inline constexpr Rule kPlanRegisters{"registers",
                                     "The values that a thread must hold need more registers than it can get."};
inline constexpr Rule kPlanStages{"pipeline-stages", "A number of stages or a delay that the pipeline cannot have."};
inline constexpr Rule kPlanSetting{"setting-not-planned", "A legal setting that no planner pass honours yet."};
inline constexpr Rule kPlanOperand{"operand-not-planned", "A legal form of an operand that no planner pass takes yet."};
inline constexpr Rule kPlanBody{"body-not-planned", "A legal statement that no planner pass takes yet."};
inline constexpr Rule kPlanSlowPath{"slow-path",
                                    "What runs far from what the hardware could do: a dot off the tensor cores, "
                                    "elements that go one by one, neighbours that are rows apart."};
inline constexpr Rule kPlanTarget{"plan-target", "A target that the planner has no table row for."};
inline constexpr Rule kPlanProgramPoint{"program-point",
                                        "A grid point or its sizes that explain --program cannot place."};

// Every rule of the planner, in the order of docs/errors.md.
inline constexpr const Rule* kPlanRules[] = {&kPlanSharedMemory, &kPlanRegisters, &kPlanStages,
                                             &kPlanSetting,      &kPlanOperand,   &kPlanBody,
                                             &kPlanSlowPath,     &kPlanTarget,    &kPlanProgramPoint};

}  // namespace pallasgen
