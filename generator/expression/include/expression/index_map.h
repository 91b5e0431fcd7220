#pragma once

#include <optional>
#include <vector>

#include "expression/typed.h"

// Index maps say where the elements of a result lie in an operand, for operations that move elements and compute
// nothing.
namespace pallasgen {

// Along one dim of the operand, an element of the result has the index first + step * (place / divisor % modulus). The
// place is that of the element in the dims `along` of the result, in row-major order.
struct IndexMapDim {
  std::vector<int> along = {};  // none: the place is 0
  int64_t divisor = 1;
  int64_t modulus = 0;       // 0: none
  TypedPtr first = nullptr;  // an index; null: 0
  int64_t step = 1;
  TypedPtr size_text = nullptr;  // as in IndexSlice
};

struct IndexMap {
  Shape operand, result;
  std::vector<IndexMapDim> dims;  // one for each dim of the operand

  // The operand's indices for these of the result.
  std::vector<TypedPtr> operand_indices(const std::vector<TypedPtr>& at) const;
  // The dim of the result that alone decides the index along dim `d` of the operand; -1 if none or several do.
  int result_dim(size_t d) const;
  // The same for each dim of the operand.
  std::vector<int> result_dims() const;
  // The dim of the operand whose index dim `d` of the result alone decides; -1: none.
  int operand_dim(size_t d) const;
  // The number of elements that the result takes along dim `d` of the operand.
  int64_t taken(size_t d) const;
  Shape taken() const;  // along each dim
  // True if the result takes all elements along dim `d` of the operand, in their order.
  bool takes_all(size_t d) const;
  // The same of every dim: each element of the operand is in the result.
  bool takes_all() const;
  // The same of every dim but `d`.
  bool takes_all_but(size_t d) const;
  // True if it takes `size` neighbouring elements from `first` on along dim `d`, and all along the others, in order.
  bool takes_part(size_t d, const TypedPtr& first, int64_t size) const;
  // True if each dim of the operand follows one dim of the result, or none.
  bool is_dimwise() const;
  // True if it is dimwise, and the operand's dims follow dims of the result in their order.
  bool is_in_order() const;
  // True if it is dimwise, and they do not: a transpose.
  bool is_permuted() const { return is_dimwise() && !is_in_order(); }
  // True if the result is the operand.
  bool is_identity() const { return operand == result && is_in_order() && takes_all() && added().empty(); }
  // The dims of the result that decide nothing, such as new and stretched ones.
  std::vector<int64_t> added() const;
  // The dims of the operand of which the result has one index alone.
  std::vector<int64_t> dropped() const;
};

// Returns the map of an operation that moves elements of its only operand; nothing for gathers and other operations.
std::optional<IndexMap> index_map(const Typed& expr);
// Returns the operand if the expression takes its dims in another order, as a transpose does; else null.
TypedPtr permuted_operand(const Typed& expr);
// Returns which dims of the operand dims of a reduction's or scan's result are. The dims that it combines follow none;
// where the result has them too (`keepdims`, scans), none follows them. Nothing for other operations.
std::optional<IndexMap> reduction_map(const Typed& expr);
// Returns the map of an index of integers, ranges and new axes; nothing if it gathers.
std::optional<IndexMap> index_map(const std::vector<IndexItem>& items, const Shape& operand);
// Returns the map of an operand that NumPy's rules broadcast to a result.
IndexMap broadcast_map(const Shape& operand, const Shape& result);
// Returns the map to a result of another shape with the same elements in row-major order.
IndexMap reshape_map(const Shape& operand, const Shape& result);
// Returns the map of `outer` applied to the result of `inner`. There is none if `inner` mixes dims that `outer` does
// not take whole.
std::optional<IndexMap> composed(const IndexMap& outer, const IndexMap& inner);
// Returns the map of `size` neighbouring elements from `first` on along dim `dim`, and all along the others. Without a
// size, the result has the index `first` alone, and no such dim.
IndexMap part_map(const Shape& operand, size_t dim, const TypedPtr& first, std::optional<int64_t> size);

// Returns the shape operation `like` on another operand, from which it takes what the map says.
TypedPtr shape_operation(const Typed& like, const TypedPtr& operand, const IndexMap& map);
// Returns the slice where `part` is all that it takes of its operand, without dims of one index: new axes of the part,
// or the part itself.
TypedPtr of_part(const Typed& slice, IndexMap map, const TypedPtr& part);
// Returns the slice that takes the elements of the map, whose dims are in order.
TypedPtr sliced(const TypedPtr& operand, const IndexMap& map);
// Returns the transpose of a matrix.
TypedPtr transposed(const TypedPtr& matrix);

}  // namespace pallasgen
