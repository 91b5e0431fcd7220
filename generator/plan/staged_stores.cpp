#include "staged_stores.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnostics/assert.h"
#include "layout/layout.h"
#include "matmul_limits.h"
#include "memory.h"
#include "tensor_copies.h"
#include "tile/walk.h"
#include "values.h"

namespace pallasgen {

using program::Binding, program::DeclareFragment, program::Elementwise, program::FenceAsyncShared, program::ForChunks,
    program::ForStoreColumns, program::SlotKind, program::StageChunk, program::Statements, program::StoreAcquire,
    program::StoreDrain, program::TensorStore, program::WarpgroupSync;

namespace {

// The value whose columns [variable * size, + size) the slice takes, all rows of it; -1: it takes another part.
int columns_of(const Apply& slice, const Symbol& variable) {
  const auto* use = slice.args[0]->as<LocalUse>();
  if (!use || slice.args[0]->shape.size() != 2 || slice.attributes.items.size() != 2) return -1;
  const auto* rows = std::get_if<IndexSlice>(&slice.attributes.items[0]);
  const auto* columns = std::get_if<IndexSlice>(&slice.attributes.items[1]);
  if (!rows || !columns || rows->step != 1 || columns->step != 1) return -1;
  const std::optional<Affine> start = affine(columns->start);
  const bool whole = constant_value(rows->start) == 0 && rows->size == slice.args[0]->shape[0];
  const bool chunk = start && start->constant == 0 && start->terms.size() == 1 &&
                     start->terms[0].symbol.kind == variable.kind && start->terms[0].symbol.id == variable.id &&
                     start->terms[0].coefficient == columns->size;
  return whole && chunk ? use->id : -1;
}

bool is_elementwise(const Typed& node) {
  const Apply* apply = node.as<Apply>();
  if (!apply) return node.as<CallFunction>() || node.as<Constant>() || node.as<Symbol>();
  const OpGroup group = operation(apply->op).group;
  return group == OpGroup::elementwise || group == OpGroup::cast;
}

}  // namespace

std::optional<StagedStore> staged_store(const tile::Program& program, const tile::Statement& statement) {
  const auto* loop = statement.as<tile::For>();
  if (!loop || loop->variable.kind != SymbolKind::loop || constant_value(loop->first) != 0 ||
      constant_value(loop->step) != 1 || !constant_value(loop->last) || loop->unroll != constant_value(loop->last))
    return std::nullopt;
  const tile::Block* body = &loop->body;
  StagedStore out{loop, nullptr, nullptr, {}, nullptr, nullptr, -1, nullptr};
  if (const auto* guard = body->size() == 1 ? body->front().as<tile::If>() : nullptr) {
    if (!guard->otherwise.empty() || !guard->condition->applies(Op::less)) return std::nullopt;
    out.guard = guard->condition;
    body = &guard->then;
  }
  if (body->size() != 9) return std::nullopt;
  const auto is_sync = [&](size_t i) {
    const auto* sync = (*body)[i].as<tile::Sync>();
    return sync && sync->warpgroup;
  };
  out.assign = (*body)[2].as<tile::Assign>();
  out.put = (*body)[3].as<tile::Put>();
  out.write = (*body)[7].as<tile::Write>();
  out.origin = (*body)[2].origin;
  if (!(*body)[0].as<tile::WaitStores>() || !is_sync(1) || !out.assign || !out.assign->expr || !out.put ||
      !(*body)[4].as<tile::FenceProxy>() || !is_sync(5) || !(*body)[6].as<tile::Get>() || !out.write ||
      !(*body)[8].as<tile::Advance>() || out.write->path.kind != tile::PathKind::tensor)
    return std::nullopt;
  if (program.value(out.assign->value).shape.size() != 2 ||
      out.assign->expr->shape != program.value(out.assign->value).shape)
    return std::nullopt;
  bool plain = true;
  out.value = rewrite(out.assign->expr, [&](const TypedPtr& node) -> TypedPtr {
    const Apply* slice = node->applies(Op::slice);
    const int taken = slice ? columns_of(*slice, loop->variable) : -1;
    if (taken < 0) return nullptr;
    plain = plain && (out.accumulator < 0 || out.accumulator == taken);
    out.accumulator = taken;
    return make_typed(node->span, node->dtype, node->shape, LocalUse{taken, program.value({taken}).name});
  });
  walk(out.value, [&](const Typed& node) {
    const auto* use = node.as<LocalUse>();
    plain = plain && (use ? use->id == out.accumulator : is_elementwise(node));
  });
  return plain && out.accumulator >= 0 ? std::optional(out) : std::nullopt;
}

std::string StagedStores::suffix(const StagedStore& store) const {
  int outputs = 0;
  for (const tile::Role& role : program_.roles) {
    tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto* write = statement.as<tile::Write>();
      outputs += write && write->path.kind == tile::PathKind::tensor ? 1 : 0;
    });
  }
  return outputs == 1 ? "" : "_" + draft_.ref(store.write->box.ref).name;
}

