#pragma once

#include <optional>

#include "questions/uses.h"

namespace pallasgen {

// Where the statements of a role that go by elements find blocks, and what changes while they run.
class ElementHomes {
 public:
  ElementHomes(const tile::Program& program, const tile::Role& role) : program_(program), uses_(program, role) {}

  const ElementUses& uses() const { return uses_; }

  // The home of a ref's block: global memory, of which `box` is the block if it is moved there as a whole; a tile; or a
  // variable of all threads.
  struct OfRef {
    ElementHome home = ElementHome::memory;
    std::optional<tile::Box> box = {};
  };
  // Null if no statement of the role by elements reaches into the block.
  std::optional<OfRef> of_ref(int ref) const;
  // True if a statement of the program writes the array of the ref.
  bool changes(int ref) const;
  // True if nothing that the expression reads can change before its last use.
  bool stays(const TypedPtr& expr) const;

 private:
  const tile::Program& program_;
  const ElementUses uses_;
};

}  // namespace pallasgen
