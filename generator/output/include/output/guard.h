#pragma once

#include <string>

namespace pallasgen {

// Keeps other processes that write into the same output root waiting until it goes away: the lock file is read, changed
// and written by one at a time. Makes the folder; takes it away again where nothing came into it.
class OutputGuard {
 public:
  explicit OutputGuard(const std::string& out_root);
  OutputGuard(const OutputGuard&) = delete;
  OutputGuard& operator=(const OutputGuard&) = delete;
  ~OutputGuard();

 private:
  std::string folder_;
  bool made_ = false;
  int descriptor_ = -1;  // -1: the folder cannot be made or opened, which writing into it will tell
};

}  // namespace pallasgen
