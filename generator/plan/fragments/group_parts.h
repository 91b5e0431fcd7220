#pragma once

#include <map>
#include <string>

#include "program/draft.h"
#include "questions/forms.h"

namespace pallasgen {

// The part that each of a role's warpgroups has of the matrices that instructions make: its own rows or columns.
class GroupParts {
 public:
  // `groups`: the role's warpgroups.
  GroupParts(Draft& draft, const Forms& forms, Number groups);

  // Rows and columns of `matrix` that one warpgroup holds; a named constant for the dim that warpgroups divide.
  Number rows(const FormMatrix& matrix);
  Number all_rows(const FormMatrix& matrix) const;
  Number columns(const FormMatrix& matrix);
  // Columns of all warpgroups together.
  Number all_columns(const FormMatrix& matrix) const;
  // rows() of the first matrix whose rows warpgroups divide, whose first row the role declares as row0; 1: none.
  Number declared_rows();
  // The first row or column of the warpgroup; null if the form has none, or if warpgroups do not divide them.
  TypedPtr first_row(const Form& form);
  TypedPtr first_column(const Form& form);
  // Returns `store`, which stores a value of the form, for the first warpgroup alone if each holds all of the value.
  program::Statement stored_once(const Form& form, program::Statement store) const;

 private:
  Number part(std::map<int64_t, Number>& known, const char* name, int64_t size, const Number& whole,
              const std::string& accumulator);

  Draft& draft_;
  const Forms& forms_;
  const Number groups_;
  int divided_ = -1;                          // of Forms::matrices(), for declared_rows(); -1: none
  std::map<int64_t, Number> rows_, columns_;  // of one warpgroup, by the size of the matrix
};

}  // namespace pallasgen
