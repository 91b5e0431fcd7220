#include "rings/staged_stores.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "check/aliases.h"
#include "diagnostics/assert.h"
#include "expression/index_map.h"
#include "fragments/fragment_access.h"
#include "fragments/paragraphs.h"
#include "fragments/values.h"
#include "layout/layout.h"
#include "program/constant_names.h"
#include "program/index_terms.h"
#include "program/memory.h"
#include "program/numbers.h"
#include "proofs/tensor_copies.h"
#include "questions/dot_limits.h"
#include "tile/walk.h"

namespace pallasgen {

using program::Binding, program::DeclareFragment, program::Elementwise, program::FenceAsync, program::ForChunks,
    program::ForStoreColumns, program::SlotKind, program::StageChunk, program::Statements, program::StoreAcquire,
    program::StoreDrain, program::TensorStore, program::WarpgroupSync;

int StagedStores::writes(bool direct) const {
  int found = 0;
  for (const tile::Role& role : program_.roles) {
    tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto* write = statement.as<tile::Write>();
      found += write && (write->path.kind == tile::PathKind::direct) == direct ? 1 : 0;
    });
  }
  return found;
}

std::string StagedStores::suffix(const StagedStore& store) const {
  return writes(false) == 1 ? "" : "_" + draft_.ref(store.write->box.ref).name;
}

// A function of the runtime is called `store`, so it is not a name for a kernel that calls it.
std::string StagedStores::ring_name(const StagedStore& store) const {
  if (!suffix(store).empty()) return draft_.names().derived("store" + suffix(store));
  return writes(true) == 0 ? "store" : draft_.names().derived("stores");
}

int StagedStores::add_store(const StagedStore& staged, const Number& rows, int64_t width) {
  Plan& plan = draft_.plan;
  const tile::Channel& channel = program_.channel(staged.put->entry.channel);
  const Ref& ref = draft_.ref(staged.write->box.ref);
  const int64_t bytes = width * info(ref.dtype).bits / 8;
  const Number columns =
      draft_.constant(constant_name::store_columns + suffix(staged), width, constant_line::store_columns);
  draft_.plan.constants.back().comment =
      fmt::format("one store{}: {} x {} {}, {}", suffix(staged).empty() ? "" : " of " + ref.name, rows.value, width,
                  name_of(ref.dtype),
                  widest_swizzle(*draft_.target, bytes) == bytes ? fmt::format("one {}-byte swizzle atom wide", bytes)
                                                                 : fmt::format("{} bytes wide, not swizzled", bytes));
  const Swizzle swizzle = swizzle_of(widest_swizzle(*draft_.target, columns.value * info(ref.dtype).bits / 8));
  StorePlan store;
  store.name = ring_name(staged);
  store.ref = staged.write->box.ref;
  store.groups = consumers_;
  const tile::ValueId made{staged.accumulators.front()};
  store.across = values_.first_column(made) != nullptr;
  const bool several = staged.crossed || store.across;
  const int64_t copies = several ? values_.columns_per_group(made).value / width : 1;
  store.buffers =
      draft_.constant(constant_name::store_buffers + suffix(staged),
                      staged.crossed ? copies : channel.slots.value_or(1) * copies, constant_line::store_buffers);
  store.own_buffers = staged.crossed || copies > 1;
  store.rows = rows;
  store.columns = columns;
  store.swizzle = swizzle;
  store.staging = "staging";
  SharedField field;
  field.name = draft_.names().of(ref.name);
  field.dtype = ref.dtype;
  field.dims = {store.groups, store.buffers, product(store.rows, store.columns)};
  if (staged.crossed) {
    store.ring = *between_.ring_of(staged.put->entry.channel);
    store.part = store.across ? values_.columns_per_group(made) : rows;
    store.copies = quotient(values_.columns_per_group(made), columns);
    field.dims.insert(field.dims.begin(), plan.rings[static_cast<size_t>(store.ring)].slots);
  }
  field.alignment = swizzle == Swizzle::none ? 128 : 8 * swizzle_bytes(swizzle);
  field.purpose = ref.name + " staging";
  store.field = add_field(draft_, std::move(field));
  if (staged.crossed) {
    RingOperand& entry = plan.rings[static_cast<size_t>(store.ring)].operands.front();
    entry.field = store.field;
    entry.swizzle = swizzle;
  }
  TensorMapPlan map;
  map.name = draft_.names().derived("map_" + ref.name);
  map.ref = store.ref;
  map.extents = ref.array_shape;
  map.strides = ref.strides;
  const Number sizes[] = {store.rows, store.columns};
  size_t next = 0;
  for (const tile::BoxDim& dim : staged.write->box.dims) map.box.push_back(dim.size ? sizes[next++] : number(1));
  map.swizzle = swizzle;
  map.is_store = true;
  store.map = static_cast<int>(plan.maps.size());
  plan.maps.push_back(std::move(map));
  plan.stores.push_back(std::move(store));
  return static_cast<int>(plan.stores.size()) - 1;
}

