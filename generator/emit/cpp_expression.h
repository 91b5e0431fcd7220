#pragma once

#include <functional>
#include <string>
#include <vector>

#include "expression/typed.h"

namespace pallasgen {

// How the leaves of an expression are spelled at its place in the generated file.
struct Spelling {
  struct Name {
    std::string text;   // a C++ primary expression
    bool wide = false;  // it is an int64_t; an index that is not wide is an int
  };
  std::function<Name(const Symbol&)> symbol;
  std::function<Name(const LocalUse&)> local;
  // An array of Kernel::scalars in device memory.
  struct ScalarArray {
    std::string name;
    DType dtype;
    std::vector<TypedPtr> extents;
  };
  std::function<ScalarArray(int)> scalar_array;
  std::function<std::string(int)> function;  // names an entry of Kernel::functions
  // Returns the file's name for a constant of the spec or the plan; empty if the file declares none.
  std::function<std::string(const std::string& name, bool integer)> constant;
  std::function<bool(const std::string& text)> declares = [](const std::string&) { return true; };  // all its names
  bool approximate = false;  // `math: {approx: true}`
  SymbolFacts facts;         // decide which index arithmetic fits an int
};

// How index arithmetic is carried out.
enum class IndexWidth : uint8_t {
  plain,  // in the types of the names: tile coordinates, and sizes in the launcher, do not overflow
  exact,  // widens to int64_t whatever cannot be shown to fit an int
};

// A C++ expression for one element of `expr`, whatever its shape, with parentheses only where C++ or a careful reader
// needs them. Each operation rounds to its dtype: 16-bit floats are computed in float and cast back. The C++ type of
// the result is that of the dtype; an index value is an int or an int64_t.
std::string cpp_expression(const TypedPtr& expr, const Spelling& spelling, IndexWidth width = IndexWidth::exact);

// True if the index expression is an int64_t when it is printed with IndexWidth::exact.
bool is_wide(const TypedPtr& expr, const Spelling& spelling);

// An index expression as an int, with IndexWidth::plain: a coordinate in a tile.
std::string cpp_coordinate(const TypedPtr& expr, const Spelling& spelling);
// `expr` as an operand of `+` or `&&`, in parentheses if it needs them: `a < b` does not, `a || b` does.
std::string cpp_conjunct(const TypedPtr& expr, const Spelling& spelling);
// `expr` as the condition before `?`, in parentheses if it needs them.
std::string cpp_condition(const TypedPtr& expr, const Spelling& spelling);

}  // namespace pallasgen
