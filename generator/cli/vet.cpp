#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "commands.h"

namespace pallasgen {

int run_vet(const VetOptions& options) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string program = (self.parent_path() / "pallasgen-clang").string();
  if (error || access(program.c_str(), X_OK) != 0) {
    Diagnostics diagnostics;
    diagnostics.error(kVetProgram, {}, "vet needs the program pallasgen-clang beside pallasgen, which was not built")
        .note("install libclang-19-dev, llvm-19-dev and libclang-cpp19-dev, then configure and build again");
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