// Loads the vectors of the chunk's columns.
Statements StagedStores::read(const StagedStore& staged, const StorePlan& store) {
  Statements out;
  for (const tile::Read* read : staged.reads) {
    if (program_.value(read->value).shape.size() != 1) continue;
    const int fragment = values_.fragment(read->value);
    draft_.plan.fragments[static_cast<size_t>(fragment)].layout_text =
        fmt::format("ColumnSlice<WgmmaLayout<{}, {}>>", store.rows.text, store.columns.text);
    vectors_[read->value.index] = fragment;
    out.push_back({"", false, DeclareFragment{fragment}});
    tile::Read chunk = *read;
    chunk.box.dims.back().first = place_with_names(chunk.box.dims.back().first, staged);
    chunk.box.dims.back().size = store.columns.value;
    out.push_back({fmt::format("{} of this chunk's columns", draft_.ref(read->box.ref).name), false,
                   load_of(draft_, values_, chunk)});
  }
  return out;
}

int StagedStores::chunk_fragment(std::string name, DType dtype, const std::string& layout, const Number& rows) {
  draft_.plan.fragments.push_back({std::move(name), dtype, wgmma_layout(rows.value, chunk_.value), layout});
  return static_cast<int>(draft_.plan.fragments.size()) - 1;
}

ElementValue StagedStores::element(const TypedPtr& value, const StagedStore& staged) {
  const tile::ValueId accumulator{staged.accumulators.front()};
  // A thread has 2 of 8 columns.
  const auto quarter = [](const Number& columns) { return to_index(quotient(columns, number(4))); };
  const TypedPtr within = multiply(variable("i"), quarter(chunk_));
  const auto leaf = [&](const TypedPtr& node, const std::vector<int>&) {
    const LocalUse& use = *node->as<LocalUse>();
    Binding binding{};
    binding.kind = SlotKind::element;
    const auto part = parts_.find(use.id);
    const auto vector = vectors_.find(use.id);
    if (part != parts_.end()) {
      binding.fragment = part->second;
    } else if (vector != vectors_.end()) {
      binding.kind = SlotKind::column;
      binding.fragment = vector->second;
      binding.offset = within;
    } else {
      binding = values_.slot({use.id}, values_.form(accumulator));
      if (binding.kind == SlotKind::column) binding.offset = add(multiply(variable("j"), quarter(columns_)), within);
    }
    return BoundLeaf{binding, use.name};
  };
  const auto coordinate = [&](int dim) {
    Binding binding{};
    binding.kind = SlotKind::coordinate;
    binding.dim = dim;
    binding.offset = dim == 0 ? values_.first_row(accumulator)
                              : add(first_column_of_group(staged), multiply(variable("i"), to_index(chunk_)));
    return BoundLeaf{binding, "coordinate"};
  };
  ElementContext context{draft_, leaf, coordinate};
  const std::optional<ElementValue> of =
      element_value(value, broadcast_map(value->shape, value->shape).result_dims(), context);
  PALLASGEN_ASSERT(of, value->span);
  return *of;
}

// Loads the matrices that are combined with the accumulators, as many columns as one iteration takes.
Statements StagedStores::read_blocks(const StagedStore& staged, const StorePlan& store, const std::string& layout) {
  Statements out;
  for (const tile::Read* read : staged.reads) {
    const tile::Value& value = program_.value(read->value);
    if (value.shape.size() != 2) continue;
    const int fragment = chunk_fragment(fragment_name(draft_, value), value.dtype, layout, store.rows);
    parts_[read->value.index] = fragment;
    values_.hold(read->value, fragment);
    out.push_back({"", false, DeclareFragment{fragment}});
    tile::Read turn = *read;
    turn.box.dims.back().first =
        add(place_with_names(turn.box.dims.back().first, staged), multiply(variable("i"), to_index(chunk_)));
    turn.box.dims.back().size = chunk_.value;
    out.push_back(
        {fmt::format("{} of these columns", draft_.ref(read->box.ref).name), false, load_of(draft_, values_, turn)});
  }
  return out;
}

