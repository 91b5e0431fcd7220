#include "plan/timeline.h"

#include <algorithm>
#include <optional>

#include "report/timeline_events.h"

namespace pallasgen {

namespace {

struct Use {
  double issued = 0, arrived = -1, read = -1, released = -1;
  int copies = 0;
};

struct Role {
  std::vector<RoleEvent> ops;
  size_t next = 0;
  double time = 0;
  int index = 0;               // in Plan::roles
  std::vector<double> groups;  // the end time of each MMA group of the role
  bool done() const { return next == ops.size(); }
};

class Simulation {
 public:
  Simulation(const Plan& plan, const TimelineCosts& costs) : plan_(plan), costs_(costs), uses_(plan.rings.size()) {
    // A step moves the copies of its rings and its stores.
    double ring_bytes = 0;
    for (const RingPlan& ring : plan.rings) ring_bytes += copied_bytes(ring);
    copies_ = plan.cost.bytes_per_step > ring_bytes ? ring_bytes / plan.cost.bytes_per_step : 1;
  }

  void run(std::vector<Role>& roles, Timeline& timeline) {
    for (;;) {
      // The role with the earliest next event continues, so that copies use the port in order of issue.
      Role* first = nullptr;
      double first_time = 0;
      for (Role& role : roles) {
        if (role.done()) continue;
        const std::optional<double> time = next_time(role);
        if (time && (!first || *time < first_time)) first = &role, first_time = *time;
      }
      if (!first) break;
      execute(*first, first_time, timeline);
      timeline.seconds = std::max({timeline.seconds, first->time, engine_});
    }
    for (size_t ring = 0; ring < uses_.size(); ++ring) {
      const int64_t slots = plan_.rings[ring].slots.value;
      for (size_t i = 0; i < uses_[ring].size(); ++i) {
        const Use& use = uses_[ring][i];
        const auto number = static_cast<int64_t>(i);
        timeline.uses.push_back({static_cast<int>(ring), static_cast<int>(number % slots), number, use.issued,
                                 use.arrived, use.read, use.released});
      }
    }
    std::stable_sort(timeline.uses.begin(), timeline.uses.end(),
                     [](const SlotUse& a, const SlotUse& b) { return a.issued < b.issued; });
    timeline.fill = std::max(first_read_, 0.0);
    timeline.stalled = engine_ > timeline.fill ? std::max(engine_ - timeline.fill - busy_, 0.0) : 0;
  }

 private:
  Use& use_of(const RoleEvent& op) {
    auto& all = uses_[static_cast<size_t>(op.ring)];
    if (all.size() <= static_cast<size_t>(op.use)) all.resize(static_cast<size_t>(op.use) + 1);
    return all[static_cast<size_t>(op.use)];
  }

  // The time of the role's next event; nothing if it waits for an event that has not happened yet.
  std::optional<double> next_time(Role& role) {
    const RoleEvent& op = role.ops[role.next];
    if (op.kind == EventKind::wait_full) {
      const Use& waited = use_of(op);
      const auto operands = plan_.rings[static_cast<size_t>(op.ring)].operands.size();
      if (static_cast<size_t>(waited.copies) < operands) return std::nullopt;
      return std::max(role.time, waited.arrived);
    }
    if (op.kind == EventKind::wait_empty) {
      const int64_t before = op.use - plan_.rings[static_cast<size_t>(op.ring)].slots.value;
      if (before < 0) return role.time;
      const Use& waited = uses_[static_cast<size_t>(op.ring)][static_cast<size_t>(before)];
      return waited.released < 0 ? std::nullopt : std::optional(std::max(role.time, waited.released));
    }
    return role.time;
  }

  void execute(Role& role, double time, Timeline& timeline) {
    const RoleEvent& op = role.ops[role.next++];
    const auto note = [&](ActivityKind kind, double begin, double end) {
      if (end > begin) timeline.activities.push_back({kind, role.index, op.ring, op.use, op.step, begin, end});
    };
    switch (op.kind) {
      case EventKind::wait_empty:
        if (plan_.roles[static_cast<size_t>(role.index)].duties.copies) timeline.producer_waited += time - role.time;
        note(ActivityKind::wait_slot, role.time, time);
        use_of(op).issued = time;
        break;
      case EventKind::wait_full:
        if (first_read_ < 0) first_read_ = time;
        note(ActivityKind::wait_data, role.time, time);
        use_of(op).read = time;
        break;
      case EventKind::copy: {
        const double begin = std::max(port_, time);
        port_ = begin + costs_.transfer * copies_ * op.share;
        note(ActivityKind::copy_in, begin, port_);
        Use& copied = use_of(op);
        if (copied.copies == 0 && plan_.rings[static_cast<size_t>(op.ring)].full < 0) copied.issued = time;
        copied.arrived = std::max(copied.arrived, port_ + costs_.latency);
        ++copied.copies;
        break;
      }
      case EventKind::fill:
        use_of(op).arrived = time;
        ++use_of(op).copies;
        break;
      case EventKind::mma: {  // runs asynchronously to the role
        const double begin = std::max(engine_, time);
        engine_ = begin + costs_.compute * op.share;
        note(ActivityKind::compute, begin, engine_);
        busy_ += costs_.compute * op.share;
        role.groups.push_back(engine_);
        break;
      }
      case EventKind::mma_wait: {
        const auto pending = static_cast<size_t>(op.groups);
        if (role.groups.size() > pending) time = std::max(time, role.groups[role.groups.size() - 1 - pending]);
        note(ActivityKind::wait_mma, role.time, time);
        break;
      }
      case EventKind::compute:
        note(ActivityKind::compute, time, time + costs_.compute * op.share);
        time += costs_.compute * op.share;
        busy_ += costs_.compute * op.share;
        engine_ = time;
        break;
      case EventKind::store: {
        const double begin = std::max(port_, time);
        port_ = begin + costs_.transfer * (1 - copies_) * op.share;
        note(ActivityKind::copy_out, begin, port_);
        break;
      }
      case EventKind::outside_steps: {
        const double begin = std::max(time, engine_);
        time = begin + costs_.tile;
        note(ActivityKind::epilogue, begin, time);
        busy_ += costs_.tile;
        engine_ = time;
        break;
      }
      case EventKind::release:
        use_of(op).released = time;
        break;
    }
    role.time = time;
  }

  const Plan& plan_;
  TimelineCosts costs_;
  std::vector<std::vector<Use>> uses_;
  double copies_ = 1, port_ = 0, engine_ = 0, busy_ = 0, first_read_ = -1;
};

}  // namespace

Timeline simulate(const Plan& plan, const TimelineCosts& costs, int64_t tiles) {
  Timeline timeline;
  if (plan.rings.empty()) return timeline;
  std::vector<Role> roles;
  for (const RolePlan& role : plan.roles) {
    RoleEvents made = role_events(plan, role, tiles);
    roles.push_back({std::move(made.events), 0, 0, static_cast<int>(roles.size()), {}});
    timeline.tiles = std::max(timeline.tiles, made.tiles);
    timeline.steps = std::max(timeline.steps, made.steps);
  }
  Simulation(plan, costs).run(roles, timeline);
  return timeline;
}

}  // namespace pallasgen
