#pragma once

#include <sys/types.h>

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace pallasgen {

// A running program that answers each line it is given by one line.
class HeaderProgram {
 public:
  // Starts it; there is no greeting where that failed.
  explicit HeaderProgram(const std::vector<std::string>& command);
  // Closes its input, which ends it.
  ~HeaderProgram();
  HeaderProgram(const HeaderProgram&) = delete;
  HeaderProgram& operator=(const HeaderProgram&) = delete;

  // The first line that it prints, unasked.
  const std::optional<std::string>& greeting() const { return greeting_; }
  // The answer to a line; nothing where the program has ended. Several threads may ask.
  std::optional<std::string> ask(const std::string& line);

 private:
  std::optional<std::string> read_line();

  pid_t child_ = -1;
  int input_ = -1, output_ = -1;
  std::string unread_;
  std::optional<std::string> greeting_;
  std::mutex one_at_a_time_;
};

}  // namespace pallasgen
