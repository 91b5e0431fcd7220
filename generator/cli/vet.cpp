#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "commands.h"

namespace pallasgen {

int run_vet(const VetOptions& options) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string program = (self.parent_path() / "pallasgen-clang").string();
  if (error || access(program.c_str(), X_OK) != 0) {
    std::fprintf(stderr,
                 "error: vet needs the program pallasgen-clang beside pallasgen, which was not built: Clang 19 was not "
                 "found\n  install it by: apt-get install libclang-19-dev llvm-19-dev libclang-cpp19-dev\n  and "
                 "configure and build again\n");
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
  std::fprintf(stderr, "error: %s cannot be started: %s\n", program.c_str(), std::strerror(errno));
  return kFiles;
}

}  // namespace pallasgen
