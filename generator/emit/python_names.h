#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "expression/typed.h"

namespace pallasgen {

inline constexpr size_t kPythonColumns = 120;

// Names for a generated Python module: those of the spec, with `_` appended if Python or the module uses the name or it
// is taken.
class PythonNames {
 public:
  std::string take(const std::string& name);

 private:
  std::set<std::string> taken_;
};

// A number or a bool in Python syntax.
std::string python_scalar(const Scalar& value);

// The text of a tuple: "(M,)".
std::string tuple_of(const std::vector<std::string>& items);

// An index expression over the dims, with these names, in Python's syntax, which specs share.
std::string python_text(const TypedPtr& expr, const std::function<std::string(int dim)>& names);

// One line of text, escaped for a docstring between triple quotation marks.
std::string python_doc(const std::string& text);

// The text broken at blanks into lines of at most `columns` characters; a longer word has a line to itself.
std::vector<std::string> wrapped(const std::string& text, size_t columns);

}  // namespace pallasgen
