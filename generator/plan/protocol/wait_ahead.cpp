#include "protocol/wait_ahead.h"

#include <algorithm>
#include <optional>

#include "tile/walk.h"

namespace pallasgen {

namespace waits_ahead {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Advance, tile::Block, tile::ChannelId, tile::Dot, tile::For, tile::If, tile::Release, tile::Statement,
    tile::WaitFull, tile::WaitMma;

template <class Test>
std::optional<size_t> find(const Block& body, Test&& test) {
  const auto at = std::find_if(body.begin(), body.end(), test);
  return at == body.end() ? std::nullopt : std::optional(static_cast<size_t>(at - body.begin()));
}

// The statements of an iteration that are moved.
struct Turn {
  ChannelId channel;
  size_t wait, release, advance, last;  // last: the wait for the longest-running instructions
};

std::optional<Turn> turn_of(const Block& body) {
  const auto some_run_on = [](const Statement& statement) {
    const WaitMma* wait = statement.as<WaitMma>();
    return wait && wait->pending > 0 && !wait->values.empty();
  };
  const auto none_runs = [](const Statement& statement) {
    const WaitMma* wait = statement.as<WaitMma>();
    return wait && wait->pending == 0;
  };
  const auto first = find(body, some_run_on), last = find(body, none_runs);
  const auto dot = find(body, [](const Statement& statement) { return statement.as<Dot>() != nullptr; });
  if (!first || !last || !dot || *last < *first) return std::nullopt;
  for (size_t i = 0; i < *dot; ++i) {
    const WaitFull* wait = body[i].as<WaitFull>();
    if (!wait) continue;
    const auto release = find(body, [&](const Statement& statement) {
      const Release* freed = statement.as<Release>();
      return freed && freed->channel == wait->channel && freed->which == tile::Freed::entry;
    });
    const auto advance = find(body, [&](const Statement& statement) {
      const Advance* moves = statement.as<Advance>();
      return moves && moves->channel == wait->channel;
    });
    if (release && advance && *release < *last && *advance > *last)
      return Turn{wait->channel, i, *release, *advance, *last};
  }
  return std::nullopt;
}

Statement guarded(Span span, const TypedPtr& step, const TypedPtr& steps, ChannelId channel) {
  TypedPtr there = apply({}, Op::less, DType::boolean, {}, {step, steps});
  return {span, "", If{std::move(there), {}, {{span, "", WaitFull{channel}}}, {}}};
}

void change(For& loop, const Turn& turn, const TypedPtr& steps) {
  const TypedPtr step = make_typed({}, DType::index, {}, loop.variable);
  Block out;
  for (size_t i = 0; i < loop.body.size(); ++i) {
    if (i == turn.wait || i == turn.advance) continue;
    const Span span = loop.body[i].span;
    if (i == turn.last)
      out.push_back(guarded(span, index_apply(Op::add, step, index_constant(1)), steps, turn.channel));
    out.push_back(std::move(loop.body[i]));
    if (i == turn.release) out.push_back({span, "", Advance{turn.channel}});
  }
  loop.body = std::move(out);
}

void run(Block& block) {
  for (size_t i = 0; i < block.size(); ++i) {
    for (Block* inner : blocks_of(block[i])) run(*inner);
    const For* loop = block[i].as<For>();
    if (!loop || loop->variable.kind != SymbolKind::axis || constant_value(loop->step) != 1) continue;
    // Changes all pieces of the loop, or none.
    const TypedPtr first = loop->first;
    std::vector<Turn> turns;
    size_t end = i;
    for (TypedPtr last = first; end < block.size(); ++end) {
      const For* piece = block[end].as<For>();
      if (!piece || piece->variable.id != loop->variable.id || !equal(piece->first, last)) break;
      const std::optional<Turn> turn = turn_of(piece->body);
      if (!turn || (!turns.empty() && turn->channel != turns.front().channel)) break;
      turns.push_back(*turn);
      last = piece->last;
    }
    if (turns.empty()) continue;
    const TypedPtr steps = block[end - 1].as<For>()->last;
    const Symbol* all = steps->as<Symbol>();
    if (all && all->kind == SymbolKind::axis_size) {
      for (size_t at = i; at < end; ++at) change(*block[at].as<For>(), turns[at - i], steps);
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(i),
                   guarded(block[i].span, first, steps, turns.front().channel));
      ++end;
    }
    i = end - 1;
  }
}

}  // namespace waits_ahead

void wait_ahead(tile::Block& block) { waits_ahead::run(block); }

}  // namespace pallasgen
