#include "block_reads.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "layout/derive.h"
#include "tensor_copies.h"

namespace pallasgen {

using namespace program;

namespace {

bool same_items(const RefRead& a, const RefRead& b) {
  return equal(make_typed({}, DType::index, {}, Typed::Node(a)), make_typed({}, DType::index, {}, Typed::Node(b)));
}

// Whether the index is known before the body runs: an access of a whole block starts there for all threads.
bool is_known(const TypedPtr& index) {
  bool known = true;
  walk(index, [&](const Typed& node) {
    known = known && !node.as<LocalUse>() && !node.as<RefRead>() && !node.as<CallFunction>() &&
            !node.applies(Op::random_bits);
  });
  return known;
}

std::vector<IndexItem> full_index(const Ref& ref) {
  std::vector<IndexItem> index;
  for (int64_t size : ref.shape) index.push_back(IndexSlice{index_constant(0), size, 1});
  return index;
}

}  // namespace

int64_t Loop::elements() const {
  int64_t product = 1;
  for (const Number& size : part) product *= size.value;
  return product;
}

bool Loop::is_identity(const Shape& shape, const std::vector<int>& dims) const {
  if (shape != whole) return false;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != static_cast<int>(i)) return false;
  }
  return true;
}

std::vector<int> Loop::dims_of(const Shape& shape) const {
  std::vector<int> dims(shape.size(), -1);
  if (kind == LoopKind::strided) {
    std::iota(dims.begin(), dims.end(), 0);
    return dims;
  }
  const std::vector<int> wide = wide_dims(shape), own = wide_dims(whole);
  for (size_t i = 0; i < wide.size(); ++i) dims[wide[i]] = own[i];
  return dims;
}

std::optional<SlotKind> slot_kind(const Loop& from, const Shape& shape, const std::vector<int>& dims, const Loop& in) {
  if (from.kind == LoopKind::strided)
    return in.kind == LoopKind::strided && in.is_identity(shape, dims) ? std::optional(SlotKind::element)
                                                                       : std::nullopt;
  std::vector<int> along;
  for (int dim : wide_dims(shape)) along.push_back(dims[dim]);
  if (in.kind == from.kind) return along == wide_dims(in.whole) ? std::optional(SlotKind::element) : std::nullopt;
  if (in.kind != LoopKind::matrix) return std::nullopt;
  if (from.kind == LoopKind::rows && along == (in.whole[0] == 1 ? std::vector<int>{} : std::vector<int>{0}))
    return SlotKind::row;
  if (from.kind == LoopKind::columns && along == std::vector<int>{1}) return SlotKind::column;
  return std::nullopt;
}

LoopKind BlockReads::kind_of(const Shape& shape) const {
  if (!frame_.rows) return LoopKind::strided;
  const int64_t rows = frame_.rows->rows.value, columns = frame_.rows->columns.value;
  Shape wide;
  for (int dim : wide_dims(shape)) wide.push_back(shape[dim]);
  if (!shape.empty() && shape.back() == columns && wide == (rows == 1 ? Shape{columns} : Shape{rows, columns}))
    return LoopKind::matrix;
  return wide == (rows == 1 ? Shape{} : Shape{rows}) ? LoopKind::rows : LoopKind::strided;
}

Loop BlockReads::loop_of_kind(LoopKind kind) const {
  Loop loop;
  loop.kind = kind;
  const RowsFrame& rows = *frame_.rows;
  if (kind != LoopKind::columns) {
    loop.whole.push_back(rows.rows.value);
    loop.part.push_back(frame_.splits() ? frame_.part_rows : rows.rows);
  }
  if (kind != LoopKind::rows) {
    loop.whole.push_back(rows.columns.value);
    loop.part.push_back(rows.columns);
  }
  return loop;
}

Loop BlockReads::loop_of(int ref) const {
  const Ref& r = draft_.ref(ref);
  if (const LoopKind kind = kind_of(r.shape); kind != LoopKind::strided) return loop_of_kind(kind);
  Loop loop;
  loop.whole = r.shape;
  for (const BlockDim& dim : r.block) {
    if (dim.kind != BlockKind::squeezed) loop.part.push_back(number_of(dim));
  }
  // Scratch has no block of its own.
  if (loop.part.size() != r.shape.size()) {
    loop.part.clear();
    for (size_t d = 0; d < r.shape.size(); ++d) {
      loop.part.push_back(d < r.array_shape.size() ? number_of(r.array_shape[d], r.shape[d]) : number(r.shape[d]));
    }
  }
  if (frame_.splits() && !loop.part.empty()) loop.part[0] = frame_.part_rows;
  return loop;
}

