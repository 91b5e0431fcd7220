#pragma once

#include <map>
#include <string>

#include "program/draft.h"
#include "questions/forms.h"

namespace pallasgen {

// What each of a role's warpgroups has of the matrices that instructions make: rows of its own, or columns.
class GroupParts {
 public:
  // `groups`: of the role.
  GroupParts(Draft& draft, const Forms& forms, Number groups);

  // Of a warpgroup; what several have a part of is a constant of the file.
  Number rows(const FormMatrix& matrix);
  Number all_rows(const FormMatrix& matrix) const;
  Number columns(const FormMatrix& matrix);
  // Of all warpgroups.
  Number all_columns(const FormMatrix& matrix) const;
  // Of the matrix whose first row the role declares as row0: the first whose rows warpgroups divide; 1: there is none.
  Number declared_rows();
  // The first row or column of the warpgroup, where the form counts rows or columns that several have; null: none.
  TypedPtr first_row(const Form& form);
  TypedPtr first_column(const Form& form);
  // A statement that stores a value of the form: of the first warpgroup alone, where every one holds all of it.
  program::Statement stored_once(const Form& form, program::Statement store) const;

 private:
  Number part(std::map<int64_t, Number>& known, const char* name, int64_t size, const Number& whole,
              const std::string& accumulator);

  Draft& draft_;
  const Forms& forms_;
  const Number groups_;
  int divided_ = -1;                          // of Forms::matrices(): declared_rows()
  std::map<int64_t, Number> rows_, columns_;  // of each warpgroup, by those of the matrix
};

}  // namespace pallasgen
