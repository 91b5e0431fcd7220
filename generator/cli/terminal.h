#pragma once

#include <chrono>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

namespace pallasgen {

// True if the file is a terminal that shows colours: NO_COLOR (https://no-color.org) is unset or empty, and TERM is not
// `dumb`.
bool shows_colors(std::FILE* file);

// Marks parts of a command's results with colours. Without colours each function returns its text unchanged.
class Paint {
 public:
  explicit Paint(bool colors) : colors_(colors) {}

  std::string good(std::string_view text) const { return marked(text, "32"); }
  std::string bad(std::string_view text) const { return marked(text, "1;31"); }
  std::string strong(std::string_view text) const { return marked(text, "1"); }
  // A unified diff, line by line.
  std::string diff(std::string_view text) const;

 private:
  std::string marked(std::string_view text, std::string_view code) const;

  bool colors_;
};

// Shows the progress of long work in one line on stderr, which is overwritten, if stderr is a terminal. Threads may
// share an object.
class Progress {
 public:
  // Work that takes less than `patience` shows nothing.
  explicit Progress(std::chrono::milliseconds patience);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  void show(std::string_view what);
  // Removes the line before other lines go to the terminal.
  void clear();

 private:
  const std::chrono::milliseconds patience_;
  const bool terminal_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  bool shown_ = false;
};

}  // namespace pallasgen
