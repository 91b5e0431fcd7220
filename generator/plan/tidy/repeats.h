#pragma once

#include <map>
#include <optional>
#include <vector>

#include "plan/plan.h"

// Runs of statements that stand several times in a role.
namespace pallasgen::repeated_parts {

// Statements of one block that compute, with nothing between them but declarations.
struct Segment {
  program::Statements* block;
  std::vector<size_t> at;
  const program::Statement& statement(size_t i) const { return (*block)[at[i]]; }
};

// Which fragments of one run stand for which of another: the same types, one for one.
class Match {
 public:
  explicit Match(const Plan& plan) : plan_(&plan) {}

  // Whether the statements are the same with these fragments and those that were matched before.
  bool statements(const program::Statement& a, const program::Statement& b);
  int of(int fragment) const { return to_.at(fragment); }

 private:
  bool fragments(int a, int b);
  bool assigned(const program::ElementwiseStatement& a, const program::ElementwiseStatement& b);

  const Plan* plan_;
  std::map<int, int> to_, from_;
};

// Where a run stands, and what its fragments are there.
struct Place {
  size_t segment, first;
  Match match;
};

// The run that saves most lines as a function, at all its places, in order.
struct Repeat {
  std::vector<Segment> segments;
  std::vector<Place> places;
  size_t length = 0;
};
// Null where no run is worth it. The segments point into `program`.
std::optional<Repeat> find_repeat(const Plan& plan, program::Statements& program);

}  // namespace pallasgen::repeated_parts
