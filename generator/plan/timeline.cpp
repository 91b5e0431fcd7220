#include "timeline.h"

#include <algorithm>
#include <map>
#include <optional>

#include "example.h"
#include "program_walk.h"

namespace pallasgen {

using namespace program;

namespace {

constexpr size_t kMaxUses = 4096;

enum class OpKind : uint8_t {
  wait_full,
  wait_empty,
  copy,
  fill,
  mma,
  mma_wait,
  compute,
  store,
  release,
  outside_steps
};

// One event of a role, of the use `use` of a ring's slots, counted from 0.
struct Action {
  OpKind kind;
  int ring = -1;
  int64_t use = 0;
  double share = 0;  // copy: of the bytes that all rings take in one step; mma, compute: of the operations of one step
  int64_t groups = 0;  // mma_wait: how many may still run
};

bool computes(const Statement& statement) {
  return std::holds_alternative<Elementwise>(statement.node) || std::holds_alternative<ForElements>(statement.node) ||
         std::holds_alternative<ReduceFragment>(statement.node) ||
         std::holds_alternative<MultiplyAdd>(statement.node) || std::holds_alternative<ForRange>(statement.node) ||
         std::holds_alternative<WhileLoop>(statement.node) || std::holds_alternative<CallPart>(statement.node);
}

bool copies(const Statements& statements) {
  bool found = false;
  for_each_statement(statements,
                     [&](const Statement& inner) { found = found || std::holds_alternative<AsyncCopy>(inner.node); });
  return found;
}

// Of a slot that copies bring, or threads make; what waits in a slot to be stored moves no bytes to it.
double copied_bytes(const RingPlan& ring) {
  const bool staged = ring.full >= 0 && ring.operands.front().path == CopyPath::made;
  return staged ? 0 : static_cast<double>(ring.bytes.value);
}

// Writes a role's program as the sequence of its events for the example sizes of the cost model.
class Unroller {
 public:
  explicit Unroller(const Plan& plan) : plan_(plan), example_(*plan.kernel, *plan.target), uses_(plan.rings.size(), 0) {
    for (const RingPlan& ring : plan.rings) step_bytes_ += copied_bytes(ring);
  }

  // Tiles until `tiles`, or until the uses of some ring would pass kMaxUses.
  std::vector<Action> role(const RolePlan& role, int64_t tiles) {
    tiles_ = tiles;
    computes_ = &role == &plan_.roles.back();
    walk(role.program);
    return std::move(ops_);
  }
  int64_t tiles_done() const { return tiles_done_; }
  int64_t steps_done() const { return steps_done_; }

 private:
  std::optional<int64_t> value_of(const Symbol& symbol) const {
    if (symbol.kind == SymbolKind::loop) {
      const auto found = variables_.find(symbol.name);
      return found == variables_.end() ? std::nullopt : std::optional(found->second);
    }
    const auto found = symbol.kind == SymbolKind::axis ? axes_.find(symbol.id) : axes_.end();
    return found == axes_.end() ? std::nullopt : std::optional(found->second);
  }
  int64_t size_of(int axis) const {
    return example_.size(axis, [&](const Symbol& symbol) { return value_of(symbol); });
  }
  std::optional<int64_t> evaluated(const TypedPtr& expr) const {
    return example_.value(expr, [&](const Symbol& symbol) { return value_of(symbol); });
  }
  void advance(const std::vector<int>& rings) {
    for (const int ring : rings) ++uses_[static_cast<size_t>(ring)];
  }
  bool full() const {
    return std::any_of(uses_.begin(), uses_.end(), [](int64_t n) { return n >= static_cast<int64_t>(kMaxUses); });
  }

  void walk(const Statements& statements) {
    for (const Statement& statement : statements) walk(statement);
  }

