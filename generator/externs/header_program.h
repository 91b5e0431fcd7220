#pragma once

#include <sys/types.h>

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace pallasgen {

// A running program that answers each line by one line.
class HeaderProgram {
 public:
  // Starts the program; without a greeting this failed.
  explicit HeaderProgram(const std::vector<std::string>& command);
  // Closes the program's input, which ends it, and waits for it.
  ~HeaderProgram();
  HeaderProgram(const HeaderProgram&) = delete;
  HeaderProgram& operator=(const HeaderProgram&) = delete;

  // The first line that the program prints, unasked.
  const std::optional<std::string>& greeting() const { return greeting_; }
  // The answer to a line; nothing if the program has ended. Several threads may call it.
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
