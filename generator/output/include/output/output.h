#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.h"

namespace pallasgen {

// One file that is kept under the output root.
struct OutputFile {
  std::string path;  // relative to the output root, with '/'
  std::string content;
  std::string spec;       // the spec's path from the spec root's name: specs/matmul/matmul.yaml
  std::string spec_hash;  // hash of the canonical checked spec
  std::string opened{};   // the spec's path as it was opened, for messages
};

// An output's entry in pallasgen.lock, which has a line of format and version, then one line per output, sorted.
struct LockEntry {
  std::string file_hash, spec_hash, spec;
};
using Lock = std::map<std::string, LockEntry>;  // keyed by output path

inline constexpr const char* kLockName = "pallasgen.lock";
std::string lock_text(const Lock& lock);
// Reads the lock of an output root. An absent file is an empty lock; null with a diagnostic if it cannot be read.
std::optional<Lock> read_lock(const std::string& out_root, Diagnostics& diagnostics);

// The result of `check` for one output.
enum class OutputState {
  current,      // equal to the generated file
  missing,      // not on disk
  stale,        // unedited, but the spec, an option or the tool has changed since it was written
  hand_edited,  // edited since it was written
  orphan,       // written from a spec that does not make it any more
};
std::string_view name_of(OutputState state);

struct OutputReport {
  std::string path;
  OutputState state;
  std::string diff;  // unified, from disk to the generated file; empty for current, missing and orphan
};

// Compares the files that would be written with those on disk. Orphans are entries of the lock that are not in `files`
// and whose spec is in `specs_seen` or below `spec_folder` (from the spec root's name; empty: none).
std::vector<OutputReport> check_outputs(const std::string& out_root, const std::vector<OutputFile>& files,
                                        const Lock& lock, const std::vector<std::string>& specs_seen,
                                        const std::string& spec_folder);

struct WriteResult {
  std::vector<std::string> written, unchanged, pruned;
};

// Writes the files that changed: each goes to a temporary file next to its place, then all are renamed, the lock last.
// Unchanged files are not touched. `prune` names the orphans to delete. Nullopt with diagnostics (rules output-path,
// output-write) if a path leaves the root, two files have one path, or the file system refuses; temporary files are
// removed.
std::optional<WriteResult> write_outputs(const std::string& out_root, const std::vector<OutputFile>& files, Lock lock,
                                         const std::vector<std::string>& prune, Diagnostics& diagnostics);

// Writes files that no lock records, such as pictures of plans, in the same way.
std::optional<WriteResult> write_files(const std::string& out_root, const std::vector<OutputFile>& files,
                                       Diagnostics& diagnostics);

// Writes one file, such as a depfile or an exported array, by a temporary file and a rename. False with a diagnostic.
bool write_file(const std::string& path, std::string_view content, Diagnostics& diagnostics);
// Reads a whole file. Nullopt with a diagnostic (rules file-missing, file-folder, file-unreadable).
std::optional<std::string> read_file(const std::string& path, Diagnostics& diagnostics);

// A unified diff with three lines of context; empty if the texts are equal.
std::string unified_diff(const std::string& from_name, std::string_view from, const std::string& to_name,
                         std::string_view to);

}  // namespace pallasgen
