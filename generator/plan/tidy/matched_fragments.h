#pragma once

#include <map>
#include <optional>

#include "plan/plan.h"

namespace pallasgen {

// Maps the fragments of some statements to those of others, each used only in its own statements.
class FragmentMatch {
 public:
  // `one`, `other`: the two blocks of statements, both in `program`.
  FragmentMatch(const Plan& plan, const program::Statements& program, const program::Statements& one,
                const program::Statements& other);

  // The statement of `one` with the fragments that `like` has in its place; nothing if they do not match.
  std::optional<program::Statement> renamed(program::Statement statement, program::Statement like);
  // By fragment of `one`: the fragment of `other`.
  const std::map<int, int>& fragments() const { return to_; }

 private:
  bool may_correspond(int a, int b);

  const Plan* plan_;
  std::map<int, int> all_, one_, other_, to_;
};

}  // namespace pallasgen
