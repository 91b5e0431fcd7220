#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plan/timeline.h"
#include "plan/words.h"

namespace pallasgen {

namespace {

constexpr int kChartColumns = 72;
constexpr double kFarOff = 1;    // relative difference that slots do not explain
constexpr int kChartedLaps = 3;  // uses of each slot that the chart shows

// The cost model's time for `tiles` tiles that one CTA computes in sequence.
double modelled(const Plan& plan, const Timeline& timeline) {
  const CostModel& cost = plan.cost;
  return static_cast<double>(timeline.tiles * timeline.steps) * cost.step_seconds +
         static_cast<double>(timeline.tiles) * cost.tile_seconds + cost.fill_seconds;
}

}  // namespace

TimelineCosts timeline_costs(const Plan& plan) {
  const Device* device = find_device(plan.target->device);
  return {device ? device->latency_seconds : 0, plan.cost.bandwidth_seconds, plan.cost.rate_seconds,
          plan.cost.tile_seconds};
}

std::string timeline_chart(const Plan& plan, const Timeline& timeline, double seconds, int columns) {
  std::string text;
  const auto column = [&](double time) {
    return static_cast<int>(std::lround(std::clamp(time / seconds, 0.0, 1.0) * columns));
  };
  for (size_t ring = 0; ring < plan.rings.size(); ++ring) {
    const std::string name = plan.rings.size() == 1 ? "slot" : plan.rings[ring].name;
    for (int64_t slot = 0; slot < plan.rings[ring].slots.value; ++slot) {
      std::string row(static_cast<size_t>(columns), '.');
      const auto paint = [&](double from, double to, char mark) {
        if (to < 0) to = seconds;
        for (int c = column(from); c < column(to); ++c) row[static_cast<size_t>(c)] = mark;
      };
      for (const SlotUse& use : timeline.uses) {
        if (use.ring != static_cast<int>(ring) || use.slot != slot || use.issued >= seconds) continue;
        paint(use.issued, use.arrived, '-');
        if (use.read >= 0) {
          paint(use.arrived, use.read, '=');
          paint(use.read, use.released, '#');
        }
      }
      text += fmt::format("  {:>8} |{}|\n", fmt::format("{} {}", name, slot), row);
    }
  }
  return text;
}

Timeline explained_timeline(const Plan& plan) {
  const int64_t rounds = plan.launch.persistent ? static_cast<int64_t>(std::ceil(plan.cost.waves)) : 1;
  return simulate(plan, timeline_costs(plan), std::max<int64_t>(rounds, 1));
}

std::vector<std::string> timeline_lines(const Plan& plan, const Timeline& timeline) {
  if (plan.rings.empty())
    return {"no ring: nothing is copied ahead within a CTA; what hides the latency are the other CTAs of its SM"};
  if (timeline.uses.empty()) return {"no step"};
  const double model = modelled(plan, timeline);
  const double busy = timeline.seconds - timeline.fill - timeline.stalled;
  const bool produces = role_with(plan, &tile::Duties::copies) != nullptr;
  const double difference = timeline.seconds / model - 1;
  return {
      fmt::format("one CTA, {} of {}: {};", counted(timeline.tiles, "tile"), counted(timeline.steps, "step"),
                  microseconds(timeline.seconds)),
      fmt::format("  until the first data {}, {} without data {} ({:.0f} %){}", microseconds(timeline.fill),
                  produces ? "consumers" : "threads", microseconds(timeline.stalled),
                  100 * timeline.stalled / std::max(timeline.stalled + busy, 1e-30),
                  produces ? ", producer without a free slot " + microseconds(timeline.producer_waited) : ""),
      fmt::format("the cost model says {} for these: {}", microseconds(model),
                  std::abs(difference) < 0.05
                      ? "they agree"
                      : fmt::format("the simulation takes {:.0f} % {}", 100 * std::abs(difference),
                                    difference > kFarOff ? "longer"
                                    : difference > 0 ? "longer: a slot is copied, waits and is read before it is free"
                                                     : "less"))};
}

std::string timeline_text(const Plan& plan) {
  std::string text = "timeline (simulated from the role programs with the figures of the cost model)\n";
  const Timeline timeline = explained_timeline(plan);
  if (!timeline.uses.empty()) {
    size_t charted = 0;
    for (const RingPlan& ring : plan.rings) charted += static_cast<size_t>(kChartedLaps * ring.slots.value);
    const SlotUse& last = timeline.uses[std::min(charted, timeline.uses.size()) - 1];
    const double shown = last.released < 0 ? timeline.seconds : last.released;
    text += fmt::format("  {:>8} {:<{}}{:>10}\n", "", "0", kChartColumns - 8, microseconds(shown));
    text += timeline_chart(plan, timeline, shown, kChartColumns);
    text += "  - copies under way, = data waits, # read, . free\n";
  }
  for (const std::string& line : timeline_lines(plan, timeline)) text += "  " + line + "\n";
  return text;
}

}  // namespace pallasgen
