#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expression/typed.h"
#include "spec/spec.h"

namespace pallasgen {

// Names of the language that no spec may use: operations, dtypes, literals and words of the grammar.
bool is_language_name(const std::string& name);
const std::vector<std::string>& language_names();
// Names that are called, and names that may be values without a call; dtypes are both.
const std::vector<std::string>& names_of_calls();
const std::vector<std::string>& names_of_values();
// The dtype that another language calls by that name: f32 for float, i8 for int8; empty if there is none.
std::string dtype_called(std::string name);
// The operation that NumPy, JAX, PyTorch or Triton calls by that name: logistic for sigmoid; empty if there is none.
std::string operation_called(const std::string& name);
// An expression of x that computes a function of another library: 'log(x) / log(10.0)' for log10. Empty if none is
// known.
std::string expression_called(const std::string& name);
// A sentence on how to do the work of a function of NumPy, JAX or PyTorch that the language lacks; empty if none is
// known.
std::string done_otherwise(const std::string& name);
// The advice of the two functions above for a function that the language lacks; empty if there is none.
std::string remedy_for_foreign(const std::string& name);
// The kind of a name of the language: "a dtype", "an operation" or "a word".
std::string_view language_kind(const std::string& name);
// True for operations that are reserved and have no meaning yet.
bool is_later_operation(const std::string& name);
// A function of the library, which is written in the language itself; null if there is none of that name.
const FunctionSpec* library_function(const std::string& name);
const std::vector<std::string>& library_names();
// The dtypes that a function of the library takes.
Operands taken_by_library(const std::string& name);

}  // namespace pallasgen
