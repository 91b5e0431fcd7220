#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "fragments/fragment_names.h"
#include "fragments/group_parts.h"
#include "fragments/partial_tiles.h"
#include "fragments/values.h"
#include "program/numbers.h"
#include "questions/forms.h"

namespace pallasgen {

// Returns the name of the fragment of a value.
std::string fragment_name(const Draft& draft, const tile::Value& value);

// Returns the statement target = sum / number of terms of the mean, with the spec's words `quoted` as its heading.
program::Statement divided(const Draft& draft, int target, int sum, const Apply& mean, std::string quoted);

// The values of a role of a tile program as fragments and scalars of its plan, and the statements that compute them.
class FragmentValues {
 public:
  // `threads`: the role's threads, as the generated file names their number; `groups`: its warpgroups.
  FragmentValues(Draft& draft, const tile::Program& program, const tile::Role& role, Number threads, Number groups);

  const Forms& forms() const { return forms_; }
  const Form& form(tile::ValueId value);
  // Returns the fragment (of Plan::fragments) of a value that is not a scalar; adds it at first use.
  int fragment(tile::ValueId value);
  // Adds the registers (of Plan::fragments) that hold the value as operand A of instructions.
  int add_packed(tile::ValueId value);
  // Notes that the value is read into this fragment.
  void hold(tile::ValueId value, int fragment) { fragments_[value.index] = fragment; }
  // Notes that the value is in the current slot of the ring's operand.
  void hold_in_slot(tile::ValueId value, int ring, int operand) { slots_[value.index] = {ring, operand}; }
  // Returns the statement that combines the parts of threads in the fragment of `sum` into the sum, in place.
  program::Statement share(tile::ValueId sum, tile::ValueId parts);
  // Declares the variable of a number that is in a fragment of one row, if statements take it from a variable.
  void add_number(tile::ValueId value, program::Statements& out);
  // Returns the statement that declares the fragment of a value.
  program::Statement declaration(tile::ValueId value);
  // One warpgroup's part of a value in a layout of instructions; columns() is of all warpgroups.
  GroupParts& groups() { return groups_; }
  Number rows_per_group(tile::ValueId value) { return groups_.rows(*forms_.matrix_of(form(value))); }
  Number columns_per_group(tile::ValueId value) { return groups_.columns(*forms_.matrix_of(form(value))); }
  Number columns(tile::ValueId value) { return groups_.all_columns(*forms_.matrix_of(form(value))); }
  TypedPtr first_row(tile::ValueId value) { return groups_.first_row(form(value)); }
  TypedPtr first_column(tile::ValueId value) { return groups_.first_column(form(value)); }
  const Number& threads() const { return threads_; }
  // The kind of binding, and the binding, by which a loop over elements of form `loop` reads a value.
  program::SlotKind slot_kind(const Form& held, const Form& loop) const;
  program::Binding slot(tile::ValueId value, const Form& loop);
  // Returns the variable (of Plan::scalars) of a value that all threads hold as one number; adds it at first use.
  int scalar(tile::ValueId value);
  // Returns `store`, which stores the value, for the first warpgroup alone if each warpgroup holds all of the value.
  program::Statement stored_once(tile::ValueId value, program::Statement store) {
    return groups_.stored_once(form(value), std::move(store));
  }
  // Returns the number that `expr` is of numbers that all threads hold; statements that it needs go to `before`.
  ElementValue number_of(const TypedPtr& expr, program::Statements& before);
  // Declares the index of a value under the value's name; with_indices() puts such names into an index expression.
  program::Statement index(const tile::Assign& assign);
  TypedPtr with_indices(const TypedPtr& expr) const;
  // Returns the statements for value = expr, with the spec's words `quoted` as heading. `declares`: a scalar is
  // declared here, and is `constant` from then on.
  program::Statements assign(tile::ValueId value, const TypedPtr& expr, const std::string& quoted, bool declares,
                             bool constant);

 private:
  // The loop in which an expression is computed element by element.
  struct Loop {
    Form form;
    int fragment;  // -1: a scalar
  };

  int add_fragment(const std::string& name, DType dtype, const Form& form, const Shape& shape);
  std::string layout_text(const Form& form, const Shape& shape);
  ValueLayout layout_of(const Form& form, const Shape& shape) const;

  std::optional<ElementValue> element(const TypedPtr& value, const Shape& shape, const Loop& loop,
                                      program::Statements& before);
  std::optional<Leaf> leaf(const LocalUse& use, const Loop& loop);
  // Returns the use of a reduction's result, which is computed in `before`.
  Leaf reduced(const TypedPtr& node, program::Statements& before);
  // Reduces into the fragment `target`. `own`: each thread combines its own elements alone.
  void reduce_into(int target, const Apply& reduction, program::Statements& out, bool own = false);
  // The same for argmax and argmin.
  void find_position_into(int target, const Apply& position, program::Statements& out);
  // Returns a new id, a negative one, by which expressions of the current statement name the fragment.
  int add_made(int fragment, const Form& form);
  program::Statement share_of(int target, tile::ValueId parts);
  PartialTiles::Sharing sharing(const Form& operand);
  program::Statements combine_parts(int target, tile::ValueId parts);
  // Returns the fragment that a reduction reads, computed in `out` unless a value's fragment has the dtype.
  int operand_of(const Apply& reduction, DType dtype, const std::string& name, program::Statements& out);
  // Returns the spec's words, for the first loop of the statements that they become; empty after that.
  std::string heading() { return std::exchange(quoted_, {}); }
  // Returns a new fragment with the result of a reduction; for a mean, the sum before it is divided.
  int combined(const Apply& reduction, DType dtype, const Shape& shape, bool own, program::Statements& before);

  Draft& draft_;
  const tile::Program& program_;
  const tile::Role& role_;
  const Number threads_;
  Forms forms_;
  const int64_t count_;  // of warpgroups
  GroupParts groups_;
  const std::map<int, std::string> names_of_matrices_;  // by Form::matrix
  std::string quoted_;                        // the spec's words for the current statement, until a heading has them
  std::string target_;                        // the value that the current statement defines
  std::map<int, Form> form_of_;               // by value
  std::map<int, int> fragments_, scalars_;    // by value
  std::map<int, std::pair<int, int>> slots_;  // by value: ring and operand
  std::map<int, std::pair<int, Form>> made_;  // by negative ids: reductions of the current statement
  std::map<const Typed*, int> known_;         // their ids
  std::set<int> taken_as_numbers_;            // values that conditions, bounds and statements by elements take
  std::set<const Typed*> terms_;              // reductions of which each thread keeps its own part
  FragmentNames names_;
  PartialTiles partials_;
};

}  // namespace pallasgen
