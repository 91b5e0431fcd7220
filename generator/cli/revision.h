#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "diagnostics/diagnostic.h"

namespace pallasgen {

// Folders of a git repository as they were at a revision, in a temporary folder that the destructor removes.
class Revision {
 public:
  // Null with a diagnostic (rule command-line) if the folders are not of one repository, git is missing, or the
  // revision is unknown. A folder that the revision does not have is empty.
  static std::unique_ptr<Revision> take(const std::set<std::filesystem::path>& folders, const std::string& revision,
                                        Diagnostics& diagnostics);
  Revision(const Revision&) = delete;
  Revision& operator=(const Revision&) = delete;
  ~Revision();

  // The place in this copy of `path`, which lies below one of the folders.
  std::filesystem::path place_of(const std::filesystem::path& path) const;

 private:
  // The copy of the repository, with its own name, which is in the label of a spec at its top.
  std::filesystem::path copy() const { return scratch_ / top_.filename(); }

  Revision(std::filesystem::path top, std::filesystem::path scratch)
      : top_(std::move(top)), scratch_(std::move(scratch)) {}

  std::filesystem::path top_;      // the repository's folder
  std::filesystem::path scratch_;  // the temporary folder
};

}  // namespace pallasgen
