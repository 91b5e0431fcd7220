#include "lookahead.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "conditions.h"
#include "schedule/rules.h"
#include "sink.h"
#include "slice_ends.h"
#include "step_order.h"
#include "tile/text.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

void substitute_iteration(Block& block, const OfTurn& turn) {
  for (Statement& statement : block) {
    if (Read* read = statement.as<Read>()) read->of = turn;
    for (Block* inner : blocks_of(statement)) substitute_iteration(*inner, turn);
  }
}

// The statements of a step with `turn` in place of the step that they belong to.
Block in_turn_of(const Program& program, Block block, const Symbol& axis, const TypedPtr& turn) {
  const auto replaced = [&](const Symbol& symbol) -> TypedPtr {
    return symbol.kind == SymbolKind::axis && symbol.id == axis.id ? turn : nullptr;
  };
  for (Statement& statement : block) {
    change_expressions(statement, [&](TypedPtr& expr) {
      const TypedPtr plain = substitute(expr, [&](const Symbol& symbol) -> TypedPtr {
        if (symbol.kind != SymbolKind::let) return nullptr;
        const TypedPtr& value = program.declarations->lets[static_cast<size_t>(symbol.id)].value;
        return mentions(value, SymbolKind::axis, axis.id) ? value : nullptr;
      });
      expr = substitute(plain, replaced);
    });
  }
  substitute_iteration(block, {axis, turn});
  return block;
}

class Lookahead {
 public:
  explicit Lookahead(Program& program)
      : program_(program),
        setting_(program.declarations->schedule.lookahead),
        names_(setting_.names.begin(), setting_.names.end()) {}

  void run() {
    if (!setting_.names.empty() && !program_.declarations->pipeline.warp_specialized.value) return refuse_alone();
    for (Role& role : program_.roles) block(role.body);
    for (const std::string& name : setting_.names) {
      if (!found_.count(name) && program_.refusals.empty()) refuse_unknown(name);
    }
    for (Role& role : program_.roles) sink_reads(program_, role.body);
    program_.honoured.insert("schedule.lookahead");
  }

 private:
  bool is_named(const Statement& statement) const {
    const Dot* dot = statement.as<Dot>();
    return dot && names_.count(program_.value(dot->value).name) > 0;
  }
  bool has_named(const Block& block) const { return std::any_of(block.begin(), block.end(), named_); }

