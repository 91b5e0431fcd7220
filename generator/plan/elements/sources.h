#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "elements/walk.h"

namespace pallasgen {

// The sources of values and of blocks with a place, for statements that access their elements, and the tiles of these.
class ElementSources {
 public:
  // Chooses the homes of the blocks that the role's statements access.
  explicit ElementSources(ElementWalk& walk);

  // By value: the sources, at the current statement, of values that are elsewhere than their homes say.
  using Locals = std::map<int, ElementSource>;
  ElementSource source_of_value(int value);
  const ElementSource& source_of_ref(int ref) const { return refs_.at(ref); }
  // set(): from here on the value is in `source`; reset(): it is where its home says.
  void set(int value, ElementSource source) { locals_[value] = std::move(source); }
  void reset(int value) { locals_.erase(value); }
  const Locals& locals() const { return locals_; }
  void restore(Locals locals) { locals_ = std::move(locals); }

  // Adds a tile in shared memory, a field of Plan::shared; its name differs from `name` if that is taken.
  int add_tile(const std::string& name, DType dtype, const std::vector<Number>& sizes);
  // Returns the source of a whole result in a tile. It keeps `node` alive: results are known by their addresses.
  ElementSource tile_source(int field, TypedPtr node = nullptr) const;
  const std::vector<Number>& sizes_of_tile(int field) const { return tile_sizes_.at(field); }
  // Returns the tile of a value in shared memory and adds it if there is none; set_tile() gives it a tile that exists.
  int tile_of(tile::ValueId value);
  bool has_tile(tile::ValueId value) const { return tiles_.count(value.index) > 0; }
  void set_tile(tile::ValueId value, int field) { tiles_[value.index] = field; }

  // sizes.cpp: the sizes of a value's dims, by the names of constants that the spec's blocks or scratch give them.
  Number size_of(const TypedPtr& node, size_t dim) const;
  std::vector<Number> sizes_of(const TypedPtr& node) const;
  std::vector<Number> sizes_of_ref(int ref) const;

  // True if a computation costs as little as reading its result from a tile: its only operations are casts,
  // comparisons, logic, moves and index arithmetic.
  bool is_trivial(const TypedPtr& value) const;
  // True if nothing that the expression reads can change before its last use.
  bool stays(const TypedPtr& expr);
  // True if the value is computed where it is used instead of kept: it is used once or is trivial, and nothing that it
  // reads can change in between. `next` (may be null): the statement after its definition.
  bool can_inline(tile::ValueId value, const TypedPtr& expr, const tile::Statement* next);
  // True if a statement of the role writes the array of the ref.
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
