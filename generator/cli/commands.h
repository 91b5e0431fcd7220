#pragma once

#include <map>
#include <string>
#include <vector>

#include "loading.h"

namespace pallasgen {

struct GenerateOptions : CommonOptions {
  std::string depfile;
  bool prune = false;
};

struct ExplainOptions : CommonOptions {
  std::string program;            // 2,4
  std::vector<std::string> dims;  // M=256
};

struct InterpretOptionsText : CommonOptions {
  std::vector<std::string> dims, in, out;
  std::string order = "row_major";
  uint64_t seed = 0;
};

// Each returns the exit code. `arguments` are checked here, not by the parser of the command line.
int run_generate(const GenerateOptions& options);
int run_check(const CommonOptions& options);
int run_explain(const ExplainOptions& options);
int run_interpret(const InterpretOptionsText& options);
int run_lower(const CommonOptions& options, const std::string& to);
int run_list(const CommonOptions& options);

}  // namespace pallasgen
