#pragma once

#include <cstdint>
#include <string>

#include "plan/plan.h"

namespace pallasgen {

// Numbers of the generated file: a value and the C++ text of named constants that says it.

// Returns `value`, to which the expression evaluates, with the C++ text of the expression if it is made of named
// constants (+ - * / %), else with digits.
Number number_of(const TypedPtr& expr, int64_t value);
// The size of one block dim, by name if the spec gives one.
Number number_of(const BlockDim& dim);
// Products, quotients and sums, with parentheses if the text needs them; digits stay digits, a factor of 1 vanishes.
Number product(const Number& a, const Number& b);
Number quotient(const Number& a, const Number& b);  // exact
Number sum(const Number& a, const Number& b);
// The number as an index expression that keeps its text: Constant{value, text}.
TypedPtr to_index(const Number& number);

// The C++ type of an element: the runtime's bf16 and f16, else CUDA's.
std::string element_type(DType dtype);
// Returns the C++ text for the bytes of `elements` elements, with parentheses around a sum: "bm * bk * sizeof(bf16)".
std::string bytes_formula(DType dtype, const std::string& elements);
Number bytes_number(DType dtype, const Number& elements);

}  // namespace pallasgen
