#pragma once

#include <map>
#include <optional>
#include <set>

#include "homes/element_homes.h"

namespace pallasgen {

// The expression that a statement by elements assigns; null for other statements.
TypedPtr assigned_by_elements(const tile::Program& program, const tile::Statement& statement);

// Finds out which values of a role's statements by elements are computed where they are used: those that are used once,
// or cost no more than a read of their tile, if nothing that they read changes before their last use, and if they are
// not evaluated more often than they have elements. All uses of a value must be noted before it is asked for.
class InlinedValues {
 public:
  InlinedValues(const tile::Program& program, const tile::Role& role);

  const ElementHomes& homes() const { return homes_; }
  // Values that statements read from arrays that nothing changes: they are read where they are used.
  const std::set<int>& reads() const { return reads_; }
  // What the value would be computed from where it is used; null if it is kept at any rate.
  TypedPtr expression_of(int value) const;
  // Notes a use that evaluates an element of the value `turns` times in all.
  void note_use(tile::ValueId value, int64_t turns);
  // How often an element of the value is evaluated where it is used; null if the value is kept.
  std::optional<int64_t> turns_of(tile::ValueId value) const;
  // True if a computation costs as little as reading its result from a tile: its only operations are casts,
  // comparisons, logic, moves and index arithmetic.
  bool is_trivial(const TypedPtr& expr) const;

 private:
  void find_in(const tile::Block& block);
  bool is_defined_once(tile::ValueId value) const;
  bool may_be_inlined(tile::ValueId value, const TypedPtr& expr, const tile::Statement* next) const;

  const tile::Program& program_;
  const ElementHomes homes_;
  std::set<int> in_registers_;  // values that statements load into registers
  std::set<int> reads_;
  std::map<int, TypedPtr> expressions_;
  std::map<int, int64_t> turns_;
  std::set<int> kept_;  // they would be evaluated more often than they have elements
};

}  // namespace pallasgen
