#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// Names of variables in a body that computes element by element. They shadow no name of the spec or of an enclosing
// loop. Scopes nest as the loops do, and a name is free again after its scope.
class ElementNames {
 public:
  explicit ElementNames(const Kernel& kernel);

  // Takes the first of `wanted` that is free, else the last of them with the lowest number that makes it free.
  std::string take(const std::vector<std::string>& wanted);
  // Excludes the names for which `others`, whose set may grow, is true.
  void avoid(std::function<bool(const std::string&)> others) { others_ = std::move(others); }
  // Excludes a name.
  void reserve(const std::string& name) { reserved_.insert(name); }
  void open() { scopes_.emplace_back(); }
  void close() { scopes_.pop_back(); }

  // Takes names for the coordinates of a loop over `rank` dims: i; r, c; b, r, c.
  std::vector<std::string> coordinates(size_t rank);
  // Takes a name for the variable of a loop along dim `dim` of `rank`.
  std::string along(size_t dim, size_t rank);

  // Takes a name for a tile (a member of Smem): `wanted`, followed by a number if it is taken.
  std::string tile(const std::string& wanted);

 private:
  bool taken(const std::string& name) const;
  bool in_scope(const std::string& name) const;

  std::function<bool(const std::string&)> others_;
  std::set<std::string> reserved_;
  std::vector<std::set<std::string>> scopes_;
  std::set<std::string> tiles_;
};

// Keeps a scope of names open for as long as it lives.
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
