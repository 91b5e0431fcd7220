#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "expression/typed.h"

namespace pallasgen {

inline constexpr size_t kPythonColumns = 120;

// Names that a generated module of Python may have: those of the spec, with `_` behind what is Python's, the module's
// own or taken.
class PythonNames {
 public:
  std::string take(const std::string& name);

 private:
  std::set<std::string> taken_;
};

// A number or a bool as Python spells it.
std::string python_scalar(const Scalar& value);

// A tuple's text: "(M,)".
std::string tuple_of(const std::vector<std::string>& items);

// An index expression of the dims, under these names, in Python's notation, which is that of specs.
std::string python_text(const TypedPtr& expr, const std::function<std::string(int dim)>& names);

// Text of one line that may stand in a docstring between three quotation marks.
std::string python_doc(const std::string& text);

// The text broken at blanks into lines of at most so many columns, where its words allow.
std::vector<std::string> wrapped(const std::string& text, size_t columns);

}  // namespace pallasgen
