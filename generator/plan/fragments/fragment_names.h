#pragma once

#include <map>
#include <string>

#include "program/draft.h"

namespace pallasgen {

// Gives unique names to a role's fragments and to the numbers that all its threads hold.
class FragmentNames {
 public:
  explicit FragmentNames(const Draft& draft) : draft_(draft), first_scalar_(draft.plan.scalars.size()) {}

  // Takes and returns `wanted`, with a number appended if that name is taken.
  std::string take(const std::string& wanted);
  // Returns the name to take for a reduction's result: that of the operation or, if it is taken, that with the name of
  // its operand or of the value that the current statement defines (`target`) before it.
  std::string of_reduction(const Apply& reduction, const std::string& operation, const std::string& target) const;

 private:
  // True if a number of the role has the name: statements by elements add numbers, too.
  bool has_number(const std::string& name) const;

  const Draft& draft_;
  size_t first_scalar_;  // of this role, in Plan::scalars
  std::map<std::string, int> names_;
};

}  // namespace pallasgen
