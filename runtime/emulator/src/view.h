#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace pallasgen::emulator {

/// The values that a thread may still read: for each location of strong accesses, by its number, the oldest such store.
/// Empty in kernels without such accesses.
class View {
 public:
  uint64_t oldest(uint32_t location) const { return location < oldest_.size() ? oldest_[location] : 0; }

  void raise(uint32_t location, uint64_t store) {
    if (location >= oldest_.size()) oldest_.resize(location + 1);
    oldest_[location] = std::max(oldest_[location], store);
  }

  void join(const View& other) {
    if (other.oldest_.size() > oldest_.size()) oldest_.resize(other.oldest_.size());
    for (size_t i = 0; i < other.oldest_.size(); ++i) oldest_[i] = std::max(oldest_[i], other.oldest_[i]);
  }

 private:
  std::vector<uint64_t> oldest_;
};

}  // namespace pallasgen::emulator
