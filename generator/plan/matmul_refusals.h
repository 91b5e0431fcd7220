#pragma once

#include "matmul_limits.h"

namespace pallasgen {

// The diagnostic of a problem: operand, shape, limit, and the nearest values that plan.
void refuse_matmul(Draft& draft, const MatmulForm& form, const MatmulShape& shape, const MatmulNames& names,
                   MatmulProblem problem);

}  // namespace pallasgen
