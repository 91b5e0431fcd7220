#include "forms.h"

#include <algorithm>
#include <utility>

#include "boxes.h"
#include "check/inside.h"
#include "hoisted_reductions.h"
#include "tile/parts.h"
#include "tile/walk.h"
#include "written_parts.h"

namespace pallasgen::schedule {

namespace {

using tile::Statement;

// True if the store is to all of the ref's block, which may have one element.
bool covers_block(const Kernel& kernel, const StoreStmt& store) {
  if (store.whole) return true;
  const Ref& ref = kernel.refs[static_cast<size_t>(store.ref)];
  const bool one = std::all_of(ref.shape.begin(), ref.shape.end(), [](int64_t size) { return size == 1; });
  return one && !is_view(ref) && std::all_of(store.index.begin(), store.index.end(), [](const IndexItem& item) {
           const auto* at = std::get_if<IndexInteger>(&item);
           const auto* range = std::get_if<IndexSlice>(&item);
           return (at && constant_value(at->value) == 0) || (range && constant_value(range->start) == 0);
         });
}

// Blocks with accesses to single elements, under a mask, or in an order, and blocks that are updated.
std::set<int> blocks_with_element_accesses(const Kernel& kernel) {
  std::set<int> out;
  for_each_statement(kernel.body, [&](const KernelStmt& statement) {
    if (const auto* atomic = std::get_if<AtomicStmt>(&statement.node)) out.insert(atomic->ref);
    const auto* store = std::get_if<StoreStmt>(&statement.node);
    if (store && (!covers_block(kernel, *store) || store->mask || store->order != MemoryOrder::weak))
      out.insert(store->ref);
  });
  for_each_value(kernel.body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      const auto* read = node.as<RefRead>();
      if (read && (read->mask || read->order != MemoryOrder::weak)) out.insert(read->ref);
    });
  });
  return out;
}

// The name of a value that needs a statement of its own; null: it stays in its expression.
const char* name_apart(const TypedPtr& node) {
  if (node->applies(Op::random_bits) && !node->shape.empty()) return "bits";
  const Apply* apply = node->as<Apply>();
  return apply && is_scan(apply->op) ? "scanned" : nullptr;
}

}  // namespace

std::vector<Form> forms_of(const Kernel& kernel) {
  const std::set<int> reached = blocks_with_element_accesses(kernel);
  std::vector<Form> forms;
  for (size_t i = 0; i < kernel.refs.size(); ++i) {
    const bool in_place = reached.count(static_cast<int>(i)) > 0;
    const bool array = is_view(kernel.refs[i]) || (in_place && is_written_in_parts(kernel, static_cast<int>(i)));
    forms.push_back(array ? Form::array : in_place ? Form::place : Form::value);
  }
  return forms;
}

Translation::Translation(const Kernel& kernel, tile::Program& program)
    : kernel_(kernel), program_(program), forms_(forms_of(kernel)) {
  for (size_t i = 0; i < kernel.refs.size(); ++i) {
    if (forms_[i] != Form::value) continue;
    const Ref& ref = kernel.refs[i];
    values_[static_cast<int>(i)] = {static_cast<int>(program.values.size())};
    program.values.push_back({ref.name, ref.dtype, ref.shape});
  }
}

tile::ValueId Translation::add(std::string name, DType dtype) {
  return tile::add_value(program_, {std::move(name), dtype, {}});
}

tile::ValueId Translation::local(int id, const std::string& name, DType dtype, const Shape& shape) {
  const auto known = locals_.find(id);
  if (known != locals_.end()) return known->second;
  // A name that is bound anew, with the same type, is the same value.
  for (const auto& [other, value] : locals_) {
    const tile::Value& bound = program_.value(value);
    if (bound.name == name && bound.dtype == dtype && bound.shape == shape) return locals_[id] = value;
  }
  locals_[id] = tile::ValueId{static_cast<int>(program_.values.size())};
  program_.values.push_back({name, dtype, shape});
  return locals_[id];
}

std::vector<IndexItem> Translation::items(const std::vector<IndexItem>& from) {
  std::vector<IndexItem> out = from;
  for (IndexItem& item : out) {
    if (auto* integer = std::get_if<IndexInteger>(&item)) integer->value = expression(integer->value);
    if (auto* slice = std::get_if<IndexSlice>(&item); slice && slice->start) slice->start = expression(slice->start);
    if (auto* gather = std::get_if<IndexGather>(&item)) gather->indices = expression(gather->indices);
  }
  return out;
}

