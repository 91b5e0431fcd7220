#pragma once

#include <optional>
#include <string>

#include "diagnostics/diagnostic.h"
#include "plan/plan.h"

namespace pallasgen {

// What goes into a generated file besides the plan.
struct EmitOptions {
  std::string spec_path;     // from the spec root's name: specs/matmul/matmul_gelu.yaml
  std::string spec_hash;     // 16 hexadecimal digits
  std::string stem;          // of the outputs: matmul_gelu, for matmul_gelu.cu and matmul_gelu.h
  std::string template_dir;  // templates that shadow the embedded ones by relative path; may be empty
  bool ffi = false;          // also the exports for frameworks
  bool python = false;       // also the function in Python that calls them
};

struct EmittedFiles {
  std::string cu, header;   // each with the hash of its content, all after line 3, in line 3
  std::string ffi = {};     // the same of <stem>.ffi.cpp; empty where it was not asked for
  std::string python = {};  // the same of <stem>.py
};

inline constexpr int kMaxColumns = 120;
inline constexpr int kOutputFormat = 1;

inline constexpr Rule kTemplateRule{"template", "A template of --template-dir cannot be rendered."};
// Whether a file of this name, without its ending, can be imported.
bool is_python_module(const std::string& stem);
inline constexpr Rule kPythonModule{"python-module", "The file of a spec has no name that Python can import."};
inline constexpr const Rule* kEmitRules[] = {&kTemplateRule, &kPythonModule};

// The plan as text: a .cu file with kernel and launcher, and the header that declares the launcher. Lines are at most
// kMaxColumns wide. Makes no decision and no arithmetic: what it prints are the plan's names and numbers.
// Nothing after an error: a template, the embedded one or the user's, that cannot be rendered (rule `template`), or a
// stem that is no module of Python where one is asked for (rule `python-module`).
std::optional<EmittedFiles> emit(const Plan& plan, const EmitOptions& options, Diagnostics& diagnostics);

}  // namespace pallasgen
