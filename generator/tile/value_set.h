#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace pallasgen::tile {

// A set of values, one bit for each id.
class ValueSet {
 public:
  ValueSet() = default;
  explicit ValueSet(const std::set<int>& values) {
    for (const int value : values) insert(value);
  }

  void insert(int value) {
    const size_t word = static_cast<size_t>(value) / kBits;
    if (word >= words_.size()) words_.resize(word + 1);
    words_[word] |= bit(value);
  }
  void erase(int value) {
    const size_t word = static_cast<size_t>(value) / kBits;
    if (word < words_.size()) words_[word] &= ~bit(value);
  }
  bool contains(int value) const {
    const size_t word = static_cast<size_t>(value) / kBits;
    return word < words_.size() && (words_[word] & bit(value)) != 0;
  }
  // Adds the values of `other`; true if one of them is new.
  bool add(const ValueSet& other) {
    if (other.words_.size() > words_.size()) words_.resize(other.words_.size());
    bool grows = false;
    for (size_t i = 0; i < other.words_.size(); ++i) {
      grows = grows || (other.words_[i] & ~words_[i]) != 0;
      words_[i] |= other.words_[i];
    }
    return grows;
  }
  // Calls `visit` for each value, in the order of their ids.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      for (uint64_t left = words_[i]; left != 0; left &= left - 1)
        visit(static_cast<int>(i * kBits) + std::countr_zero(left));
    }
  }
  std::set<int> values() const {
    std::set<int> all;
    for_each([&](int value) { all.insert(all.end(), value); });
    return all;
  }

 private:
  static constexpr size_t kBits = 64;
  static uint64_t bit(int value) { return uint64_t{1} << (static_cast<size_t>(value) % kBits); }

  std::vector<uint64_t> words_;
};

}  // namespace pallasgen::tile