std::optional<tile::Box> Translation::box_of_read(const TypedPtr& expr) {
  const auto* read = expr->as<RefRead>();
  if (!read || read->whole || read->mask || read->order != MemoryOrder::weak) return std::nullopt;
  const Ref& ref = kernel_.refs[static_cast<size_t>(read->ref)];
  const bool written = std::any_of(kernel_.refs.begin(), kernel_.refs.end(),
                                   [&](const Ref& other) { return other.alias_of == read->ref; });
  if (form(read->ref) != Form::array || !is_view(ref) || expr->shape.empty()) return std::nullopt;
  if ((ref.role != RefRole::input || written) && !is_reached_by_boxes(kernel_, read->ref)) return std::nullopt;
  return box_of(read->ref, read->index, ref.role == RefRole::input && !written);
}

std::optional<tile::Box> Translation::box_of_store(const StoreStmt& store) {
  const Ref& ref = kernel_.refs[static_cast<size_t>(store.ref)];
  if (form(store.ref) != Form::array || ref.role != RefRole::output || ref.reduce) return std::nullopt;
  if (ref.alias_of || is_view(ref)) {
    if (is_reached_by_boxes(kernel_, store.ref)) return box_of(store.ref, store.index);
    if (ref.alias_of) return std::nullopt;
  }
  const auto is_box = [&](const StoreStmt& each) {
    const bool plain = !each.whole && !each.mask && !each.op && each.order == MemoryOrder::weak;
    return plain && box_of(each.ref, each.index);
  };
  bool touched = false;  // its elements are accessed in other ways, too
  for_each_value(kernel_.body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      const auto* read = node.as<RefRead>();
      touched = touched || (read && read->ref == store.ref);
    });
  });
  for_each_statement(kernel_.body, [&](const KernelStmt& statement) {
    const auto* atomic = std::get_if<AtomicStmt>(&statement.node);
    const auto* other = std::get_if<StoreStmt>(&statement.node);
    touched = touched || (atomic && atomic->ref == store.ref);
    touched = touched || (other && other->ref == store.ref && !is_box(*other));
  });
  return touched ? std::nullopt : box_of(store.ref, store.index);
}

std::optional<tile::Box> Translation::box_of(int id, const std::vector<IndexItem>& index, bool gathers) {
  // With that check, the statement itself must stop at the first element outside.
  if (kernel_.checks_for("oob")) return std::nullopt;
  const Ref& ref = kernel_.refs[static_cast<size_t>(id)];
  if (!is_view(ref)) return tile::part_of(schedule::box_of(kernel_, id), *index_map(items(index), ref.shape));
  tile::Box box{id, {}};
  bool several = false;  // elements
  for (size_t d = 0; d < index.size(); ++d) {
    if (ref.block[d].kind != BlockKind::whole) return std::nullopt;
    tile::BoxDim dim;
    if (const auto* slice = std::get_if<IndexSlice>(&index[d])) {
      if (slice->step != 1 || slice->size < 1) return std::nullopt;
      several = true;
      dim.first = slice->start ? slice->start : index_constant(0);
      dim.size = slice->size;
      dim.size_text = slice->size_text;
    } else if (const auto* integer = std::get_if<IndexInteger>(&index[d])) {
      dim.first = integer->value;
    } else if (const auto* gather = std::get_if<IndexGather>(&index[d]); gather && gathers && gathers_in_place(index)) {
      box.dims.push_back(gathered_dim(kernel_, *gather));
      continue;
    } else {
      return std::nullopt;
    }
    if (dim.first->dtype != DType::index) return std::nullopt;
    dim.first = expression(dim.first);
    dim.may_leave = !stays_inside(kernel_, dim.first, dim.size.value_or(1), ref.array_shape[d], kernel_.facts());
    box.dims.push_back(std::move(dim));
  }
  return several ? std::optional(box) : std::nullopt;
}

tile::Read Translation::read_of(tile::ValueId value, tile::Box box, const KernelStmt& from, tile::Block& before) {
  for (tile::BoxDim& dim : box.dims) {
    if (!dim.each) continue;
    std::map<const Typed*, tile::ValueId> around = std::exchange(read_, {});
    TypedPtr each = after_reads(dim.each, from, before);
    read_ = std::move(around);
    dim.each = each;
    if (is_looked_up(each)) continue;
    const tile::ValueId indices = tile::add_value(program_, {"indices", each->dtype, each->shape});
    before.push_back({from.span, "", tile::Assign{indices, std::move(each)}});
    dim.each = tile::use(program_, indices);
  }
  return {value, std::move(box)};
}

