#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernel/value.h"

namespace pallasgen {

// A name of the body.
struct Local {
  int id = -1;          // -1: a literal, a parameter or a loop variable, which stands for `value`
  Value value;          // the LocalUse, the literal, or Poison after an error
  Span span;            // where it was first assigned
  int depth = 0;        // depth of the block statement that made it
  bool counts = false;  // the variable of a counted loop
};

// The names of the body that are visible at one point, innermost block last.
class Scope {
 public:
  Scope() : levels_(1) {}
  void push() { levels_.emplace_back(); }
  void pop() {
    for (auto& [name, local] : levels_.back()) gone_.insert_or_assign(name, local.span);
    levels_.pop_back();
  }
  // Ends the innermost level and the name, which it alone has; its other names move to the level around it.
  void pop_name(const std::string& name) {
    std::map<std::string, Local> inner = std::move(levels_.back());
    levels_.pop_back();
    inner.erase(name);
    for (auto& [other, local] : inner) set(other, std::move(local));
  }
  int depth() const { return static_cast<int>(levels_.size()) - 1; }
  Local* find(const std::string& name) {
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
      const auto found = level->find(name);
      if (found != level->end()) return &found->second;
    }
    return nullptr;
  }
  void set(const std::string& name, Local local) {
    local.depth = depth();
    levels_.back().insert_or_assign(name, std::move(local));
  }
  // The place where a name that has gone out of scope was assigned.
  const Span* ended_name(const std::string& name) const {
    const auto found = gone_.find(name);
    return found == gone_.end() ? nullptr : &found->second;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& level : levels_) {
      for (const auto& [name, local] : level) out.push_back(name);
    }
    return out;
  }

 private:
  std::vector<std::map<std::string, Local>> levels_;
  std::map<std::string, Span> gone_;
};

}  // namespace pallasgen
