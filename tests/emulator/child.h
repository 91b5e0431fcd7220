#pragma once
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

// A kernel that breaks a rule ends its process, so tests of such kernels run them in children.
struct ChildResult {
  int code;            // exit code, or 128 and the signal
  std::string output;  // stdout and stderr
};

// Runs `work` in a fork of this process; a return from it is exit code 0.
inline ChildResult in_child(const std::function<void()>& work) {
  char path[] = "/tmp/pallasgen_child_XXXXXX";
  const int file = mkstemp(path);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    work();
    std::fflush(nullptr);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  close(file);
  std::ifstream in(path);
  const std::string output{std::istreambuf_iterator<char>(in), {}};
  unlink(path);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output};
}

// Runs a program with PALLASGEN_EMULATOR set to `options`.
inline ChildResult run_program(const std::string& program, const std::string& argument, const std::string& options) {
  return in_child([&] {
    setenv("PALLASGEN_EMULATOR", options.c_str(), 1);
    execl(program.c_str(), program.c_str(), argument.c_str(), static_cast<char*>(nullptr));
    std::perror(program.c_str());
    _exit(127);
  });
}

// Checks that it ended with this exit code and printed these words.
inline void expect(const ChildResult& result, int code, const std::string& words) {
  INFO(result.output);
  CHECK(result.code == code);
  CHECK_MESSAGE(result.output.find(words) != std::string::npos, words);
}