// The body of the loop over a chunk's columns.
Statements StagedStores::chunk(const StagedStore& staged, int index, const std::string& layout) {
  const StorePlan store = draft_.plan.stores[static_cast<size_t>(index)];
  const Ref& ref = draft_.ref(staged.write->box.ref);
  const tile::ValueId accumulator{staged.accumulators.front()};
  const int view = parts_.at(accumulator.index);
  const DType held = program_.value(accumulator).dtype;
  Statements body = read_blocks(staged, store, layout);
  for (const StagedStore::Part& part : staged.parts) {
    const bool last = &part == &staged.parts.back();
    TypedPtr value = with_names(part.value, staged);
    const Apply* cast = value->applies(Op::cast);
    const bool packs =
        last && cast && value->dtype == ref.dtype && info(ref.dtype).bits == 16 && cast->args[0]->dtype == DType::f32;
    if (packs) value = cast->args[0];
    int target = view;
    if (!last || value->dtype != held) {
      const std::string name = last ? draft_.names().derived(ref.name + "_v") : program_.value(part.assign->value).name;
      target = chunk_fragment(last ? name : draft_.names().of(name), value->dtype, layout, store.rows);
      body.push_back({"", false, DeclareFragment{target}});
    }
    if (!last) parts_[part.assign->value.index] = target;
    const auto* use = value->as<LocalUse>();
    if (!last || !use || use->id != accumulator.index) {
      const ElementValue of = element(value, staged);
      body.push_back({"", false, Elementwise{view, {{target, of.value, of.bindings, part.origin}}}});
    }
    if (last) body.push_back({"", false, StageChunk{index, target, "i", packs}});
  }
  const bool plain = staged.parts.size() == 1 && staged.reads.empty();
  return plain ? body : in_paragraphs(draft_.plan, std::move(body), true);
}

program::Statement StagedStores::chunks(const StagedStore& staged, int index, const Number& rows,
                                        const Number& columns) {
  const std::string layout = fmt::format("WgmmaLayout<{}, {}>", rows.text, chunk_.text);
  std::vector<ForChunks::View> views;
  for (int id : staged.accumulators) {
    const tile::Value& value = program_.value({id});
    const std::string name =
        staged.accumulators.size() == 1 ? "v" : draft_.names().derived("v_" + fragment_name(draft_, value));
    views.push_back({values_.fragment({id}), chunk_fragment(name, value.dtype, layout, rows)});
    parts_[id] = views.back().view;
  }
  const TypedPtr start = add(multiply(variable("j"), to_index(columns)), multiply(variable("i"), to_index(chunk_)));
  return {fmt::format("this thread's values of {} columns", chunk_.text), false,
          ForChunks{"i", quotient(columns, chunk_), chunk_, std::move(views), start, chunk(staged, index, layout)}};
}

// The first column of an iteration, if each warpgroup has columns of its own; null if the variable of the loop over
// chunks gives it.
TypedPtr StagedStores::first_column_of_group(const StagedStore& staged) const {
  const TypedPtr first = values_.first_column({staged.accumulators.front()});
  return first ? add(first, multiply(variable("j"), to_index(columns_))) : nullptr;
}

// Replaces the first column of the chunk by its expression in the kernel; by 0 if there is one chunk, of which each
// warpgroup has columns.
TypedPtr StagedStores::with_names(const TypedPtr& value, const StagedStore& staged) const {
  const TypedPtr turn = first_column_of_group(staged) ? index_constant(0) : multiply(variable("j"), to_index(columns_));
  return rewrite(value, [&](const TypedPtr& node) -> TypedPtr {
    const Apply* product = node->applies(Op::multiply);
    const Symbol* symbol = product ? product->args[0]->as<Symbol>() : nullptr;
    const bool is_chunk = symbol && symbol->kind == SymbolKind::loop && symbol->id == staged.loop->variable.id &&
                          constant_value(product->args[1]) == program_.value(staged.put->value).shape[1];
    return is_chunk ? turn : nullptr;
  });
}

// The place of a load for the warpgroup's columns, from the first of these on.
TypedPtr StagedStores::place_with_names(const TypedPtr& first, const StagedStore& staged) const {
  const TypedPtr turn = multiply(variable("j"), to_index(columns_));
  return add(with_names(first, staged), first_column_of_group(staged) ? turn : nullptr);
}

