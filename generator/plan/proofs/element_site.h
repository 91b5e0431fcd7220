#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// One index expression per dim of a value: where its element is.
using Coordinates = std::vector<TypedPtr>;

// Where a scalar expression is being written.
struct ElementSite {
  program::Statements& before;              // what computes scalars that it uses, in the same loop body
  std::vector<program::Binding>& bindings;  // what its LocalUse ids index
  int64_t turns = 1;                        // how often it is evaluated in one pass over the loops around it
  TypedPtr outside = nullptr;               // holds where a check of an index has found it outside; null: none has
};

// What the binding reads, under this name, as a part of the site's expression; equal reads are one binding.
TypedPtr bind_element(program::Binding binding, const std::string& name, Span span, DType dtype, ElementSite& site);
// The same of a variable of Plan::scalars, and of the element of a tile (a field of Plan::shared) at `index`.
TypedPtr bind_scalar(const Plan& plan, int scalar, Span span, ElementSite& site);
TypedPtr bind_shared(const Plan& plan, int field, Coordinates index, Span span, ElementSite& site);
// The statement that sets such a variable. `declares`: it is declared here, and is `constant` from then on.
program::Statement set_scalar(int scalar, TypedPtr value, std::vector<program::Binding> bindings, bool declares,
                              bool constant);
// `for` over [0, size) around `body`.
program::Statement loop_along(const std::string& variable, const Number& size, program::Statements body);

int64_t elements_of(const Shape& shape);
// A value without dims that has a tile of its own is that tile's one element.
Coordinates in_tile(const Coordinates& at);
// Of loads, stores and atomics that have one.
program::MemoryOrder order_of(pallasgen::MemoryOrder order);

}  // namespace pallasgen
