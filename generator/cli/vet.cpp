#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "commands.h"
#include "verify/installation.h"

namespace pallasgen {

namespace {

constexpr int kNotLoaded = 127;  // of the loader, where a library is missing

}  // namespace

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
  std::fflush(nullptr);
  pid_t child = -1;
  const int failed = posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments.data(), environ);
  int status = 0;
  while (failed == 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (failed == 0 && WIFEXITED(status) && WEXITSTATUS(status) != kNotLoaded) return WEXITSTATUS(status);
  Diagnostics diagnostics;
  const std::string how = failed != 0         ? fmt::format("cannot be started: {}", std::strerror(failed))
                          : WIFEXITED(status) ? "cannot be loaded"
                                              : fmt::format("ended by signal {}", WTERMSIG(status));
  Diagnostic& out = diagnostics.error(kVetProgram, {}, fmt::format("{} {}", program, how));
  if (failed == 0 && WIFEXITED(status)) out.note(kInstallClangLibraries);
  options.errors->write(diagnostics);
  return kFiles;
}

}  // namespace pallasgen
