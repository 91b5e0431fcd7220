#pragma once

#include <map>
#include <optional>
#include <vector>

#include "plan/plan.h"

// Finds runs of statements that occur several times in a role.
namespace pallasgen::repeated_parts {

// Statements of one block that compute, with only declarations between them.
struct Segment {
  program::Statements* block;
  std::vector<size_t> at;
  const program::Statement& statement(size_t i) const { return (*block)[at[i]]; }
};

// Maps the fragments of one run to those of another, one to one and with equal types.
class Match {
 public:
  explicit Match(const Plan& plan) : plan_(&plan) {}

  // True if the statements are equal under this map, which it extends by their fragments.
  bool statements(const program::Statement& a, const program::Statement& b);
  int of(int fragment) const { return to_.at(fragment); }

 private:
  bool fragments(int a, int b);
  bool assigned(const program::ElementwiseStatement& a, const program::ElementwiseStatement& b);

  const Plan* plan_;
  std::map<int, int> to_, from_;
};

// Where a run is, and which fragments it has there.
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
// Null if no run saves enough. The segments point into `program`.
std::optional<Repeat> find_repeat(const Plan& plan, program::Statements& program);

}  // namespace pallasgen::repeated_parts
