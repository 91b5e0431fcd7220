#pragma once

#include <string>

#include "check/kernel.h"

namespace pallasgen {

// Returns a variable of a program (plan/program.h): row0, j, i.
TypedPtr variable(const std::string& name);
TypedPtr dim_symbol(const Kernel& kernel, int dim);
// Sum and product; a null operand is 0.
TypedPtr add(TypedPtr a, TypedPtr b);
TypedPtr multiply(TypedPtr a, TypedPtr b);

// A scalar constant of the dtype.
TypedPtr typed_constant(DType dtype, Scalar value);
TypedPtr zero_of(DType dtype);

}  // namespace pallasgen
