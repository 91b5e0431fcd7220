#include "output/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "files.h"
#include "output/hash.h"
#include "output/rules.h"

namespace pallasgen {

namespace fs = std::filesystem;

std::string_view name_of(OutputState state) {
  switch (state) {
    case OutputState::current:
      return "current";
    case OutputState::missing:
      return "missing";
    case OutputState::stale:
      return "stale";
    case OutputState::hand_edited:
      return "hand-edited";
    case OutputState::orphan:
      return "orphan";
  }
  return "";
}

namespace {

std::optional<std::string> on_disk(const fs::path& path) {
  Diagnostics ignored;
  if (!fs::is_regular_file(path)) return std::nullopt;
  return read_file(path.string(), ignored);
}

// The hash that line 3 of a generated source states, and the hash of the text after it; empty without such a line.
std::pair<std::string, std::string> stated_and_true_hash(std::string_view text) {
  size_t at = 0;
  for (int line = 0; line < 2; ++line) {
    at = text.find('\n', at);
    if (at == std::string_view::npos) return {};
    ++at;
  }
  const size_t end = text.find('\n', at);
  constexpr std::string_view kMark = "  content ";
  const std::string_view third = text.substr(at, end - at);
  const size_t mark = third.find(kMark);
  if (end == std::string_view::npos || mark == std::string_view::npos) return {};
  return {std::string(third.substr(mark + kMark.size(), 16)), hash_text(content_hash(text.substr(end + 1)))};
}

OutputState state_of(const OutputFile& file, const std::string& disk, const Lock& lock) {
  if (disk == file.content) return OutputState::current;
  const auto entry = lock.find(file.path);
  if (entry != lock.end())
    return entry->second.file_hash == hash_text(content_hash(disk)) ? OutputState::stale : OutputState::hand_edited;
  const auto [stated, actual] = stated_and_true_hash(disk);
  return !stated.empty() && stated == actual ? OutputState::stale : OutputState::hand_edited;
}

// True if `path` stays below `root`, links on the way included.
bool stays_inside(const fs::path& root, const std::string& path) {
  const fs::path relative(path);
  if (path.empty() || relative.is_absolute()) return false;
  const fs::path normal = relative.lexically_normal();
  if (normal.empty() || *normal.begin() == "..") return false;
  std::error_code error;
  const fs::path real_root = fs::weakly_canonical(root, error);
  const fs::path real = fs::weakly_canonical(root / relative.parent_path(), error);
  const fs::path from_root = real.lexically_relative(real_root);
  return !error && !from_root.empty() && *from_root.begin() != "..";
}

using FilesByPath = std::map<std::string, const OutputFile*>;

// Maps each path below the root to its file; nullopt with diagnostics if a path leaves the root or two files share it.
std::optional<FilesByPath> files_by_path(const std::string& out_root, const std::vector<OutputFile>& files,
                                         Diagnostics& diagnostics) {
  FilesByPath by_path;
  for (const OutputFile& file : files) {
    if (!stays_inside(out_root, file.path)) {
      diagnostics
          .error(
              kOutputPath, {},
              fmt::format("the output '{}' of '{}' would leave the output root '{}'", file.path, file.spec, out_root))
          .note("outputs go to <out>/<path of the spec below the spec root>: give the spec's folder with --root");
      continue;
    }
    const auto [other, fresh] = by_path.emplace(file.path, &file);
    // Specs of two folders may have one path below their roots; a spec that was given twice has the same content.
    if (!fresh && (other->second->spec != file.spec || other->second->content != file.content)) {
      const auto name = [](const OutputFile& of) { return of.opened.empty() ? of.spec : of.opened; };
      diagnostics
          .error(
              kOutputPath, {},
              fmt::format("'{}' and '{}' would both be written to '{}'", name(*other->second), name(file), file.path))
          .note("rename one of the specs, or give a common root with --root");
    }
  }
  if (diagnostics.has_errors()) return std::nullopt;
  return by_path;
}

// Stages the files that differ from those on disk.
std::optional<WriteResult> stage_changed(const std::string& out_root, const FilesByPath& files, StagedFiles& staged,
                                         Diagnostics& diagnostics) {
  WriteResult result;
  for (const auto& [path, file] : files) {
    const fs::path place = fs::path(out_root) / path;
    if (on_disk(place) == file->content) {
      result.unchanged.push_back(path);
    } else {
      if (!staged.stage(place.string(), file->content, diagnostics)) return std::nullopt;
      result.written.push_back(path);
    }
  }
  return result;
}

}  // namespace

std::vector<OutputReport> check_outputs(const std::string& out_root, const std::vector<OutputFile>& files,
                                        const Lock& lock, const std::vector<std::string>& specs_seen,
                                        const std::string& spec_folder) {
  std::vector<OutputReport> reports;
  std::set<std::string> wanted;
  for (const OutputFile& file : files) {
    wanted.insert(file.path);
    const std::optional<std::string> disk = on_disk(fs::path(out_root) / file.path);
    OutputReport report{file.path, disk ? state_of(file, *disk, lock) : OutputState::missing, ""};
    if (disk) report.diff = unified_diff(file.path, *disk, file.path + " (as generated)", file.content);
    reports.push_back(std::move(report));
  }
  const std::set<std::string> seen(specs_seen.begin(), specs_seen.end());
  for (const auto& [path, entry] : lock) {
    const bool ours = seen.contains(entry.spec) || (!spec_folder.empty() && entry.spec.starts_with(spec_folder + "/"));
    if (ours && !wanted.contains(path) && fs::exists(fs::path(out_root) / path))
      reports.push_back({path, OutputState::orphan, ""});
  }
  std::sort(reports.begin(), reports.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return reports;
}

std::optional<WriteResult> write_outputs(const std::string& out_root, const std::vector<OutputFile>& files, Lock lock,
                                         const std::vector<std::string>& prune, Diagnostics& diagnostics) {
  const std::optional<FilesByPath> by_path = files_by_path(out_root, files, diagnostics);
  if (!by_path) return std::nullopt;
  StagedFiles staged;
  std::optional<WriteResult> result = stage_changed(out_root, *by_path, staged, diagnostics);
  if (!result) return std::nullopt;
  for (const auto& [path, file] : *by_path)
    lock[path] = {hash_text(content_hash(file->content)), file->spec_hash, file->spec};
  for (const std::string& path : prune) lock.erase(path);
  const fs::path lock_path = fs::path(out_root) / kLockName;
  const std::string text = lock_text(lock);
  if (on_disk(lock_path) != text && !staged.stage(lock_path.string(), text, diagnostics)) return std::nullopt;
  if (!staged.commit(diagnostics)) return std::nullopt;
  for (const std::string& path : prune) {
    std::error_code error;
    if (stays_inside(out_root, path) && fs::remove(fs::path(out_root) / path, error)) result->pruned.push_back(path);
  }
  return result;
}

std::optional<WriteResult> write_files(const std::string& out_root, const std::vector<OutputFile>& files,
                                       Diagnostics& diagnostics) {
  const std::optional<FilesByPath> by_path = files_by_path(out_root, files, diagnostics);
  if (!by_path) return std::nullopt;
  StagedFiles staged;
  std::optional<WriteResult> result = stage_changed(out_root, *by_path, staged, diagnostics);
  if (!result || !staged.commit(diagnostics)) return std::nullopt;
  return result;
}

}  // namespace pallasgen
