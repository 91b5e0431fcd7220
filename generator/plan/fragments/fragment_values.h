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

// The name of the fragment of a value.
std::string fragment_name(const Draft& draft, const tile::Value& value);

// target = the mean that the sum is of, under the words of the spec.
program::Statement divided(const Draft& draft, int target, int sum, const Apply& mean, std::string quoted);

// The values of a role of a tile program as fragments and scalars of its plan, and the statements that compute them.
class FragmentValues {
 public:
  // `threads`: of the role, as the file says it.
  // `groups`: its warpgroups.
  FragmentValues(Draft& draft, const tile::Program& program, const tile::Role& role, Number threads, Number groups);

  const Forms& forms() const { return forms_; }
  const Form& form(tile::ValueId value);
  // The fragment of a value that is not a scalar.
  int fragment(tile::ValueId value);
  // The registers of a value as operand A of instructions.
  int add_packed(tile::ValueId value);
  // The value is read into this one.
  void hold(tile::ValueId value, int fragment) { fragments_[value.index] = fragment; }
  // The value is what the operand's current slot holds.
  void hold_in_slot(tile::ValueId value, int ring, int operand) { slots_[value.index] = {ring, operand}; }
  // The statement that makes the sum, in the fragment that it has, of the parts that threads have in it.
  program::Statement share(tile::ValueId sum, tile::ValueId parts);
  // Where statements take a number from a variable, and threads have it in a fragment of one row: the variable.
  void add_number(tile::ValueId value, program::Statements& out);
  // The statement that declares a value in a fragment.
  program::Statement declaration(tile::ValueId value);
  // What the warpgroups have of a value in a layout of instructions, and all of its columns.
  GroupParts& groups() { return groups_; }
  Number rows_per_group(tile::ValueId value) { return groups_.rows(*forms_.matrix_of(form(value))); }
  Number columns_per_group(tile::ValueId value) { return groups_.columns(*forms_.matrix_of(form(value))); }
  Number columns(tile::ValueId value) { return groups_.all_columns(*forms_.matrix_of(form(value))); }
  TypedPtr first_row(tile::ValueId value) { return groups_.first_row(form(value)); }
  TypedPtr first_column(tile::ValueId value) { return groups_.first_column(form(value)); }
  // The threads of the role.
  const Number& threads() const { return threads_; }
  // What stands for a value in a loop over elements of this form.
  program::SlotKind slot_kind(const Form& held, const Form& loop) const;
  program::Binding slot(tile::ValueId value, const Form& loop);
  // The variable of a value that all threads hold as one number, of Plan::scalars.
  int scalar(tile::ValueId value);
  // A statement that stores the value somewhere: of the first warpgroup alone, where every one holds all of it.
  program::Statement stored_once(tile::ValueId value, program::Statement store) {
    return groups_.stored_once(form(value), std::move(store));
  }
  // A number, of numbers that all threads hold; what it is made of is computed before.
  ElementValue number_of(const TypedPtr& expr, program::Statements& before);
  // An index that is a value, declared under its name, and an index expression with such names.
  program::Statement index(const tile::Assign& assign);
  TypedPtr with_indices(const TypedPtr& expr) const;
  // value = expr. `declares`: a scalar is declared here, and is `constant` from then on.
  program::Statements assign(tile::ValueId value, const TypedPtr& expr, const std::string& quoted, bool declares,
                             bool constant);

 private:
  // Where an expression is computed element by element.
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
  // What stands for a reduction, which is computed before the statement under way.
  Leaf reduced(const TypedPtr& node, program::Statements& before);
  // `own`: of each thread's elements alone.
  void reduce_into(int target, const Apply& reduction, program::Statements& out, bool own = false);
  // The same of argmax and argmin.
  void find_into(int target, const Apply& position, program::Statements& out);
  // The id by which expressions of the statement under way name the fragment.
  int add_made(int fragment, const Form& form);
  program::Statement share_of(int target, tile::ValueId parts);
  PartialTiles::Sharing sharing(const Form& operand);
  program::Statements put_together(int target, tile::ValueId parts);
  // The fragment that a reduction reads.
  int operand_of(const Apply& reduction, DType dtype, const std::string& name, program::Statements& out);
  // The words of the spec, above the first loop of what they become.
  std::string heading() { return std::exchange(quoted_, {}); }
  // What a reduction combines, before a mean is divided, in a fragment of its own.
  int combined(const Apply& reduction, DType dtype, const Shape& shape, bool own, program::Statements& before);

  Draft& draft_;
  const tile::Program& program_;
  const tile::Role& role_;
  const Number threads_;
  Forms forms_;
  const int64_t count_;  // of warpgroups
  GroupParts groups_;
  const std::map<int, std::string> names_of_matrices_;  // by Form::matrix
  std::string quoted_;                        // the words of the statement under way, until they are above something
  std::string target_;                        // what the statement under way makes
  std::map<int, Form> form_of_;               // by value
  std::map<int, int> fragments_, scalars_;    // by value
  std::map<int, std::pair<int, int>> slots_;  // by value: ring and operand
  std::map<int, std::pair<int, Form>> made_;  // by negative ids: reductions of the statement under way
  std::map<const Typed*, int> known_;         // their ids
  std::set<int> taken_as_numbers_;            // by conditions, and by statements that go by elements
  std::set<const Typed*> terms_;              // those of which each thread keeps its own part
  FragmentNames names_;
  PartialTiles partials_;
};

}  // namespace pallasgen
