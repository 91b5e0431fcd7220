#include "epilogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "access.h"
#include "matmul_limits.h"
#include "memory.h"
#include "tensor_copies.h"
#include "values.h"

namespace pallasgen {

namespace {

using namespace program;

constexpr const char *kChunkVariable = "i", *kStoreVariable = "j", *kRow0 = "row0", *kView = "v";

const StoreStmt* output_store(const KernelStmt& statement) { return std::get_if<StoreStmt>(&statement.node); }

Statement statement(decltype(Statement::node) node, std::string comment = {}, bool quotes = false) {
  return {std::move(comment), quotes, std::move(node)};
}

// The epilogue of one output: a loop over chunks of the accumulator's columns, within one over tensor stores if any.
class OutputEpilogue {
 public:
  OutputEpilogue(Draft& draft, const EpilogueFrame& frame, const KernelStmt& last, int outputs,
                 std::map<std::string, int>& row_vectors)
      : draft_(draft),
        kernel_(*draft.kernel),
        frame_(frame),
        last_(last),
        store_(*output_store(last)),
        ref_(draft.ref(store_.ref)),
        outputs_(outputs),
        row_vectors_(row_vectors) {}

  // Adds what comes before the loops to `before`, the loops to `after`.
  bool run(Statements& before, Statements& after) {
    staged_ = stored_by_tensor_copy(draft_, store_.ref);
    const int64_t bytes = info(ref_.dtype).bits / 8;
    const int64_t columns = staged_ ? store_columns(*draft_.target, frame_.bn, bytes, frame_.walk.span) : frame_.bn;
    chunk_ = number(frame_.walk.chunk);
    columns_ = staged_ ? store_constant("kStoreColumns", columns) : frame_.bn_number;
    if (staged_) columns_comment(columns, bytes);
    start_ = multiply(variable(kChunkVariable), to_index(chunk_));
    if (staged_) start_ = add(multiply(variable(kStoreVariable), to_index(columns_)), start_);

    view_ = fragment(kView, DType::f32, wgmma_layout(frame_.rows.value, chunk_.value),
                     fmt::format("WgmmaLayout<{}, {}>", frame_.rows.text, chunk_.text));
    Statements body;
    for (const KernelStmt* statement : frame_.form.epilogue) {
      if (statement == &last_) break;
      if (const BindStmt* bind = std::get_if<BindStmt>(&statement->node)) binds_[bind->local].push_back(statement);
    }
    if (!sink(body)) return false;
    for (Statement& load : rows_) before.push_back(std::move(load));
    Statements chunk;
    for (Statement& load : loads_) chunk.push_back(std::move(load));
    for (Statement& part : body) chunk.push_back(std::move(part));
    ForChunks chunks{kChunkVariable, quotient(columns_, chunk_), chunk_, frame_.acc, view_, start_, std::move(chunk)};
    const std::string comment = fmt::format("this thread's values of {} columns", chunk_.text);
    if (!staged_) {
      after.push_back(statement(std::move(chunks), last_.text, true));
      return true;
    }
    Statements store_body;
    store_body.push_back(statement(
        StoreAcquire{store_index_, number(frame_.buffers - 1, frame_.buffers == 1 ? "0" : buffers_.text + " - 1")},
        "the store that last used this buffer has read it"));
    store_body.push_back(statement(WarpgroupSync{}));
    store_body.push_back(statement(std::move(chunks), comment));
    store_body.push_back(statement(FenceAsyncShared{}, "the TMA unit sees what was written above"));
    store_body.push_back(statement(WarpgroupSync{}));
    std::vector<TypedPtr> coordinates = offsets(multiply(variable(kStoreVariable), to_index(columns_)));
    const int column = kept_dims(ref_).back();
    const TypedPtr first = coordinates[column], extent = ref_.array_shape[column];
    store_body.push_back(statement(TensorStore{store_index_, std::move(coordinates)}, "past the end: dropped"));
    after.push_back(statement(ForStoreColumns{kStoreVariable, quotient(frame_.bn_number, columns_), store_index_,
                                              std::move(store_body), first, extent},
                              last_.text, true));
    return true;
  }

