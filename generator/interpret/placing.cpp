#include "placing.h"

#include <fmt/format.h>

#include <algorithm>

#include "fault.h"
#include "interpret/rules.h"

namespace pallasgen::interpreter {
namespace {

// Beyond any array; keeps index * size within 64 bits.
constexpr int64_t kFar = int64_t{1} << 40;

[[noreturn]] void outside(const Ref& ref, const BlockDim& block, size_t dim, int64_t first, int64_t last,
                          int64_t extent) {
  const std::string dim_text = ref.block.size() == 1 ? "" : fmt::format(" along dim {}", dim);
  throw Fault{kRunBlockOutside,
              block.span.source ? block.span : ref.span,
              fmt::format("the block of '{}' takes elements {} to {}{}, and the array has {}", ref.name, first, last,
                          dim_text, extent),
              {FaultKind::oob, ref.name}};
}

[[noreturn]] void slice_fault(const Ref& ref, size_t dim, int64_t start, int64_t size) {
  const BlockDim& block = ref.block[dim];
  throw Fault{kRunSliceSize,
              block.span.source ? block.span : ref.span,
              fmt::format("the slice of '{}' starts at {} and has {} elements; it takes 0 to {} from 0 on", ref.name,
                          start, size, block.size),
              {FaultKind::oob, ref.name}};
}

Placement::Dim place_dim(const Ref& ref, size_t dim, int64_t extent, Evaluator& evaluator) {
  const BlockDim& block = ref.block[dim];
  if (block.kind == BlockKind::whole) return {0, extent, 0, extent};
  const int64_t index = std::clamp(block.index ? evaluator.integer(block.index) : 0, -kFar, kFar);
  int64_t offset = index, limit = block.size;
  bool is_outside = false;
  switch (block.kind) {
    case BlockKind::element:
      offset = index - block.low;
      is_outside = index >= block.low + extent + block.high || index + block.size <= 0;
      break;
    case BlockKind::bounded_slice: {
      limit = block.slice_size ? evaluator.integer(block.slice_size) : block.size;
      if (limit < 0 || limit > block.size || index < 0) {
        slice_fault(ref, dim, index, limit);
      }
      is_outside = limit > 0 && index >= extent;
      break;
    }
    default:
      offset = index * block.size;
      is_outside = offset >= extent || offset + block.size <= 0;
  }
  // An array without elements has no inside: all of any block is past its end.
  if (is_outside && extent > 0) outside(ref, block, dim, offset, offset + block.size - 1, extent);
  const int64_t begin = std::clamp(-offset, int64_t{0}, block.size);
  const int64_t end = std::clamp(std::min(extent - offset, limit), begin, block.size);
  return {offset, block.size, begin, end};
}

}  // namespace

Placement place(const Ref& ref, const Shape& extents, Evaluator& evaluator) {
  Placement placement;
  for (size_t dim = 0; dim < extents.size(); ++dim) {
    placement.dims.push_back(ref.block.empty() ? Placement::Dim{0, extents[dim], 0, extents[dim]}
                                               : place_dim(ref, dim, extents[dim], evaluator));
  }
  return placement;
}

Placement place(const tile::Box& box, const Ref& ref, const Shape& extents, Evaluator& evaluator) {
  Placement placement;
  for (size_t d = 0; d < extents.size(); ++d) {
    const tile::BoxDim& dim = box.dims[d];
    const int64_t offset = std::clamp(evaluator.integer(dim.first), -kFar, kFar);
    const int64_t size = dim.size.value_or(1) < 0 ? extents[d] : dim.size.value_or(1);
    const int64_t limit = dim.limit ? evaluator.integer(dim.limit) : size;
    if (limit < 0 || limit > size || (dim.limit && offset < 0)) slice_fault(ref, d, offset, limit);
    const bool padded = ref.block[d].kind == BlockKind::element;
    const int64_t before = padded ? ref.block[d].low : 0, behind = padded ? ref.block[d].high : 0;
    const bool is_outside =
        dim.limit ? limit > 0 && offset >= extents[d] : offset >= extents[d] + behind || offset + size <= -before;
    // A slice that the body takes and a part of a block may lie outside, and so may a bounded slice without elements
    // whose limit a pass has dropped; a block may not.
    const bool is_part =
        is_view(ref) || size < ref.block[d].size || (!dim.limit && ref.block[d].kind == BlockKind::bounded_slice);
    if (is_outside && extents[d] > 0 && !is_part) outside(ref, ref.block[d], d, offset, offset + size - 1, extents[d]);
    const int64_t begin = std::clamp(-offset, int64_t{0}, size);
    placement.dims.push_back({offset, size, begin, std::clamp(std::min(extents[d] - offset, limit), begin, size)});
  }
  return placement;
}

WriteHistory::WriteHistory(Shape extents, bool elementwise) : extents_(std::move(extents)) {
  if (elementwise) writers_.assign(static_cast<size_t>(elements_of(extents_)), -1);
}

std::optional<WriteHistory::Conflict> WriteHistory::write(const Placement& placement, int64_t program) {
  std::vector<int64_t> offsets, first;
  int64_t elements = 1;
  sizes_.clear();
  for (const Placement::Dim& dim : placement.dims) {
    sizes_.push_back(dim.size);
    offsets.push_back(dim.offset);
    first.push_back(dim.offset + dim.begin);
    elements *= dim.end - dim.begin;
  }
  if (elements == 0) return std::nullopt;
  const auto [found, fresh] = blocks_.try_emplace(offsets, program);
  if (!fresh) return Conflict{found->second, first};
  if (writers_.empty()) {
    covered_ += elements;
    return std::nullopt;
  }
  std::optional<Conflict> conflict;
  std::vector<int64_t> at = first;
  for (int64_t i = 0; i < elements; ++i) {
    int64_t element = 0;
    for (size_t dim = 0; dim < at.size(); ++dim) element = element * extents_[dim] + at[dim];
    int64_t& writer = writers_[static_cast<size_t>(element)];
    if (writer >= 0 && writer != program && !conflict) conflict = Conflict{writer, at};
    covered_ += writer < 0;
    writer = program;
    for (size_t dim = at.size(); dim-- > 0;) {
      if (++at[dim] < placement.dims[dim].offset + placement.dims[dim].end) break;
      at[dim] = first[dim];
    }
  }
  return conflict;
}

std::optional<std::vector<int64_t>> WriteHistory::first_left_out() const {
  std::vector<int64_t> at(extents_.size(), 0), offsets(extents_.size());
  const int64_t elements = covered_ < elements_of(extents_) ? elements_of(extents_) : 0;
  for (int64_t element = 0; element < elements; ++element) {
    bool written = !writers_.empty() && writers_[static_cast<size_t>(element)] >= 0;
    if (writers_.empty() && !sizes_.empty()) {  // blocks form a grid
      for (size_t dim = 0; dim < at.size(); ++dim) offsets[dim] = at[dim] - at[dim] % std::max<int64_t>(1, sizes_[dim]);
      written = blocks_.count(offsets) > 0;
    }
    if (!written) return at;
    for (size_t dim = at.size(); dim-- > 0;) {
      if (++at[dim] < extents_[dim]) break;
      at[dim] = 0;
    }
  }
  return std::nullopt;
}

}  // namespace pallasgen::interpreter
