#pragma once

#include <cstdint>

#include "expression/dtype.h"

namespace pallasgen::interpreter {

// Rounds to the nearest value of a float dtype, ties to even. Past the largest finite value f16, bf16 and f32 give
// infinity, the 8- and 4-bit floats saturate (docs/language.md, Dtypes). NaN stays, except that f4e2m1, which has none,
// gives its largest value, as the hardware's conversion does. f8e8m0 holds powers of two only: a value is rounded to
// the nearer one (the tie, 1.5 times a power of two, goes up), zero becomes the least, a negative value NaN. The result
// is exact in a float for every dtype but f64.
double round_to(double value, DType dtype);
float round_to_f16(float value);
float round_to_bf16(float value);

// The double that rounds to every narrower format like the exact integer: integers beyond 2^53 keep a sticky last bit
// (rounding to odd), which prevents rounding twice.
double sticky_double(int64_t value);
double sticky_double(uint64_t value);

// The value of the bits of an element of a float dtype of 16 bits or less, and back (the value must be one of the
// dtype's; NaN gives the positive quiet NaN with the fewest bits set).
float decode_float(uint32_t bits, DType dtype);
uint32_t encode_float(float value, DType dtype);

// An element past the end, or one that was never written: NaN (f4e2m1: the most negative value).
double undefined_float(DType dtype);
// The same for integers: the most negative one, which is 0 for unsigned dtypes and bool.
int64_t undefined_integer(DType dtype);

}  // namespace pallasgen::interpreter
