#pragma once

#include <map>
#include <string>

#include "program/draft.h"

namespace pallasgen {

// The names of a role's fragments, each once, and of the numbers that all its threads hold.
class FragmentNames {
 public:
  explicit FragmentNames(const Draft& draft) : draft_(draft), first_scalar_(draft.plan.scalars.size()) {}

  // `wanted`, or with a number behind it where it is taken.
  std::string take(const std::string& wanted);
  // What to take for a reduction's result: the name of the operation, else that with the name of its operand or of what
  // the statement under way makes (`target`) before it.
  std::string of_reduction(const Apply& reduction, const std::string& operation, const std::string& target) const;

 private:
  // Statements by elements have numbers, too.
  bool has_number(const std::string& name) const;

  const Draft& draft_;
  size_t first_scalar_;  // of Plan::scalars, of this role
  std::map<std::string, int> names_;
};

}  // namespace pallasgen
