#include "findings/view_races.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "check/orders.h"
#include "findings/from_data.h"

namespace pallasgen {

namespace {

constexpr size_t kMostTouches = 512;

// A store to a ref or a load from it, with the conditions under which it runs; those with `negated` (the second member)
// must be false. Blocks are read and written back whole.
struct Site {
  int ref = -1;
  Span span = {};
  bool writes = false;
  bool whole = false;
  std::vector<IndexItem> index = {};
  bool masked = false;
  std::vector<std::pair<TypedPtr, bool>> conditions = {};
};

// Collects the loads that happen whenever the value is computed, so without those in an arm of a choice.
void collect_loads(const TypedPtr& value, int ref, const Site& around, std::vector<Site>& out) {
  if (const Apply* apply = value->as<Apply>()) {
    const bool chooses = apply->op == Op::where || apply->op == Op::logical_and || apply->op == Op::logical_or;
    for (size_t i = 0; i < (chooses ? 1 : apply->args.size()); ++i) collect_loads(apply->args[i], ref, around, out);
  } else if (const CallFunction* call = value->as<CallFunction>()) {
    for (const TypedPtr& arg : call->args) collect_loads(arg, ref, around, out);
  } else if (const RefRead* read = value->as<RefRead>(); read && read->ref == ref) {
    out.push_back({ref, value->span, false, read->whole, read->index, read->mask != nullptr, around.conditions});
  }
}

void collect_sites(const KernelStmts& stmts, int ref, const Site& around, std::vector<Site>& out) {
  for (const KernelStmt& stmt : stmts) {
    if (const auto* bind = std::get_if<BindStmt>(&stmt.node)) collect_loads(bind->value, ref, around, out);
    if (const auto* store = std::get_if<StoreStmt>(&stmt.node)) {
      if (!store->mask) collect_loads(store->value, ref, around, out);
      if (store->ref == ref)
        out.push_back({ref, stmt.span, true, store->whole, store->index, store->mask != nullptr, around.conditions});
    }
    if (const auto* when = std::get_if<WhenStmt>(&stmt.node)) {
      Site then = around, otherwise = around;
      then.conditions.emplace_back(when->condition, false);
      otherwise.conditions.emplace_back(when->condition, true);
      collect_sites(when->then, ref, then, out);
      collect_sites(when->otherwise, ref, otherwise, out);
    }
    if (const auto* loop = std::get_if<ForStmt>(&stmt.node)) collect_sites(loop->body, ref, around, out);
    if (const auto* loop = std::get_if<WhileStmt>(&stmt.node)) collect_sites(loop->body, ref, around, out);
    if (const auto* scope = std::get_if<ScopeStmt>(&stmt.node)) collect_sites(scope->body, ref, around, out);
  }
}

// True if data decide which elements of a view are accessed.
bool data_decide(const FromData& data, const Site& site) {
  const auto from_data = [&](const IndexItem& item) {
    if (const auto* gather = std::get_if<IndexGather>(&item)) return data.decide(gather->indices);
    if (const auto* integer = std::get_if<IndexInteger>(&item)) return data.decide(integer->value);
    if (const auto* slice = std::get_if<IndexSlice>(&item)) return data.decide(slice->start);
    return false;
  };
  return std::any_of(site.index.begin(), site.index.end(), from_data);
}

// The part of the block at a grid point that is inside the array.
std::optional<BlockRange> inside_at(const Kernel& kernel, const Ref& ref, const GridPoint& point) {
  std::optional<BlockRange> range = block_at(kernel, ref, point);
  for (size_t dim = 0; range && dim < range->size(); ++dim) {
    const std::optional<int64_t> extent = value_at(kernel, ref.array_shape[dim], point);
    if (extent) (*range)[dim].end = std::min((*range)[dim].end, *extent);
  }
  return range;
}

// The accessed part of the array at a grid point; none if it is not decided, or if nothing is accessed.
std::optional<BlockRange> range_at(const Kernel& kernel, const Site& site, const GridPoint& point) {
  const Ref& ref = kernel.refs[site.ref];
  // A block is written back even if no store changed it.
  if (site.writes && !is_view(ref)) return inside_at(kernel, ref, point);
  for (const auto& [condition, negated] : site.conditions) {
    const std::optional<int64_t> value = value_at(kernel, condition, point);
    if (!value || (*value != 0) == negated) return std::nullopt;
  }
  if (!is_view(ref)) return inside_at(kernel, ref, point);
  if (site.masked) return std::nullopt;
  if (site.whole) return inside_at(kernel, ref, point);
  BlockRange out;
  size_t at = 0;
  for (const BlockDim& dim : ref.block) {
    const std::optional<int64_t> index = dim.kind == BlockKind::whole ? 0 : value_at(kernel, dim.index, point);
    if (!index) return std::nullopt;
    const bool scaled = dim.kind == BlockKind::blocked;
    const int64_t first = scaled ? *index * dim.size : dim.kind == BlockKind::element ? *index - dim.low : *index;
    if (dim.kind == BlockKind::squeezed) {
      out.push_back({first, first + 1});
      continue;
    }
    while (at < site.index.size() && std::holds_alternative<IndexNewAxis>(site.index[at])) ++at;
    if (at >= site.index.size()) return std::nullopt;
    const IndexItem& item = site.index[at++];
    const auto* integer = std::get_if<IndexInteger>(&item);
    const auto* slice = std::get_if<IndexSlice>(&item);
    if ((!integer && !slice) || (slice && (slice->size < 0 || slice->step != 1))) return std::nullopt;
    const std::optional<int64_t> start = value_at(kernel, integer ? integer->value : slice->start, point);
    if (!start) return std::nullopt;
    out.push_back({first + *start, first + *start + (slice ? slice->size : 1)});
  }
  return out;
}

}  // namespace

bool orders_accesses(const Kernel& kernel) {
  bool found = false;
  for_each_statement(kernel.body, [&](const KernelStmt& stmt) {
    const auto* store = std::get_if<StoreStmt>(&stmt.node);
    found = found || std::holds_alternative<GridSyncStmt>(stmt.node) || (store && store->order != MemoryOrder::weak);
  });
  for_each_value(kernel.body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      const auto* read = node.as<RefRead>();
      const auto* symbol = node.as<Symbol>();
      found = found || (read && read->order != MemoryOrder::weak) || (symbol && symbol->kind == SymbolKind::ticket);
    });
  });
  return found;
}

