#pragma once

#include <set>
#include <string>

#include "questions/forms.h"
#include "tile/program.h"

namespace pallasgen {

// What plans have no way for of the entries of channels that a role's matrix instructions read.
class UnplannedOperands {
 public:
  UnplannedOperands(const tile::Program& program, const tile::Role& role, const Forms& forms);

  // In words; empty: nothing is missing.
  std::string of(const tile::Entry& entry) const;
  // Whether the value is a vector of an entry.
  bool is_vector(tile::ValueId value) const { return vectors_.count(value.index) > 0; }
  // Whether the role's threads make what instructions read of it.
  bool is_made(tile::ChannelId channel) const { return made_.count(channel.index) > 0; }

 private:
  std::string not_copied(const tile::Entry& entry) const;
  std::string not_stored(const tile::Entry& entry) const;
  bool comes_by_tensor(const tile::Entry& entry) const;
  bool comes_by_threads(const tile::Entry& entry) const;
  // Of all that is put into entries of the channel.
  template <class Holds>
  bool all_puts(tile::ChannelId channel, Holds holds) const;

  const tile::Program& program_;
  const tile::Role& role_;
  const Forms& forms_;
  const std::set<int> made_;  // channels
  std::set<int> vectors_;     // values
};

}  // namespace pallasgen
