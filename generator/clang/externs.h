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

// Reads a header of the user's, a path that can be opened. Prints one line of JSON with the errors of the header, or
// the files that were read for it and the names that it declares; then answers each line of the standard input by one
// line:
// `{"describe": "swish"}` by what the header has under that name, `{"function": "swish", "types": ["f32"]}` by the
// function that such a call chooses, `{"generated": "scale", "source": …, "header": …, "functions": ["swish"]}` by the
// errors of these files. Returns the exit code: 0 also where the header has errors.
int serve(const vet::ParseOptions& options, const std::string& header);

// Where a name stands: `{"file", "line", "column", "length"}`, the column in bytes from 1.
Json place_of(const clang::SourceManager& sources, const clang::LangOptions& language, clang::SourceLocation at);

// A function, or the pattern of a template: its place, `text` as in C++, the parameters with their dtypes (null where
// the language has none, or where it hangs on template arguments), the result's, and what it is declared as.
Json function_json(const clang::ASTContext& context, const clang::FunctionDecl& function);

// The dtype that a C++ type is in the language, "f32"; empty where it is none.
std::string dtype_of(const clang::ASTContext& context, clang::QualType type);
// The C++ type of a dtype; null where the header does not know it, or where no C++ function takes it.
clang::QualType type_of(const clang::ASTContext& context, const std::string& dtype);

// What a call of the function does beside giving a result that its arguments alone decide: each with its place and
// `text`, which says of the function what it does. Empty for a pure function. The call gives so many arguments; the
// other parameters have their defaults.
Json effects_of(const clang::ASTContext& context, const clang::FunctionDecl& function, size_t given);

// What a compiler says of a generated file with the user's header in it, in the pass for the host, which reads it all:
// `{"errors": […]}`; and where a name of the runtime's means a function of the header that the spec does not call.
Json errors_of_output(const vet::ParseOptions& options, const Json& question);

// Which function a call with arguments of these types chooses, by C++ overload resolution.
Json resolve(clang::CompilerInstance& compiler, const std::string& name, const std::vector<std::string>& dtypes);

}  // namespace pallasgen::externs
