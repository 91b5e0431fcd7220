#pragma once

#include <map>
#include <vector>

#include "block.h"
#include "evaluator.h"
#include "tile/program.h"

namespace pallasgen::interpreter {

// Where the block of `ref` is in an array of these extents, at the environment's program and step. Throws Fault if it
// is wholly outside, or if the size of a bounded slice is invalid.
Placement place(const Ref& ref, const Shape& extents, Evaluator& evaluator);

// The same for a box of a tile program.
Placement place(const tile::Box& box, const Ref& ref, const Shape& extents, Evaluator& evaluator);

// Which programs wrote the blocks of an output, to find elements that two of them write, and blocks written twice.
class WriteHistory {
 public:
  // `elementwise`: blocks may overlap (element indexing, bounded slices), so that programs are recorded per element.
  WriteHistory(Shape extents, bool elementwise);

  struct Conflict {
    int64_t program;                   // that wrote before; the same one if it returns to a block
    std::vector<int64_t> coordinates;  // of an element in both blocks
  };
  // Records that `program` writes the block at `placement` back; returns a conflict, if any.
  std::optional<Conflict> write(const Placement& placement, int64_t program);
  // The first element that no program wrote back; none if all are, as in an array without elements.
  std::optional<std::vector<int64_t>> first_left_out() const;

 private:
  Shape extents_, sizes_;                           // of the array; of its blocks, empty before the first
  int64_t covered_ = 0;                             // elements that were written
  std::map<std::vector<int64_t>, int64_t> blocks_;  // offsets of blocks written, with the program
  std::vector<int64_t> writers_;                    // per element, if recorded; -1: none
};

}  // namespace pallasgen::interpreter
