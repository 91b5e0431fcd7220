#pragma once

#include <optional>
#include <string>

#include "diagnostics/diagnostic.h"
#include "plan/plan.h"

namespace pallasgen {

// The inputs of a generated file other than the plan.
struct EmitOptions {
  std::string spec_path;     // the path from the spec root's name on: specs/matmul/matmul_gelu.yaml
  std::string spec_hash;     // 16 hexadecimal digits
  std::string stem;          // stem of the output files: matmul_gelu, for matmul_gelu.cu and matmul_gelu.h
  std::string template_dir;  // templates that shadow the embedded ones by relative path; may be empty
  bool ffi = false;          // also emit the exports for frameworks
  bool python = false;       // also emit the Python function that calls them
};

struct EmittedFiles {
  std::string cu, header;      // line 3 of each file has the hash of all lines after it
  std::string ffi = {};        // <stem>.ffi.cpp, with its hash in the same way; empty if not requested
  std::string python = {};     // <stem>.py, with its hash in the same way; empty if not requested
  std::string spec_hash = {};  // EmitOptions::spec_hash
};

inline constexpr int kMaxColumns = 120;
inline constexpr int kOutputFormat = 1;

inline constexpr Rule kTemplateRule{"template", "A template of --template-dir cannot be rendered."};
// True if Python can import a file of this name, given without its ending.
bool is_python_module(const std::string& stem);
inline constexpr Rule kPythonModule{"python-module", "The file of a spec has no name that Python can import."};
inline constexpr const Rule* kEmitRules[] = {&kTemplateRule, &kPythonModule};

// Prints the plan: a .cu file with kernel and launcher, and the header that declares the launcher. Lines are at most
// kMaxColumns wide. It decides and computes nothing: every name and number comes from the plan.
// Returns nothing after an error: a template, embedded or from the user, cannot be rendered (rule `template`), or a
// Python file is requested and `stem` is not a Python module name (rule `python-module`).
std::optional<EmittedFiles> emit(const Plan& plan, const EmitOptions& options, Diagnostics& diagnostics);

// Prints what a plan, which may be unfinished, has of the kernel: its fields of shared memory and the statements of
// each role, as the .cu file would have them. Templates come from the folder `template_dir` first, which may be empty.
// Returns nothing after an error, as emit() does.
std::optional<std::string> emit_statements(const Plan& plan, const std::string& template_dir, Diagnostics& diagnostics);

}  // namespace pallasgen
