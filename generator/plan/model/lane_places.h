#pragma once

#include <functional>
#include <map>
#include <vector>

#include "model/example.h"

namespace pallasgen {

// True if the expression has a variable with that name.
bool mentions_variable(const TypedPtr& expr, const std::string& name);

// One lane of a warp in one iteration of the loops around a statement.
struct Lane {
  Example::Values symbols;            // coordinates of loops over elements, and other symbols known there
  std::vector<int64_t> element = {};  // its element of a fragment, by the dims of the layout
};

// The places in arrays that lanes access. A value that depends on data is a number drawn from the place where the data
// are read, so that lanes that read the same index have the same place, and others have places far apart.
class LanePlaces {
 public:
  LanePlaces(const Plan& plan, const Example& example) : plan_(plan), example_(example) {}

  // Records the value to which a variable, an element of a tile or of a fragment is set, with the bindings that the
  // value reads. The expressions must outlive this object.
  void set_scalar(int scalar, const TypedPtr& value, const std::vector<program::Binding>& bindings);
  void set_tile(int field, const std::vector<TypedPtr>& index, const TypedPtr& value,
                const std::vector<program::Binding>& bindings);
  void set_fragment(int fragment, const TypedPtr& value, const std::vector<program::Binding>& bindings);
  // Returns the index of a dim in the lane. Sets `by_data` if the index is drawn.
  int64_t index(const TypedPtr& expr, const std::vector<program::Binding>& bindings, const Lane& lane,
                bool& by_data) const;

 private:
  struct Value {
    const TypedPtr* expr;
    const std::vector<program::Binding>* bindings;
    const std::vector<TypedPtr>* index = nullptr;  // the place, for an element of a tile
  };
  using Values = std::map<int, Value>;
  // Computes a value; nothing if it depends on itself (in a loop), or after very many others.
  std::optional<int64_t> unless_cyclic(const TypedPtr* value, const std::function<int64_t()>& compute) const;
  // Evaluates in the lane the expression to which the value was last set; nothing if it is not known.
  std::optional<int64_t> last(const Values& values, int of, const Lane& lane, bool& by_data) const;
  int64_t place_of_binding(const program::Binding& binding, const std::vector<program::Binding>& bindings,
                           const Lane& lane, bool& by_data) const;
  int64_t of_scalar(int scalar, const Lane& lane, bool& by_data) const;
  std::optional<int64_t> of_tile(int field, const std::vector<int64_t>& places, const Lane& lane, bool& by_data) const;
  int64_t of_operation(const Typed& node, const Apply& apply, const std::vector<program::Binding>& bindings,
                       const Lane& lane, bool& by_data) const;

  const Plan& plan_;
  const Example& example_;
  Values scalars_, tiles_, fragments_;  // by index in Plan::scalars, SharedMemory::fields, Plan::fragments
  std::map<std::string, int> scalars_named_;
  mutable std::vector<const TypedPtr*> under_way_;  // values being computed, each of which needs the next
  mutable int computed_ = 0;                        // values computed since the first of these
};

}  // namespace pallasgen
