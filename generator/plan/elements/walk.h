#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "elements/run_time_checks.h"
#include "fragments/fragment_values.h"
#include "proofs/block_access.h"
#include "proofs/element_names.h"
#include "proofs/element_site.h"
#include "questions/uses.h"

namespace pallasgen {

// The loop over all elements of a result: its dims of more than one element, their variables, and where in the result
// an element is.
struct ElementLoop {
  std::vector<Number> shape;
  std::vector<std::string> coordinates;
  Coordinates at;
};

// The walk over the statements of a role that go by elements: what the classes that lower them share, and where in the
// role it stands.
struct ElementWalk {
  // `declared`: the values that have a variable where the statement under way stands.
  ElementWalk(Draft& draft, const tile::Program& program, const tile::Role& role, FragmentValues& values,
              std::set<int>& declared);

  Draft& draft;
  const tile::Program& program;
  FragmentValues& values;
  std::set<int>& declared;
  const ElementUses uses;
  ElementNames names;
  RunTimeChecks checks;
  program::Statements* body = nullptr;     // statements of all threads, where the one under way will stand
  size_t body_depth = 1;                   // scopes of names around `body`
  std::vector<tile::Box> checked;          // boxes, in the body or around it
  std::string statement_text;              // the statement under way as the spec has it, for faults
  std::string target;                      // what it assigns, for the names of what it needs
  std::map<std::string, int64_t> extents;  // of the loop variables around

  // Of symbols and of the loop variables around.
  SymbolFacts facts() const;
  // Whether a variable of the program that has this name is unsigned, in whatever role.
  bool is_unsigned(const std::string& variable) const;
  // A new variable of Plan::scalars, under the first of the names that is free.
  int add_scalar(const std::vector<std::string>& wanted, DType dtype);
  // The names for what the statement under way needs: what it is, or that with what is assigned before it.
  std::vector<std::string> names_for(const std::string& what) const;
  // Sets the variable of a value that is a number in the body: declares it where nothing has.
  void set_number(tile::ValueId value, TypedPtr number, std::vector<program::Binding> bindings);
  // The loop over all elements of these sizes; `value` (may be null): what is computed in it.
  ElementLoop loop_over(const std::vector<Number>& sizes, const TypedPtr& value);
  // What a message of a fault ends with: the statement under way, behind a colon. Reads and writes of whole blocks have
  // none in the spec.
  std::string statement_of_fault() const { return statement_text.empty() ? "" : ": " + statement_text; }
  // Gives what the body got since `first` the statement of the spec as its heading.
  void quote(size_t first, const std::string& text);
  void refuse(Span span, const std::string& what, const std::string& remedy);
  // Says before the site where a float that goes to an array, if it is stored at all, is NaN.
  void check_nan(int ref, program::StoreElement& out, const ArrayPlace& place, ElementSite& site);
  // Calls `plan`, which writes statements before the loops under way: it sees none of their variables, whose names are
  // free for others.
  template <class Plan>
  auto before_loops(Plan plan) {
    names.leave(body_depth);
    const std::map<std::string, int64_t> around = extents;
    auto result = plan();
    extents = around;
    names.resume();
    return result;
  }
};

// The condition (may be null), where no check of the site's indices has found one outside.
TypedPtr where_inside(TypedPtr condition, const ElementSite& site);
// The statement that runs `body` for all elements of the loop.
program::Statement for_elements(const ElementLoop& loop, program::Statements body);

}  // namespace pallasgen