Loop BlockReads::loop_of_shape(const Shape& shape) const {
  if (const LoopKind kind = kind_of(shape); kind != LoopKind::strided) return loop_of_kind(kind);
  Loop loop;
  loop.whole = shape;
  for (int64_t size : shape) loop.part.push_back(number(size));
  if (frame_.splits() && !loop.part.empty()) loop.part[0] = frame_.part_rows;
  return loop;
}

int64_t BlockReads::loop_vector(const Loop& loop) const {
  if (loop.kind == LoopKind::rows) return 1;
  return loop.part.empty() ? 1 : std::gcd(frame_.vector, loop.part.back().value);
}

ValueLayout BlockReads::layout_of(const Loop& loop) const {
  Shape part;
  for (const Number& size : loop.part) part.push_back(size.value);
  if (loop.kind == LoopKind::strided) return strided_layout(frame_.threads.value, loop_vector(loop), part);
  const RowsFrame& rows = *frame_.rows;
  const ValueLayout matrix =
      rows_layout(frame_.threads.value, rows.lanes, rows.vector,
                  frame_.splits() ? frame_.part_rows.value : rows.rows.value, rows.columns.value);
  if (loop.kind == LoopKind::matrix) return matrix;
  return *slice_layout(matrix, loop.kind == LoopKind::rows ? 1 : 0);
}

std::string BlockReads::layout_text(const Loop& loop) const {
  if (loop.kind == LoopKind::rows) return fmt::format("RowSlice<{}>", kRowsName);
  if (loop.kind == LoopKind::columns) return fmt::format("ColumnSlice<{}>", kRowsName);
  if (loop.kind == LoopKind::matrix) return kRowsName;
  std::string text = fmt::format("StridedLayout<{}, {}", frame_.threads.text, loop_vector(loop));
  for (const Number& size : loop.part) text += ", " + size.text;
  return text + ">";
}

int BlockReads::add_fragment(const std::string& wanted, DType dtype, const Loop& loop) {
  std::string name = wanted;
  for (int number = 2; !names_.insert(name).second; ++number)
    name = draft_.names().derived(fmt::format("{}_{}", wanted, number));
  draft_.plan.fragments.push_back({name, dtype, layout_of(loop), layout_text(loop)});
  return static_cast<int>(draft_.plan.fragments.size()) - 1;
}

int64_t BlockReads::registers(int fragment) const {
  const FragmentPlan& f = draft_.plan.fragments[fragment];
  return (registers_per_thread(f.layout) * std::max(16, info(f.dtype).bits) + 31) / 32;
}

TypedPtr BlockReads::row_offset() const {
  TypedPtr offset = frame_.groups.value > 1 ? variable("row0") : nullptr;
  if (frame_.slabs.value > 1) offset = add(offset, multiply(variable("i"), to_index(frame_.part_rows)));
  return offset;
}

BlockPart BlockReads::start_of(int ref, StepPlace place) const {
  const Ref& r = draft_.ref(ref);
  BlockPart part;
  part.offsets = placed(kernel_, block_coordinates(draft_, ref), place);
  part.dims.assign(r.block.size(), -1);
  part.sizes.assign(r.block.size(), 1);
  part.limits.resize(r.block.size());
  for (size_t d = 0; d < r.block.size(); ++d) {
    if (r.block[d].kind == BlockKind::bounded_slice)
      part.limits[d] = placed(kernel_, {r.block[d].slice_size}, place)[0];
  }
  return part;
}

void BlockReads::move(BlockPart& part, int dim, const TypedPtr& by) {
  if (!by) return;
  part.offsets[dim] = add(part.offsets[dim], by);
  if (part.limits[dim]) part.limits[dim] = index_apply(Op::subtract, part.limits[dim], by);
}

BlockPart BlockReads::whole_part(int ref, StepPlace place) const {
  const Ref& r = draft_.ref(ref);
  BlockPart part = start_of(ref, place);
  part.shape = r.shape;
  const std::vector<int> kept = kept_dims(r), dims = loop_of(ref).dims_of(r.shape);
  for (size_t i = 0; i < kept.size(); ++i) {
    part.dims[kept[i]] = dims[i];
    part.sizes[kept[i]] = r.block[kept[i]].size;
    if (i == 0) move(part, kept[i], row_offset());
  }
  return part;
}

