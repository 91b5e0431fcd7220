#pragma once

#include <functional>
#include <string>
#include <vector>

#include "elements/sources.h"

namespace pallasgen {

class ElementExpressions;
class ElementLoops;
class ElementPlaces;

// Stores to refs and atomic updates of them, as loops over elements in the body.
class ElementStores {
 public:
  ElementStores(ElementWalk& walk, ElementSources& sources, ElementPlaces& places, ElementExpressions& expressions)
      : walk_(walk), draft_(walk.draft), sources_(sources), places_(places), expressions_(expressions) {}

  void store(const tile::Statement& statement, const StoreStmt& store);
  void update(const tile::Statement& statement, const AtomicStmt& atomic);

 private:
  Number size_of_update(const AtomicStmt& atomic, const Shape& shape, size_t dim) const;
  void store_whole_scalar(const tile::Statement& statement, const StoreStmt& store, const ElementSource& to);

  ElementWalk& walk_;
  Draft& draft_;
  ElementSources& sources_;
  ElementPlaces& places_;
  ElementExpressions& expressions_;
};

// Reads, writes, fetches and flushes of blocks of arrays, element by element.
class ElementBoxes {
 public:
  ElementBoxes(ElementWalk& walk, ElementSources& sources, ElementPlaces& places, ElementExpressions& expressions,
               ElementLoops& loops)
      : walk_(walk), draft_(walk.draft), sources_(sources), places_(places), expressions_(expressions), loops_(loops) {}

  // Under run-time checks, adds to the body a check that the box lies inside, unless the body or one around it has it.
  // Returns for each dim the variable of the body that holds its place, or null; empty if no dim has one.
  std::vector<TypedPtr> check(const tile::Box& box);
  // Returns the statement that copies or prefetches the box, with the places of elements along its gathered dims.
  program::Statement gathered(const tile::Box& box, program::Statement copy);
  void read(const tile::Read& read, const std::string& origin);
  void write(const tile::Write& write);
  void fetch(const tile::Fetch& fetch);
  void flush(const tile::Flush& flush);

 private:
  void write_box(const tile::Box& box, const TypedPtr& value);
  // Adds the places along gathered dims to an access of a statement with these bindings.
  void gather(const tile::Box& box, program::Access& access, std::vector<program::Binding>& bindings);
  ElementSource box_source(const tile::Box& box) const;

  ElementWalk& walk_;
  Draft& draft_;
  ElementSources& sources_;
  ElementPlaces& places_;
  ElementExpressions& expressions_;
  ElementLoops& loops_;
};

}  // namespace pallasgen
