#pragma once

#include <cstdint>
#include <string>

#include "expression/typed.h"

namespace pallasgen {

// The shortest decimal digits of `value` that C++ reads back as the same float or double, always with a point or an
// exponent: `0.70710678f`, `1.0f`, `1e-05f`; INFINITY, -INFINITY and NAN for those.
std::string float_literal(double value);  // `value` is rounded to f32
std::string double_literal(double value);

// True if the 16-bit float dtype holds the value exactly.
bool is_exact_in(DType half, double value);

// The C++ type of an element in a .cu file: info(dtype).cuda, or the runtime's short name for floats of up to 16 bits.
std::string cpp_type(DType dtype);
// The C++ type that an array's memory consists of: cpp_type, or a byte of two elements for 4-bit dtypes.
std::string memory_type(DType dtype);

// A constant as an expression whose C++ type is exactly that of `dtype`: `5`, `5u`, `int64_t(5)`, `cast<bf16>(0.1)`.
// Index constants are plain integers.
std::string constant_literal(DType dtype, const Scalar& value);

}  // namespace pallasgen
