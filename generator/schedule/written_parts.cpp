#include "written_parts.h"

#include <algorithm>

#include "boxes.h"
#include "check/aliases.h"
#include "check/steps.h"
#include "hoisted_reductions.h"
#include "tile/parts.h"

namespace pallasgen::schedule {

namespace {

// Stores to the block of a ref, and whether any may run more than once while the program has the block.
struct Stores {
  std::vector<const StoreStmt*> all;
  bool in_loops = false;  // any is in a loop of the body
  bool in_steps = false;  // any runs in each step
};

void collect(const Kernel& kernel, const KernelStmts& statements, int ref, bool in_steps, bool in_loop, Stores& out) {
  for (const KernelStmt& statement : statements) {
    if (const auto* store = std::get_if<StoreStmt>(&statement.node); store && store->ref == ref) {
      out.all.push_back(store);
      out.in_loops = out.in_loops || in_loop;
      out.in_steps = out.in_steps || in_steps;
    }
    if (const auto* when = std::get_if<WhenStmt>(&statement.node)) {
      const bool last = guard_kind(kernel, when->condition) == GuardKind::last;
      collect(kernel, when->then, ref, in_steps && !last, in_loop, out);
      collect(kernel, when->otherwise, ref, in_steps, in_loop, out);
    }
    if (const auto* scope = std::get_if<ScopeStmt>(&statement.node))
      collect(kernel, scope->body, ref, in_steps, in_loop, out);
    if (const auto* loop = std::get_if<ForStmt>(&statement.node)) collect(kernel, loop->body, ref, in_steps, true, out);
    if (const auto* loop = std::get_if<WhileStmt>(&statement.node))
      collect(kernel, loop->body, ref, in_steps, true, out);
  }
}

// True if anything but a plain store accesses elements of the ref.
bool is_read_or_updated(const Kernel& kernel, int ref) {
  bool found = false;
  for_each_value(kernel.body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      const auto* read = node.as<RefRead>();
      found = found || (read && read->ref == ref);
    });
  });
  for_each_statement(kernel.body, [&](const KernelStmt& statement) {
    const auto* atomic = std::get_if<AtomicStmt>(&statement.node);
    found = found || (atomic && atomic->ref == ref);
  });
  return found;
}

// True if each step has a block of its own.
bool moves_with_all_steps(const Kernel& kernel, const tile::Box& block) {
  for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    if (!kernel.axes[axis].sequential) continue;
    bool moves = false;
    for (const tile::BoxDim& dim : block.dims) {
      walk(dim.first, [&](const Typed& node) {
        const auto* symbol = node.as<Symbol>();
        moves = moves || (symbol && symbol->kind == SymbolKind::axis && symbol->id == static_cast<int>(axis));
      });
    }
    if (!moves) return false;
  }
  return true;
}

bool has_steps(const Kernel& kernel) {
  return std::any_of(kernel.axes.begin(), kernel.axes.end(), [](const Axis& axis) { return axis.sequential; });
}

// True if any two parts that the store writes are equal or do not overlap: rows by their numbers, and constant ranges
// of the other dims.
bool is_of_rows(const StoreStmt& store) {
  return std::all_of(store.index.begin(), store.index.end(), [](const IndexItem& item) {
    const auto* range = std::get_if<IndexSlice>(&item);
    const auto* at = std::get_if<IndexInteger>(&item);
    return (range && range->step == 1 && constant_value(range->start)) || (at && at->value->dtype == DType::index);
  });
}

}  // namespace

