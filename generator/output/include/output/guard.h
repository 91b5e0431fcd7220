#pragma once

#include <string>

namespace pallasgen {

// Locks an output root against other processes until it is destroyed, so that one process at a time reads, changes and
// writes the lock file. Makes the folder if it is absent, and removes it again if it stayed empty.
class OutputGuard {
 public:
  explicit OutputGuard(const std::string& out_root);
  OutputGuard(const OutputGuard&) = delete;
  OutputGuard& operator=(const OutputGuard&) = delete;
  ~OutputGuard();

 private:
  std::string folder_;
  bool made_ = false;
  int descriptor_ = -1;  // -1: the folder cannot be made or opened; writing into it reports that
};

}  // namespace pallasgen
