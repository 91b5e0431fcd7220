#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/CompilerInstance.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace pallasgen::vet {

struct ParseOptions {
  std::string runtime;             // the folder that contains pallasgen/device.cuh
  std::string cuda;                // the folder of the CUDA Toolkit
  std::vector<std::string> extra;  // further arguments for Clang
};

// Parses kernel files as CUDA device code. The headers of the runtime and the toolkit are precompiled once, with the
// first file, for all kernel files of one run.
class Parser {
 public:
  explicit Parser(ParseOptions options);
  ~Parser();
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  // Calls `read` with the parsed file; false if Clang reported errors, which are printed.
  bool parse(const std::string& path, const std::function<void(clang::CompilerInstance&)>& read);
  // Parses a text without the precompiled headers; errors go to `told`. Bodies of functions are parsed, except in
  // system headers. The texts after the first are files in the same folder; each is given with its name.
  bool parse_texts(const std::vector<std::pair<std::string, std::string>>& texts, clang::DiagnosticConsumer& told,
                   const std::function<void(clang::CompilerInstance&)>& read);

 private:
  std::vector<std::string> arguments(const std::string& path) const;
  void compile_headers();

  ParseOptions options_;
  bool headers_tried_ = false;
  std::string compiled_headers_;  // a temporary file; empty if the headers could not be compiled
};

}  // namespace pallasgen::vet
