#include "report/timeline_events.h"

#include <algorithm>
#include <map>
#include <optional>

#include "model/example.h"
#include "program/index_terms.h"
#include "program/program_walk.h"

namespace pallasgen {

using namespace program;

namespace {

constexpr size_t kMaxUses = 4096;

bool computes(const Statement& statement) {
  return std::holds_alternative<Elementwise>(statement.node) || std::holds_alternative<ForElements>(statement.node) ||
         std::holds_alternative<ReduceFragment>(statement.node) ||
         std::holds_alternative<MultiplyAdd>(statement.node) || std::holds_alternative<ForRange>(statement.node) ||
         std::holds_alternative<WhileLoop>(statement.node) || std::holds_alternative<CallPart>(statement.node);
}

// True if the statements issue copies or matrix instructions, each of which is an event.
bool issues(const Statements& statements) {
  bool found = false;
  for_each_statement(statements, [&](const Statement& inner) { found = found || is_one_of<AsyncCopy, Mma>(inner); });
  return found;
}

// True if the statement stores a block: by threads, or by tensor copies of its columns.
bool is_store(const Statement& statement) {
  const auto* columns = std::get_if<ForStoreColumns>(&statement.node);
  return std::holds_alternative<StoreGlobal>(statement.node) ||
         (columns && std::any_of(columns->body.begin(), columns->body.end(), [](const Statement& inner) {
            return std::holds_alternative<TensorStore>(inner.node);
          }));
}

class Unroller {
 public:
  explicit Unroller(const Plan& plan) : plan_(plan), example_(*plan.kernel, *plan.target), uses_(plan.rings.size(), 0) {
    for (const RingPlan& ring : plan.rings) step_bytes_ += copied_bytes(ring);
  }

  RoleEvents run(const RolePlan& role, int64_t tiles) {
    tiles_ = tiles;
    computes_ = role.duties.computes;
    walk(role.program);
    return {std::move(ops_), tiles_done_, steps_done_};
  }

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
      const bool is_step = !has_steps(tiles->body);  // a tile without loops over steps is one step
      for (tiles_done_ = 0; tiles_done_ < tiles_ && !full(); ++tiles_done_, advance(tiles->rings)) {
        turns_ = 0;
        is_step ? unroll_step(tiles->body) : walk(tiles->body);
        steps_done_ = std::max<int64_t>(steps_done_, is_step ? 1 : turns_);
        if (computes_) add({EventKind::outside_steps});
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
      add({wait->producer_side ? EventKind::wait_empty : EventKind::wait_full, wait->ring, use(wait->ring)});
    } else if (const auto* load = std::get_if<TensorLoad>(&statement.node)) {
      const RingPlan& ring = plan_.rings[static_cast<size_t>(load->ring)];
      const double bytes = static_cast<double>(ring.operands[static_cast<size_t>(load->operand)].bytes.value);
      add({EventKind::copy, load->ring, use(load->ring), bytes / step_bytes_});
    } else if (const auto* copied = std::get_if<AsyncCopy>(&statement.node)) {
      const RingPlan& ring = plan_.rings[static_cast<size_t>(copied->ring)];
      const double bytes = static_cast<double>(ring.operands[static_cast<size_t>(copied->operand)].bytes.value);
      const int64_t ahead = evaluated(copied->ahead).value_or(0);
      add({EventKind::copy, copied->ring, use(copied->ring) + ahead, bytes / step_bytes_});
    } else if (const auto* wait_copies = std::get_if<WaitCopies>(&statement.node)) {
      for (const int ring : wait_copies->rings) add({EventKind::wait_full, ring, use(ring)});
    } else if (const auto* range = std::get_if<ForRange>(&statement.node); range && issues(range->body)) {
      const int64_t stop = evaluated(range->stop).value_or(0);
      int64_t& variable = variables_[range->variable];
      for (variable = evaluated(range->start).value_or(0); variable < stop; ++variable) walk(range->body);
    } else if (const auto* filled = std::get_if<ArriveFilled>(&statement.node);
               filled && filled->what == Filled::staged) {
      add({EventKind::fill, filled->ring, use(filled->ring)});
    } else if (const auto* mma = std::get_if<Mma>(&statement.node)) {
      add({EventKind::mma, mma->ring_b, use(mma->ring_b), mmas_ > 0 ? 1.0 / mmas_ : 0});
    } else if (const auto* mma_wait = std::get_if<MmaWait>(&statement.node)) {
      add({EventKind::mma_wait, -1, 0, 0, mma_wait->groups.value});
    } else if (const auto* release = std::get_if<Release>(&statement.node)) {
      const int64_t released = use(release->ring) - (release->when == ReleaseWhen::now ? 0 : 1);
      const bool exists = release->when == ReleaseWhen::previous_step ? axes_[release->axis] > 0
                          : release->when == ReleaseWhen::last_step   ? size_of(release->axis) > 0
                                                                      : true;
      if (exists) add({EventKind::release, release->ring, released});
    } else if (is_store(statement) && depth_ > 0) {
      add({EventKind::store, -1, 0, stores_ > 0 ? 1.0 / stores_ : 1});
    } else if (computes_ && computes(statement) && depth_ > 0 && mmas_ == 0) {
      add({EventKind::compute, -1, 0, others_ > 0 ? 1.0 / others_ : 0});
    }
  }

