#pragma once

#include <functional>
#include <string>
#include <vector>

#include "expression/typed.h"

namespace pallasgen {

// How the leaves of an expression are spelled where it stands in the generated file.
struct Spelling {
  struct Name {
    std::string text;   // a primary expression of C++
    bool wide = false;  // an int64_t; else an int, where it is an index
  };
  std::function<Name(const Symbol&)> symbol;
  std::function<Name(const LocalUse&)> local;
  // An array of scalars in device memory, of Kernel::scalars.
  struct ScalarArray {
    std::string name;
    DType dtype;
    std::vector<TypedPtr> extents;
  };
  std::function<ScalarArray(int)> scalar_array;
  std::function<std::string(int)> function;  // of Kernel::functions
  // What the file calls a constant of this name of the spec or the plan; empty where it declares none.
  std::function<std::string(const std::string& name, bool integer)> constant;
  std::function<bool(const std::string& text)> declares = [](const std::string&) { return true; };  // what it names
  bool approximate = false;  // `math: {approx: true}`
  SymbolFacts facts;         // for deciding which index arithmetic fits an int
};

// How index arithmetic is carried out.
enum class IndexWidth : uint8_t {
  plain,  // as the names are: inside a tile of shared memory, and of sizes in the launcher, nothing overflows
  exact,  // what cannot be shown to fit an int is widened to int64_t
};

// A C++ expression for `expr`, with parentheses only where C++ or a careful reader needs them. Each operation rounds to
// its dtype: 16-bit floats are computed in float and cast back. Shapes are not looked at: one element is computed. The
// C++ type of the result is that of the dtype; of index values int or int64_t.
std::string cpp_expression(const TypedPtr& expr, const Spelling& spelling, IndexWidth width = IndexWidth::exact);

// Whether an index expression, carried out exactly, is an int64_t.
bool is_wide(const TypedPtr& expr, const Spelling& spelling);

// An index expression as an int, plain: a coordinate in a tile.
std::string cpp_coordinate(const TypedPtr& expr, const Spelling& spelling);
// The same, in parentheses unless it may stand as an operand of `+` and `&&`: `a < b` does, `a || b` does not.
std::string cpp_conjunct(const TypedPtr& expr, const Spelling& spelling);
// The same, as it may stand before `?`.
std::string cpp_condition(const TypedPtr& expr, const Spelling& spelling);

}  // namespace pallasgen
