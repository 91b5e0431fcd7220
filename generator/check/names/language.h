#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expression/typed.h"
#include "spec/spec.h"

namespace pallasgen {

// Names of the language that no spec may take: operations, dtypes, literals and words of the grammar.
bool is_language_name(const std::string& name);
const std::vector<std::string>& language_names();
// Those that are called, and those that may be values without a call: dtypes are both.
const std::vector<std::string>& names_of_calls();
const std::vector<std::string>& names_of_values();
// The dtype that other languages call so: f32 of float, i8 of int8 and the like; empty where there is none.
std::string dtype_called(std::string name);
// The operation that NumPy, JAX, PyTorch or Triton call so: logistic of sigmoid; empty where there is none.
std::string operation_called(const std::string& name);
// What computes the function of another library that has this name, as of x: 'log(x) / log(10.0)' for log10. Empty:
// unknown.
std::string expression_called(const std::string& name);
// What does the work of a function that NumPy, JAX or PyTorch has and the language has not, as a sentence; empty:
// unknown.
std::string done_otherwise(const std::string& name);
// What to write in place of a function of those that the language has not, by the two above; empty: unknown.
std::string remedy_for_foreign(const std::string& name);
// "a dtype", "an operation" or "a word": what a name of the language is.
std::string_view language_kind(const std::string& name);
// Operations of SPEC.md that have no meaning yet.
bool is_later_operation(const std::string& name);
// Functions of the library, written in the language itself; null when there is none of that name.
const FunctionSpec* library_function(const std::string& name);
const std::vector<std::string>& library_names();
// The dtypes of what such a function takes.
Operands taken_by_library(const std::string& name);

}  // namespace pallasgen