 private:
  // Several outputs have constants of their own: kStoreColumns_d.
  Number store_constant(const std::string& name, int64_t value) {
    return draft_.constant(suffixed(name), value, constant_line::store_columns);
  }
  std::string suffixed(const std::string& name) const {
    return outputs_ == 1 ? name : fmt::format("{}_{}", name, ref_.name);
  }

  void columns_comment(int64_t columns, int64_t bytes) {
    draft_.plan.constants.back().comment =
        fmt::format("one store: {} x {} {}, {}", frame_.rows.value, columns, name_of(ref_.dtype),
                    widest_swizzle(*draft_.target, columns * bytes) == columns * bytes
                        ? fmt::format("one {}-byte swizzle atom wide", columns * bytes)
                        : fmt::format("{} bytes wide, not swizzled", columns * bytes));
  }

  int fragment(std::string name, DType dtype, ValueLayout layout, std::string text) {
    draft_.plan.fragments.push_back({std::move(name), dtype, std::move(layout), std::move(text)});
    return static_cast<int>(draft_.plan.fragments.size()) - 1;
  }

  // Coordinates in the array of this warpgroup's first row and the block's column `column`.
  std::vector<TypedPtr> offsets(const TypedPtr& column) const { return offsets_of(store_.ref, column); }

  std::vector<TypedPtr> offsets_of(int ref, const TypedPtr& column) const {
    std::vector<TypedPtr> places = placed(kernel_, block_coordinates(draft_, ref), StepPlace::last);
    const std::vector<int> kept = kept_dims(draft_.ref(ref));
    if (kept.size() == 2) {
      places[kept[0]] = add(places[kept[0]], row_offset());
      places[kept[1]] = add(places[kept[1]], column);
    }
    return places;
  }

  TypedPtr row_offset() const { return frame_.consumers.value > 1 ? variable(kRow0) : nullptr; }

  Access access(int ref, std::vector<TypedPtr> places, const std::vector<int>& value_dims, int64_t width) {
    const Ref& from = draft_.ref(ref);
    std::vector<int> dims(from.block.size(), -1);
    std::vector<int64_t> sizes(from.block.size(), 1);
    const std::vector<int> kept = kept_dims(from);
    for (size_t i = 0; i < kept.size(); ++i) {
      dims[kept[i]] = value_dims[i];
      if (value_dims[i] >= 0) sizes[kept[i]] = from.block[kept[i]].size;
    }
    ProvedVector vector{1, "one element a time"};
    if (width > 1 && dims.back() == 1) {
      // Two neighbours of a row are neighbours in a fragment.
      vector = proved_vector(draft_, ref, places.back(), width);
      vector.elements = std::min<int64_t>(vector.elements, 2);
      vector.why = fmt::format("an accumulator holds 2 neighbours of a row; {}", vector.why);
    }
    return block_access(draft_, ref, std::move(places), dims, sizes, std::move(vector));
  }

  bool sink(Statements& body) {
    TypedPtr value = store_.value;
    const Apply* cast = value->applies(Op::cast);
    const bool packs = staged_ && cast && value->dtype == ref_.dtype && info(ref_.dtype).bits == 16 &&
                       cast->args[0]->dtype == DType::f32;
    if (packs) value = cast->args[0];
    const bool in_place = value->dtype == DType::f32;
    if (!compute(value, in_place ? view_ : -1, draft_.names().derived(ref_.name + "_" + kView), body)) return false;
    if (staged_) {
      add_store();
      body.push_back(statement(StageChunk{store_index_, target_, kChunkVariable, packs}));
      return true;
    }
    std::vector<TypedPtr> places = offsets(start_);
    Access to = access(store_.ref, std::move(places), {0, 1}, chunk_.value);
    body.push_back(statement(StoreGlobal{target_, std::move(to), {}}, "past the end: dropped"));
    return true;
  }

