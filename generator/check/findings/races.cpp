#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "check/aliases.h"
#include "findings/affine_blocks.h"
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

using Points = std::optional<std::vector<GridPoint>>;

// The points of the sampled grid at which there is a program; none if that is not decided.
Points existing_points(const Kernel& kernel, const GridSample& sample) {
  std::vector<GridPoint> out;
  bool decided = true;
  for_each_point(sample, [&](const GridPoint& point) {
    const std::optional<bool> there = exists(kernel, point);
    decided = there.has_value();
    if (there == true) out.push_back(point);
    return decided;
  });
  return decided ? Points(std::move(out)) : std::nullopt;
}

// The blocks of a ref at these points; none if one of them is not decided.
std::optional<std::vector<Touch>> touches(const Kernel& kernel, const Ref& ref, const Points& points) {
  if (!points) return std::nullopt;
  std::vector<Touch> out;
  out.reserve(points->size());
  for (const GridPoint& point : *points) {
    std::optional<BlockRange> range = block_at(kernel, ref, point);
    if (!range) return std::nullopt;
    out.push_back({point, std::move(*range)});
  }
  return out;
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
  std::vector<int64_t> before;
  for (const Touch& touch : blocks) {
    if (previous && !same_program(kernel, previous->point, touch.point)) {
      seen.clear();
      previous = nullptr;
    }
    std::vector<int64_t> key = begins(touch.range);
    const bool moved = !previous || before != key;
    const auto [found, added] = seen.try_emplace(key, &touch);
    if (moved && !added) {
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
    found->second = &touch;
    previous = &touch;
    before = std::move(key);
  }
}

// Reports a buffer that one program reads through an input while another writes it through an output.
void check_alias(Context& context, const Ref& output, const Ref& input, const Points& points,
                 const std::vector<Touch>& writes) {
  const Kernel& kernel = context.kernel;
  if (starts_as_input(kernel, output)) return;
  const std::optional<std::vector<Touch>> reads = touches(kernel, input, points);
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

// True if the block is another one at other points of the grid.
bool moves(const Kernel& kernel, const Ref& ref) {
  for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    if (depends_on_axis(kernel, ref, static_cast<int>(axis))) return true;
  }
  return false;
}

}  // namespace

void check_races(Context& context, bool whole) {
  const Kernel& kernel = context.kernel;
  const std::optional<GridSample> sample = sample_grid(kernel, kMostPoints);
  if (!sample) return;
  std::optional<Points> points;
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
    // All programs combine one block in memory.
    if (ref.reduce && !ref.alias_of && !moves(kernel, ref)) continue;
    if (!points) points = existing_points(kernel, *sample);
    const std::optional<std::vector<Touch>> blocks = touches(kernel, ref, *points);
    if (!ref.reduce) check_writes(context, ref, blocks ? &*blocks : nullptr);
    if (context.diagnostics.errors() != errors || !blocks) continue;
    check_revisits(context, ref, *blocks);
    if (ref.alias_of && !shared) check_alias(context, ref, kernel.refs[*ref.alias_of], *points, *blocks);
  }
}

}  // namespace pallasgen
