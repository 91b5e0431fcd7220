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

// How the statements of a role spell what they read and write: fragments, scalars, arrays and their elements.
class ValueNames {
 public:
  ValueNames(const Plan& plan, const RolePlan& role, const RingNames& rings);
  ValueNames(const ValueNames&) = delete;  // the spelling refers to it

  std::string fragment(int id) const { return plan_.fragments[id].name; }
  // Element e of a loop over elements.
  std::string element(int id) const { return fragment(id) + (plan_.fragments[id].in_loop ? "" : "[e]"); }
  std::string scalar(int id) const { return plan_.kernel->identifiers.of(plan_.scalars[id].name); }
  std::string axis(int id) const { return plan_.kernel->identifiers.of(plan_.kernel->axes[id].name); }
  std::string group() const { return role_.needs_group ? "wg" : "0"; }  // 0 where the role has one warpgroup
  Number threads() const;                                               // how many the role has: kThreads
  Number warps() const;
  std::string pointer(int ref) const;
  // Of the workspace, the plan's own (workspace_name); asserts that it is there.
  std::string workspace_part(const char* name) const;

  // Of expressions without bindings.
  const Spelling& spelling() const { return spelling_; }
  // A coordinate in a tile of shared memory.
  std::string coordinate(const TypedPtr& expr) const { return cpp_coordinate(expr, spelling_); }
  // An index expression, exact: an int where it is known to fit one.
  std::string index(const TypedPtr& expr) const { return cpp_expression(expr, of_places(spelling_)); }
  // The same as an int, which a number of steps fits.
  std::string count(const TypedPtr& expr) const {
    return is_wide(expr, of_places(spelling_)) ? "int(" + index(expr) + ")" : index(expr);
  }
  std::string value(const TypedPtr& expr) const { return expr ? cpp_expression(expr, spelling_) : ""; }  // null: none
  std::string value(const TypedPtr& expr, const std::vector<program::Binding>& bindings) const {
    return cpp_expression(expr, reading(bindings));
  }
  // The spelling in which LocalUse ids index `bindings`; `layout_of` is the fragment of an elementwise loop, or -1.
  Spelling reading(const std::vector<program::Binding>& bindings, int layout_of = -1) const;

  // A place in an array of global memory as a coordinate of a tensor copy, an int that is outside where the place is.
  std::string tensor_coordinate(const TypedPtr& expr) const;
  std::string index_list(const std::vector<TypedPtr>& index, const Spelling& spelling) const;
  // An element of a tile in shared memory, or of the current slot of a ring where `ring` is not -1.
  std::string tile_element(int field, int ring, const std::vector<TypedPtr>& index, const Spelling& spelling) const;
  // `x, {M, N}, {i, j}`: the arguments of the runtime's functions on one element of an array.
  std::string array_element(int ref, const std::vector<TypedPtr>& index, const Spelling& spelling) const;
  // `{M, N}, {i, j}` alone, whatever the array's strides are.
  std::string extents_and_index(int ref, const std::vector<TypedPtr>& index, const Spelling& spelling) const;
  // `value, pointer[, Axes<…>()], {extents}, {offsets}`: the arguments of load and store, of a value of `rank` dims, ""
  // of none; block_at({extents}, {offsets}, {strides}) where the array has strides, or the block may begin before it or
  // ends early.
  std::string access(const std::string& value, size_t rank, const program::Access& access) const;
  std::string access(int fragment, const program::Access& access) const;
  // The last two of these: where the block lies in its array.
  std::string place(const program::Access& access) const;
  // The functions that say where the elements of gathered dims lie, before the statement of the access.
  std::string lookups(const program::Access& access, const std::vector<program::Binding>& bindings) const;

  // From here on this index value of the body is an int64_t.
  void declare_wide(int scalar) { wide_scalars_.insert(scalar); }
  // Whether the loop that counts this variable declares it as an int64_t, which what it may be does not tell: it also
  // holds what ends the loop. Returns what was said before.
  bool set_wide(const std::string& variable, bool wide);
  // The variable that a loop's symbol stands for, as it is spelled; empty: it is no loop's.
  std::string variable_of(const Symbol& symbol) const;
  // What a variable may be that a loop of the spec counts or that has an index. `range` null: unknown, as outside of
  // such loops.
  std::optional<Bounds> range_of(const std::string& variable) const;
  void set_range(const std::string& variable, const std::optional<Bounds>& range);

  // Places hold a step that is so many steps ahead, and is one of the axis.
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
  // What the variables may be that loops of the spec count and that hold indices from data, by name.
  std::map<std::string, Bounds> variables_;
};

// Whether an int holds all of the range.
bool fits_int(const Bounds& range);

// `MemoryOrder::kAcquire`.
std::string order_text(program::MemoryOrder order);

// `{a, b}`.
std::string braced(const std::vector<std::string>& parts);

}  // namespace pallasgen