std::optional<BlockPart> BlockReads::part_of(int ref, const std::vector<IndexItem>& index, StepPlace place) const {
  const Ref& r = draft_.ref(ref);
  BlockPart part = start_of(ref, place);
  const std::vector<int> kept = kept_dims(r);
  size_t dim = 0;
  for (const IndexItem& item : index) {
    if (std::holds_alternative<IndexNewAxis>(item)) {
      part.shape.push_back(1);
      continue;
    }
    const int array_dim = kept[dim++];
    if (const IndexInteger* integer = std::get_if<IndexInteger>(&item); integer && is_known(integer->value)) {
      move(part, array_dim, placed(kernel_, {integer->value}, place).front());
    } else if (const IndexSlice* slice = std::get_if<IndexSlice>(&item);
               slice && slice->step == 1 && is_known(slice->start)) {
      move(part, array_dim, placed(kernel_, {slice->start}, place).front());
      part.dims[array_dim] = static_cast<int>(part.shape.size());
      part.sizes[array_dim] = slice->size;
      part.shape.push_back(slice->size);
    } else {
      return std::nullopt;
    }
  }
  return part;
}

Access BlockReads::access(int ref, BlockPart part, const Loop& loop) const {
  ProvedVector vector{1, "its rows do not run along the rows of the block"};
  if (!loop.part.empty() && !part.dims.empty() && part.dims.back() == static_cast<int>(loop.part.size()) - 1) {
    vector = proved_vector(draft_, ref, part.offsets.back(), loop.part.back().value);
    vector.elements = std::min(vector.elements, loop_vector(loop));
  }
  return block_access(draft_, ref, std::move(part.offsets), part.dims, part.sizes, std::move(vector), part.limits);
}

std::optional<int> BlockReads::load(const TypedPtr& leaf, const RefRead& read, const std::vector<int>& dims,
                                    const Loop& loop, StepPlace place, Section& section) {
  const Ref& ref = draft_.ref(read.ref);
  if (read.mask || read.other) {
    draft_.refuse(kPlanBody, leaf->span, "a masked load is not planned yet").note("`where` works");
    return std::nullopt;
  }
  for (const Loaded& other : loaded_) {
    if (same_items(other.read, read) && other.dims == dims && other.loop == loop.whole && other.kind == loop.kind)
      return other.fragment;
  }
  std::optional<BlockPart> part = part_of(read.ref, read.whole ? full_index(ref) : read.index, place);
  if (!part) {
    draft_.refuse(kPlanBody, leaf->span, "a gather is not planned yet");
    return std::nullopt;
  }
  const int fragment = add_fragment(draft_.names().derived(ref.name + "_block"), ref.dtype, loop);
  loaded_.push_back({read, dims, loop.whole, loop.kind, fragment});
  const auto staged = frame_.in_rings.find(read.ref);
  if (staged != frame_.in_rings.end() && read_covers_block(kernel_, read) &&
      slot_kind(loop, leaf->shape, dims, loop) == SlotKind::element) {
    Number row = number(1);
    for (size_t d = 1; d < loop.part.size(); ++d) row = product(row, loop.part[d]);
    LoadShared load{fragment, staged->second.ring, staged->second.operand, nullptr, number(loop_vector(loop))};
    if (row_offset() && loop.kind != LoopKind::columns) load.offset = multiply(row_offset(), to_index(row));
    section.shared_loads.push_back({"", false, DeclareFragment{fragment}});
    section.shared_loads.push_back({"", false, std::move(load)});
    return fragment;
  }
  for (size_t d = 0; d < part->dims.size(); ++d) {
    int& along = part->dims[d];
    if (along >= 0) along = dims[along];
    if (along == 0 && loop.kind != LoopKind::columns) move(*part, static_cast<int>(d), row_offset());
  }
  Load load{};
  load.fragment = fragment;
  load.access = access(read.ref, std::move(*part), loop);
  if (ref.fill) load.fill = make_typed({}, ref.dtype, {}, Constant{*ref.fill, {}});
  section.loads.push_back({"", false, DeclareFragment{fragment}});
  section.loads.push_back({"", false, std::move(load)});
  return fragment;
}

}  // namespace pallasgen