  void walk(const Statement& statement) {
    if (const auto* tiles = std::get_if<ForTiles>(&statement.node)) {
      const bool is_step = !has_steps(tiles->body);  // a tile without steps is one
      for (tiles_done_ = 0; tiles_done_ < tiles_ && !full(); ++tiles_done_, advance(tiles->rings)) {
        turns_ = 0;
        is_step ? as_step(tiles->body) : walk(tiles->body);
        steps_done_ = std::max<int64_t>(steps_done_, is_step ? 1 : turns_);
        if (computes_) add({OpKind::outside_steps});
      }
    } else if (const auto* steps = std::get_if<ForSteps>(&statement.node)) {
      in_step(*steps);
    } else if (const auto* bound = std::get_if<BindScalar>(&statement.node)) {
      const ScalarValue& scalar = plan_.scalars[static_cast<size_t>(bound->scalar)];
      const auto value = scalar.dtype == DType::index ? evaluated(scalar.value) : std::nullopt;
      if (value) variables_[scalar.name] = *value;
    } else if (const auto* advanced = std::get_if<AdvanceRing>(&statement.node)) {
      advance({advanced->ring});
      advance(advanced->with);
    } else if (const auto* branch = std::get_if<If>(&statement.node)) {
      walk(evaluated(branch->condition).value_or(1) != 0 ? branch->then : branch->otherwise);
    } else if (const auto* wait = std::get_if<BarrierWait>(&statement.node)) {
      add({wait->producer_side ? OpKind::wait_empty : OpKind::wait_full, wait->ring, use(wait->ring)});
    } else if (const auto* load = std::get_if<TensorLoad>(&statement.node)) {
      const RingPlan& ring = plan_.rings[static_cast<size_t>(load->ring)];
      const double bytes = static_cast<double>(ring.operands[static_cast<size_t>(load->operand)].bytes.value);
      add({OpKind::copy, load->ring, use(load->ring), bytes / step_bytes_});
    } else if (const auto* copied = std::get_if<AsyncCopy>(&statement.node)) {
      const RingPlan& ring = plan_.rings[static_cast<size_t>(copied->ring)];
      const double bytes = static_cast<double>(ring.operands[static_cast<size_t>(copied->operand)].bytes.value);
      const int64_t ahead = evaluated(copied->ahead).value_or(0);
      add({OpKind::copy, copied->ring, use(copied->ring) + ahead, bytes / step_bytes_});
    } else if (const auto* wait_copies = std::get_if<WaitCopies>(&statement.node)) {
      for (const int ring : wait_copies->rings) add({OpKind::wait_full, ring, use(ring)});
    } else if (const auto* range = std::get_if<ForRange>(&statement.node); range && copies(range->body)) {
      const int64_t stop = evaluated(range->stop).value_or(0);
      int64_t& variable = variables_[range->variable];
      for (variable = evaluated(range->start).value_or(0); variable < stop; ++variable) walk(range->body);
    } else if (const auto* filled = std::get_if<ArriveFilled>(&statement.node);
               filled && filled->what == Filled::staged) {
      add({OpKind::fill, filled->ring, use(filled->ring)});
    } else if (const auto* mma = std::get_if<Mma>(&statement.node)) {
      add({OpKind::mma, mma->ring_b, use(mma->ring_b), mmas_ > 0 ? 1.0 / mmas_ : 0});
    } else if (const auto* mma_wait = std::get_if<MmaWait>(&statement.node)) {
      add({OpKind::mma_wait, -1, 0, 0, mma_wait->groups.value});
    } else if (const auto* release = std::get_if<Release>(&statement.node)) {
      const int64_t released = use(release->ring) - (release->when == ReleaseWhen::now ? 0 : 1);
      const bool exists = release->when == ReleaseWhen::previous_step ? axes_[release->axis] > 0
                          : release->when == ReleaseWhen::last_step   ? size_of(release->axis) > 0
                                                                      : true;
      if (exists) add({OpKind::release, release->ring, released});
    } else if (std::holds_alternative<StoreGlobal>(statement.node) && depth_ > 0) {
      add({OpKind::store});
    } else if (computes_ && computes(statement) && depth_ > 0 && mmas_ == 0) {
      add({OpKind::compute, -1, 0, others_ > 0 ? 1.0 / others_ : 0});
    }
  }

