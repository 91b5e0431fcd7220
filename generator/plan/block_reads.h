#pragma once

#include <set>

#include "body.h"

namespace pallasgen {

// How the fragments of a loop are laid out. Where the body reduces rows (RowsFrame), its matrix, what has a value for
// each row, and what has one for each column: `whole` is then the matrix, its rows or columns without dims of one
// element. Else `strided`.
enum class LoopKind : uint8_t { strided, matrix, rows, columns };

// A loop over a block (or the part of it that a group does at once): fragments in it share one layout.
struct Loop {
  Shape whole;               // the block
  std::vector<Number> part;  // what one pass holds
  LoopKind kind = LoopKind::strided;
  int64_t elements() const;  // of the part
  // A value of this shape whose dims run along the loop's own dims in order.
  bool is_identity(const Shape& shape, const std::vector<int>& dims) const;
  // For each dim of a block of this shape the dim of the loop along it, -1 for dims of one element.
  std::vector<int> dims_of(const Shape& shape) const;
};
// How an element of a loop over `in` finds its value in a fragment of a loop over `from`, read as a value of `shape`
// whose dims run along the dims `dims` of `in`: as an element, by its row, by its column; null where it cannot.
std::optional<program::SlotKind> slot_kind(const Loop& from, const Shape& shape, const std::vector<int>& dims,
                                           const Loop& in);

// A part of a ref's block: where it starts in the array, which dim of the part runs along each dim of the array.
struct BlockPart {
  std::vector<TypedPtr> offsets;
  std::vector<int> dims;
  std::vector<int64_t> sizes;    // along each dim of the array
  std::vector<TypedPtr> limits;  // of bounded slices: how many elements of the part lie before the end; else null
  Shape shape;
};

// The fragments and loads of a body: each read of a block is loaded once per section.
class BlockReads {
 public:
  BlockReads(Draft& draft, const BlockFrame& frame) : draft_(draft), kernel_(*draft.kernel), frame_(frame) {}

  Loop loop_of(int ref) const;
  Loop loop_of_shape(const Shape& shape) const;
  // Of the kinds that RowsFrame makes.
  Loop loop_of_kind(LoopKind kind) const;
  LoopKind kind_of(const Shape& shape) const;
  ValueLayout layout_of(const Loop& loop) const;
  int add_fragment(const std::string& name, DType dtype, const Loop& loop);
  int64_t registers(int fragment) const;
  // row0 + i * slab rows; null where blocks are not split.
  TypedPtr row_offset() const;

  BlockPart whole_part(int ref, StepPlace place) const;
  // Null for gathers and strides.
  std::optional<BlockPart> part_of(int ref, const std::vector<IndexItem>& index, StepPlace place) const;
  program::Access access(int ref, BlockPart part, const Loop& loop) const;

  // The fragment that holds what the read gives for each element of the loop; adds its load to the section.
  std::optional<int> load(const TypedPtr& leaf, const RefRead& read, const std::vector<int>& dims, const Loop& loop,
                          StepPlace place, Section& section);
  // Loads of earlier sections are over.
  void forget() { loaded_.clear(); }

 private:
  int64_t loop_vector(const Loop& loop) const;
  std::string layout_text(const Loop& loop) const;
  // Where the block starts, with one element along each dim.
  BlockPart start_of(int ref, StepPlace place) const;
  // The part further along a dim of the array; by null: not at all.
  static void move(BlockPart& part, int dim, const TypedPtr& by);

  struct Loaded {
    RefRead read;
    std::vector<int> dims;
    Shape loop;
    LoopKind kind;
    int fragment;
  };

  Draft& draft_;
  const Kernel& kernel_;
  const BlockFrame& frame_;
  std::vector<Loaded> loaded_;
  std::set<std::string> names_;  // of fragments
};

}  // namespace pallasgen
