// Reductions across threads: by shuffles, or in one of two orders in shared memory.
#include "fragments/reduction_strategy.h"

#include <fmt/format.h>

#include <algorithm>

#include "plan/rules.h"
#include "plan/words.h"
#include "proofs/reductions.h"
#include "questions/blocks.h"

namespace pallasgen {

using program::ReduceStrategy;

namespace {

constexpr const char* kWords[] = {"shuffle", "neighbours", "halves"};

constexpr const char* kReasons[] = {
    "the values stay in registers within a warp",
    "their groups are no power of two, and all rows in halves are one order for any number of groups",
    "they add the columns in the order of one warpgroup",
};

std::string choice_of(ReduceStrategy strategy, int64_t threads, RowsOrder order) {
  switch (strategy) {
    case ReduceStrategy::neighbours:
      return "neighbouring pairs at growing distances, in shared memory";
    case ReduceStrategy::halves:
      return "the upper half onto the lower half, in shared memory";
    case ReduceStrategy::shuffle:
      break;
  }
  if (order == RowsOrder::of_all)
    return "the upper half of the rows onto the lower one, in shared memory, then shuffles in each warp";
  if (order == RowsOrder::of_warpgroups) return "one warpgroup after the other, by shared memory, then shuffles";
  return threads <= kWarp ? "shuffles" : "shuffles in each warp, then once across warps";
}

}  // namespace

std::string word_of(ReduceStrategy strategy) { return kWords[static_cast<int>(strategy)]; }

ReduceStrategy choose_strategy(Draft& draft, const std::string& name, int64_t threads, RowsOrder order) {
  const std::string& wanted = draft.kernel->schedule.reduction.word;
  const auto found = std::find(std::begin(kWords), std::end(kWords), wanted);
  const bool given = found != std::end(kWords);
  const auto strategy = static_cast<ReduceStrategy>(given ? found - std::begin(kWords) : 0);
  const Decision decision{
      name + " across threads", choice_of(strategy, threads, order),
      fmt::format("{} share a result; {}", counted(threads, "thread"),
                  given ? fmt::format("`reduction: {}`", wanted) : kReasons[static_cast<int>(order)])};
  // A loop that guards cut into several contains its reductions several times.
  const std::vector<Decision>& known = draft.plan.decisions;
  const bool is_new = std::none_of(known.begin(), known.end(), [&](const Decision& other) {
    return other.subject == decision.subject && other.choice == decision.choice && other.reason == decision.reason;
  });
  if (is_new) draft.decide(decision.subject, decision.choice, decision.reason);
  if (strategy != ReduceStrategy::shuffle) draft.plan.headers.insert("reduce_shared.cuh");
  return strategy;
}

bool check_strategy(Draft& draft) {
  const WordSetting& setting = draft.kernel->schedule.reduction;
  if (setting.word.empty() || setting.word == "auto") return true;
  bool used = false, reduces = false;
  for (const RolePlan& role : draft.plan.roles) {
    for_each_statement(role.program, [&](const program::Statement& statement) {
      const auto* rows = std::get_if<program::ReduceFragment>(&statement.node);
      used = used || (rows && rows->threads > 1) || std::holds_alternative<program::ReduceLanes>(statement.node) ||
             std::holds_alternative<program::ReduceTile>(statement.node);
    });
  }
  if (used) return true;
  for_each_value(draft.kernel->body, [&](const TypedPtr& value) {
    walk(value, [&](const Typed& node) {
      const Apply* apply = node.as<Apply>();
      reduces = reduces || (apply && operation(apply->op).group == OpGroup::reduce && !is_scan(apply->op));
    });
  });
  draft
      .refuse(kPlanSetting, setting.span,
              fmt::format(
                  "`reduction: {}` says how threads put together a result that they share, but {}", setting.word,
                  reduces ? "each result of this kernel's reductions is one thread's" : "this kernel reduces nothing"))
      .note("`reduction: auto` works");
  return false;
}

}  // namespace pallasgen
