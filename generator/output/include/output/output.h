#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics/diagnostic.h"

namespace pallasgen {

// One file to be kept under the output root.
struct OutputFile {
  std::string path;  // relative to the output root, with '/'
  std::string content;
  std::string spec;       // the spec's path from the spec root's name: specs/matmul/matmul.yaml
  std::string spec_hash;  // of the canonical checked spec
  std::string opened{};   // the spec's path as it was opened, for messages
};

// pallasgen.lock: the first line names format and version, then one sorted line per output.
struct LockEntry {
  std::string file_hash, spec_hash, spec;
};
using Lock = std::map<std::string, LockEntry>;  // by output path

inline constexpr const char* kLockName = "pallasgen.lock";
std::string lock_text(const Lock& lock);
// Null when a line cannot be read; an absent file is an empty lock.
std::optional<Lock> read_lock(const std::string& out_root, Diagnostics& diagnostics);

// What `check` says of one output.
enum class OutputState {
  current,      // the bytes are what would be written
  missing,      // not on disk
  stale,        // as it was written, but the spec, an option or the tool has changed since
  hand_edited,  // not as it was written
  orphan,       // written from a spec that no longer makes it
};
std::string_view name_of(OutputState state);

struct OutputReport {
  std::string path;
  OutputState state;
  std::string diff;  // unified, from disk to what would be written; empty for current, missing and orphan
};

// Compares what would be written with what is there. Orphans are entries of the lock whose spec is among `specs_seen`,
// or lies below `spec_folder` (from the spec root's name; empty: none) and is not among them, and that are not in
// `files`.
std::vector<OutputReport> check_outputs(const std::string& out_root, const std::vector<OutputFile>& files,
                                        const Lock& lock, const std::vector<std::string>& specs_seen,
                                        const std::string& spec_folder);

struct WriteResult {
  std::vector<std::string> written, unchanged, pruned;
};

// Writes what changed, all or nothing: every changed file goes to a temporary file beside its place, then all are
// renamed, the lock last. Unchanged files are not touched. `prune` names orphans to delete. Nullopt with diagnostics
// (rules output-path, output-write) when a path leaves the root or the file system refuses; temporary files are
// removed.
std::optional<WriteResult> write_outputs(const std::string& out_root, const std::vector<OutputFile>& files, Lock lock,
                                         const std::vector<std::string>& prune, Diagnostics& diagnostics);

// Writes files of which no lock keeps account (pictures of plans), in the same way.
std::optional<WriteResult> write_files(const std::string& out_root, const std::vector<OutputFile>& files,
                                       Diagnostics& diagnostics);

// Writes one file through a temporary file and rename (depfiles, exported arrays). False with a diagnostic.
bool write_file(const std::string& path, std::string_view content, Diagnostics& diagnostics);
// Reads a whole file; nullopt with a diagnostic (rules file-missing, file-folder, file-unreadable).
std::optional<std::string> read_file(const std::string& path, Diagnostics& diagnostics);

// A unified diff with three lines of context; empty when equal.
std::string unified_diff(const std::string& from_name, std::string_view from, const std::string& to_name,
                         std::string_view to);

}  // namespace pallasgen