  // target_ = value for one chunk; -1: a fragment of its own.
  bool compute(const TypedPtr& value, int target, const std::string& name, Statements& body) {
    Statements elementwise;
    if (target < 0) {
      target = fragment(name, value->dtype, wgmma_layout(frame_.rows.value, chunk_.value),
                        fmt::format("WgmmaLayout<{}, {}>", frame_.rows.text, chunk_.text));
      body.push_back(statement(DeclareFragment{target}));
    }
    std::optional<ElementValue> element = lower(value);
    if (!element) return false;
    target_ = target;
    flush_locals(body);
    const LocalUse* use = element->value->as<LocalUse>();
    const bool is_view =
        use && element->bindings[use->id].kind == SlotKind::element && element->bindings[use->id].fragment == target;
    if (is_view) return true;  // nothing to compute
    Elementwise loop{view_, {}};
    loop.statements.push_back({target, element->value, element->bindings, last_.text});
    body.push_back(statement(std::move(loop)));
    return true;
  }

  std::optional<ElementValue> lower(const TypedPtr& value) {
    ElementContext context{draft_,
                           [this](const TypedPtr& leaf, const std::vector<int>& dims) { return bind(leaf, dims); },
                           [this](int dim) { return coordinate(dim); }};
    return element_value(at_last_step(kernel_, value), broadcast_dims(value->shape, block()), context);
  }

  Shape block() const { return {frame_.rows.value * frame_.consumers.value, frame_.bn}; }

  BoundLeaf coordinate(int dim) {
    Binding binding{};
    binding.kind = SlotKind::coordinate;
    binding.dim = dim;
    binding.offset = dim == 0 ? row_offset() : start_;
    return {binding, dim == 0 ? "row" : "column"};
  }

  static BoundLeaf slot(SlotKind kind, int fragment, const std::string& name) {
    Binding binding{};
    binding.kind = kind;
    binding.fragment = fragment;
    return {binding, name};
  }

  std::optional<Leaf> refuse(const TypedPtr& leaf, const std::string& what) {
    draft_.refuse(kPlanBody, leaf->span, what + " is not planned yet in the epilogue of a matmul");
    return std::nullopt;
  }

  std::optional<Leaf> bind(const TypedPtr& leaf, const std::vector<int>& dims) {
    if (const LocalUse* use = leaf->as<LocalUse>()) return bind_local(leaf, *use, dims);
    const RefRead& read = *leaf->as<RefRead>();
    const Ref& from = draft_.ref(read.ref);
    if (read.ref == frame_.form.acc) {
      if (!read_is_whole(kernel_, read) || dims != std::vector<int>{0, 1})
        return refuse(leaf, "a part of the accumulator, or its transpose,");
      return slot(SlotKind::element, view_, kView);
    }
    if (from.role != RefRole::input) return refuse(leaf, fmt::format("reading '{}'", from.name));
    return bind_input(leaf, read, dims);
  }

  std::optional<Leaf> bind_local(const TypedPtr& leaf, const LocalUse& use, const std::vector<int>& dims) {
    const auto found = binds_.find(use.id);
    if (found == binds_.end() || found->second.size() != 1)
      return refuse(leaf, fmt::format("the rebound '{}'", use.name));
    const BindStmt& bind = std::get<BindStmt>(found->second.front()->node);
    if (dims != std::vector<int>{0, 1} || bind.value->shape != block())
      return Leaf{bind.value};  // written in its place
    const auto known = locals_.find(use.id);
    if (known != locals_.end()) return slot(SlotKind::element, known->second, draft_.names().of(use.name));
    const int target =
        fragment(draft_.names().of(use.name), bind.value->dtype, wgmma_layout(frame_.rows.value, chunk_.value),
                 fmt::format("WgmmaLayout<{}, {}>", frame_.rows.text, chunk_.text));
    locals_[use.id] = target;
    std::optional<ElementValue> element = lower(bind.value);
    if (!element) return std::nullopt;
    local_statements_.push_back(statement(DeclareFragment{target}));
    Elementwise loop{view_, {}};
    loop.statements.push_back({target, element->value, element->bindings, found->second.front()->text});
    local_statements_.push_back(statement(std::move(loop)));
    return slot(SlotKind::element, target, draft_.names().of(use.name));
  }

