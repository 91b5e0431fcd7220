#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// What the slots of a role's rings are called, by the loops around and in front of a statement.
class RingNames {
 public:
  RingNames(const Plan& plan, const program::Statements& statements);

  // What the loops so far have declared. A block of statements ends with the scope with which it began.
  struct Scope {
    std::set<int> slots;     // rings whose slots loops around have named
    std::set<int> previous;  // rings whose slot of the step before a loop around or in front of the statement keeps
  };
  const Scope& scope() const { return scope_; }
  void restore(const Scope& scope) { scope_ = scope; }
  // The body of a loop begins, whose turns name the slots of these rings.
  void name_slots(const std::vector<int>& rings) { scope_.slots.insert(rings.begin(), rings.end()); }

  std::string slot(int ring) const;                           // s, or ring.slot where no loop around names it
  std::string field_of(int ring, int field) const;            // smem.a[s]
  const RingOperand* operand_in(int ring, int field) const;   // whose slots these are; null: barriers
  std::string full(int ring) const;                           // smem.full[s]: where the ring's copies arrive
  std::string previous(int ring) const;                       // the slot of the step before
  std::string advances(const std::vector<int>& rings) const;  // ", ring.advance()": as a loop's header ends

  // Of rings that share a variable, the first alone.
  std::vector<int> cursors(const std::vector<int>& rings) const;

  // Those rings whose slots are named at the top of a body, declared: `const int s_k = ring_k.slot, s_v =
  // ring_v.slot;`.
  std::string slots(const std::vector<int>& rings) const;
  // For a template: those of the rings whose slot of the step before is kept, {name, slot}.
  nlohmann::ordered_json kept(const std::vector<int>& rings) const;
  // For a template: those of them that no loop has declared before, {name}. From here on they are declared.
  nlohmann::ordered_json declare_kept(const std::vector<int>& rings);

 private:
  const Plan& plan_;
  std::set<int> keeps_previous_;  // rings one of whose releases names the slot of the step before
  Scope scope_;
};

}  // namespace pallasgen