// The copy to an array comes after the threads' reads of it under another name, too.
program::Statement StagedStores::fence_before(const StagedStore& staged) const {
  const std::vector<Ref>& refs = draft_.kernel->refs;
  for (size_t i = 0; i < refs.size(); ++i) {
    const int other = static_cast<int>(i);
    if (refs[i].role == RefRole::input && same_buffer(*draft_.kernel, staged.write->box.ref, other))
      return {fmt::format("the TMA unit sees what was written above, and comes after the reads of {}", refs[i].name),
              false, FenceAsync{true}};
  }
  return {"the TMA unit sees what was written above", false, FenceAsync{}};
}

Statements StagedStores::lower(const StagedStore& staged) {
  const Ref& ref = draft_.ref(staged.write->box.ref);
  // A warpgroup with columns of its own stores all of them at once, others those of a chunk.
  const tile::ValueId made{staged.accumulators.front()};
  const int64_t bytes = info(ref.dtype).bits / 8, own = values_.columns_per_group(made).value;
  const bool several = staged.crossed || values_.first_column(made);
  const int64_t width =
      several ? pallasgen::store_columns(*draft_.target, own, bytes, 128) : program_.value(staged.put->value).shape[1];
  const Number rows = values_.rows_per_group({staged.accumulators.front()});
  const auto [known, added] = store_of_.try_emplace(staged.put->entry.channel.index, -1);
  if (added) known->second = add_store(staged, rows, width);
  const int index = known->second;
  const Number columns = draft_.plan.stores[static_cast<size_t>(index)].columns;
  columns_ = columns;
  chunk_ = number(chunk_of(columns.value, ref.dtype));
  const StorePlan store = draft_.plan.stores[static_cast<size_t>(index)];
  const Number& buffers = store.buffers;
  // Rows of this warpgroup, columns of this chunk.
  std::vector<TypedPtr> coordinates;
  const std::vector<tile::BoxDim>& dims = staged.write->box.dims;
  size_t column = 0, kept = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    TypedPtr first = dims[d].first;
    if (dims[d].size && kept++ == 0) first = add(first, values_.first_row({staged.accumulators.front()}));
    if (dims[d].size) column = d;
    coordinates.push_back(first);
  }
  coordinates[column] = add(with_names(coordinates[column], staged), first_column_of_group(staged));
  const TypedPtr first = coordinates[column], extent = ref.array_shape[column];
  Statements body = read(staged, store);  // before the values computed from it
  const bool whole = store.own_buffers;
  const Number pending = number(buffers.value - 1, buffers.value == 1 ? "0" : buffers.text + " - 1");
  const program::Statement acquire{
      whole ? "the stores before have read the buffers" : "the store that last used this buffer has read it", false,
      StoreAcquire{index, whole ? number(0) : pending}};
  const program::Statement sync{"", false, WarpgroupSync{}}, staging = chunks(staged, index, rows, columns),
                                                             fence = fence_before(staged);
  TensorStore copy{index, std::move(coordinates), ref.reduce.has_value()};
  const program::Statement copies{"past the end: dropped", false, std::move(copy)};
  const auto loop = [&](Statements body) {
    return ForStoreColumns{"j",
                           quotient(values_.columns_per_group(made), columns),
                           index,
                           std::move(body),
                           staged.guard ? first : nullptr,
                           staged.guard ? extent : nullptr};
  };
  const std::string& origin = staged.parts.back().origin;
  if (staged.crossed) {
    body.push_back(staging);
    return {{origin, true, loop(std::move(body))}};
  }
  if (!whole) {
    body.insert(body.end(), {acquire, sync, staging, fence, sync, copies});
    return {{origin, true, loop(std::move(body))}};
  }
  body.push_back(staging);
  program::If leader{variable("leader"), {}, {}};
  leader.then = {{"", false, loop({copies})}, {"", false, program::StoreCommit{}}};
  return {acquire, sync, {origin, true, loop(std::move(body))}, fence, sync, {"", false, std::move(leader)}};
}

program::Statement StagedStores::wait_for_all_stores(const tile::WaitStores& wait) const {
  return {"shared memory outlives the last read", false, StoreDrain{store_of_.at(wait.channel.index)}};
}

std::vector<int> StagedStores::stores() const {
  std::vector<int> out;
  for (const auto& [channel, store] : store_of_) {
    if (!draft_.plan.stores[static_cast<size_t>(store)].own_buffers) out.push_back(store);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace pallasgen
