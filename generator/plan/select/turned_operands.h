#pragma once

#include "expression/typed.h"

namespace pallasgen {

// A matrix whose transpose the expression is, be it elementwise of transposes and numbers; null: it is no transpose.
TypedPtr turned(const TypedPtr& expr);

// The transpose of a matrix: what is computed element by element is computed of transposes.
TypedPtr transpose_of(const TypedPtr& matrix);

}  // namespace pallasgen
