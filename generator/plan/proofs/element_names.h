#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// The variables of a body that goes element by element: names that shadow none of the spec's and none of the loops
// around. Scopes nest as the loops do, and a name is free again after its scope.
class ElementNames {
 public:
  explicit ElementNames(const Kernel& kernel);

  // The first of `wanted` that is free, else the last of them with the lowest number that makes it so.
  std::string take(const std::vector<std::string>& wanted);
  // Names of others, of which there may be more with time: nothing gets one.
  void avoid(std::function<bool(const std::string&)> others) { others_ = std::move(others); }
  // A name that nothing else gets.
  void reserve(const std::string& name) { reserved_.insert(name); }
  void open() { scopes_.emplace_back(); }
  void close() { scopes_.pop_back(); }
  size_t depth() const { return scopes_.size(); }
  // Takes the scopes inside the first `depth` away, for a loop that will stand before those under way; and back. What
  // is declared beside that loop meanwhile is seen from those scopes: it gets none of their names.
  void leave(size_t depth);
  void resume();

  // The coordinates of a loop over `rank` dims: i; r, c; b, r, c.
  std::vector<std::string> coordinates(size_t rank);
  // The variable of a loop along dim `dim` of `rank`.
  std::string along(size_t dim, size_t rank);

  // A name of a tile (a member of Smem): `wanted`, or with a number behind it where it is taken.
  std::string tile(const std::string& wanted);

 private:
  bool taken(const std::string& name) const;
  bool in_scope(const std::string& name) const;

  std::function<bool(const std::string&)> others_;
  std::set<std::string> reserved_;
  std::vector<std::set<std::string>> scopes_;
  std::vector<std::vector<std::set<std::string>>> left_;  // scopes that leave() took away, the last ones last
  std::vector<size_t> depths_;                            // at which it did
  std::set<std::string> tiles_;
};

// Opens a scope of names for as long as it lives.
class NameScope {
 public:
  explicit NameScope(ElementNames& names) : names_(names) { names_.open(); }
  ~NameScope() { names_.close(); }
  NameScope(const NameScope&) = delete;
  NameScope& operator=(const NameScope&) = delete;

 private:
  ElementNames& names_;
};

}  // namespace pallasgen