int StagedStores::add_store(const StagedStore& staged, const Number& rows, const Number& columns) {
  Plan& plan = draft_.plan;
  const tile::Channel& channel = program_.channel(staged.put->entry.channel);
  const Ref& ref = draft_.ref(staged.write->box.ref);
  const Swizzle swizzle = swizzle_of(widest_swizzle(*draft_.target, columns.value * info(ref.dtype).bits / 8));
  StorePlan store;
  store.name = suffix(staged).empty() ? "store" : draft_.names().derived("store" + suffix(staged));
  store.ref = staged.write->box.ref;
  store.groups = consumers_;
  store.buffers = draft_.constant(constant_name::store_buffers + suffix(staged), channel.slots.value_or(1),
                                  constant_line::store_buffers);
  store.rows = rows;
  store.columns = columns;
  store.swizzle = swizzle;
  store.staging = "staging";
  SharedField field;
  field.name = draft_.names().of(ref.name);
  field.dtype = ref.dtype;
  field.dims = {store.groups, store.buffers, product(store.rows, store.columns)};
  field.alignment = swizzle == Swizzle::none ? 128 : 8 * swizzle_bytes(swizzle);
  field.purpose = ref.name + " staging";
  store.field = add_field(draft_, std::move(field));
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

Statements StagedStores::chunk(const StagedStore& staged, int index, const Number& rows, const Number& columns) {
  const Ref& ref = draft_.ref(staged.write->box.ref);
  const Number chunk = number(chunk_of(columns.value));
  const std::string layout = fmt::format("WgmmaLayout<{}, {}>", rows.text, chunk.text);
  const auto fragment = [&](std::string name, DType dtype) {
    draft_.plan.fragments.push_back({std::move(name), dtype, wgmma_layout(rows.value, chunk.value), layout});
    return static_cast<int>(draft_.plan.fragments.size()) - 1;
  };
  const DType held = program_.value({staged.accumulator}).dtype;
  const int view = fragment("v", held);
  TypedPtr value = staged.value;
  const Apply* cast = value->applies(Op::cast);
  const bool packs = cast && value->dtype == ref.dtype && info(ref.dtype).bits == 16 && cast->args[0]->dtype == held;
  if (packs) value = cast->args[0];
  Statements body;
  int target = view;
  if (value->dtype != held) {
    target = fragment(draft_.names().derived(ref.name + "_v"), value->dtype);
    body.push_back({"", false, DeclareFragment{target}});
  }
  if (!value->as<LocalUse>()) {
    Binding binding{};
    binding.kind = SlotKind::element;
    binding.fragment = view;
    ElementContext context{draft_, [&](const TypedPtr&, const std::vector<int>&) { return BoundLeaf{binding, "v"}; },
                           [](int) { return BoundLeaf{}; }};
    const std::optional<ElementValue> of = element_value(value, {0, 1}, context);
    PALLASGEN_ASSERT(of, value->span);
    body.push_back({"", false, Elementwise{view, {{target, of->value, of->bindings, staged.origin}}}});
  }
  body.push_back({"", false, StageChunk{index, target, "i", packs}});
  const TypedPtr start = add(multiply(variable("j"), to_index(columns)), multiply(variable("i"), to_index(chunk)));
  Statements out;
  out.push_back({fmt::format("this thread's values of {} columns", chunk.text), false,
                 ForChunks{"i", quotient(columns, chunk), chunk, values_.fragment({staged.accumulator}), view, start,
                           std::move(body)}});
  return out;
}

program::Statement StagedStores::lower(const StagedStore& staged) {
  const tile::Value& whole = program_.value({staged.accumulator});
  const Ref& ref = draft_.ref(staged.write->box.ref);
  const int64_t width = program_.value(staged.assign->value).shape[1], bytes = info(ref.dtype).bits / 8;
  const Number rows = values_.rows_per_group(whole);
  const Number columns =
      draft_.constant(constant_name::store_columns + suffix(staged), width, constant_line::store_columns);
  draft_.plan.constants.back().comment = fmt::format("one store: {} x {} {}, {}", rows.value, width, name_of(ref.dtype),
                                                     widest_swizzle(*draft_.target, width * bytes) == width * bytes
                                                         ? fmt::format("one {}-byte swizzle atom wide", width * bytes)
                                                         : fmt::format("{} bytes wide, not swizzled", width * bytes));
  const int index = add_store(staged, rows, columns);
  store_of_[staged.put->entry.channel.index] = index;
  const Number& buffers = draft_.plan.stores[static_cast<size_t>(index)].buffers;
  Statements body;
  body.push_back({"the store that last used this buffer has read it", false,
                  StoreAcquire{index, number(buffers.value - 1, buffers.value == 1 ? "0" : buffers.text + " - 1")}});
  body.push_back({"", false, WarpgroupSync{}});
  for (program::Statement& statement : chunk(staged, index, rows, columns)) body.push_back(std::move(statement));
  body.push_back({"the TMA unit sees what was written above", false, FenceAsyncShared{}});
  body.push_back({"", false, WarpgroupSync{}});
  // Rows of this warpgroup, columns of this chunk.
  std::vector<TypedPtr> coordinates;
  const std::vector<tile::BoxDim>& dims = staged.write->box.dims;
  size_t column = 0, kept = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    TypedPtr first = dims[d].first;
    if (dims[d].size && kept++ == 0 && consumers_.value > 1) first = add(first, variable("row0"));
    if (dims[d].size) column = d;
    coordinates.push_back(first);
  }
  const auto named = [&](const TypedPtr& at) {
    return rewrite(at, [&](const TypedPtr& node) -> TypedPtr {
      const Apply* product = node->applies(Op::multiply);
      const Symbol* symbol = product ? product->args[0]->as<Symbol>() : nullptr;
      const bool is_chunk = symbol && symbol->kind == SymbolKind::loop && symbol->id == staged.loop->variable.id &&
                            constant_value(product->args[1]) == width;
      return is_chunk ? multiply(variable("j"), to_index(columns)) : nullptr;
    });
  };
  coordinates[column] = named(coordinates[column]);
  const TypedPtr first = coordinates[column], extent = ref.array_shape[column];
  body.push_back({"past the end: dropped", false, TensorStore{index, std::move(coordinates)}});
  return {staged.origin, true,
          ForStoreColumns{"j", quotient(values_.columns(whole), columns), index, std::move(body),
                          staged.guard ? first : nullptr, staged.guard ? extent : nullptr}};
}

program::Statement StagedStores::drained(const tile::WaitStores& wait) const {
  return {"shared memory outlives the last read", false, StoreDrain{store_of_.at(wait.channel.index)}};
}

std::vector<int> StagedStores::stores() const {
  std::vector<int> out;
  for (const auto& [channel, store] : store_of_) out.push_back(store);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace pallasgen
