#include "slabs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "program_walk.h"

namespace pallasgen {

namespace {

// Registers of a thread that blocks may fill; the rest is for addresses and a function's temporaries. A slab takes
// less, so that several CTAs share an SM.
constexpr int64_t kMostRegisters = 96, kSlabRegisters = 48;

// Rows of one group: the first dim of the blocks that are stored; 0 when their first dims differ.
int64_t common_rows(const Kernel& kernel) {
  int64_t rows = -1;
  for (const Ref& ref : kernel.refs) {
    if (ref.role != RefRole::output && ref.role != RefRole::scratch) continue;
    const int64_t own = ref.shape.empty() ? 1 : ref.shape.front();
    if (rows >= 0 && rows != own) return 0;
    rows = own;
  }
  return std::max<int64_t>(rows, 0);
}

// The most registers that fragments take at one place of a body that reduces rows: from the statement that sets a
// fragment first to the last that reads it.
int64_t live_registers(const Draft& draft, const PlannedBody& body) {
  struct Life {
    int first, last;
  };
  std::map<int, Life> lives;
  int place = 0;
  const auto touch = [&](int fragment) {
    const auto [life, fresh] = lives.emplace(fragment, Life{place, place});
    if (!fresh) life->second.last = place;
  };
  const auto visit = [&](const program::Statement& statement) {
    ++place;
    if (const auto* node = std::get_if<program::Load>(&statement.node)) touch(node->fragment);
    if (const auto* node = std::get_if<program::LoadShared>(&statement.node)) touch(node->fragment);
    if (const auto* node = std::get_if<program::StoreGlobal>(&statement.node)) touch(node->fragment);
    if (const auto* node = std::get_if<program::ReduceFragment>(&statement.node)) {
      touch(node->source);
      touch(node->target);
    }
    const auto* node = std::get_if<program::Elementwise>(&statement.node);
    for (size_t i = 0; node && i < node->statements.size(); ++i, ++place) {
      for (const program::Binding& binding : node->statements[i].bindings) {
        if (binding.fragment >= 0) touch(binding.fragment);
      }
      touch(node->statements[i].target);
    }
  };
  for (const Section* section : {&body.before, &body.step, &body.after}) for_each_statement(in_order(*section), visit);
  // What lives from step to step is there all the time.
  for (const program::Statement& statement : body.before.declarations) {
    const auto* node = std::get_if<program::DeclareFragment>(&statement.node);
    if (node && lives.count(node->fragment) > 0) lives[node->fragment].last = place;
  }
  // An element of what a statement reads last gives its registers to the element that it sets.
  std::vector<int64_t> taken(static_cast<size_t>(place) + 1, 0);
  for (const auto& [fragment, life] : lives) {
    const FragmentPlan& plan = draft.plan.fragments[fragment];
    const int64_t registers = (registers_per_thread(plan.layout) * std::max(16, info(plan.dtype).bits) + 31) / 32;
    for (int at = life.first; at < life.last; ++at) taken[static_cast<size_t>(at)] += registers;
  }
  return *std::max_element(taken.begin(), taken.end());
}

}  // namespace

bool choose_slabs(Draft& draft, BlockFrame& frame) {
  Draft trial(draft.kernel, *draft.target, draft.diagnostics);
  std::optional<PlannedBody> whole = plan_body(trial, frame);
  if (!whole) return false;
  if (frame.rows) whole->registers = live_registers(trial, *whole);
  if (whole->registers <= kMostRegisters) {
    draft.decide("registers", fmt::format("{} of each thread hold blocks", whole->registers),
                 fmt::format("at most {} are planned", kMostRegisters));
    return true;
  }
  int64_t rows = frame.groups.value > 1 ? frame.part_rows.value : common_rows(*draft.kernel);
  // The first dim of a block that is one row is not its rows.
  if (frame.rows && frame.groups.value == 1 && rows != frame.rows->rows.value) rows = 0;
  const Span place =
      draft.kernel->refs.front().block_span.source ? draft.kernel->refs.front().block_span : draft.kernel->span;
  if (whole->persistent || rows <= 1) {
    draft
        .refuse(kPlanRegisters, place,
                fmt::format("the blocks of one step take {} registers of each of {} threads, at most {} are planned{}",
                            whole->registers, frame.threads.value, kMostRegisters,
                            whole->persistent ? ", and what lives from step to step cannot be done in parts" : ""))
        .note(
            fmt::format("blocks of a {}th of the size work", (whole->registers + kMostRegisters - 1) / kMostRegisters));
    return false;
  }
  const int64_t parts = (whole->registers + kSlabRegisters - 1) / kSlabRegisters;
  int64_t part_rows = 1;
  for (int64_t candidate = 1; candidate <= rows / std::min(parts, rows); ++candidate) {
    if (rows % candidate == 0) part_rows = candidate;
  }
  const Number before = frame.groups.value > 1 ? frame.part_rows : [&] {
    for (const Ref& ref : draft.kernel->refs) {
      if (ref.role != RefRole::output) continue;
      for (const BlockDim& dim : ref.block) {
        if (dim.kind != BlockKind::squeezed) return number_of(dim);
      }
    }
    return number(rows);
  }();
  frame.part_rows = draft.constant(constant_name::slab_rows, part_rows, constant_line::slab);
  frame.slabs = quotient(before, frame.part_rows);
  draft.decide("slabs", fmt::format("{} of {} rows, one after the other", frame.slabs.value, part_rows),
               fmt::format("whole blocks take {} registers of each thread", whole->registers));
  return true;
}

program::Statements in_slabs(const BlockFrame& frame, program::Statements statements) {
  if (frame.slabs.value == 1) return statements;
  program::Statements loop;
  loop.push_back({"", false, program::ForSlabs{"i", frame.slabs, false, std::move(statements)}});
  return loop;
}

}  // namespace pallasgen
