#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "check/orders.h"
#include "context.h"
#include "programs.h"

namespace pallasgen {

namespace {

constexpr size_t kMostTouches = 512;

// A store into a view, with the conditions under which it runs; `negated` says which of them must be false.
struct Site {
  const KernelStmt* stmt;
  std::vector<std::pair<TypedPtr, bool>> conditions;
};

void collect_sites(const KernelStmts& stmts, int ref, Site around, std::vector<Site>& out) {
  for (const KernelStmt& stmt : stmts) {
    if (const auto* store = std::get_if<StoreStmt>(&stmt.node); store && store->ref == ref) {
      Site site = around;
      site.stmt = &stmt;
      out.push_back(std::move(site));
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

bool reads_data(const TypedPtr& value) {
  bool found = false;
  walk(value, [&](const Typed& node) { found = found || node.as<RefRead>() || node.as<LocalUse>(); });
  return found;
}

// Where data decide which elements are written, or whether any are.
bool data_decide(const Site& site) {
  const StoreStmt& store = std::get<StoreStmt>(site.stmt->node);
  const auto from_data = [](const IndexItem& item) {
    if (const auto* gather = std::get_if<IndexGather>(&item)) return reads_data(gather->indices);
    if (const auto* integer = std::get_if<IndexInteger>(&item)) return reads_data(integer->value);
    if (const auto* slice = std::get_if<IndexSlice>(&item)) return reads_data(slice->start);
    return false;
  };
  return std::any_of(store.index.begin(), store.index.end(), from_data);
}

// What the store writes at a grid point, in the array's coordinates; none where that is not decided, or nothing is.
std::optional<BlockRange> range_at(const Kernel& kernel, const Ref& ref, const Site& site, const GridPoint& point) {
  for (const auto& [condition, negated] : site.conditions) {
    const std::optional<int64_t> value = value_at(kernel, condition, point);
    if (!value || (*value != 0) == negated) return std::nullopt;
  }
  const StoreStmt& store = std::get<StoreStmt>(site.stmt->node);
  if (store.mask) return std::nullopt;
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
    while (at < store.index.size() && std::holds_alternative<IndexNewAxis>(store.index[at])) ++at;
    if (at >= store.index.size()) return std::nullopt;
    const IndexItem& item = store.index[at++];
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

void check_view_races(Context& context, int id, const GridSample& sample) {
  const Kernel& kernel = context.kernel;
  const Ref& ref = kernel.refs[id];
  std::vector<Site> sites;
  collect_sites(kernel.body, id, {nullptr, {}}, sites);
  if (sites.empty() || orders_accesses(kernel)) return;
  struct Touch {
    GridPoint point;
    BlockRange range;
    const Site* site;
  };
  std::vector<Touch> touches;
  for_each_point(sample, [&](const GridPoint& point) {
    if (exists(kernel, point) != true) return true;
    for (const Site& site : sites) {
      if (const std::optional<BlockRange> range = range_at(kernel, ref, site, point))
        touches.push_back({point, *range, &site});
    }
    return touches.size() < kMostTouches;
  });
  for (size_t i = 0; i < touches.size(); ++i) {
    for (size_t j = i + 1; j < touches.size(); ++j) {
      const Touch &a = touches[i], &b = touches[j];
      if (same_program(kernel, a.point, b.point) || !overlap(a.range, b.range)) continue;
      context.diagnostics
          .error(kWriteRace, b.site->stmt->span,
                 fmt::format("{} writes {} and {} writes {}", program_text(kernel, a.point), block_text(ref, a.range),
                             program_text(kernel, b.point), block_text(ref, b.range)))
          .note("elements that several programs write are combined by atomics, or each program has its own");
      return;
    }
  }
  int64_t parallel = 0;
  for (const Axis& axis : kernel.axes) parallel += !axis.sequential && constant_value(axis.size) != 1;
  for (const Site& site : sites) {
    if (parallel == 0 || !data_decide(site)) continue;
    context.diagnostics
        .warning(
            kRaceDoubt, site.stmt->span,
            fmt::format("data decide which elements of '{}' a program writes: two programs may write one", ref.name))
        .note("if none does, nothing is wrong; else atomics make every write take effect");
    return;
  }
}

}  // namespace pallasgen
