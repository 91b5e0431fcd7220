#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// The place of an element: one index expression per dim of the value.
using Coordinates = std::vector<TypedPtr>;

// The place at which a scalar expression is being written.
struct ElementSite {
  program::Statements& before;              // statements in the same loop body that compute scalars it uses
  std::vector<program::Binding>& bindings;  // its LocalUse ids index these
  TypedPtr outside = nullptr;               // true if an index is outside by a run-time check; null: no check
};

// Adds the binding to the site, or reuses an equal one, and returns an expression with this name that reads it.
TypedPtr bind_element(program::Binding binding, const std::string& name, Span span, DType dtype, ElementSite& site);
// The same for a variable of Plan::scalars, and for the element of a tile (a field of Plan::shared) at `index`.
TypedPtr bind_scalar(const Plan& plan, int scalar, Span span, ElementSite& site);
TypedPtr bind_shared(const Plan& plan, int field, Coordinates index, Span span, ElementSite& site);
// Returns the statement that sets a variable of Plan::scalars. `declares`: it also declares the variable, as `const` if
// `constant`.
program::Statement set_scalar(int scalar, TypedPtr value, std::vector<program::Binding> bindings, bool declares,
                              bool constant);
// Returns a loop over [0, size) around `body`.
program::Statement loop_along(const std::string& variable, const Number& size, program::Statements body);

int64_t elements_of(const Shape& shape);
// Returns coordinates in the tile of a value: a value without dims is the first element of its tile.
Coordinates in_tile(const Coordinates& at);
// Converts the memory order of a load, store or atomic.
program::MemoryOrder order_of(pallasgen::MemoryOrder order);

}  // namespace pallasgen