  void block(Block& statements) {
    for (size_t i = 0; i < statements.size(); ++i) {
      const size_t end = end_of_steps(statements, i);
      const auto first = statements.begin() + static_cast<std::ptrdiff_t>(i);
      const auto last = statements.begin() + static_cast<std::ptrdiff_t>(end);
      const bool here =
          std::any_of(first, last, [&](const Statement& piece) { return has_named(piece.as<For>()->body); });
      if (!here) {
        for (Block* inner : blocks_of(statements[i])) block(*inner);
        continue;
      }
      for (auto piece = first; piece != last; ++piece) note_names(piece->as<For>()->body);
      std::optional<Block> made = shifted({std::make_move_iterator(first), std::make_move_iterator(last)});
      if (!made) return;
      statements.erase(first, last);
      statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(i), std::make_move_iterator(made->begin()),
                        std::make_move_iterator(made->end()));
      i += made->size() - 1;
    }
  }
  void note_names(const Block& body) {
    for (const Statement& statement : body) {
      if (is_named(statement)) found_.insert(program_.value(statement.as<Dot>()->value).name);
    }
  }

  // The index after the loops from `i` on that together are all steps of one axis, cut into pieces by guards.
  static size_t end_of_steps(const Block& statements, size_t i) {
    const For* loop = statements[i].as<For>();
    if (!loop || loop->variable.kind != SymbolKind::axis) return i;
    for (;;) {
      const For* next = ++i < statements.size() ? statements[i].as<For>() : nullptr;
      if (!next || next->variable.kind != SymbolKind::axis || next->variable.id != loop->variable.id) return i;
      if (!equal(next->first, loop->last)) return i;
      loop = next;
    }
  }

  // The pieces of one loop with the order changed; nothing if they cannot be, with a refusal that explains why.
  std::optional<Block> shifted(Block pieces) {
    const For& first = *pieces.front().as<For>();
    const For& last = *pieces.back().as<For>();
    const Symbol axis = first.variable;
    const Span span = pieces.front().span;
    const Symbol size{SymbolKind::axis_size, axis.id, axis.name};
    const Symbol* all = last.last->as<Symbol>();
    if (constant_value(first.first) != 0 || !all || all->kind != SymbolKind::axis_size) {
      refuse(fmt::format("the steps of '{}' are not one run, as those of a loop with lookahead are", axis.name), {});
      return std::nullopt;
    }
    std::vector<StepOrder> orders;
    for (Statement& piece : pieces) {
      StepOrderResult found = order_step(program_, piece.as<For>()->body, names_);
      if (!found.order) {
        refuse(found.problem, found.path, piece.as<For>()->body);
        return std::nullopt;
      }
      orders.push_back(std::move(*found.order));
    }
    for (const StepOrder& order : orders) {
      if (same(order.named, orders[0].named) && same(order.others, orders[0].others) &&
          same(order.rest, orders[0].rest))
        continue;
      refuse(fmt::format("a guard that some steps of '{}' pass decides about dots or what they need", axis.name), {});
      return std::nullopt;
    }
    const TypedPtr steps = make_typed({}, DType::index, {}, size), step = make_typed({}, DType::index, {}, axis);
    const TypedPtr one = index_constant(1), before = index_apply(Op::subtract, step, one);
    Block out = in_turn_of(program_, orders[0].named, axis, index_constant(0));
    append(out, in_turn_of(program_, first_step(pieces, orders), axis, index_constant(0)));
    for (size_t i = 0; i < pieces.size(); ++i) {
      For loop = *pieces[i].as<For>();
      const StepOrder& order = orders[i];
      loop.first = i == 0 ? one : index_apply(Op::maximum, loop.first, one);
      if (i + 1 < pieces.size()) loop.last = index_apply(Op::maximum, loop.last, one);
      loop.body = order.named;
      append(loop.body, in_turn_of(program_, before_last(order.others, axis), axis, before));
      append(loop.body, order.beside);
      append(loop.body, in_turn_of(program_, order.rest, axis, before));
      append(loop.body, order.behind);
      out.push_back({pieces[i].span, pieces[i].origin, std::move(loop)});
    }
    const TypedPtr at_end = index_apply(Op::subtract, steps, one);
    append(out, in_turn_of(program_, orders[0].others, axis, at_end));
    append(out, in_turn_of(program_, orders[0].rest, axis, at_end));
    program_.decisions.push_back(
        {"lookahead", fmt::format("{}", fmt::join(setting_.names, ", ")),
         fmt::format("issued for step {} + 1 before the other dots of step {}", axis.name, axis.name)});
    if (bounds(steps, program_.declarations->facts()).minimum.value_or(0) > 0) return out;
    Block branch;
    branch.push_back({span, "", If{condition(Op::greater, steps, index_constant(0)), {}, std::move(out), {}}});
    return branch;
  }

  // The statements of a step that is not the last one: bounded slices that only the last step cuts short are whole.
  Block before_last(Block block, const Symbol& axis) const {
    for (Statement& statement : block) {
      Read* read = statement.as<Read>();
      if (!read) continue;
      for (BoxDim& dim : read->box.dims) {
        if (dim.limit && ends_in_last_step(*program_.declarations, axis, dim)) dim.limit = nullptr;
      }
    }
    return block;
  }

  static void append(Block& to, Block from) { std::move(from.begin(), from.end(), std::back_inserter(to)); }
  bool same(const Block& a, const Block& b) const { return to_text(program_, a) == to_text(program_, b); }

  // What the first step does after its named dots: what all pieces do, and what one piece alone does, under the
  // condition that the step is in that piece.
  Block first_step(const Block& pieces, const std::vector<StepOrder>& orders) const {
    Block out;
    for (const StepOrder& order : orders) {
      Block own = order.beside;
      append(own, order.behind);
      const TypedPtr here = in_first_step(pieces, static_cast<size_t>(&order - orders.data()));
      out = &order == orders.data() ? own : merged(out, std::move(own), here);
    }
    return out;
  }
  // The condition that step 0 is in the piece if the pieces before it have no step.
  static TypedPtr in_first_step(const Block& pieces, size_t piece) {
    const For& loop = *pieces[piece].as<For>();
    const TypedPtr none = index_constant(0);
    const TypedPtr begins = piece == 0 ? nullptr : condition(Op::less_equal, loop.first, none);
    return piece + 1 == pieces.size() ? begins : both(begins, condition(Op::greater, loop.last, none));
  }
  // Merges the statements of two pieces: those of `behind` run if `here` holds, those of `before` if not.
  Block merged(const Block& before, Block behind, const TypedPtr& here) const {
    std::vector<std::string> a, b;
    for (const Statement& statement : before) a.push_back(to_text(program_, {statement}));
    for (const Statement& statement : behind) b.push_back(to_text(program_, {statement}));
    // The longest common subsequence of their statements.
    std::vector<std::vector<size_t>> most(a.size() + 1, std::vector<size_t>(b.size() + 1));
    for (size_t i = a.size(); i-- > 0;) {
      for (size_t j = b.size(); j-- > 0;)
        most[i][j] = a[i] == b[j] ? most[i + 1][j + 1] + 1 : std::max(most[i + 1][j], most[i][j + 1]);
    }
    Block out, then, otherwise;
    const auto flush = [&] {
      if (then.empty() && otherwise.empty()) return;
      const Span span = (then.empty() ? otherwise : then).front().span;
      const TypedPtr asked = then.empty() ? negation(here) : here;
      if (then.empty()) std::swap(then, otherwise);
      out.push_back({span, "", If{asked, {}, std::exchange(then, {}), std::exchange(otherwise, {})}});
    };
    for (size_t i = 0, j = 0; i < a.size() || j < b.size();) {
      if (i < a.size() && j < b.size() && a[i] == b[j]) {
        flush();
        out.push_back(before[i++]);
        ++j;
      } else if (j < b.size() && (i == a.size() || most[i][j + 1] >= most[i + 1][j])) {
        then.push_back(std::move(behind[j++]));
      } else {
        otherwise.push_back(before[i++]);
      }
    }
    flush();
    return out;
  }

  void refuse(const std::string& why, const std::vector<std::string>& path, const Block& body = {}) {
    Refusal refusal{&kScheduleLookahead,
                    setting_.span,
                    fmt::format("`lookahead: [{}]` cannot be honoured: {}", fmt::join(setting_.names, ", "), why),
                    {}};
    if (!path.empty()) refusal.notes.push_back(fmt::format("the dependence: {}", fmt::join(path, " -> ")));
    std::vector<std::string> fitting;
    for (const Statement& statement : body) {
      const Dot* dot = dot_if(statement, &Product::runs_on);
      const std::string name = dot ? program_.value(dot->value).name : "";
      const bool fits = !name.empty() && order_step(program_, body, {name}).order.has_value();
      if (fits) fitting.push_back(name);
    }
    for (const std::string& name : fitting) refusal.notes.push_back(fmt::format("`lookahead: [{}]` works", name));
    if (fitting.empty()) refusal.notes.push_back("without `lookahead` the kernel plans");
    program_.refusals.push_back(std::move(refusal));
  }
  // Steps that begin before the last one has ended need copies that run ahead, which only a producer makes.
  void refuse_alone() {
    program_.refusals.push_back({&kScheduleLookahead,
                                 setting_.span,
                                 fmt::format("`lookahead: [{}]` cannot be honoured: no producer copies ahead of it",
                                             fmt::join(setting_.names, ", ")),
                                 {"`pipeline: {warp_specialized: true}` beside it works"}});
  }
  void refuse_unknown(const std::string& name) {
    bool dot = false;
    for (const Role& role : program_.roles) {
      for_each_statement(role.body, [&](const Statement& statement) {
        const Dot* found = statement.as<Dot>();
        dot = dot || (found && program_.value(found->value).name == name);
      });
    }
    refuse(dot ? fmt::format("the dot of '{}' stands in no step, or under a condition", name)
               : fmt::format("'{}' is assigned from no dot: it takes a statement of the dot alone, `{} = dot(…)`", name,
                             name),
           {});
  }

  Program& program_;
  const NamesSetting& setting_;
  const std::set<std::string> names_;
  std::set<std::string> found_;
  const std::function<bool(const Statement&)> named_ = [this](const Statement& s) { return is_named(s); };
};

}  // namespace

void look_ahead(tile::Program& program) {
  if (!program.declarations->schedule.lookahead.names.empty()) Lookahead(program).run();
}

}  // namespace pallasgen::schedule