  static bool has_steps(const Statements& statements) {
    bool found = false;
    for_each_statement(statements,
                       [&](const Statement& inner) { found = found || std::holds_alternative<ForSteps>(inner.node); });
    return found;
  }
  // What shares the arithmetic of a step.
  void count(const Statements& statements) {
    mmas_ = others_ = 0;
    for_each_statement(statements, [&](const Statement& inner) {
      mmas_ += std::holds_alternative<Mma>(inner.node);
      others_ += computes(inner);
    });
  }
  void as_step(const Statements& statements) {
    count(statements);
    ++depth_;
    walk(statements);
    --depth_;
    mmas_ = others_ = 0;
  }
  void in_step(const ForSteps& steps) {
    const int mmas = mmas_, others = others_;
    count(steps.body);
    ++depth_;
    const int64_t size = size_of(steps.axis);
    const int64_t first = steps.first ? evaluated(steps.first).value_or(0) : 0;
    const int64_t last = steps.last ? evaluated(steps.last).value_or(size) : size;
    const bool innermost = !has_steps(steps.body);
    if (innermost && !steps.first && !steps.last) turns_ += size;
    if (innermost && (steps.first || steps.last))
      turns_ = std::max(turns_, size);  // parts of a cut loop, and peeled steps
    int64_t& axis = axes_[steps.axis];
    for (axis = first; axis < last && !full(); ++axis, advance(steps.rings)) {
      walk(steps.body);
      // Without a producer the next synchronisation frees what the step has read.
      for (const int ring : steps.rings)
        if (plan_.rings[static_cast<size_t>(ring)].full < 0) add({OpKind::release, ring, use(ring)});
    }
    axis = 0;
    --depth_;
    mmas_ = mmas;
    others_ = others;
  }

  int64_t use(int ring) const { return uses_[static_cast<size_t>(ring)]; }
  void add(const Action& op) { ops_.push_back(op); }

  const Plan& plan_;
  const Example example_;
  std::vector<int64_t> uses_;
  double step_bytes_ = 0;
  std::map<int, int64_t> axes_;
  std::map<std::string, int64_t> variables_;
  int64_t tiles_ = 1, tiles_done_ = 0, steps_done_ = 0;
  int depth_ = 0, mmas_ = 0, others_ = 0;
  int64_t turns_ = 0;  // of the innermost loops over steps, in this tile
  bool computes_ = false;
  std::vector<Action> ops_;
};

struct Use {
  double issued = 0, arrived = -1, read = -1, released = -1;
  int copies = 0;
};

struct Role {
  std::vector<Action> ops;
  size_t next = 0;
  double time = 0;
  bool produces = false;       // the first role
  std::vector<double> groups;  // when each MMA group of the role ends
  bool done() const { return next == ops.size(); }
};

class Simulation {
 public:
  Simulation(const Plan& plan, const TimelineCosts& costs) : plan_(plan), costs_(costs), uses_(plan.rings.size()) {
    // What a step moves besides the copies of its rings are its stores.
    double ring_bytes = 0;
    for (const RingPlan& ring : plan.rings) ring_bytes += copied_bytes(ring);
    copies_ = plan.cost.bytes_per_step > ring_bytes ? ring_bytes / plan.cost.bytes_per_step : 1;
  }

  void run(std::vector<Role>& roles, Timeline& timeline) {
    for (;;) {
      // The role whose next event is the earliest goes on, so that copies take the port in order of issue.
      Role* first = nullptr;
      double first_time = 0;
      for (Role& role : roles) {
        if (role.done()) continue;
        const std::optional<double> time = when(role);
        if (time && (!first || *time < first_time)) first = &role, first_time = *time;
      }
      if (!first) break;
      take(*first, first_time, timeline);
      timeline.seconds = std::max({timeline.seconds, first->time, engine_});
    }
    for (size_t ring = 0; ring < uses_.size(); ++ring) {
      const int64_t slots = plan_.rings[ring].slots.value;
      for (size_t i = 0; i < uses_[ring].size(); ++i) {
        const Use& use = uses_[ring][i];
        timeline.uses.push_back({static_cast<int>(ring), static_cast<int>(static_cast<int64_t>(i) % slots), use.issued,
                                 use.arrived, use.read, use.released});
      }
    }
    std::stable_sort(timeline.uses.begin(), timeline.uses.end(),
                     [](const SlotUse& a, const SlotUse& b) { return a.issued < b.issued; });
    timeline.fill = std::max(first_read_, 0.0);
    timeline.stalled = engine_ > timeline.fill ? std::max(engine_ - timeline.fill - busy_, 0.0) : 0;
  }

