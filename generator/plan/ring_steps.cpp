#include "ring_steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "program_walk.h"

namespace pallasgen {

using namespace program;

namespace {

bool reads_a_ring(const Statement& statement) {
  bool found = false;
  for_each_statement({statement}, [&](const Statement& inner) {
    for_each_binding(inner, [&](const Binding& binding) { found = found || binding.ring >= 0; });
  });
  return found;
}

void insert(Statements& list, size_t place, Statements added) {
  list.insert(list.begin() + static_cast<ptrdiff_t>(place), std::make_move_iterator(added.begin()),
              std::make_move_iterator(added.end()));
}

// Whether TMA or bulk copies fill the stages of one of the rings again.
bool filled_by_async_proxy(const Plan& plan, const std::vector<int>& rings) {
  return std::any_of(rings.begin(), rings.end(), [&](int index) { return plan.rings[index].filled_by != Hands::all; });
}

// The loop over the axis, with the rings that advance with it, null: none.
ForSteps* loop_over(Statements& statements, int axis) {
  for (Statement& statement : statements) {
    auto* loop = std::get_if<ForSteps>(&statement.node);
    if (!loop) continue;
    return loop->axis == axis ? loop : loop_over(loop->body, axis);
  }
  return nullptr;
}

}  // namespace

RingSteps ring_steps(const Draft& draft, const std::vector<int>& rings, Statement together) {
  const Kernel& kernel = *draft.kernel;
  const std::vector<int>& axes = draft.plan.rings[rings.front()].moves_on;
  const std::string what = axes.empty()       ? "this tile"
                           : axes.size() == 1 ? fmt::format("step {}", kernel.axes[axes[0]].name)
                                              : "this step";
  const int axis = axes.empty() ? -1 : axes.back();
  RingSteps steps;
  // Waiting for the readers does not order their loads before writes of another proxy.
  if (filled_by_async_proxy(draft.plan, rings))
    steps.release.push_back({"the copy that fills the stage again comes after these reads", false, FenceAsyncShared{}});
  together.comment = "all threads have read their part of the stage ...";
  steps.release.push_back(std::move(together));
  for (const int index : rings) {
    const RingPlan& ring = draft.plan.rings[index];
    std::vector<std::string> names;
    for (const RingOperand& operand : ring.operands) names.push_back(draft.ref(operand.ref).name);
    steps.arrived.push_back(
        {fmt::format("{} of {} {} arrived", listed(names), what, names.size() == 1 ? "has" : "have"), false,
         BarrierWait{ring.full, index, false}});
    if (ring.delay == 0) {
      steps.release.push_back({"... which is free again", false, Release{index, ReleaseWhen::now, axis}});
    } else {
      steps.release.push_back(
          {"... and of the one before, which is free again", false, Release{index, ReleaseWhen::previous_step, axis}});
      steps.drained.push_back({"", false, Release{index, ReleaseWhen::last_step, axis}});
    }
  }
  return steps;
}

void read_through_rings(const Draft& draft, const std::vector<int>& rings, Statements& tile) {
  RingSteps steps = ring_steps(draft, rings, {"", false, RoleSync{}});
  const std::vector<int>& axes = draft.plan.rings[rings.front()].moves_on;
  Statements* body = &tile;
  if (!axes.empty()) {
    ForSteps* loop = loop_over(tile, axes.back());
    loop->rings = rings;
    body = &loop->body;
  }
  size_t read = 0;
  for (size_t i = 0; i < body->size(); ++i) {
    if (reads_a_ring((*body)[i])) read = i + 1;
  }
  insert(*body, read, std::move(steps.release));
  insert(*body, 0, std::move(steps.arrived));
  for (size_t i = 0; i < tile.size() && !steps.drained.empty(); ++i) {
    if (std::holds_alternative<ForSteps>(tile[i].node)) insert(tile, i + 1, std::exchange(steps.drained, {}));
  }
}

}  // namespace pallasgen