TypedPtr Translation::after_reads(const TypedPtr& expr, const KernelStmt& from, tile::Block& before) {
  if (short_circuits(expr)) return expression(expr);  // what is not evaluated must not be read
  rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
    // A draw makes four elements, which compilers see best in a loop of its own. What a scan reads is free after it.
    if (const char* name = node == expr ? nullptr : name_apart(node)) {
      const tile::ValueId value = tile::add_value(program_, {name, node->dtype, node->shape});
      std::map<const Typed*, tile::ValueId> around = std::exchange(read_, {});
      TypedPtr scan = after_reads(node, from, before);
      read_ = std::move(around);
      before.push_back({from.span, "", tile::Assign{value, std::move(scan)}});
      read_[node.get()] = value;
      return node;
    }
    std::optional<tile::Box> box = box_of_read(node);
    if (!box) return nullptr;
    const std::string& array = kernel_.refs[static_cast<size_t>(box->ref)].name;
    const tile::ValueId value = tile::add_value(program_, {array + "_block", node->dtype, node->shape});
    tile::Read read = read_of(value, std::move(*box), from, before);
    read_[node.get()] = value;
    before.push_back({from.span, "", std::move(read)});
    return node;
  });
  TypedPtr out = expression(expr);
  read_.clear();
  return out;
}

TypedPtr Translation::apart(const TypedPtr& expr, const KernelStmt& from, const std::string& name,
                            tile::Block& before) {
  if (short_circuits(expr)) return expr;
  return rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
    const Apply* reduction = node->as<Apply>();
    if (!reduction || operation(reduction->op).group != OpGroup::reduce || !node->shape.empty()) return nullptr;
    bool reads = false;
    walk(node, [&](const Typed& inner) { reads = reads || inner.as<RefRead>(); });
    if (reads) return node;
    const std::string of = name + "_" + std::string(operation(reduction->op).name);
    const tile::ValueId value = tile::add_value(program_, {of, node->dtype, node->shape});
    before.push_back({from.span, "", tile::Assign{value, node}});
    return tile::use(program_, value, node->span);
  });
}

TypedPtr Translation::expression(const TypedPtr& expr) {
  if (!expr) return nullptr;
  return rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
    if (const auto known = read_.find(node.get()); known != read_.end())
      return tile::use(program_, known->second, node->span);
    if (const auto* local = node->as<LocalUse>()) {
      const auto found = locals_.find(local->id);
      return found == locals_.end() ? nullptr : tile::use(program_, found->second, node->span);
    }
    if (const Apply* mask = node->applies(Op::valid)) return mask_of(kernel_, mask->attributes.ref, node->span);
    const auto* read = node->as<RefRead>();
    if (!read || form(read->ref) != Form::value) return nullptr;
    const TypedPtr whole = tile::use(program_, values_.at(read->ref), node->span);
    if (read->whole) return whole;
    OpAttributes attributes;
    attributes.items = items(read->index);
    return make_typed(node->span, node->dtype, node->shape, Apply{Op::slice, {whole}, std::move(attributes)});
  });
}

Statement Translation::assign(tile::ValueId value, const TypedPtr& expr, const KernelStmt& from) {
  const tile::Value& to = program_.value(value);
  if (expr->dtype == to.dtype && expr->shape == to.shape) {
    if (const std::optional<tile::AddedDot> sum = tile::added_dot(expr))
      return {from.span, from.text, tile::Dot{value, sum->start, sum->dot}};
    if (expr->applies(Op::dot)) return {from.span, from.text, tile::Dot{value, nullptr, expr}};
  }
  // A value alone is copied as it is; one that is broadcast to another shape is not.
  if (expr->as<LocalUse>() && !expr->shape.empty() && expr->shape != to.shape)
    return {from.span, from.text,
            tile::Assign{value, make_typed(expr->span, expr->dtype, to.shape, Apply{Op::broadcast_to, {expr}, {}})}};
  return {from.span, from.text, tile::Assign{value, expr}};
}

Statement Translation::store(const StoreStmt& store, const KernelStmt& from, tile::Block& before) {
  if (form(store.ref) == Form::value) {
    const tile::ValueId id = values_.at(store.ref);
    TypedPtr value = after_reads(store.value, from, before);
    if (store.op) {
      const tile::Value& to = program_.value(id);
      value = make_typed(from.span, to.dtype, to.shape,
                         Apply{*store.op, {tile::use(program_, id, from.span), std::move(value)}, {}});
    }
    return assign(id, value, from);
  }
  if (std::optional<tile::Box> box = box_of_store(store)) {
    Shape shape;
    for (const tile::BoxDim& dim : box->dims) {
      if (dim.size) shape.push_back(*dim.size);
    }
    const Ref& ref = kernel_.refs[static_cast<size_t>(store.ref)];
    const std::string part = is_view(ref) ? "_part" : tile::place_of_part(*index_map(items(store.index), ref.shape));
    const tile::ValueId value = tile::add_value(program_, {ref.name + part, ref.dtype, std::move(shape)});
    before.push_back(assign(value, after_reads(store.value, from, before), from));
    return {from.span, "", tile::Write{std::move(*box), value}};
  }
  StoreStmt out = store;
  out.index = items(store.index);
  out.value = apart(expression(store.value), from, kernel_.refs[static_cast<size_t>(store.ref)].name, before);
  out.mask = expression(store.mask);
  return {from.span, from.text, std::move(out)};
}

