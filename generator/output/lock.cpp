#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "output/output.h"
#include "output/rules.h"

namespace pallasgen {

namespace {
constexpr std::string_view kHeader = "pallasgen.lock format 1  version ";
}

std::string lock_text(const Lock& lock) {
  std::string text = fmt::format("{}{}\n", kHeader, PALLASGEN_VERSION);
  for (const auto& [path, entry] : lock)
    text += fmt::format("{}  file {}  spec {}  {}\n", path, entry.file_hash, entry.spec_hash, entry.spec);
  return text;
}

std::optional<Lock> read_lock(const std::string& out_root, Diagnostics& diagnostics) {
  const std::string path = (std::filesystem::path(out_root) / kLockName).string();
  Lock lock;
  if (!std::filesystem::exists(path)) return lock;
  const std::optional<std::string> text = read_file(path, diagnostics);
  if (!text) return std::nullopt;
  std::istringstream lines(*text);
  std::string line;
  int number = 0;
  while (std::getline(lines, line)) {
    if (++number == 1 && line.starts_with(kHeader)) continue;
    // A line is `PATH  file HASH  spec HASH  SPEC`; hashes have a fixed width, and paths may hold single spaces.
    const size_t file = line.find("  file ");
    const size_t spec = line.find("  spec ", file == std::string::npos ? file : file + 7);
    if (number == 1 || file == std::string::npos || spec == std::string::npos || spec != file + 23 ||
        line.size() < spec + 26) {
      diagnostics.error(kLockBroken, {}, fmt::format("line {} of '{}' cannot be read", number, path))
          .note("take the file from version control, or delete it and run `pallasgen generate` for every spec again");
      return std::nullopt;
    }
    lock[line.substr(0, file)] = {line.substr(file + 7, 16), line.substr(spec + 7, 16), line.substr(spec + 25)};
  }
  return lock;
}

}  // namespace pallasgen
