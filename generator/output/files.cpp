#include "files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "output/output.h"
#include "output/rules.h"

namespace pallasgen {

namespace {

namespace fs = std::filesystem;

// Writes all bytes to a new file. Returns the errno of the failure, or 0.
int write_new(const std::string& path, std::string_view content) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return errno;
  int failed = 0;
  while (!content.empty() && failed == 0) {
    const ssize_t count = write(file, content.data(), content.size());
    if (count >= 0)
      content.remove_prefix(static_cast<size_t>(count));
    else if (errno != EINTR)
      failed = errno;
  }
  if (close(file) != 0 && failed == 0) failed = errno;
  if (failed != 0) unlink(path.c_str());
  return failed;
}

// The name under which the file is kept that a temporary file replaces.
std::string kept_name(const std::string& temporary) { return temporary + "-kept"; }

// Keeps the file of a place, if there is one, under another name too. Returns the errno of the failure, or 0.
int keep(const std::string& place, const std::string& kept) {
  std::error_code error;
  if (fs::is_directory(place, error)) return EISDIR;
  unlink(kept.c_str());  // a process of the same number that was killed may have left it
  if (link(place.c_str(), kept.c_str()) == 0 || errno == ENOENT) return 0;
  fs::copy_file(place, kept, error);  // not every file system has links
  return error.value();
}

// Puts the kept file back, or removes a file that was not there before.
void restore(const std::string& place, const std::string& kept) {
  if (rename(kept.c_str(), place.c_str()) != 0 && errno == ENOENT) unlink(place.c_str());
}

void report_write(const std::string& path, const std::string& what, int error, Diagnostics& diagnostics) {
  diagnostics.error(kOutputWrite, {},
                    fmt::format("cannot {} '{}': {}; nothing was changed", what, path, std::strerror(error)));
}

}  // namespace

std::optional<std::string> read_file(const std::string& path, Diagnostics& diagnostics) {
  struct stat status{};
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 && errno == ENOENT) {
    diagnostics.error(kFileMissing, {}, fmt::format("'{}' does not exist", path));
    return std::nullopt;
  }
  if (file < 0) {
    diagnostics.error(kFileUnreadable, {}, fmt::format("cannot open '{}': {}", path, std::strerror(errno)));
    return std::nullopt;
  }
  if (fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(file);
    diagnostics.error(kFileFolder, {}, fmt::format("'{}' is a folder; a file is needed here", path));
    return std::nullopt;
  }
  std::string content;
  char buffer[1 << 16];
  ssize_t count = 0;
  while ((count = read(file, buffer, sizeof buffer)) != 0) {
    if (count > 0) {
      content.append(buffer, static_cast<size_t>(count));
    } else if (errno != EINTR) {
      diagnostics.error(kFileUnreadable, {}, fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
      close(file);
      return std::nullopt;
    }
  }
  close(file);
  return content;
}

StagedFiles::~StagedFiles() {
  for (const auto& [temporary, place] : staged_) {
    unlink(temporary.c_str());
    unlink(kept_name(temporary).c_str());
  }
}

bool StagedFiles::stage(const std::string& path, std::string_view content, Diagnostics& diagnostics) {
  std::error_code error;
  const fs::path parent = fs::path(path).parent_path();
  if (!parent.empty()) fs::create_directories(parent, error);
  if (error) {
    report_write(parent.string(), "make the folder", error.value(), diagnostics);
    return false;
  }
  // A file that exists already keeps its permissions; a link is followed, so that it stays a link.
  const fs::path place = fs::is_symlink(path) ? fs::weakly_canonical(path, error) : fs::path(path);
  const std::string temporary = fmt::format("{}.pallasgen-{}", place.string(), getpid());
  if (const int failed = write_new(temporary, content)) {
    report_write(path, "write", failed, diagnostics);
    return false;
  }
  struct stat status{};
  if (stat(place.c_str(), &status) == 0) (void)!chmod(temporary.c_str(), status.st_mode & 07777);
  staged_.emplace_back(temporary, place.string());
  return true;
}

bool StagedFiles::commit(Diagnostics& diagnostics) {
  for (size_t i = 0; i < staged_.size(); ++i) {
    const auto& [temporary, place] = staged_[i];
    int failed = keep(place, kept_name(temporary));
    if (failed == 0 && rename(temporary.c_str(), place.c_str()) != 0) failed = errno;
    if (failed == 0) continue;
    while (i-- > 0) restore(staged_[i].second, kept_name(staged_[i].first));
    report_write(place, "replace", failed, diagnostics);
    return false;
  }
  return true;
}

bool write_file(const std::string& path, std::string_view content, Diagnostics& diagnostics) {
  StagedFiles files;
  return files.stage(path, content, diagnostics) && files.commit(diagnostics);
}

}  // namespace pallasgen
