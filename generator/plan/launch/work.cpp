#include "launch/work.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "launch/programs_of_cta.h"
#include "plan/rules.h"
#include "plan/words.h"
#include "program/constant_names.h"
#include "program/device_sizes.h"
#include "program/memory.h"

namespace pallasgen {

namespace {

std::string row_major_type(size_t rank, const LaunchPlan& launch) {
  if (launch.programs.value > 1) return fmt::format("RowMajorTiles<{}, 1, {}>", rank, launch.programs.text);
  return launch.cluster.value == 1 ? fmt::format("RowMajorTiles<{}>", rank)
                                   : fmt::format("RowMajorTiles<{}, {}>", rank, launch.cluster.text);
}

// "OrderedTiles<3, AxisGroups<1, 4>, AxisReversed<2>, AxisInOrder<0>, AxisInOrder<1>>"
std::string ordered_type(const WorkPlan& work) {
  std::string text = fmt::format("OrderedTiles<{}", work.axes.size());
  for (const TileOrderPart& part : work.order) {
    const auto at = std::find(work.axes.begin(), work.axes.end(), part.axis) - work.axes.begin();
    text += part.width > 0 ? fmt::format(", AxisGroups<{}, {}>", at, part.width)
                           : fmt::format(", {}<{}>", part.reversed ? "AxisReversed" : "AxisInOrder", at);
  }
  return text + ">";
}

void walk_rows(WorkPlan& work, const LaunchPlan& launch) {
  if (work.walk == TileWalk::listed)
    work.tiles_type = ordered_type(work);
  else
    work.tiles_type = work.axes.empty() ? "" : row_major_type(work.axes.size(), launch);
  for (size_t i = 0; i < work.axes.size(); ++i) work.coordinates.push_back(fmt::format("tile[{}]", i));
}

// Adds the lets that the expression uses, directly or through other lets.
void note_lets(const Kernel& kernel, const TypedPtr& expr, std::set<int>& lets) {
  walk(expr, [&](const Typed& node) {
    const Symbol* symbol = node.as<Symbol>();
    if (symbol && symbol->kind == SymbolKind::let && lets.insert(symbol->id).second)
      note_lets(kernel, kernel.lets[symbol->id].value, lets);
  });
}

std::string words_of_order(const Kernel& kernel, const WorkPlan& work) {
  std::vector<std::string> words;
  for (const TileOrderPart& part : work.order) {
    const std::string& name = kernel.axes[part.axis].name;
    words.push_back(part.width > 0  ? fmt::format("{} of {} at a time", part.width, name)
                    : part.reversed ? fmt::format("{} from its end", name)
                                    : name);
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

bool plan_work(Draft& draft) {
  const Kernel& kernel = *draft.kernel;
  const ScheduleSettings& schedule = kernel.schedule;
  WorkPlan& work = draft.plan.work;
  work.variable = "tile";
  decide_programs(draft);
  for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    const bool sequential = kernel.axes[axis].sequential;
    const TypedPtr& size = kernel.axes[axis].size;
    (sequential ? work.sequential : work.axes).push_back(static_cast<int>(axis));
    draft.plan.launch.sizes.push_back(
        {static_cast<int>(axis),
         kernel.identifiers.derived((sequential ? "steps_" : "tiles_") + kernel.axes[axis].name), size,
         is_of_device(kernel, size)});
  }
  work.skip = kernel.skip;
  if (work.skip) {
    std::set<int> lets;
    note_lets(kernel, work.skip, lets);
    work.skip_lets.assign(lets.begin(), lets.end());
  }
  work.kind = tile::work_kind(kernel);
  draft.decide("work",
               !schedule.persistent.value ? workers_text(draft.plan) + " per tile"
               : work.kind == WorkKind::dynamic
                   ? "dynamic: as many CTAs as SMs, which take tiles from a counter as they get free"
               : schedule.tile_order.kind == TileOrderKind::listed
                   ? "persistent: as many CTAs as SMs, which take tiles forth and back"
                   : "persistent: as many CTAs as SMs, each takes every gridDim.x-th tile",
               schedule.persistent.given ? "the spec says so" : "the spec does not ask for persistent CTAs");
  const TileOrder& order = schedule.tile_order;
  if (order.kind == TileOrderKind::strips && work.axes.size() >= 2) {
    if (work.axes.size() != 2) {
      draft
          .refuse(kPlanSetting, order.span,
                  fmt::format("tile_order in strips over {} parallel axes is not planned yet", work.axes.size()))
          .note("`tile_order: row` and `tile_order: column` work");
      return false;
    }
    if (order.width < 1) {
      draft.refuse(kPlanSetting, order.span, fmt::format("strips of {} tiles", order.width)).note("width 8 works");
      return false;
    }
    work.walk = TileWalk::strips;
    work.strip_axis = order.axis;
    work.strip_width = draft.constant(constant_name::strip, order.width, constant_line::strip);
    const std::string along = order.axis == work.axes[0] ? "" : ", Along::kN";
    work.tiles_type = fmt::format("{}<{}{}>", schedule.persistent.value ? "StripTiles" : "OneTilePerCta",
                                  work.strip_width.text, along);
    work.coordinates = {"tile.m", "tile.n"};
    draft.decide("tile order",
                 fmt::format("strips of {} tiles along {}, back and forth", order.width, kernel.axes[order.axis].name),
                 "neighbouring CTAs share operands in the L2 cache");
    return true;
  }
  if (order.kind == TileOrderKind::column) {
    work.walk = TileWalk::column_major;
    std::reverse(work.axes.begin(), work.axes.end());
  }
  if (order.kind == TileOrderKind::listed) {
    work.walk = TileWalk::listed;
    work.order = order.parts;
    work.order_words = words_of_order(kernel, work);
  }
  walk_rows(work, draft.plan.launch);
  draft.decide("tile order",
               work.walk == TileWalk::listed         ? "outermost first " + work.order_words
               : work.walk == TileWalk::column_major ? "columns: the first axis fastest"
                                                     : "rows: the last axis fastest",
               order.kind == TileOrderKind::strips ? "one axis has no strips" : "as the spec says, or by default");
  return true;
}

namespace {

// The role whose thread takes tiles, for the others too: one that runs ahead of them by its copies, else the only one.
const RolePlan& giver_of(const Plan& plan) {
  const RolePlan* copies = role_with(plan, &tile::Duties::copies);
  return copies ? *copies : computing_role(plan);
}

}  // namespace

bool takes_tiles(const Plan& plan, const RolePlan& role) {
  return plan.work.kind == WorkKind::dynamic && &role == &giver_of(plan);
}

void plan_tile_queue(Draft& draft) {
  Plan& plan = draft.plan;
  if (plan.work.kind != WorkKind::dynamic) return;
  plan.headers.insert("dynamic_tiles.cuh");
  SharedField field;
  const RolePlan &giver = giver_of(plan), &taker = computing_role(plan);
  if (!has_several_roles(plan)) {
    field.name = draft.names().derived("tile_slot");
    field.dtype = DType::u32;
    field.alignment = 4;
    field.purpose = "next tile";
    plan.work.queue = add_field(draft, std::move(field));
    return;
  }
  field.name = draft.names().derived("tile_queue");
  field.is_barrier = true;
  field.type = "TileQueue";
  field.bytes = kQueueBytes;
  field.alignment = kBarrierBytes;
  field.purpose = "barriers";
  const int warps = giver.run_by == Issuer::one_thread ? 0 : giver.run_by == Issuer::one_warp ? 1 : giver.warps;
  const std::string of_giver = warps == 0 ? "" : fmt::format("{} + ", warps);
  const int64_t of_group = taker.warps / taker.groups.value;
  const Number readers = number(
      warps + taker.warps, taker.groups.value == 1 ? fmt::format("{}{}", of_giver, taker.warps)
                                                   : fmt::format("{}{} * {}", of_giver, of_group, taker.groups.text));
  BarrierPlan full, empty;
  full.name = field.name + ".full";
  full.completes_after = "1 arrival";
  full.arrived_by = giver.name;
  full.waited_by = warps == 0 ? taker.name + "s" : "all";
  full.means = "slot s holds the next tile's index";
  full.count = number(1);
  empty.name = field.name + ".empty";
  empty.completes_after = counted(readers.value, "arrival");
  empty.arrived_by = warps == 0 ? taker.name + " warps" : "each warp";
  empty.waited_by = giver.name;
  empty.means = "slot s may be overwritten";
  empty.count = readers;
  plan.work.queue = full.field = empty.field = add_field(draft, std::move(field));
  full.slots = empty.slots = number(kQueueSlots);
  plan.barriers.push_back(std::move(full));
  plan.barriers.push_back(std::move(empty));
}

bool check_supported(Draft& draft) {
  const Kernel& kernel = *draft.kernel;
  const ScheduleSettings& schedule = kernel.schedule;
  bool fine = true;
  const auto refuse = [&](const Rule& rule, Span span, const std::string& what, const std::string& works) {
    draft.refuse(rule, span.source ? span : kernel.span, what + " is not planned yet").note(works);
    fine = false;
  };
  for (const Dim& dim : kernel.dims) {
    if (dim.min > INT32_MAX)
      refuse(kPlanOperand, dim.span,
             fmt::format("a dim of 2^31 and more, as '{}' by its `min: {}`,", dim.name, dim.min),
             "several dims, each below 2^31, work: an array may have more elements in all");
  }
  if (schedule.num_ctas.value && !schedule.persistent.value) {
    draft
        .refuse(kPlanSetting, schedule.num_ctas.span,
                "`num_ctas` is the number of CTAs that take tiles in turn, but each tile has a CTA of its own")
        .note(schedule.programs_per_cta.value.value_or(1) > 1 ? "without it the kernel plans"
                                                              : "`persistent: true` beside it works");
    fine = false;
  }
  if (!schedule.cluster.empty())
    refuse(kPlanSetting, schedule.cluster_span, "`cluster`", "without it the kernel plans");
  if (schedule.consumers.word == "separate")
    refuse(kPlanSetting, schedule.consumers.span, "`consumers: separate`", "`consumers: cooperative` works");
  if (schedule.split.word == "columns")
    refuse(kPlanSetting, schedule.split.span, "`split: columns`", "`split: rows` works");
  for (const auto& [name, span] : schedule.others)
    refuse(kPlanSetting, span, fmt::format("`{}`", name), "without it the kernel plans");
  return check_body_supported(draft) && fine;
}

}  // namespace pallasgen
