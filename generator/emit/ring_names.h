#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// Names for the slots of a role's rings, which depend on the loops that enclose or precede a statement.
class RingNames {
 public:
  RingNames(const Plan& plan, const program::Statements& statements);

  // The variables that loops have declared so far. A block of statements restores the scope with which it began.
  struct Scope {
    std::set<int> slots;     // rings whose slots an enclosing loop has named
    std::set<int> previous;  // rings for which an enclosing or earlier loop keeps the previous step's slot
  };
  const Scope& scope() const { return scope_; }
  void restore(const Scope& scope) { scope_ = scope; }
  // Begins the body of a loop that names the slots of these rings in each iteration.
  void name_slots(const std::vector<int>& rings) { scope_.slots.insert(rings.begin(), rings.end()); }

  std::string slot(int ring) const;                          // s, or ring.slot if no enclosing loop names it
  std::string field_of(int ring, int field) const;           // smem.a[s]
  const RingOperand* operand_in(int ring, int field) const;  // the operand in these slots; null for barriers
  std::string full(int ring) const;      // smem.full[s]: the barrier on which the ring's copies arrive
  std::string previous(int ring) const;  // the variable with the slot of the previous step
  std::string advances(const std::vector<int>& rings) const;  // ", ring.advance()": the end of a loop's header

  // The rings without those that share the variable of an earlier one.
  std::vector<int> cursors(const std::vector<int>& rings) const;

  // The declaration of slots at the top of a body: `const int s_k = ring_k.slot, s_v = ring_v.slot;`.
  std::string slots(const std::vector<int>& rings) const;
  // For a template: {name, slot} of each ring whose previous step's slot is kept.
  nlohmann::ordered_json kept(const std::vector<int>& rings) const;
  // For a template: {name} of those that no loop has declared before; the call marks them as declared.
  nlohmann::ordered_json declare_kept(const std::vector<int>& rings);

 private:
  const Plan& plan_;
  std::set<int> keeps_previous_;  // rings with a release that names the slot of the previous step
  Scope scope_;
};

}  // namespace pallasgen
