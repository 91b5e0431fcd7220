#include "tile/walk.h"

namespace pallasgen::tile {

bool same_place(const Box& a, const Box& b) {
  if (a.dims.size() != b.dims.size()) return false;
  for (size_t d = 0; d < a.dims.size(); ++d) {
    const BoxDim &x = a.dims[d], &y = b.dims[d];
    if (!equal(x.first, y.first) || x.size != y.size || !x.each != !y.each) return false;
    if (x.each && !equal(x.each, y.each)) return false;
  }
  return true;
}

namespace {

template <class Visit>
void visit_items(const std::vector<IndexItem>& items, Visit&& visit) {
  for (const IndexItem& item : items) {
    if (const auto* integer = std::get_if<IndexInteger>(&item)) visit(integer->value);
    if (const auto* slice = std::get_if<IndexSlice>(&item)) visit(slice->start);
    if (const auto* gather = std::get_if<IndexGather>(&item)) visit(gather->indices);
  }
}

template <class Visit>
void change_items(std::vector<IndexItem>& items, Visit&& visit) {
  for (IndexItem& item : items) {
    if (auto* integer = std::get_if<IndexInteger>(&item)) visit(integer->value);
    if (auto* slice = std::get_if<IndexSlice>(&item)) visit(slice->start);
    if (auto* gather = std::get_if<IndexGather>(&item)) visit(gather->indices);
  }
}

// Visits the expressions of one statement in the order of its text; `S` is const or not.
template <class S, class Visit>
void visit_expressions(S& statement, Visit&& visit) {
  const auto box = [&](auto& dims) {
    for (auto& dim : dims) {
      visit(dim.each);
      visit(dim.first);
      visit(dim.limit);
    }
  };
  const auto index = [&](auto& items) {
    if constexpr (std::is_const_v<S>)
      visit_items(items, visit);
    else
      change_items(items, visit);
  };
  if (auto* define = statement.template as<Assign>()) visit(define->expr);
  if (auto* read = statement.template as<Read>()) {
    box(read->box.dims);
    if (read->of) visit(read->of->turn);
  }
  if (auto* dot = statement.template as<Dot>()) {
    visit(dot->start);
    visit(dot->product);
    visit(dot->accumulate);
  }
  if (auto* write = statement.template as<Write>()) box(write->box.dims);
  if (auto* put = statement.template as<Put>()) {
    for (auto& at : put->entry.at) visit(at);
    box(put->box.dims);
    visit(put->ahead);
  }
  if (auto* get = statement.template as<Get>()) {
    for (auto& at : get->entry.at) visit(at);
    visit(get->rows);
  }
  if (auto* prefetch = statement.template as<Prefetch>()) box(prefetch->box.dims);
  if (auto* fetch = statement.template as<Fetch>()) box(fetch->box.dims);
  if (auto* flush = statement.template as<Flush>()) box(flush->box.dims);
  if (auto* loop = statement.template as<For>()) {
    visit(loop->first);
    visit(loop->last);
    visit(loop->step);
  }
  if (auto* loop = statement.template as<While>()) visit(loop->condition);
  if (auto* branch = statement.template as<If>()) visit(branch->condition);
  if (auto* store = statement.template as<StoreStmt>()) {
    index(store->index);
    visit(store->value);
    visit(store->mask);
  }
  if (auto* atomic = statement.template as<AtomicStmt>()) {
    index(atomic->index);
    visit(atomic->value);
    visit(atomic->compare);
    visit(atomic->mask);
  }
  if (auto* print = statement.template as<PrintStmt>()) {
    for (auto& arg : print->args) visit(arg);
  }
  if (auto* assertion = statement.template as<AssertStmt>()) visit(assertion->condition);
}

template <class Out, class S>
Out blocks_in(S& statement) {
  Out out;
  if (auto* tiles = statement.template as<ForTiles>()) out.push_back(&tiles->body);
  if (auto* loop = statement.template as<For>()) out.push_back(&loop->body);
  if (auto* loop = statement.template as<While>()) {
    if (!loop->test.empty()) out.push_back(&loop->test);
    out.push_back(&loop->body);
  }
  if (auto* branch = statement.template as<If>()) {
    out.push_back(&branch->then);
    out.push_back(&branch->otherwise);
  }
  return out;
}

// The array in global memory that a ref names: an output may alias an input.
int array_of(const Program& program, int ref) { return program.ref(ref).alias_of.value_or(ref); }

}  // namespace

std::optional<AddedDot> added_dot(const TypedPtr& sum) {
  const Apply* add = sum->applies(Op::add);
  if (!add) return std::nullopt;
  for (size_t i : {1, 0}) {
    const TypedPtr& dot = add->args[i];
    if (dot->applies(Op::dot) && dot->dtype == sum->dtype && dot->shape == sum->shape)
      return AddedDot{add->args[1 - i], dot};
  }
  return std::nullopt;
}

std::optional<ValueId> defined_by(const Statement& statement) {
  if (const auto* define = statement.as<Assign>()) return define->value;
  if (const auto* read = statement.as<Read>()) return read->value;
  if (const auto* dot = statement.as<Dot>()) return dot->value;
  if (const auto* get = statement.as<Get>()) return get->value;
  const auto* atomic = statement.as<AtomicStmt>();
  return atomic && atomic->old >= 0 ? std::optional(ValueId{atomic->old}) : std::nullopt;
}

std::set<int> used_by(const Statement& statement) {
  std::set<int> out;
  for_each_expression(statement, [&](const TypedPtr& expr) {
    walk(expr, [&](const Typed& node) {
      if (const auto* local = node.as<LocalUse>()) out.insert(local->id);
    });
  });
  if (const auto* write = statement.as<Write>()) out.insert(write->value.index);
  if (const auto* put = statement.as<Put>(); put && put->value) out.insert(put->value.index);
  return out;
}

void for_each_statement(const Block& block, const std::function<void(const Statement&)>& visit) {
  for (const Statement& statement : block) {
    visit(statement);
    for (const Block* inner : blocks_of(statement)) for_each_statement(*inner, visit);
  }
}

void for_each_expression(const Statement& statement, const std::function<void(const TypedPtr&)>& visit) {
  visit_expressions(statement, [&](const TypedPtr& expr) {
    if (expr) visit(expr);
  });
}

void change_own_expressions(Statement& statement, const std::function<void(TypedPtr&)>& change) {
  visit_expressions(statement, [&](TypedPtr& expr) {
    if (expr) change(expr);
  });
}

void change_expressions(Statement& statement, const std::function<void(TypedPtr&)>& change) {
  change_own_expressions(statement, change);
  for (Block* block : blocks_of(statement)) {
    for (Statement& inner : *block) change_expressions(inner, change);
  }
}

bool repeats(const Statement& statement) {
  const auto* tiles = statement.as<ForTiles>();
  return statement.as<For>() || statement.as<While>() ||
         (tiles && tiles->work && tiles->work->kind != WorkKind::one_per_cta);
}

InnerBlocks<const Block> blocks_of(const Statement& statement) {
  return blocks_in<InnerBlocks<const Block>>(statement);
}
InnerBlocks<Block> blocks_of(Statement& statement) { return blocks_in<InnerBlocks<Block>>(statement); }

void touch(const Program& program, const TypedPtr& expr, Touched& out) {
  const Kernel& kernel = *program.declarations;
  walk(expr, [&](const Typed& node) {
    if (const auto* local = node.as<LocalUse>()) out.reads.insert(local->id);
    if (const auto* read = node.as<RefRead>()) {
      out.loads.insert(array_of(program, read->ref));
      out.ordered = out.ordered || read->order != MemoryOrder::weak;
    }
    const auto* symbol = node.as<Symbol>();
    if (!symbol) return;
    if (symbol->kind == SymbolKind::axis) out.axes.insert(symbol->id);
    if (symbol->kind == SymbolKind::let) touch(program, kernel.lets[static_cast<size_t>(symbol->id)].value, out);
    // The size of an inner axis may depend on an outer one.
    if (symbol->kind == SymbolKind::axis_size && kernel.axes[static_cast<size_t>(symbol->id)].size)
      touch(program, kernel.axes[static_cast<size_t>(symbol->id)].size, out);
  });
}

// Adds what the statement touches, with the statements inside it.
void touch(const Program& program, const Statement& statement, Touched& out) {
  for_each_expression(statement, [&](const TypedPtr& expr) { touch(program, expr, out); });
  if (const std::optional<ValueId> defined = defined_by(statement)) out.defines.insert(defined->index);
  if (const auto* read = statement.as<Read>()) out.loads.insert(array_of(program, read->box.ref));
  if (const auto* write = statement.as<Write>()) {
    out.reads.insert(write->value.index);
    out.stores.insert(array_of(program, write->box.ref));
  }
  if (const auto* put = statement.as<Put>()) {
    if (put->value)
      out.reads.insert(put->value.index);
    else
      out.loads.insert(array_of(program, put->box.ref));
  }
  if (const auto* forget = statement.as<Forget>()) out.stores.insert(forget->ref);
  if (const auto* fetch = statement.as<Fetch>()) {
    out.loads.insert(array_of(program, fetch->box.ref));
    out.stores.insert(fetch->box.ref);
  }
  if (const auto* flush = statement.as<Flush>()) {
    out.loads.insert(flush->box.ref);
    out.stores.insert(array_of(program, flush->box.ref));
  }
  if (const auto* store = statement.as<StoreStmt>()) {
    out.stores.insert(array_of(program, store->ref));
    if (store->op) out.loads.insert(array_of(program, store->ref));
    out.ordered = out.ordered || store->order != MemoryOrder::weak;
  }
  if (const auto* atomic = statement.as<AtomicStmt>()) {
    out.stores.insert(array_of(program, atomic->ref));
    out.loads.insert(array_of(program, atomic->ref));
    out.ordered = true;
  }
  out.ordered = out.ordered || is_protocol(statement);
  out.ordered = out.ordered || statement.as<Put>() || statement.as<Prefetch>() || statement.as<Get>() ||
                statement.as<GridSyncStmt>() || statement.as<PrintStmt>() || statement.as<AssertStmt>();
  for (const Block* block : blocks_of(statement)) {
    for (const Statement& inner : *block) touch(program, inner, out);
  }
}

Touched touched(const Program& program, const Statement& statement) {
  Touched out = {};
  touch(program, statement, out);
  return out;
}

Touched touched(const Program& program, const Block& block) {
  Touched out = {};
  for (const Statement& statement : block) touch(program, statement, out);
  return out;
}

void Touched::add(const Touched& other) {
  reads.insert(other.reads.begin(), other.reads.end());
  defines.insert(other.defines.begin(), other.defines.end());
  loads.insert(other.loads.begin(), other.loads.end());
  stores.insert(other.stores.begin(), other.stores.end());
  axes.insert(other.axes.begin(), other.axes.end());
  ordered = ordered || other.ordered;
}

}  // namespace pallasgen::tile
