#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnostics/diagnostic.h"

namespace pallasgen {

// Files that are written next to their places and then renamed. Temporary files and kept ones are removed at the end.
class StagedFiles {
 public:
  StagedFiles() = default;
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;
  ~StagedFiles();

  // Writes `content` to a temporary file in the folder of `path`, which is made if absent. False with a diagnostic.
  bool stage(const std::string& path, std::string_view content, Diagnostics& diagnostics);
  // Renames all to their places, in the order of staging. False with a diagnostic if a rename fails; the files that
  // were there before are then put back.
  bool commit(Diagnostics& diagnostics);

 private:
  std::vector<std::pair<std::string, std::string>> staged_;  // temporary, place
};

}  // namespace pallasgen
