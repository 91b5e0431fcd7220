#include "source_place.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>
#include <vector>

#include "report.h"
#include "symbol.h"

extern "C" {
// From the sanitizers: "function", line feed, "file:line" of each frame, inner ones first, zeros between them.
__attribute__((weak)) void __sanitizer_symbolize_pc(void* pc, const char* format, char* out, size_t bytes);
}

namespace pallasgen::emulator {
namespace {

/// One function, inlined or not, that contains the address.
struct Frame {
  std::string function, file, line;
  std::string part;  // part of the line: the column, or another position that the tool distinguishes
  bool operator==(const Frame&) const = default;
};

bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

/// Cuts the text after the last colon off `place`, if it is a number.
std::string last_number(std::string& place) {
  const size_t colon = place.rfind(':');
  const std::string number = colon == std::string::npos ? "" : place.substr(colon + 1);
  if (!is_number(number)) return "";
  place.resize(colon);
  return number;
}

/// `place` is "file:line:column" or, without columns, "file:line (discriminator 3)", where branches divide a line into
/// parts.
void add_frame(std::vector<Frame>& frames, const std::string& function, std::string place) {
  const size_t discriminator = std::min(place.size(), place.find(" (discriminator"));
  std::string part = place.substr(discriminator);
  place.resize(discriminator);
  std::string line = last_number(place);
  if (std::string before = last_number(place); !before.empty()) {
    part = line;
    line = before;
  }
  if (line.empty() || line == "0") return;
  frames.push_back({function_base_name(function), place, line, part});
}

std::vector<Frame> frames_by_sanitizer(const void* pc) {
  char out[8192] = {};
  __sanitizer_symbolize_pc(const_cast<void*>(pc), "%f\n%s:%l:%c", out, sizeof out - 2);
  std::vector<Frame> frames;
  for (const char* p = out; *p != '\0'; p += std::strlen(p) + 1) {
    const std::string frame = p;
    const size_t end = frame.find('\n');
    if (end != std::string::npos) add_frame(frames, frame.substr(0, end), frame.substr(end + 1));
  }
  return frames;
}

std::string output_of_symbolizer(const std::string& file, const std::string& address) {
  int ends[2];
  if (pipe(ends) != 0) return "";
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    const char *f = file.c_str(), *a = address.c_str();
    for (const char* llvm : {"llvm-symbolizer-19", "llvm-symbolizer"})
      execlp(llvm, llvm, "--output-style=LLVM", "-f", "-i", "-C", "-e", f, a, nullptr);
    execlp("addr2line", "addr2line", "-f", "-i", "-C", "-e", f, a, nullptr);
    _exit(127);
  }
  close(ends[1]);
  std::string out;
  char part[4096];
  for (ssize_t n; (n = read(ends[0], part, sizeof part)) > 0;) out.append(part, static_cast<size_t>(n));
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return out;
}

std::vector<Frame> frames_by_tool(const void* pc) {
  // The call ends at `pc`; the byte before belongs to it.
  const Module module = module_of(static_cast<const char*>(pc) - 1);
  if (module.file.empty()) return {};
  std::string file = module.file;
  if (file == "/proc/self/exe") {
    char path[4096];
    const ssize_t length = readlink(file.c_str(), path, sizeof path);
    if (length <= 0) return {};
    file.assign(path, static_cast<size_t>(length));
  }
  const std::string out = output_of_symbolizer(file, text("0x%zx", size_t{module.address - module.base}));
  std::vector<Frame> frames;
  for (size_t at = 0; at < out.size();) {
    const size_t end = std::min(out.find('\n', at), out.size());
    const size_t next = std::min(end + 1, out.size()), next_end = std::min(out.find('\n', next), out.size());
    add_frame(frames, out.substr(at, end - at), out.substr(next, next_end - next));
    at = next_end + 1;
  }
  return frames;
}

/// True for the headers under `folder` ("pallasgen/ptx/"), wherever the runtime was installed.
bool is_header_in(std::string_view file, std::string_view folder) {
  const size_t slash = file.rfind('/');
  return slash != std::string_view::npos && file.substr(0, slash + 1).ends_with(folder) && !file.ends_with(".cu");
}

std::string described(const std::vector<Frame>& frames) {
  std::string instruction;
  for (const Frame& frame : frames) {
    if (is_header_in(frame.file, "/pallasgen/ptx/")) {
      instruction = " (" + frame.function + ")";
      continue;
    }
    if (is_header_in(frame.file, "/pallasgen/") || is_header_in(frame.file, "/pallasgen/emulator/")) continue;
    return frame.file.substr(frame.file.rfind('/') + 1) + ":" + frame.line + instruction;
  }
  return "";
}

const std::vector<Frame>& frames_of(const void* pc) {
  static std::map<const void*, std::vector<Frame>> known;
  const auto [found, is_new] = known.try_emplace(pc);
  if (is_new && pc != nullptr)
    found->second = __sanitizer_symbolize_pc != nullptr ? frames_by_sanitizer(pc) : frames_by_tool(pc);
  return found->second;
}

}  // namespace

std::string source_place(const void* pc) { return described(frames_of(pc)); }

bool may_be_same_place(const void* a, const void* b) {
  if (a == b) return true;
  const std::vector<Frame>&from_a = frames_of(a), &from_b = frames_of(b);
  return from_a.empty() || from_b.empty() || from_a == from_b;
}

std::string at_source_place(const void* pc) {
  const std::string place = source_place(pc);
  return place.empty() ? "" : " at " + place;
}

}  // namespace pallasgen::emulator
