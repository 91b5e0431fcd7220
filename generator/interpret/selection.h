#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "diagnostics/source.h"
#include "value.h"

namespace pallasgen::interpreter {

// Which elements an index takes, with the values of its expressions.
struct ResolvedInteger {
  int64_t value;
};
struct ResolvedSlice {
  int64_t start, size, step;
};
struct ResolvedGather {
  Value indices;  // of dtype index
};
struct ResolvedNewAxis {};
using ResolvedItem = std::variant<ResolvedInteger, ResolvedSlice, ResolvedGather, ResolvedNewAxis>;

// The elements that may be indexed: coordinate c of a dim is at c * stride from `base`.
struct IndexedDim {
  int64_t size, stride;
  // Coordinates in [inside_begin, inside_end) exist. If `clips`, all others from 0 on count as past the end of an
  // array, also those from `size` on; else a coordinate outside [0, size) is a fault.
  int64_t inside_begin, inside_end;
  bool clips;
};
struct IndexedSpace {
  std::vector<IndexedDim> dims;
  int64_t base = 0;
  std::string name;  // of the ref; empty: a value
};
// A dense block or value of this shape, all of which exists.
IndexedSpace dense_space(const Shape& shape, std::string name);

inline constexpr int64_t kPastEnd = -1;  // a run of elements that do not exist
inline constexpr int64_t kMasked = -2;   // a run of elements that the mask leaves out

// `count` neighbours from element `source`, or as many of kPastEnd or kMasked.
struct ElementRun {
  int64_t source, count;
};

struct Selection {
  Shape shape;
  std::vector<ElementRun> runs;  // in row-major order of `shape`
};

// The shape of what these items select. As in NumPy, integer arrays broadcast together, and integers among them count
// as arrays; their dims are where the first one is, or come first if they are not neighbours.
Shape selected_shape(const std::vector<ResolvedItem>& items);
// `mask` (bool, of the selection's shape; may be null) leaves out elements, which are not checked. Throws Fault
// (run-index-range) at `span` if an element is outside.
Selection select(const IndexedSpace& space, const std::vector<ResolvedItem>& items, const Value* mask, Span span);

}  // namespace pallasgen::interpreter
