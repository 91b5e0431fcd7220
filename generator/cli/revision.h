#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "diagnostics/diagnostic.h"

namespace pallasgen {

// Folders of a git repository as they were at a revision, in a temporary folder that goes away with this.
class Revision {
 public:
  // Null with a diagnostic (rule command-line) where the folders are not of one repository, git is missing, or the
  // revision is unknown. A folder that the revision has not is empty.
  static std::unique_ptr<Revision> take(const std::set<std::filesystem::path>& folders, const std::string& revision,
                                        Diagnostics& diagnostics);
  Revision(const Revision&) = delete;
  Revision& operator=(const Revision&) = delete;
  ~Revision();

  // The place of `path`, which lies below one of the folders, as it was.
  std::filesystem::path place_of(const std::filesystem::path& path) const;

 private:
  // The repository's folder below the temporary one: of the same name, which a spec at its top has in its label.
  std::filesystem::path copy() const { return scratch_ / top_.filename(); }

  Revision(std::filesystem::path top, std::filesystem::path scratch)
      : top_(std::move(top)), scratch_(std::move(scratch)) {}

  std::filesystem::path top_;      // of the repository
  std::filesystem::path scratch_;  // in its place
};

}  // namespace pallasgen
