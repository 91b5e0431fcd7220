#include "output/guard.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>

namespace pallasgen {

namespace fs = std::filesystem;

OutputGuard::OutputGuard(const std::string& out_root) : folder_(out_root) {
  std::error_code ignored;
  made_ = fs::create_directories(folder_, ignored);
  descriptor_ = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ >= 0) ::flock(descriptor_, LOCK_EX);
}

OutputGuard::~OutputGuard() {
  std::error_code ignored;
  if (made_ && fs::is_empty(folder_, ignored)) fs::remove(folder_, ignored);
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace pallasgen
