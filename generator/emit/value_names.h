#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "ring_names.h"
#include "spelling.h"

namespace pallasgen {

// Spells the operands of statements of a role: fragments, scalars, arrays and their elements.
class ValueNames {
 public:
  ValueNames(const Plan& plan, const RolePlan& role, const RingNames& rings);
  ValueNames(const ValueNames&) = delete;  // the spelling keeps a pointer to this object

  std::string fragment(int id) const { return plan_.fragments[id].name; }
  // Element `e` of the fragment in a loop over elements.
  std::string element(int id) const { return fragment(id) + (plan_.fragments[id].in_loop ? "" : "[e]"); }
  std::string scalar(int id) const { return plan_.kernel->identifiers.of(plan_.scalars[id].name); }
  std::string axis(int id) const { return plan_.kernel->identifiers.of(plan_.kernel->axes[id].name); }
  std::string group() const { return role_.needs_group ? "wg" : "0"; }  // 0 if there is one
  Number threads() const;                                               // number of threads of the role: kThreads
  Number warps() const;
  std::string pointer(int ref) const;
  // The plan's own part of the workspace of this name (workspace_name); asserts that it exists.
  std::string workspace_part(const char* name) const;

  // The spelling of expressions without bindings.
  const Spelling& spelling() const { return spelling_; }
  // A coordinate in a tile of shared memory.
  std::string coordinate(const TypedPtr& expr) const { return cpp_coordinate(expr, spelling_); }
  // An index expression, exact: an int if it is known to fit one.
  std::string index(const TypedPtr& expr) const { return cpp_expression(expr, of_places(spelling_)); }
  // An index expression as an int, which holds any number of steps.
  std::string count(const TypedPtr& expr) const {
    return is_wide(expr, of_places(spelling_)) ? "int(" + index(expr) + ")" : index(expr);
  }
  std::string value(const TypedPtr& expr) const { return expr ? cpp_expression(expr, spelling_) : ""; }
  std::string value(const TypedPtr& expr, const std::vector<program::Binding>& bindings) const {
    return cpp_expression(expr, reading(bindings));
  }
  // The spelling in which LocalUse ids index `bindings`; `layout_of` is the fragment of an elementwise loop, or -1.
  Spelling reading(const std::vector<program::Binding>& bindings, int layout_of = -1) const;

  // A position in a global array as a coordinate of a tensor copy: an int, out of bounds if the position is.
  std::string tensor_coordinate(const TypedPtr& expr) const;
  std::string index_list(const std::vector<TypedPtr>& index, const Spelling& spelling) const;
  // An element of a tile in shared memory, or of a ring's current slot if `ring` is not -1.
  std::string tile_element(int field, int ring, const std::vector<TypedPtr>& index, const Spelling& spelling) const;
  // `x, {M, N}, {i, j}`: the arguments of the runtime's functions on one element of an array.
  std::string array_element(int ref, const std::vector<TypedPtr>& index, const Spelling& spelling) const;
  // `{M, N}, {i, j}` alone, without the strides of the array.
  std::string extents_and_index(int ref, const std::vector<TypedPtr>& index, const Spelling& spelling) const;
  // `value, pointer[, Axes<…>()], {extents}, {offsets}`: the arguments of load and store. `value` has `rank` dims and
  // may be empty; block_at({extents}, {offsets}, {strides}) replaces the last two if the array has strides, or if the
  // block may begin before it or ends early.
  std::string access(const std::string& value, size_t rank, const program::Access& access) const;
  std::string access(int fragment, const program::Access& access) const;
  // The last two of these arguments: the position of the block in its array.
  std::string place(const program::Access& access) const;
  // The functions that map elements of gathered dims to indices, declared before the statement of the access.
  std::string lookups(const program::Access& access, const std::vector<program::Binding>& bindings) const;

  // Records that this index value of the body is declared as an int64_t.
  void declare_wide(int scalar) { wide_scalars_.insert(scalar); }
  // Sets whether the loop's variable is declared as an int64_t; its range does not decide it, because the variable also
  // reaches the value that ends the loop. Returns the previous setting.
  bool set_wide(const std::string& variable, bool wide);
  // The spelling of a loop's variable; empty if the symbol is not a loop variable.
  std::string variable_of(const Symbol& symbol) const;
  // The range of a loop variable of the spec or of a variable that holds an index; null if it is unknown, as outside of
  // the loop.
  std::optional<Bounds> range_of(const std::string& variable) const;
  void set_range(const std::string& variable, const std::optional<Bounds>& range);

  // Positions belong to a step this many steps ahead, which exists: a copy that runs ahead.
  void set_ahead(int64_t steps) { ahead_ = steps; }

 private:
  Spelling of_places(Spelling spelling) const;
  Spelling::Name binding(const std::vector<program::Binding>& bindings, int id, int layout_of) const;
  Spelling::Name element(const program::Binding& binding, const Spelling& spelling) const;
  std::string ordered_load(const program::Binding& binding, const std::string& outside, const Spelling& spelling) const;

  const Plan& plan_;
  const RolePlan& role_;
  const RingNames& rings_;
  Spelling spelling_;
  int64_t ahead_ = 0;
  std::set<std::string> wide_variables_;
  std::set<int> wide_scalars_;  // index values of the body that are declared as int64_t
  // Ranges by name: loop variables of the spec, and variables that hold indices from data.
  std::map<std::string, Bounds> variables_;
};

// True if an int holds every value of the range.
bool fits_int(const Bounds& range);

// `MemoryOrder::kAcquire`.
std::string order_text(program::MemoryOrder order);

// `{a, b}`.
std::string braced(const std::vector<std::string>& parts);

}  // namespace pallasgen