void check_shared_races(Context& context, const std::vector<int>& buffer, const GridSample& sample) {
  const Kernel& kernel = context.kernel;
  std::vector<Site> sites;
  for (int ref : buffer) collect_sites(kernel.body, ref, {}, sites);
  const bool written = std::any_of(sites.begin(), sites.end(), [](const Site& site) { return site.writes; });
  if (!written || orders_accesses(kernel)) return;
  struct Touch {
    GridPoint point;
    BlockRange range;
    const Site* site;
  };
  std::vector<Touch> touches;
  for_each_point(sample, [&](const GridPoint& point) {
    if (exists(kernel, point) != true) return true;
    for (const Site& site : sites) {
      if (const std::optional<BlockRange> range = range_at(kernel, site, point))
        touches.push_back({point, *range, &site});
    }
    return touches.size() < kMostTouches;
  });
  for (size_t i = 0; i < touches.size(); ++i) {
    for (size_t j = i + 1; j < touches.size(); ++j) {
      const Touch &a = touches[i], &b = touches[j];
      if (same_program(kernel, a.point, b.point) || !overlap(a.range, b.range)) continue;
      if (!a.site->writes && !b.site->writes) continue;
      const auto text = [&](const Touch& touch) {
        return fmt::format("{} {} {}", program_text(kernel, touch.point), touch.site->writes ? "writes" : "reads",
                           block_text(kernel.refs[touch.site->ref], touch.range));
      };
      Diagnostic& error =
          context.diagnostics.error(kWriteRace, b.site->span, fmt::format("{} and {}", text(a), text(b)));
      error.note(a.site->writes && b.site->writes
                     ? "elements that several programs write are combined by atomics, or each program has its own"
                     : "what other programs write is read behind `grid_sync()`, or in the order of tickets");
      if (a.site->ref != b.site->ref) error.note("both are one buffer: take the alias away");
      return;
    }
  }
  int64_t parallel = 0;
  for (const Axis& axis : kernel.axes) parallel += !axis.sequential && constant_value(axis.size) != 1;
  const FromData data(kernel.body);
  for (const Site& site : sites) {
    const bool by_alias = std::any_of(buffer.begin(), buffer.end(), [&](int ref) { return ref != site.ref; });
    if (parallel == 0 || !data_decide(data, site) || !(site.writes || by_alias)) continue;
    const std::string& name = kernel.refs[site.ref].name;
    Diagnostic& doubt = context.diagnostics.warning(
        kRaceDoubt, site.span,
        site.writes
            ? fmt::format("data decide which elements of '{}' a program writes: two programs may write one", name)
            : fmt::format("data decide which elements of '{}' a program reads: another may write them by its alias",
                          name));
    doubt.note(site.writes ? "if none does, nothing is wrong; else atomics make every write take effect"
                           : "if none does, nothing is wrong; else take the alias away");
    return;
  }
}

}  // namespace pallasgen
