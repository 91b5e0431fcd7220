#pragma once

#include <set>
#include <string>

#include "questions/forms.h"
#include "tile/program.h"

namespace pallasgen {

// Finds what plans lack to provide the entries of channels that a role's matrix instructions read.
class OperandLimits {
 public:
  OperandLimits(const tile::Program& program, const tile::Role& role, const Forms& forms);

  // Returns what is missing, in words; empty if nothing is.
  std::string why_not_lowered(const tile::Entry& entry) const;
  // True if the value is an entry of a channel in shared memory, and a vector.
  bool is_vector(tile::ValueId value) const { return vectors_.count(value.index) > 0; }
  // True if the role's threads make the operands that instructions read through the channel.
  bool is_computed_operand(tile::ChannelId channel) const { return made_.count(channel.index) > 0; }

 private:
  std::string not_copied(const tile::Entry& entry) const;
  std::string not_stored(const tile::Entry& entry) const;
  bool is_filled_by_tensor_copies(const tile::Entry& entry) const;
  bool is_filled_by_threads(const tile::Entry& entry) const;
  // True if `holds` is for all puts into entries of the channel.
  template <class Holds>
  bool all_puts(tile::ChannelId channel, Holds holds) const;

  const tile::Program& program_;
  const tile::Role& role_;
  const Forms& forms_;
  const std::set<int> made_;  // channels
  std::set<int> vectors_;     // values
};

}  // namespace pallasgen
