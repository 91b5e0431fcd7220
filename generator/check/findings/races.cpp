#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "check/aliases.h"
#include "findings/findings.h"
#include "findings/view_races.h"
#include "kernel/programs.h"

namespace pallasgen {

namespace {

constexpr int64_t kMostPoints = 8192;
constexpr size_t kMostPairs = 512;  // most blocks that are compared pairwise

bool moves_freely(const Ref& ref) {
  return std::any_of(ref.block.begin(), ref.block.end(), [](const BlockDim& dim) {
    return dim.kind == BlockKind::element || dim.kind == BlockKind::bounded_slice;
  });
}

struct Touch {
  GridPoint point;
  BlockRange range;
};
struct Pair {
  Touch first, second;
};

std::vector<int64_t> begins(const BlockRange& range) {
  std::vector<int64_t> out;
  for (const Extent& extent : range) out.push_back(extent.begin);
  return out;
}

// The blocks of a ref in the sampled grid; none if one of them is not decided.
std::optional<std::vector<Touch>> touches(const Kernel& kernel, const Ref& ref, const GridSample& sample) {
  std::vector<Touch> out;
  bool decided = true;
  for_each_point(sample, [&](const GridPoint& point) {
    const std::optional<bool> there = exists(kernel, point);
    if (there == false) return true;
    const std::optional<BlockRange> range = block_at(kernel, ref, point);
    decided = there && range;
    if (decided) out.push_back({point, *range});
    return decided;
  });
  return decided ? std::optional<std::vector<Touch>>(std::move(out)) : std::nullopt;
}

// Overlapping blocks of `a` and `b` in two programs.
std::optional<Pair> find_overlap(const Kernel& kernel, const std::vector<Touch>& a, const std::vector<Touch>& b,
                                 bool aligned) {
  if (aligned) {  // blocks of one size on one raster overlap if they are equal
    std::map<std::vector<int64_t>, std::vector<const Touch*>> seen;
    for (const Touch& touch : a) {
      std::vector<const Touch*>& list = seen[begins(touch.range)];
      const bool known = std::any_of(list.begin(), list.end(), [&](const Touch* other) {
        return same_program(kernel, other->point, touch.point);
      });
      if (!known && list.size() < 2) list.push_back(&touch);
    }
    for (const Touch& touch : b) {
      const auto found = seen.find(begins(touch.range));
      if (found == seen.end()) continue;
      for (const Touch* other : found->second) {
        if (!same_program(kernel, other->point, touch.point)) return Pair{*other, touch};
      }
    }
    return std::nullopt;
  }
  for (size_t i = 0; i < std::min(a.size(), kMostPairs); ++i) {
    for (size_t j = 0; j < std::min(b.size(), kMostPairs); ++j) {
      if (!same_program(kernel, a[i].point, b[j].point) && overlap(a[i].range, b[j].range)) return Pair{a[i], b[j]};
    }
  }
  return std::nullopt;
}

// True if the index depends on elements of an array of scalars, directly or through lets.
bool data_decide(const Kernel& kernel, const TypedPtr& index) {
  bool found = false;
  walk(index, [&](const Typed& node) {
    const Symbol* symbol = node.as<Symbol>();
    found = found || node.applies(Op::element) || node.applies(Op::searchsorted) ||
            (symbol && symbol->kind == SymbolKind::let && data_decide(kernel, kernel.lets[symbol->id].value));
  });
  return found;
}

// Coefficients of the axes in each entry of the index map, with `without_data` except in entries that depend on data;
// none if an entry is not affine. Terms that do not depend on the grid point are equal for both programs.
std::optional<std::vector<std::vector<int64_t>>> axis_coefficients(const Kernel& kernel, const Ref& ref,
                                                                   bool without_data = false) {
  std::vector<std::vector<int64_t>> rows;
  for (const BlockDim& dim : ref.block) {
    if (without_data && data_decide(kernel, dim.index)) continue;
    const std::optional<Affine> form = affine(dim.index);
    if (!form || dim.kind == BlockKind::element || dim.kind == BlockKind::bounded_slice) return std::nullopt;
    std::vector<int64_t> row(kernel.axes.size());
    for (const Affine::Term& term : form->terms) {
      if (term.symbol.kind == SymbolKind::let) return std::nullopt;
      // The number of steps may differ between programs.
      if (term.symbol.kind == SymbolKind::axis_size && kernel.axes[term.symbol.id].sequential) return std::nullopt;
      if (term.symbol.kind == SymbolKind::axis) row[term.symbol.id] = term.coefficient;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// Integer vectors with coprime entries that all rows map to 0, one per free column.
std::vector<std::vector<int64_t>> null_space(std::vector<std::vector<int64_t>> rows, size_t columns) {
  std::vector<int> pivot_of(columns, -1);
  size_t rank = 0;
  for (size_t column = 0; column < columns && rank < rows.size(); ++column) {
    size_t pivot = rank;
    while (pivot < rows.size() && rows[pivot][column] == 0) ++pivot;
    if (pivot == rows.size()) continue;
    std::swap(rows[rank], rows[pivot]);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (i == rank || rows[i][column] == 0) continue;
      const int64_t a = rows[rank][column], b = rows[i][column];
      int64_t divisor = 0;
      for (size_t j = 0; j < columns; ++j) {
        int64_t x = 0, y = 0;
        if (__builtin_mul_overflow(rows[i][j], a, &x) || __builtin_mul_overflow(rows[rank][j], b, &y) ||
            __builtin_sub_overflow(x, y, &rows[i][j]))
          return {};
        divisor = std::gcd(divisor, rows[i][j]);
      }
      if (divisor > 1) {
        for (int64_t& entry : rows[i]) entry /= divisor;
      }
    }
    pivot_of[column] = static_cast<int>(rank++);
  }
  std::vector<std::vector<int64_t>> out;
  for (size_t free = 0; free < columns; ++free) {
    if (pivot_of[free] >= 0) continue;
    int64_t common = 1;
    for (size_t column = 0; column < columns; ++column) {
      if (pivot_of[column] < 0) continue;
      const int64_t pivot = rows[pivot_of[column]][column];
      if (rows[pivot_of[column]][free] != 0) common = std::lcm(common, pivot);
    }
    std::vector<int64_t> vector(columns);
    vector[free] = common;
    int64_t divisor = common;
    for (size_t column = 0; column < columns; ++column) {
      if (pivot_of[column] < 0) continue;
      const std::vector<int64_t>& row = rows[pivot_of[column]];
      vector[column] = -row[free] * (common / row[column]);
      if (row[free] == 0) vector[column] = 0;
      divisor = std::gcd(divisor, vector[column]);
    }
    for (int64_t& entry : vector) entry /= divisor;
    out.push_back(std::move(vector));
  }
  return out;
}

// Grid points of two programs that have the same block by the affine index map; both are inside the largest grid.
std::optional<std::pair<GridPoint, GridPoint>> affine_race(const Kernel& kernel, const Ref& ref,
                                                           bool without_data = false) {
  const std::optional<std::vector<std::vector<int64_t>>> rows = axis_coefficients(kernel, ref, without_data);
  if (!rows || kernel.skip) return std::nullopt;
  const SymbolFacts facts = kernel.facts();
  for (const std::vector<int64_t>& difference : null_space(*rows, kernel.axes.size())) {
    GridPoint a(difference.size()), b(difference.size());
    bool inside = true, parallel = false;
    for (size_t axis = 0; axis < difference.size(); ++axis) {
      a[axis] = std::max<int64_t>(0, -difference[axis]);
      b[axis] = std::max<int64_t>(0, difference[axis]);
      const Bounds size = bounds(kernel.axes[axis].size, facts);
      inside = inside && (!size.maximum || std::max(a[axis], b[axis]) < *size.maximum);
      parallel = parallel || (!kernel.axes[axis].sequential && difference[axis] != 0);
    }
    if (inside && parallel) return std::pair{a, b};
  }
  return std::nullopt;
}

void report_race(Context& context, const Ref& ref, const GridPoint& a, const GridPoint& b, const std::string& what) {
  const Kernel& kernel = context.kernel;
  std::string first = program_text(kernel, a), second = program_text(kernel, b);
  if (first.starts_with("program ")) first = first.substr(8);
  if (second.starts_with("program ")) second = second.substr(8);
  Diagnostic& out = context.diagnostics.error(kWriteRace, ref.index_map_span,
                                              fmt::format("programs {} and {} both write {}", first, second, what));
  std::vector<std::string> missing;
  for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    if (!kernel.axes[axis].sequential && !depends_on_axis(kernel, ref, static_cast<int>(axis)))
      missing.push_back(kernel.axes[axis].name);
  }
  if (!missing.empty()) {
    out.note(fmt::format("the index map of '{}' does not mention the parallel {} {}", ref.name,
                         missing.size() == 1 ? "axis" : "axes", fmt::join(missing, " and ")));
    out.note(kernel.find_ref(ref.name)->span,
             fmt::format("make {} sequential, or combine the blocks in memory: init and reduce: add",
                         missing.size() == 1 ? "the axis" : "the axes"));
  } else {
    out.note("each program must have a block of its own, or combine them in memory: init and reduce: add");
  }
}

bool written(const KernelStmts& stmts, int ref) {
  bool found = false;
  for_each_statement(stmts, [&](const KernelStmt& stmt) {
    const auto* store = std::get_if<StoreStmt>(&stmt.node);
    found = found || (store && store->ref == ref);
  });
  return found;
}

void check_writes(Context& context, const Ref& ref, const std::vector<Touch>* blocks) {
  const Kernel& kernel = context.kernel;
  if (blocks) {
    if (const std::optional<Pair> pair = find_overlap(kernel, *blocks, *blocks, !moves_freely(ref))) {
      const auto [first, second] = std::minmax(pair->first.point, pair->second.point);
      report_race(context, ref, first, second, block_text(ref, pair->second.range));
      return;
    }
  }
  if (const auto points = affine_race(kernel, ref)) {
    const std::optional<BlockRange> range = block_at(kernel, ref, points->first);
    report_race(context, ref, points->first, points->second,
                range ? block_text(ref, *range) : fmt::format("one block of '{}'", ref.name));
  } else if (!blocks && affine_race(kernel, ref, /*without_data=*/true)) {
    context.diagnostics
        .warning(kRaceDoubt, ref.index_map_span,
                 fmt::format("data decide which block of '{}' a program writes: two programs may write one", ref.name))
        .note("if none does, nothing is wrong; else `init` and `reduce: add` combine the blocks in memory");
  }
}

// Reports a program that comes back to a block after it moved to another.
void check_revisits(Context& context, const Ref& ref, const std::vector<Touch>& blocks) {
  const Kernel& kernel = context.kernel;
  std::map<std::vector<int64_t>, const Touch*> seen;
  const Touch* previous = nullptr;
  for (const Touch& touch : blocks) {
    if (previous && !same_program(kernel, previous->point, touch.point)) {
      seen.clear();
      previous = nullptr;
    }
    const std::vector<int64_t> key = begins(touch.range);
    const bool moved = !previous || begins(previous->range) != key;
    const auto found = seen.find(key);
    if (moved && found != seen.end()) {
      context.diagnostics
          .error(kRevisitedOutput, ref.index_map_span,
                 fmt::format("{} leaves {} after {} and comes back to it at {}", program_text(kernel, touch.point),
                             block_text(ref, touch.range), step_text(kernel, found->second->point),
                             step_text(kernel, touch.point)))
          .note(
              "an output block is written back once, after the last of consecutive steps that have it: let the axes "
              "that it does not depend on come last");
      return;
    }
    seen[key] = &touch;
    previous = &touch;
  }
}

// Reports a buffer that one program reads through an input while another writes it through an output.
void check_alias(Context& context, const Ref& output, const Ref& input, const GridSample& sample,
                 const std::vector<Touch>& writes) {
  const Kernel& kernel = context.kernel;
  if (starts_as_input(kernel, output)) return;
  const std::optional<std::vector<Touch>> reads = touches(kernel, input, sample);
  if (!reads) return;
  if (const std::optional<Pair> pair = find_overlap(kernel, writes, *reads, false)) {
    context.diagnostics
        .error(kWriteRace, input.index_map_span,
               fmt::format("{} reads {} while {} writes {}, and both are one buffer",
                           program_text(kernel, pair->second.point), block_text(input, pair->second.range),
                           program_text(kernel, pair->first.point), block_text(output, pair->first.range)))
        .note(output.span, fmt::format("give '{}' and '{}' the same block and index map, or take the alias away",
                                       output.name, input.name));
    return;
  }
  for (size_t i = 0; i < std::min(writes.size(), kMostPairs); ++i) {
    for (size_t j = 0; j < std::min(reads->size(), kMostPairs); ++j) {
      const Touch &write = writes[i], &read = (*reads)[j];
      if (!same_program(kernel, write.point, read.point) || !(write.point < read.point) ||
          !overlap(write.range, read.range))
        continue;
      context.diagnostics
          .error(
              kAlias, input.index_map_span,
              fmt::format("{} writes {} at {} and reads it through '{}' at {}, when it may have been copied in already",
                          program_text(kernel, write.point), block_text(output, write.range),
                          step_text(kernel, write.point), input.name, step_text(kernel, read.point)))
          .note(output.span,
                fmt::format("give '{}' and '{}' the same block and index map, or read '{}' in place of '{}'",
                            output.name, input.name, output.name, input.name));
      return;
    }
  }
}

// The statement without those inside it.
KernelStmts without_bodies(KernelStmt stmt) {
  if (auto* when = std::get_if<WhenStmt>(&stmt.node)) when->then.clear(), when->otherwise.clear();
  if (auto* loop = std::get_if<ForStmt>(&stmt.node)) loop->body.clear();
  if (auto* loop = std::get_if<WhileStmt>(&stmt.node)) loop->body.clear();
  if (auto* scope = std::get_if<ScopeStmt>(&stmt.node)) scope->body.clear();
  return {std::move(stmt)};
}

// Reports an input whose block, a copy for the body, may be read after stores to an output in global memory, which
// shares the buffer, have changed it.
void check_block_of_view(Context& context, const Ref& output, int id) {
  const Kernel& kernel = context.kernel;
  const Ref& input = kernel.refs[*output.alias_of];
  if (is_view(input)) return;
  bool stored = false, again = kernel.sequential_axes() > 0, late = false, read_before = false;
  for_each_statement(kernel.body, [&](const KernelStmt& stmt) {
    again = again || std::holds_alternative<ForStmt>(stmt.node) || std::holds_alternative<WhileStmt>(stmt.node);
    for_each_value(without_bodies(stmt), [&](const TypedPtr& value) {
      walk(value, [&](const Typed& node) {
        const RefRead* read = node.as<RefRead>();
        if (!read || read->ref != *output.alias_of) return;
        read_before = true;
        late = late || stored;
      });
    });
    const auto* store = std::get_if<StoreStmt>(&stmt.node);
    const auto* atomic = std::get_if<AtomicStmt>(&stmt.node);
    stored = stored || (store && store->ref == id) || (atomic && atomic->ref == id);
  });
  if (!late && !(again && stored && read_before)) return;
  context.diagnostics
      .error(kAlias, input.span,
             fmt::format("the block of '{}' may be read after a store to '{}', the same buffer in global memory, has "
                         "changed it",
                         input.name, output.name))
      .note(output.span,
            fmt::format("give '{}' the block and index map of '{}', give '{}' `space: gmem` too, or read it "
                        "before the first store",
                        output.name, input.name, input.name));
}

// True if the index map alone proves that programs have blocks of their own and never come back to one: each entry
// moves with one axis, and the axes that no entry moves with are the innermost steps.
bool has_own_blocks(const Kernel& kernel, const Ref& ref) {
  if (ref.alias_of) return false;
  const std::optional<std::vector<std::vector<int64_t>>> rows = axis_coefficients(kernel, ref);
  if (!rows) return false;
  std::vector<bool> moves(kernel.axes.size());
  for (const std::vector<int64_t>& row : *rows) {
    if (std::count_if(row.begin(), row.end(), [](int64_t entry) { return entry != 0; }) > 1) return false;
    for (size_t axis = 0; axis < row.size(); ++axis) moves[axis] = moves[axis] || row[axis] != 0;
  }
  const auto innermost = std::find(moves.rbegin(), moves.rend(), true).base() - moves.begin();
  for (size_t axis = 0; axis < moves.size(); ++axis) {
    const bool stays = kernel.axes[axis].sequential && static_cast<std::ptrdiff_t>(axis) >= innermost;
    if (!moves[axis] && !stays) return false;
  }
  return true;
}

}  // namespace

void check_races(Context& context, bool whole) {
  const Kernel& kernel = context.kernel;
  const std::optional<GridSample> sample = sample_grid(kernel, kMostPoints);
  if (!sample) return;
  for (size_t i = 0; i < kernel.refs.size(); ++i) {
    const Ref& ref = kernel.refs[i];
    std::vector<int> buffer{static_cast<int>(i)};
    if (ref.alias_of) buffer.push_back(*ref.alias_of);
    const bool shared = std::any_of(buffer.begin(), buffer.end(), [&](int id) { return is_view(kernel.refs[id]); });
    if (shared && !whole) continue;
    const int errors = context.diagnostics.errors();
    if (shared) check_shared_races(context, buffer, *sample);
    if (ref.alias_of && is_view(ref)) check_block_of_view(context, ref, static_cast<int>(i));
    if (context.diagnostics.errors() != errors) continue;
    if (is_view(ref) || ref.role != RefRole::output || !written(kernel.body, static_cast<int>(i)) ||
        has_own_blocks(kernel, ref))
      continue;
    const std::optional<std::vector<Touch>> blocks = touches(kernel, ref, *sample);
    if (!ref.reduce) check_writes(context, ref, blocks ? &*blocks : nullptr);
    if (context.diagnostics.errors() != errors || !blocks) continue;
    check_revisits(context, ref, *blocks);
    if (ref.alias_of && !shared) check_alias(context, ref, kernel.refs[*ref.alias_of], *sample, *blocks);
  }
}

}  // namespace pallasgen
