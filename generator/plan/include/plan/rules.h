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
inline constexpr Rule kPlanScalarAccess{"scalar-access",
                                        "Elements that go one by one because a fact or room is missing."};
inline constexpr Rule kPlanScalarDot{"scalar-dot",
                                     "A dot of matrices that goes element by element, without tensor cores."};
inline constexpr Rule kPlanTarget{"plan-target", "A target that the planner has no table row for."};
inline constexpr Rule kPlanProgramPoint{"program-point",
                                        "A grid point or its sizes that explain --program cannot place."};

// Every rule of the planner, in the order of docs/errors.md.
inline constexpr const Rule* kPlanRules[] = {&kPlanSharedMemory, &kPlanRegisters,   &kPlanStages,       &kPlanSetting,
                                             &kPlanOperand,      &kPlanBody,        &kPlanScalarAccess, &kPlanScalarDot,
                                             &kPlanTarget,       &kPlanProgramPoint};

}  // namespace pallasgen