bool is_written_in_parts(const Kernel& kernel, int ref) {
  const Ref& output = kernel.refs[static_cast<size_t>(ref)];
  const bool plain = output.role == RefRole::output && !is_view(output) && !output.alias_of && !output.reduce &&
                     !output.init && !is_packed(output.dtype) && kernel.checks.empty();
  if (!plain || is_read_or_updated(kernel, ref)) return false;
  Stores stores;
  collect(kernel, kernel.body, ref, has_steps(kernel), false, stores);
  const tile::Box block = box_of(kernel, ref);
  if (stores.in_steps && !moves_with_all_steps(kernel, block)) return false;
  for (const StoreStmt* store : stores.all) {
    const bool part = !store->whole && !store->mask && !store->op && store->order == MemoryOrder::weak &&
                      !store->index.empty() && std::holds_alternative<IndexSlice>(store->index.back());
    if (!part) return false;
    // The same thread must write an element each time.
    const std::optional<IndexMap> map = index_map(store->index, output.shape);
    const bool constant = map && tile::is_part(*map) && tile::has_part(block, *map);
    const bool rows = stores.all.size() == 1 && store->index.size() == output.shape.size() && is_of_rows(*store) &&
                      std::none_of(block.dims.begin(), block.dims.end(), [](const auto& dim) { return dim.limit; });
    if (!constant && !rows) return false;
    for (const StoreStmt* other : stores.all) {
      if (other == store) break;
      if (!tile::are_apart(*map, *index_map(other->index, output.shape))) return false;
    }
  }
  return !stores.all.empty();
}

namespace {

// How the body reads and writes a buffer of views.
struct BufferUses {
  int reads = 0, boxed_reads = 0;
  bool written_otherwise = false;
};

// True if ranges of that size in any two iterations of the loops around are equal or do not overlap, so that each
// element belongs to one thread.
bool keeps_to_grid(const Kernel& kernel, const IndexSlice& range) {
  if (!range.start) return true;
  bool turns = false;
  walk(range.start, [&](const Typed& node) {
    const auto* symbol = node.as<Symbol>();
    const bool steps =
        symbol && symbol->kind == SymbolKind::axis && kernel.axes[static_cast<size_t>(symbol->id)].sequential;
    turns = turns || steps || (symbol && symbol->kind == SymbolKind::loop) || node.as<LocalUse>();
  });
  return !turns || multiple_of(range.start, kernel.facts()) % range.size == 0;
}

bool is_slice(const Kernel& kernel, const std::vector<IndexItem>& index) {
  bool several = false;
  for (const IndexItem& item : index) {
    const auto* range = std::get_if<IndexSlice>(&item);
    const auto* at = std::get_if<IndexInteger>(&item);
    if (range ? range->step != 1 || range->size < 1 || !keeps_to_grid(kernel, *range)
              : !at || at->value->dtype != DType::index)
      return false;
    several = several || range;
  }
  return several;
}

}  // namespace

bool is_reached_by_boxes(const Kernel& kernel, int ref) {
  if (!kernel.checks.empty()) return false;
  BufferUses uses;
  const auto count_reads = [&](const TypedPtr& value, int& slices) {
    int all = 0;
    walk(value, [&](const Typed& node) {
      const auto* read = node.as<RefRead>();
      if (!read || !same_buffer(kernel, read->ref, ref)) return;
      ++all;
      const bool plain =
          !read->whole && !read->mask && read->order == MemoryOrder::weak && is_slice(kernel, read->index);
      slices += plain && is_view(kernel.refs[static_cast<size_t>(read->ref)]) ? 1 : 0;
    });
    return all;
  };
  for_each_value(kernel.body, [&](const TypedPtr& value) {
    int slices = 0;
    uses.reads += count_reads(value, slices);
  });
  for_each_statement(kernel.body, [&](const KernelStmt& statement) {
    if (const auto* bind = std::get_if<BindStmt>(&statement.node); bind && !short_circuits(bind->value))
      count_reads(bind->value, uses.boxed_reads);
    if (const auto* atomic = std::get_if<AtomicStmt>(&statement.node))
      uses.written_otherwise = uses.written_otherwise || same_buffer(kernel, atomic->ref, ref);
    const auto* store = std::get_if<StoreStmt>(&statement.node);
    if (!store || !same_buffer(kernel, store->ref, ref)) return;
    const bool plain = !store->whole && !store->mask && !store->op && store->order == MemoryOrder::weak &&
                       is_slice(kernel, store->index) && is_view(kernel.refs[static_cast<size_t>(store->ref)]) &&
                       !kernel.refs[static_cast<size_t>(store->ref)].reduce;
    uses.written_otherwise = uses.written_otherwise || !plain;
    if (plain && !short_circuits(store->value)) count_reads(store->value, uses.boxed_reads);
  });
  return !uses.written_otherwise && uses.reads == uses.boxed_reads;
}

}  // namespace pallasgen::schedule
