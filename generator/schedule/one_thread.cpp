#include "schedule/one_thread.h"

#include <algorithm>
#include <cmath>

#include "accesses.h"
#include "check/steps.h"
#include "conditions.h"
#include "expression/index_map.h"
#include "lookahead.h"
#include "tile/walk.h"
#include "turns.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

// True for +0 in all elements.
bool is_zero(const TypedPtr& expr) {
  if (!expr) return false;
  if (index_map(*expr)) return is_zero(expr->as<Apply>()->args[0]);
  const Constant* constant = expr->as<Constant>();
  if (!constant) return false;
  if (const int64_t* integer = std::get_if<int64_t>(&constant->value)) return *integer == 0;
  const double* real = std::get_if<double>(&constant->value);
  return real && *real == 0 && !std::signbit(*real);
}

// A loop nest in which a dot by instructions, the only statement that touches a value, adds to it.
struct Accumulation {
  Dot* dot = nullptr;
  std::vector<const For*> loops;  // outermost first
};

bool touches(const Program& program, const Statement& statement, int value) {
  const Touched of = touched(program, statement);
  return of.reads.count(value) || of.defines.count(value);
}

// The accumulation of the value; nothing if several statements of a block, or one of another kind, touch the value.
std::optional<Accumulation> accumulation_in(const Program& program, Statement& statement, int value) {
  Accumulation out;
  Statement* at = &statement;
  while (For* loop = at->as<For>()) {
    out.loops.push_back(loop);
    Statement* only = nullptr;
    for (Statement& inner : loop->body) {
      if (!touches(program, inner, value)) continue;
      if (only) return std::nullopt;
      only = &inner;
    }
    if (!only) return std::nullopt;
    at = only;
  }
  out.dot = at->as<Dot>();
  if (out.loops.empty() || !out.dot || !out.dot->by->overwrites || out.dot->accumulate) return std::nullopt;
  const LocalUse* start = out.dot->start ? out.dot->start->as<LocalUse>() : nullptr;
  if (out.dot->value.index != value || !start || start->id != value) return std::nullopt;
  Touched operands = {};
  touch(program, out.dot->product, operands);
  return operands.reads.count(value) ? std::nullopt : std::optional(std::move(out));
}

class Order {
 public:
  explicit Order(const Program& program) : program_(program), facts_(program.declarations->facts()) {}

  Program run() {
    look_ahead(program_);
    const ScheduleSettings& schedule = program_.declarations->schedule;
    for (Role& role : program_.roles) {
      for (Statement& statement : role.body) {
        ForTiles* tiles = statement.as<ForTiles>();
        if (!tiles) continue;
        Work work;
        work.kind = work_kind(*program_.declarations);
        work.order = schedule.tile_order;
        tiles->work = work;
      }
      block(role.body);
      keep_in_flight(role.body);
      place_accesses(program_, role.body);
    }
    take_turns(program_);
    for (const char* name : {"persistent", "tile_order", "tile_order.axis", "tile_order.width"})
      program_.honoured.insert(std::string("schedule.") + name);
    find_carries(program_);
    return std::move(program_);
  }

 private:
  void block(Block& statements) {
    Block out;
    for (size_t i = 0; i < statements.size(); ++i) {
      for (Block* inner : blocks_of(statements[i])) block(*inner);
      if (const Assign* assign = statements[i].as<Assign>(); assign && is_zero(assign->expr)) {
        if (std::optional<Statement> fill = overwrite_first(statements, i)) fills_.push_back(std::move(*fill));
      }
      const bool ends = !fills_.empty() && statements[i].as<For>() && &statements[i] == fill_behind_;
      out.push_back(std::move(statements[i]));
      if (!ends) continue;
      for (Statement& fill : fills_) out.push_back(std::move(fill));
      fills_.clear();
      fill_behind_ = nullptr;
    }
    statements = std::move(out);
  }

  // Makes the next loop that accumulates overwrite the value in its first step, instead of the zero at `i`; returns the
  // fill for a loop that may have no step.
  std::optional<Statement> overwrite_first(Block& statements, size_t i);
  bool has_turns(const For& loop) const {
    const TypedPtr turns = index_apply(Op::subtract, loop.last, loop.first);
    return bounds(turns, facts_).minimum.value_or(0) > 0;
  }

