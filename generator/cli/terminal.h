#pragma once

#include <chrono>
#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

namespace pallasgen {

// Whether what goes to the file is read on a terminal that shows colours: neither NO_COLOR (https://no-color.org) is
// set to something nor TERM to `dumb`.
bool shows_colors(std::FILE* file);

// Marks parts of a command's results. Without colours each function gives its text back.
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

// What long work is doing now: one line on stderr that is written over again and again, where stderr is a terminal.
// Threads may share it.
class Progress {
 public:
  // Work that takes less than `patience` shows nothing.
  explicit Progress(std::chrono::milliseconds patience);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  void show(std::string_view what);
  // Takes the line away, for other lines that go to the terminal.
  void clear();

 private:
  const std::chrono::milliseconds patience_;
  const bool terminal_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  bool shown_ = false;
};

}  // namespace pallasgen
