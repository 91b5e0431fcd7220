#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/Frontend/CompilerInstance.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "parse.h"

namespace pallasgen::externs {

using Json = nlohmann::ordered_json;

// Reads a user's header, given by a path that can be opened. Prints one line of JSON: the errors of the header, or the
// files that were read for it and the names that it declares. Then answers each line of the standard input with one
// line:
// `{"describe": "swish"}` with the declarations of that name, `{"function": "swish", "types": ["f32"]}` with the
// function that such a call selects, `{"generated": "scale", "source": …, "header": …, "functions": ["swish"]}` with
// the errors of these files. Returns the exit code, which is 0 even if the header has errors.
int serve(const vet::ParseOptions& options, const std::string& header);

// A position: `{"file", "line", "column", "length"}`; the column is in bytes and starts at 1.
Json place_of(const clang::SourceManager& sources, const clang::LangOptions& language, clang::SourceLocation at);

// A function or the pattern of a template: its place, `text` in C++, the parameters and the result with their dtypes
// (null if the language has none, or if it depends on template arguments), and its attributes.
Json function_json(const clang::ASTContext& context, const clang::FunctionDecl& function);

// The dtype of the language for a C++ type, such as "f32"; empty if there is none.
std::string dtype_of(const clang::ASTContext& context, clang::QualType type);
// The C++ type of a dtype; null if the header does not declare it or no C++ function takes it.
clang::QualType type_of(const clang::ASTContext& context, const std::string& dtype);

// Side effects of a call, and anything besides the arguments on which its result depends: each with its place and a
// `text` whose subject is the function. Empty for a pure function. `given`: the number of arguments of the call; the
// other parameters have their defaults.
Json effects_of(const clang::ASTContext& context, const clang::FunctionDecl& function, size_t given);

// Compiles a generated file with the user's header in it, in the pass for the host, which reads all of it: `{"errors":
// […]}`. It is also an error if a name of the runtime selects a function of the header that the spec does not call.
Json errors_of_output(const vet::ParseOptions& options, const Json& question);

// The function that a call with arguments of these types selects by C++ overload resolution.
Json resolve(clang::CompilerInstance& compiler, const std::string& name, const std::vector<std::string>& dtypes);

}  // namespace pallasgen::externs