 private:
  Use& use(const Action& op) {
    auto& all = uses_[static_cast<size_t>(op.ring)];
    if (all.size() <= static_cast<size_t>(op.use)) all.resize(static_cast<size_t>(op.use) + 1);
    return all[static_cast<size_t>(op.use)];
  }

  // When the role's next event happens; nothing while it waits for what has not happened yet.
  std::optional<double> when(Role& role) {
    const Action& op = role.ops[role.next];
    if (op.kind == OpKind::wait_full) {
      const Use& waited = use(op);
      const auto operands = plan_.rings[static_cast<size_t>(op.ring)].operands.size();
      if (static_cast<size_t>(waited.copies) < operands) return std::nullopt;
      return std::max(role.time, waited.arrived);
    }
    if (op.kind == OpKind::wait_empty) {
      const int64_t before = op.use - plan_.rings[static_cast<size_t>(op.ring)].slots.value;
      if (before < 0) return role.time;
      const Use& waited = uses_[static_cast<size_t>(op.ring)][static_cast<size_t>(before)];
      return waited.released < 0 ? std::nullopt : std::optional(std::max(role.time, waited.released));
    }
    return role.time;
  }

  void take(Role& role, double time, Timeline& timeline) {
    const Action& op = role.ops[role.next++];
    switch (op.kind) {
      case OpKind::wait_empty:
        if (role.produces) timeline.producer_waited += time - role.time;
        use(op).issued = time;
        break;
      case OpKind::wait_full:
        if (first_read_ < 0) first_read_ = time;
        use(op).read = time;
        break;
      case OpKind::copy: {
        port_ = std::max(port_, time) + costs_.transfer * copies_ * op.share;
        Use& copied = use(op);
        if (copied.copies == 0 && plan_.rings[static_cast<size_t>(op.ring)].full < 0) copied.issued = time;
        copied.arrived = std::max(copied.arrived, port_ + costs_.latency);
        ++copied.copies;
        break;
      }
      case OpKind::fill:
        use(op).arrived = time;
        ++use(op).copies;
        break;
      case OpKind::mma:  // runs on while the role goes on
        engine_ = std::max(engine_, time) + costs_.compute * op.share;
        busy_ += costs_.compute * op.share;
        role.groups.push_back(engine_);
        break;
      case OpKind::mma_wait: {
        const auto pending = static_cast<size_t>(op.groups);
        if (role.groups.size() > pending) time = std::max(time, role.groups[role.groups.size() - 1 - pending]);
        break;
      }
      case OpKind::compute:
        time += costs_.compute * op.share;
        busy_ += costs_.compute * op.share;
        engine_ = time;
        break;
      case OpKind::store:
        port_ = std::max(port_, time) + costs_.transfer * (1 - copies_);
        break;
      case OpKind::outside_steps:
        time = std::max(time, engine_) + costs_.tile;
        busy_ += costs_.tile;
        engine_ = time;
        break;
      case OpKind::release:
        use(op).released = time;
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
    Unroller unroller(plan);
    roles.push_back({unroller.role(role, tiles), 0, 0, roles.empty(), {}});
    timeline.tiles = std::max(timeline.tiles, unroller.tiles_done());
    timeline.steps = std::max(timeline.steps, unroller.steps_done());
  }
  Simulation(plan, costs).run(roles, timeline);
  return timeline;
}

}  // namespace pallasgen