tile::Block Translation::statements(const KernelStmts& list) {
  tile::Block out;
  for (const KernelStmt& from : list) {
    for (Statement& made : statement(from)) out.push_back(std::move(made));
  }
  return out;
}

tile::Block Translation::statement(const KernelStmt& from) {
  const auto one = [&](auto node) { return tile::Block{{from.span, from.text, std::move(node)}}; };
  if (const auto* bind = std::get_if<BindStmt>(&from.node)) {
    tile::Block out;
    if (std::optional<tile::Box> box = box_of_read(bind->value)) {
      const tile::ValueId id = local(bind->local, bind->name, bind->value->dtype, bind->value->shape);
      tile::Read read = read_of(id, std::move(*box), from, out);
      out.push_back({from.span, from.text, std::move(read)});
      return out;
    }
    TypedPtr value = after_reads(bind->value, from, out);
    const tile::ValueId id = local(bind->local, bind->name, bind->value->dtype, bind->value->shape);
    out.push_back(assign(id, value, from));
    return out;
  }
  if (const auto* node = std::get_if<StoreStmt>(&from.node)) {
    tile::Block out;
    Statement made = store(*node, from, out);
    out.push_back(std::move(made));
    return out;
  }
  if (const auto* atomic = std::get_if<AtomicStmt>(&from.node)) {
    tile::Block made;
    AtomicStmt out = *atomic;
    out.index = items(atomic->index);
    out.value = apart(expression(atomic->value), from, kernel_.refs[static_cast<size_t>(atomic->ref)].name, made);
    out.compare = expression(atomic->compare);
    out.mask = expression(atomic->mask);
    if (atomic->old >= 0) {
      const Ref& ref = kernel_.refs[static_cast<size_t>(atomic->ref)];
      out.old = local(atomic->old, atomic->old_name, ref.dtype, atomic->shape).index;
    }
    made.push_back({from.span, from.text, std::move(out)});
    return made;
  }
  if (const auto* when = std::get_if<WhenStmt>(&from.node)) {
    TypedPtr condition = expression(when->condition);
    tile::Block then = statements(when->then);
    return one(tile::If{std::move(condition), {}, std::move(then), statements(when->otherwise)});
  }
  if (const auto* loop = std::get_if<ForStmt>(&from.node)) {
    const auto bound = [&](const TypedPtr& expr, int64_t otherwise) {
      return expr ? expression(expr) : index_constant(otherwise);
    };
    tile::For out;
    out.variable = {SymbolKind::loop, loop->loop, loop->name};
    out.first = bound(loop->start, 0);
    out.last = bound(loop->stop, 0);
    out.step = bound(loop->step, 1);
    out.unroll = loop->unroll;
    out.body = statements(loop->body);
    return one(std::move(out));
  }
  if (const auto* loop = std::get_if<WhileStmt>(&from.node)) {
    TypedPtr condition = expression(loop->condition);
    return one(tile::While{std::move(condition), {}, statements(loop->body), {}});
  }
  if (const auto* scope = std::get_if<ScopeStmt>(&from.node)) {
    tile::Block out;
    for (int ref : scope->refs) {
      if (form(ref) == Form::value)
        out.push_back({from.span, "", tile::Assign{values_.at(ref), nullptr}});
      else
        out.push_back({from.span, "", tile::Forget{ref}});
    }
    for (Statement& made : statements(scope->body)) out.push_back(std::move(made));
    return out;
  }
  if (const auto* print = std::get_if<PrintStmt>(&from.node)) {
    PrintStmt out = *print;
    for (TypedPtr& arg : out.args) arg = expression(arg);
    return one(std::move(out));
  }
  if (const auto* assertion = std::get_if<AssertStmt>(&from.node)) {
    AssertStmt out = *assertion;
    out.condition = expression(assertion->condition);
    return one(std::move(out));
  }
  return one(GridSyncStmt{});
}

}  // namespace pallasgen::schedule
