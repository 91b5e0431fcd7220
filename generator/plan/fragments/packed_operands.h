#pragma once

#include <map>
#include <set>

#include "fragments/fragment_values.h"

namespace pallasgen {

// Operands A that instructions read from registers while a loop computes the next ones: each is packed, in the order
// of the instructions, into registers of its own, which nothing else writes until the instructions are waited for.
class PackedOperands {
 public:
  PackedOperands(const tile::Role& role, FragmentValues& values);

  bool has(tile::ValueId value) const { return operands_.count(value) > 0; }
  int fragment(tile::ValueId value);
  // Returns the statement that packs the registers from the value's own fragment.
  program::Statement packed(tile::ValueId value) {
    return {"", false, program::PackOperand{fragment(value), values_.fragment(value)}};
  }

 private:
  FragmentValues& values_;
  std::set<tile::ValueId> operands_;
  std::map<int, int> fragments_;  // by value
};

}  // namespace pallasgen
