#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "elements/walk.h"

namespace pallasgen {

// Where the values and the blocks with a place are that statements by elements reach, and the tiles that keep them.
class ElementSources {
 public:
  // Chooses where each block is that the role's statements reach.
  explicit ElementSources(ElementWalk& walk);

  // By value, where the statement under way stands: those that are kept elsewhere than their homes say.
  using Locals = std::map<int, ElementSource>;
  ElementSource of_value(int value);
  const ElementSource& of_ref(int ref) const { return refs_.at(ref); }
  // The value is there from here on; its home holds again.
  void set(int value, ElementSource source) { locals_[value] = std::move(source); }
  void reset(int value) { locals_.erase(value); }
  const Locals& locals() const { return locals_; }
  void restore(Locals locals) { locals_ = std::move(locals); }

  // A new tile in shared memory, a field of Plan::shared; its name has a number where `name` is taken.
  int add_tile(const std::string& name, DType dtype, const std::vector<Number>& sizes);
  // The source that is a tile of a whole result; `node` is kept alive: results are known by their addresses.
  ElementSource tile_source(int field, TypedPtr node = nullptr) const;
  const std::vector<Number>& sizes_of_tile(int field) const { return tile_sizes_.at(field); }
  // The tile of a value in shared memory, made where it has none; one that was made otherwise becomes its tile.
  int tile_of(tile::ValueId value);
  bool has_tile(tile::ValueId value) const { return tiles_.count(value.index) > 0; }
  void set_tile(tile::ValueId value, int field) { tiles_[value.index] = field; }

  // sizes.cpp: the sizes of a value's dims by the names that they have where they come from: a const in the spec's
  // block or scratch.
  Number size_of(const TypedPtr& node, size_t dim) const;
  std::vector<Number> sizes_of(const TypedPtr& node) const;
  std::vector<Number> sizes_of_ref(int ref) const;

  // Whether a computation costs as little as reading its result from a tile: no arithmetic but casts, comparisons and
  // coordinates.
  bool is_trivial(const TypedPtr& value) const;
  // Whether nothing that the expression reads can change before its last use.
  bool stays(const TypedPtr& expr);
  // Whether the value is written where it is used instead of kept: used once, or trivial; and nothing that it reads can
  // change in between. `next` (may be null): the statement behind its definition.
  bool can_inline(tile::ValueId value, const TypedPtr& expr, const tile::Statement* next);
  // Whether a statement of the role writes the array of the ref.
  bool changes(int ref) const;

 private:
  void choose_home(int ref);
  Number size_as_block(const Shape& shape, size_t dim) const;

  ElementWalk& walk_;
  Draft& draft_;
  std::map<int, ElementSource> refs_;
  Locals locals_;
  std::map<int, int> tiles_;  // by value: fields
  std::map<int, std::vector<Number>> tile_sizes_;
};

}  // namespace pallasgen
