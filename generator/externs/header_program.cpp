#include "header_program.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace pallasgen {

HeaderProgram::HeaderProgram(const std::vector<std::string>& command) {
  // A socket takes MSG_NOSIGNAL: after the program has ended there is no answer, but no signal either.
  int questions[2], answers[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, questions) != 0) return;
  if (pipe2(answers, O_CLOEXEC) != 0) {
    close(questions[0]);
    close(questions[1]);
    return;
  }
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  child_ = fork();
  if (child_ == 0) {
    dup2(questions[1], STDIN_FILENO);
    dup2(answers[1], STDOUT_FILENO);
    if (const int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(questions[1]);
  close(answers[1]);
  input_ = questions[0];
  output_ = answers[0];
  if (child_ > 0) greeting_ = read_line();
}

HeaderProgram::~HeaderProgram() {
  if (input_ >= 0) close(input_);
  if (output_ >= 0) close(output_);
  while (child_ > 0 && waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::optional<std::string> HeaderProgram::ask(const std::string& line) {
  const std::lock_guard lock(one_at_a_time_);
  const std::string text = line + "\n";
  for (size_t sent = 0; sent < text.size();) {
    const ssize_t count = send(input_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    sent += static_cast<size_t>(count);
  }
  return read_line();
}

std::optional<std::string> HeaderProgram::read_line() {
  for (;;) {
    if (const size_t end = unread_.find('\n'); end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    char buffer[1 << 14];
    const ssize_t count = read(output_, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    unread_.append(buffer, static_cast<size_t>(count));
  }
}

}  // namespace pallasgen
