#include "terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace pallasgen {

namespace {

// Columns of stderr's terminal; 80 if they are unknown.
size_t columns_of_terminal() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

bool shows_colors(std::FILE* file) {
  const char* terminal = std::getenv("TERM");
  return isatty(fileno(file)) != 0 && !is_set("NO_COLOR") && !(terminal && std::string_view(terminal) == "dumb");
}

std::string Paint::marked(std::string_view text, std::string_view code) const {
  return colors_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::string Paint::diff(std::string_view text) const {
  if (!colors_) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const bool head = line.starts_with("--- ") || line.starts_with("+++ ");
    const std::string_view code = head                     ? "1"
                                  : line.starts_with("@@") ? "36"
                                  : line.starts_with('+')  ? "32"
                                  : line.starts_with('-')  ? "31"
                                                           : "";
    out += code.empty() ? std::string(line) : marked(line, code);
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

Progress::Progress(std::chrono::milliseconds patience) : patience_(patience), terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::show(std::string_view what) {
  if (!terminal_) return;
  const std::lock_guard lock(mutex_);
  if (std::chrono::steady_clock::now() - begin_ < patience_) return;
  std::fflush(stdout);
  fmt::print(stderr, "\r\x1b[K{}", what.substr(0, columns_of_terminal() - 1));
  shown_ = true;
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  shown_ = false;
}

}  // namespace pallasgen
