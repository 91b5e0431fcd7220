#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "commands.h"
#include "verify/installation.h"

namespace pallasgen {

int run_vet(const VetOptions& options) {
  const std::string program = clang_program();
  if (program.empty()) {
    Diagnostics diagnostics;
    diagnostics.error(kVetProgram, {}, "vet needs the program pallasgen-clang beside pallasgen, which was not built")
        .note(kBuildClangProgram);
    options.errors->write(diagnostics);
    return kFiles;
  }
  std::vector<std::string> words = {program, "--error-format", options.format};
  if (options.wants_facts) words.push_back("--facts");
  if (options.not_checked) words.push_back("--not-checked");
  for (const std::string& each : options.extra) words.insert(words.end(), {"--extra-arg", each});
  words.insert(words.end(), options.files.begin(), options.files.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  Diagnostics diagnostics;
  diagnostics.error(kVetProgram, {}, fmt::format("{} cannot be started: {}", program, std::strerror(errno)));
  options.errors->write(diagnostics);
  return kFiles;
}

}  // namespace pallasgen
