#pragma once

#include "diagnostics/diagnostic.h"

namespace pallasgen {

inline constexpr Rule kPlanMmaPath{"mma-path", "A dot on a target whose tensor cores no planner pass uses yet."};
inline constexpr Rule kPlanMmaShape{"mma-shape", "A dot whose block sizes no MMA of the target takes."};
inline constexpr Rule kPlanMmaForm{"mma-form", "A dot in a form that is not planned yet."};
inline constexpr Rule kPlanTransform{"smem-transform", "A block whose contiguous bytes no swizzle divides."};
inline constexpr Rule kPlanSharedMemory{"shared-memory", "The kernel needs more shared memory than a CTA may have."};
inline constexpr Rule kPlanRegisters{"registers",
                                     "The accumulator of a warpgroup needs more registers than it can get."};
inline constexpr Rule kPlanRegisterPool{"register-pool", "The registers of an SM cannot serve so many warpgroups."};
inline constexpr Rule kPlanBox{"tma-box", "A block that no sequence of tensor-copy boxes makes up."};
inline constexpr Rule kPlanPitch{"tma-pitch",
                                 "An array whose rows are not whole 16-byte units, as tensor copies need them."};
inline constexpr Rule kPlanStages{"pipeline-stages", "A number of stages or a delay that the pipeline cannot have."};
inline constexpr Rule kPlanSetting{"setting-not-planned", "A legal setting that no planner pass honours yet."};
inline constexpr Rule kPlanOperand{"operand-not-planned", "A legal form of an operand that no planner pass takes yet."};
inline constexpr Rule kPlanBody{"body-not-planned", "A legal statement that no planner pass takes yet."};
inline constexpr Rule kPlanScalarAccess{"scalar-access", "A copy goes element by element because a fact is missing."};
inline constexpr Rule kPlanScalarDot{"scalar-dot",
                                     "A dot that goes element by element though the target has tensor cores."};
inline constexpr Rule kPlanTarget{"plan-target", "A target that the planner has no table row for."};
inline constexpr Rule kPlanProgramPoint{"program-point",
                                        "A grid point or its sizes that explain --program cannot place."};

// Every rule of the planner, in the order of docs/errors.md.
inline constexpr const Rule* kPlanRules[] = {
    &kPlanMmaPath,      &kPlanMmaShape,     &kPlanMmaForm,   &kPlanTransform, &kPlanSharedMemory, &kPlanRegisters,
    &kPlanRegisterPool, &kPlanBox,          &kPlanPitch,     &kPlanStages,    &kPlanSetting,      &kPlanOperand,
    &kPlanBody,         &kPlanScalarAccess, &kPlanScalarDot, &kPlanTarget,    &kPlanProgramPoint};

}  // namespace pallasgen
