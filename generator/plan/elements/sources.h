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
  // Returns the source of what is in a tile.
  ElementSource tile_source(int field) const;
  const std::vector<Number>& sizes_of_tile(int field) const { return tile_sizes_.at(field); }
  // Returns the tile of a value in shared memory and adds it if there is none, with the names that `like` (may be null)
  // gives to its sizes.
  int tile_of(tile::ValueId value, const TypedPtr& like = nullptr);

  // sizes.cpp: the sizes of a value's dims, by the names of constants that the spec's blocks or scratch give them.
  Number size_of(const TypedPtr& node, size_t dim) const;
  std::vector<Number> sizes_of(const TypedPtr& node) const;
  std::vector<Number> sizes_of_ref(int ref) const;

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
