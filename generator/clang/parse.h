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
  std::string runtime;             // the folder that holds pallasgen/device.cuh
  std::string cuda;                // the CUDA Toolkit's folder
  std::vector<std::string> extra;  // further arguments for Clang
};

// Reads kernel files as CUDA, as a compiler of the device's code does. The headers of the runtime and the toolkit are
// compiled once, when the first file is parsed, into a file that all kernel files of one run start from.
class Parser {
 public:
  explicit Parser(ParseOptions options);
  ~Parser();
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  // Calls `read` with the parsed file; false if Clang reported errors, which it has printed then.
  bool parse(const std::string& path, const std::function<void(clang::CompilerInstance&)>& read);
  // The same of a text, which starts without those headers; errors go to `told`. The bodies of functions are parsed but
  // for those of the system's headers. Texts behind the first are files beside it, all by their names.
  bool parse_texts(const std::vector<std::pair<std::string, std::string>>& texts, clang::DiagnosticConsumer& told,
                   const std::function<void(clang::CompilerInstance&)>& read);

 private:
  std::vector<std::string> arguments(const std::string& path) const;
  void compile_headers();

  ParseOptions options_;
  bool headers_tried_ = false;
  std::string compiled_headers_;  // a temporary file; empty where the headers could not be compiled
};

}  // namespace pallasgen::vet
