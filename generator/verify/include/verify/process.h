#pragma once

#include <string>
#include <utility>
#include <vector>

namespace pallasgen {

struct ProcessResult {
  int exit_code = 0;   // 128 + signal if it was killed; 127 if it could not be executed; -1 without a process
  std::string output;  // stdout and stderr, in the order written
  bool timed_out = false;
};

// Runs `command` (searched in PATH, no shell) with `environment` added to the caller's, for at most `seconds`.
ProcessResult run_process(const std::vector<std::string>& command,
                          const std::vector<std::pair<std::string, std::string>>& environment = {}, int seconds = 600);

// The full path of a program in PATH; empty if there is none.
std::string find_program(const std::string& name);

}  // namespace pallasgen
