#pragma once

#include <map>
#include <optional>

#include "plan/plan.h"

namespace pallasgen {

// The fragments of some statements that stand for those of others, where each lives in its statements alone.
class FragmentMatch {
 public:
  // `one`, `other`: the two, of `program`.
  FragmentMatch(const Plan& plan, const program::Statements& program, const program::Statements& one,
                const program::Statements& other);

  // The statement of the one with the fragments of the other, as `like` has them; nothing: they do not match.
  std::optional<program::Statement> renamed(program::Statement statement, program::Statement like);
  // By fragment of the one: that of the other.
  const std::map<int, int>& fragments() const { return to_; }

 private:
  bool may_stand_for(int a, int b);

  const Plan* plan_;
  std::map<int, int> all_, one_, other_, to_;
};

}  // namespace pallasgen
