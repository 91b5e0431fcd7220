#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "layout/layout.h"
#include "program/index_terms.h"
#include "tile/program.h"

namespace pallasgen {

// The types of the runtime (layout.cuh) for fragments, by the place that they give an element: none (one number that
// all threads hold), its number in the block, its row and column in a matrix, or one of these two.
enum class FormKind : uint8_t { scalar, strided, matrix, rows, columns };

// How the generated file holds a value.
struct Form {
  FormKind kind = FormKind::scalar;
  int matrix = -1;        // of Forms::matrices(), for matrix, rows, columns
  int64_t vector = 1;     // neighbouring elements of a thread
  std::vector<int> dims;  // for each dim of the value, the dim of the type; -1: one element
  bool partial = false;   // each thread that shares a row has a part of a sum

  bool same_type(const Form& other) const { return kind == other.kind && matrix == other.matrix; }
};

// A matrix that matrix instructions make (each warpgroup has its own rows or columns), that threads multiply, whose
// rows or columns a role reduces, or along which it has vectors. `lanes`: threads that share a row.
struct FormMatrix {
  ValueLayout layout;
  int64_t rows = 1, columns = 1, lanes = 1, vector = 1;
  bool of_instructions = false;
  bool across = false;           // each warpgroup has all rows, and columns of its own
  std::string accumulator = {};  // one of the values that instructions make in this layout
  int64_t row_vector = 0;        // neighbouring rows of a thread, if threads multiply; 0: threads share rows
  bool is_of_blocks() const { return row_vector > 0; }
};

// The forms of the values that a role holds in registers.
class Forms {
 public:
  Forms(const tile::Program& program, const tile::Role& role);

  const std::vector<FormMatrix>& matrices() const { return matrices_; }
  // The form of a value with this layout (null: a number that all threads hold); null if the runtime has no type for
  // it.
  std::optional<Form> of(const Shape& shape, const ValueLayout* layout) const;
  std::optional<Form> of(tile::ValueId value) const;
  // The sizes of a value along the dims of its type.
  static Shape in_type(const Form& form, const Shape& shape);
  // The layout of a value; a number belongs to all threads.
  ValueLayout layout_of(tile::ValueId value) const;
  // The layout of an expression that is computed where its operands are; null if they do not determine it.
  std::optional<ValueLayout> layout_of(const TypedPtr& expr) const;
  // The form of the expression that a reduction reduces; null if it does not reduce the rows or columns of a matrix.
  std::optional<Form> operand_of(const Apply& reduction) const;
  // The form of a reduction's result: one number for each row or column of the operand's matrix; for a scan, the
  // operand's form.
  Form result_of(const Apply& reduction, const Shape& shape) const;
  // True if each thread with elements of the block holds the elements of `held` at their places, rows or columns. A
  // vector has one form for all blocks whose rows or columns the threads hold alike.
  bool stands_beside(const Form& block, const Form& held) const;
  // True if the rows of the type are the columns of the value.
  static bool is_transposed(const Form& form) { return form.dims == std::vector<int>{1, 0}; }
  // True if a value is stored to a tile and loaded from it in the layout of the other.
  bool is_move(tile::ValueId from, tile::ValueId to) const;
  // The matrix of a form; null if it has none.
  const FormMatrix* matrix_of(const Form& form) const;
  bool by_instructions(const Form& form) const;
  bool is_across(const Form& form) const;
  // True if the form is one number that every thread holds, as for the rows of a matrix with one row.
  bool is_everywhere(const Form& form) const;

 private:
  Form rows_of(int matrix, const Shape& shape) const;
  // The first matrix made by no instruction whose rows or columns the threads hold as they hold those of this one.
  int slice_of(FormKind kind, int matrix) const;
  std::optional<Form> of_transposed(tile::ValueId value) const;
  std::optional<Form> of_partial(const Shape& shape, const ValueLayout& layout) const;
  void add_matrix(const Apply& reduction);
  void add_matrix(const ValueLayout& matrix);
  void add_broadcasts(const tile::Role& role);
  void add_transposed(const tile::Role& role);
  void add_accumulator(tile::ValueId value);
  void add_blocks(const tile::Dot& dot);
  void add(FormMatrix matrix);

  const tile::Program& program_;
  int64_t threads_;
  std::vector<FormMatrix> matrices_;
  // The layouts of a matrix, of its rows and of its columns, without dims of one element.
  struct Parts {
    std::optional<ValueLayout> whole, row, columns;
  };
  std::vector<Parts> parts_;
  std::set<int> whole_uses_;    // values that statements define or take as wholes
  std::set<int> put_together_;  // full sums of partial ones, which stay in the same fragments
};

}  // namespace pallasgen