  // Lets the dots by instructions of a loop run on while the next step begins, unless it writes operands in registers
  // that they read, or touches an accumulator other than by adding to it, as a product does that replaces the one of
  // the step before.
  void keep_in_flight(Block& statements) {
    for (Statement& statement : statements) {
      for (Block* inner : blocks_of(statement)) keep_in_flight(*inner);
      For* loop = statement.as<For>();
      if (!loop || loop->variable.kind != SymbolKind::axis) continue;
      std::vector<Dot*> dots;
      for (Statement& inner : loop->body) {
        if (Dot* dot = dot_if(inner, &Product::runs_on)) dots.push_back(dot);
      }
      const bool add_up = std::all_of(dots.begin(), dots.end(), [&](const Dot* dot) {
        return adds_in_place(*dot) && !is_read_in(*loop, *dot) && reads_shared(*dot);
      });
      for (Dot* dot : dots) {
        if (add_up) dot->in_flight = 1;
      }
    }
  }
  static bool adds_in_place(const Dot& dot) {
    const auto* start = dot.start ? dot.start->as<LocalUse>() : nullptr;
    return start && start->id == dot.value.index;
  }
  bool reads_shared(const Dot& dot) const {
    const std::vector<TypedPtr>& operands = dot.product->as<Apply>()->args;
    return std::none_of(operands.begin(), operands.end(), [&](const TypedPtr& operand) {
      const auto* use = operand->as<LocalUse>();
      return use && program_.value({use->id}).home == Home::registers;
    });
  }
  // True if a step touches the dot's result by another statement.
  bool is_read_in(const For& loop, const Dot& dot) const {
    for (const Statement& statement : loop.body) {
      if (statement.as<Dot>() != &dot && touches(program_, statement, dot.value.index)) return true;
    }
    return false;
  }

  Program program_;
  SymbolFacts facts_;
  std::vector<Statement> fills_;  // to be inserted after the loop `fill_behind_`
  const Statement* fill_behind_ = nullptr;
};

std::optional<Statement> Order::overwrite_first(Block& statements, size_t i) {
  Assign& zero = *statements[i].as<Assign>();
  const int value = zero.value.index;
  size_t at = i + 1;
  while (at < statements.size() && !touches(program_, statements[at], value)) ++at;
  if (at == statements.size() || (fill_behind_ && fill_behind_ != &statements[at])) return std::nullopt;
  std::optional<Accumulation> found = accumulation_in(program_, statements[at], value);
  if (!found) return std::nullopt;
  TypedPtr not_first, no_step;
  for (const For* loop : found->loops) {
    // Sizes of axes are known before the outermost loop, unlike those of the body's own loops.
    if (loop->variable.kind != SymbolKind::axis || mentions_steps(*program_.declarations, loop->last))
      return std::nullopt;
    // Bounds of the pieces of a cut loop are not known there either, as each step around defines them again; and
    // instructions only test whether the step is 0.
    Touched bounds = {};
    for (const TypedPtr& bound : {loop->first, loop->last}) touch(program_, bound, bounds);
    if (loop != found->loops.front() && !bounds.reads.empty()) return std::nullopt;
    if (constant_value(loop->first) != 0) return std::nullopt;
    const TypedPtr variable = make_typed({}, DType::index, {}, loop->variable);
    not_first = either(not_first, condition(Op::greater, variable, loop->first));
    if (!has_turns(*loop)) no_step = either(no_step, condition(Op::less_equal, loop->last, loop->first));
  }
  // With a loop in a loop and a fill after both, ptxas moves the accumulator within the loops and serializes the
  // instructions (C7515).
  if (no_step && found->loops.size() > 1) return std::nullopt;
  found->dot->accumulate = not_first;
  Statement fill{statements[i].span, "", Assign{zero.value, zero.expr}};
  zero.expr = nullptr;
  if (!no_step) return std::nullopt;
  fill_behind_ = &statements[at];
  return Statement{statements[i].span, "", If{no_step, {}, {std::move(fill)}, {}}};
}

}  // namespace

tile::Program one_thread(const tile::Program& program) { return Order(program).run(); }

}  // namespace pallasgen::schedule