  void flush_locals(Statements& body) {
    for (Statement& part : local_statements_) body.push_back(std::move(part));
    local_statements_.clear();
  }

  std::optional<Leaf> bind_input(const TypedPtr& leaf, const RefRead& read, const std::vector<int>& dims) {
    // Which dims of the block the read's dims are: new axes have none, all others must be whole.
    std::vector<int> block_dims;
    if (read.mask || read.other) return refuse(leaf, "a masked load");
    if (read.whole) {
      block_dims = dims;
    } else {
      size_t result = 0;
      for (const IndexItem& item : read.index) {
        const size_t dim = block_dims.size();
        if (std::holds_alternative<IndexNewAxis>(item)) {
          ++result;
        } else if (const IndexSlice* part = std::get_if<IndexSlice>(&item)) {
          if (part->step != 1 || part->size != draft_.ref(read.ref).shape[dim])
            return refuse(leaf, "a part of a block");
          block_dims.push_back(dims[result++]);
        } else if (const IndexInteger* integer = std::get_if<IndexInteger>(&item)) {
          if (draft_.ref(read.ref).shape[dim] != 1 || constant_value(integer->value) != 0)
            return refuse(leaf, "a part of a block");
          block_dims.push_back(-1);
        } else {
          return refuse(leaf, "a gather");
        }
      }
    }
    const Ref& from = draft_.ref(read.ref);
    const bool by_row = std::find(block_dims.begin(), block_dims.end(), 0) != block_dims.end();
    const bool by_column = std::find(block_dims.begin(), block_dims.end(), 1) != block_dims.end();
    const SlotKind kind = by_row && by_column ? SlotKind::element : by_row ? SlotKind::row : SlotKind::column;
    // A block read along its own dims and one read transposed are two values.
    const bool turned = kind == SlotKind::element && block_dims[0] > block_dims[1];
    const char* suffix = turned ? "_transposed" : kind == SlotKind::element ? "_block" : by_row ? "_row" : "_column";
    const std::string name = draft_.names().derived(from.name + suffix);
    std::map<std::string, int>& loaded = kind == SlotKind::row ? row_vectors_ : inputs_;
    const auto known = loaded.find(name);
    if (known != loaded.end()) return slot(kind, known->second, name);
    std::vector<TypedPtr> places = placed(kernel_, block_coordinates(draft_, read.ref), StepPlace::last);
    const std::vector<int> kept = kept_dims(from);
    for (size_t i = 0; i < kept.size(); ++i) {
      if (block_dims[i] == 0) places[kept[i]] = add(places[kept[i]], row_offset());
      if (block_dims[i] == 1) places[kept[i]] = add(places[kept[i]], start_);
    }
    // Row and column vectors have one dim of their own.
    std::vector<int> value_dims = block_dims;
    if (kind != SlotKind::element) {
      for (int& dim : value_dims) dim = dim >= 0 ? 0 : -1;
    }
    Load load{};
    load.access = access(read.ref, std::move(places), value_dims, kind == SlotKind::element ? chunk_.value : 1);
    if (from.fill) load.fill = make_typed({}, from.dtype, {}, Constant{*from.fill, {}});
    const Number width = kind == SlotKind::row ? frame_.bn_number : chunk_;
    const std::string whole = fmt::format("WgmmaLayout<{}, {}>", frame_.rows.text, width.text);
    switch (kind) {
      case SlotKind::row:
        load.fragment = fragment(name, from.dtype, wgmma_row_layout(frame_.rows.value), "RowSlice<" + whole + ">");
        break;
      case SlotKind::column:
        load.fragment = fragment(name, from.dtype, wgmma_column_layout(chunk_.value), "ColumnSlice<" + whole + ">");
        break;
      default:
        load.fragment = fragment(name, from.dtype, wgmma_layout(frame_.rows.value, chunk_.value), whole);
    }
    loaded[name] = load.fragment;
    Statements& where = kind == SlotKind::row ? rows_ : loads_;
    where.push_back(statement(DeclareFragment{load.fragment}));
    const int target = load.fragment;
    where.push_back(
        statement(std::move(load), kind == SlotKind::row      ? fmt::format("{} of this thread's rows", from.name)
                                   : kind == SlotKind::column ? fmt::format("{} of this chunk's columns", from.name)
                                                              : fmt::format("{} of this chunk", from.name)));
    return slot(kind, target, name);
  }

