#pragma once

#include "expression/typed.h"

namespace pallasgen {

// The matrix of which the expression is the transpose, also elementwise of transposes and numbers; null if it is none.
TypedPtr transposed_matrix(const TypedPtr& expr);

// The transpose of a matrix; of an elementwise expression, the expression of its operands' transposes.
TypedPtr transpose_of(const TypedPtr& matrix);

}  // namespace pallasgen
