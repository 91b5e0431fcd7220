#include "verify/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace pallasgen {

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void execute_in_place(const std::vector<std::string>& command,
                                   const std::vector<std::pair<std::string, std::string>>& environment, int output) {
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

// Reads until the writer closes; false if the deadline passes first.
bool read_all(int file, Clock::time_point deadline, std::string& output) {
  char buffer[1 << 14];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd waiting{file, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::min<long long>(left, 1000)));
    if (ready < 0 && errno != EINTR) return true;
    if (ready <= 0) continue;
    const ssize_t count = read(file, buffer, sizeof buffer);
    if (count == 0 || (count < 0 && errno != EINTR)) return true;
    if (count > 0) output.append(buffer, static_cast<size_t>(count));
  }
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command,
                          const std::vector<std::pair<std::string, std::string>>& environment, int seconds) {
  ProcessResult result;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {-1, "cannot make a pipe", false};
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return {-1, "cannot start a process", false};
  }
  if (child == 0) execute_in_place(command, environment, ends[1]);
  close(ends[1]);
  result.timed_out = !read_all(ends[0], Clock::now() + std::chrono::seconds(seconds), result.output);
  close(ends[0]);
  if (result.timed_out) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  std::string folder;
  while (std::getline(folders, folder, ':')) {
    const std::string candidate = (std::filesystem::path(folder) / name).string();
    if (access(candidate.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(candidate)) return candidate;
  }
  return "";
}

}  // namespace pallasgen
