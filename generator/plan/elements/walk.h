#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "elements/run_time_checks.h"
#include "fragments/fragment_values.h"
#include "homes/element_homes.h"
#include "proofs/block_access.h"
#include "proofs/element_names.h"
#include "proofs/element_site.h"

namespace pallasgen {

// The loop over all elements of a result: its dims of more than one element, their variables, and the place of an
// element in the result.
struct ElementLoop {
  std::vector<Number> shape;
  std::vector<std::string> coordinates;
  Coordinates at;
};

// The walk over the statements of a role that go by elements: the state that the classes that lower them share, and its
// position in the role.
struct ElementWalk {
  // `declared`: the values that have a variable at the current statement.
  ElementWalk(Draft& draft, const tile::Program& program, const tile::Role& role, FragmentValues& values,
              std::set<int>& declared);

  Draft& draft;
  const tile::Program& program;
  FragmentValues& values;
  std::set<int>& declared;
  const ElementHomes homes;
  const ElementUses& uses;
  ElementNames names;
  RunTimeChecks checks;
  program::Statements* body = nullptr;     // statements of all threads, to which the current one is added
  std::vector<tile::Box> checked;          // boxes with a check in the body or in one around it
  std::string statement_text;              // the spec's text of the current statement, for faults
  std::string quoted;                      // the last heading, while statements of the same text of the spec follow
  std::string target;                      // the value that it assigns, for the names of variables
  std::map<int, int> kept_dims;            // by value of one dim: see kept_dim()
  std::map<std::string, int64_t> extents;  // of the loop variables around
  std::map<std::string, Bounds> narrowed;  // of loop variables: bounds that a condition around sets

  // Facts about symbols and about the variables of the loops around.
  SymbolFacts facts() const;
  // True if every variable of this name is unsigned, in all roles.
  bool is_unsigned(const std::string& variable) const;
  // Adds a variable to Plan::scalars, under the first of the names that is free.
  int add_scalar(const std::vector<std::string>& wanted, DType dtype);
  // Names for a variable of the current statement: `what`, or `what` with the assigned value's name before it.
  std::vector<std::string> names_for(const std::string& what) const;
  // Sets, in the body, the variable of a value that is a number; declares it if nothing has.
  void set_number(tile::ValueId value, TypedPtr number, std::vector<program::Binding> bindings);
  // Returns the dim of a matrix that a reduction in the value keeps; -1: none. Loops over such values have its name, so
  // that they can be joined.
  int kept_dim(const TypedPtr& value) const;
  // Opens the loop over all elements of these sizes, of `value`.
  ElementLoop loop_over(const std::vector<Number>& sizes, const TypedPtr& value);
  // Adds a loop over elements to the body. No iteration may read what another one stores.
  void add_stores(const ElementLoop& loop, program::Statements stores);
  // Returns the end of a fault's message: a colon and the current statement. Reads and writes of whole blocks have no
  // statement in the spec.
  std::string statement_of_fault() const { return statement_text.empty() ? "" : ": " + statement_text; }
  // Makes `text`, a statement of the spec, the heading of the body's statement `first`, if there is one.
  void quote(size_t first, const std::string& text);
  void refuse(Span span, const std::string& what, const std::string& remedy);
  // Adds, before the site, the check that a float which is stored to an array is not NaN.
  void check_nan(int ref, program::StoreElement& out, const ArrayPlace& place, ElementSite& site);
  // While it lives, a loop's variable is known to lie in [first, last], as in the arm of a branch.
  class Within {
   public:
    Within(ElementWalk& walk, const std::string& variable, int64_t first, int64_t last)
        : walk_(walk), variable_(variable), outer_(walk.narrowed[variable]) {
      walk.narrowed[variable] = {first, last};
    }
    ~Within() { walk_.narrowed[variable_] = outer_; }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

   private:
    ElementWalk& walk_;
    const std::string variable_;
    const Bounds outer_;
  };
};

// Returns the condition (may be null), limited to elements for which no check of the site found an index outside.
TypedPtr where_inside(TypedPtr condition, const ElementSite& site);
// Returns the statement that runs `body` for all elements of the loop.
program::Statement for_elements(const ElementLoop& loop, program::Statements body);

}  // namespace pallasgen