  void add_store() {
    Plan& plan = draft_.plan;
    const int64_t bytes = info(ref_.dtype).bits / 8;
    const Swizzle swizzle = swizzle_of(widest_swizzle(*draft_.target, columns_.value * bytes));
    StorePlan store;
    store.name = outputs_ == 1 ? "store" : draft_.names().derived("store_" + ref_.name);
    store.ref = store_.ref;
    store.groups = frame_.consumers;
    buffers_ = draft_.constant(suffixed("kStoreBuffers"), frame_.buffers, constant_line::store_buffers);
    store.buffers = buffers_;
    store.rows = frame_.rows;
    store.columns = columns_;
    store.swizzle = swizzle;
    store.staging = "staging";
    SharedField field;
    field.name = draft_.names().of(ref_.name);
    field.dtype = ref_.dtype;
    field.dims = {store.groups, store.buffers, product(store.rows, store.columns)};
    field.alignment = swizzle == Swizzle::none ? 128 : 8 * swizzle_bytes(swizzle);
    field.purpose = ref_.name + " staging";
    store.field = add_field(draft_, std::move(field));
    TensorMapPlan map;
    map.name = draft_.names().derived("map_" + ref_.name);
    map.ref = store_.ref;
    map.extents = ref_.array_shape;
    map.strides = ref_.strides;
    for (const BlockDim& dim : ref_.block)
      map.box.push_back(dim.kind == BlockKind::squeezed ? number(1) : number_of(dim));
    const std::vector<int> kept = kept_dims(ref_);
    map.box[kept[0]] = store.rows;
    map.box[kept[1]] = store.columns;
    map.swizzle = swizzle;
    map.is_store = true;
    store.map = static_cast<int>(plan.maps.size());
    plan.maps.push_back(std::move(map));
    store_index_ = static_cast<int>(plan.stores.size());
    plan.stores.push_back(std::move(store));
  }

  Draft& draft_;
  const Kernel& kernel_;
  const EpilogueFrame& frame_;
  const KernelStmt& last_;
  const StoreStmt& store_;
  const Ref& ref_;
  const int outputs_;
  std::map<std::string, int>& row_vectors_;  // loaded before the loops, for all outputs
  bool staged_ = false;
  Number columns_, chunk_, buffers_;
  TypedPtr start_;
  int view_ = -1, target_ = -1, store_index_ = -1;
  std::map<int, std::vector<const KernelStmt*>> binds_;
  std::map<int, int> locals_;
  std::map<std::string, int> inputs_;
  Statements rows_, loads_, local_statements_;
};

}  // namespace

std::optional<program::Statements> plan_epilogue(Draft& draft, const EpilogueFrame& frame) {
  Statements before, after;
  int outputs = 0;
  std::map<std::string, int> row_vectors;
  for (const KernelStmt* statement : frame.form.epilogue) outputs += output_store(*statement) ? 1 : 0;
  for (const KernelStmt* statement : frame.form.epilogue) {
    if (!output_store(*statement)) continue;
    if (!OutputEpilogue(draft, frame, *statement, outputs, row_vectors).run(before, after)) return std::nullopt;
  }
  for (Statement& statement : after) before.push_back(std::move(statement));
  return before;
}

}  // namespace pallasgen