  static bool has_steps(const Statements& statements) {
    bool found = false;
    for_each_statement(statements,
                       [&](const Statement& inner) { found = found || std::holds_alternative<ForSteps>(inner.node); });
    return found;
  }
  // Counts the statements that share the work of a step.
  void count(const Statements& statements) {
    mmas_ = others_ = stores_ = 0;
    for_each_statement(statements, [&](const Statement& inner) {
      mmas_ += std::holds_alternative<Mma>(inner.node);
      const auto* range = std::get_if<ForRange>(&inner.node);
      const int turns = range ? static_cast<int>(evaluated(range->stop).value_or(1)) : 1;
      for_each_statement(range ? range->body : Statements{},
                         [&](const Statement& in_turn) { mmas_ += (turns - 1) * is_one_of<Mma>(in_turn); });
      others_ += computes(inner);
      stores_ += is_store(inner);
    });
  }
  void unroll_step(const Statements& statements) {
    count(statements);
    ++depth_;
    walk(statements);
    ++total_steps_;
    --depth_;
    mmas_ = others_ = stores_ = 0;
  }
  void in_step(const ForSteps& steps) {
    const int mmas = mmas_, others = others_, stores = stores_;
    count(steps.body);
    ++depth_;
    const int64_t size = size_of(steps.axis);
    const int64_t first = steps.first ? evaluated(steps.first).value_or(0) : 0;
    const int64_t last = steps.last ? evaluated(steps.last).value_or(size) : size;
    const bool innermost = !has_steps(steps.body);
    if (innermost && !steps.first && !steps.last) turns_ += size;
    if (innermost && (steps.first || steps.last))
      turns_ = std::max(turns_, size);  // parts of a split loop, and peeled steps
    int64_t& axis = axes_[steps.axis];
    for (axis = first; axis < last && !full(); ++axis, advance(steps.rings)) {
      walk(steps.body);
      // Without a producer the next synchronisation frees the slots that the step has read.
      for (const int ring : steps.rings)
        if (plan_.rings[static_cast<size_t>(ring)].full < 0) add({EventKind::release, ring, use(ring)});
      total_steps_ += innermost;
    }
    axis = 0;
    --depth_;
    mmas_ = mmas;
    others_ = others;
    stores_ = stores;
  }

  int64_t use(int ring) const { return uses_[static_cast<size_t>(ring)]; }
  void add(RoleEvent op) {
    op.step = op.kind == EventKind::outside_steps ? tiles_done_ : total_steps_;
    ops_.push_back(op);
  }

  const Plan& plan_;
  const Example example_;
  std::vector<int64_t> uses_;
  double step_bytes_ = 0;
  std::map<int, int64_t> axes_;
  std::map<std::string, int64_t> variables_;
  int64_t tiles_ = 1, tiles_done_ = 0, steps_done_ = 0;
  int depth_ = 0, mmas_ = 0, others_ = 0, stores_ = 0;
  int64_t total_steps_ = 0;  // of all tiles
  int64_t turns_ = 0;        // steps of the innermost loops, in this tile
  bool computes_ = false;
  std::vector<RoleEvent> ops_;
};

}  // namespace

double copied_bytes(const RingPlan& ring) {
  const bool staged = ring.full >= 0 && ring.operands.front().path == CopyPath::made;
  return staged ? 0 : static_cast<double>(ring.bytes.value);
}

RoleEvents role_events(const Plan& plan, const RolePlan& role, int64_t tiles) {
  return Unroller(plan).run(role, tiles);
}

}  // namespace pallasgen
