#include "schedule/ahead.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "conditions.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

// The copies into one channel in each iteration of a loop.
struct Copies {
  ChannelId channel;
  int64_t ahead = 0;
  Block puts;
};

class CopiesAhead {
 public:
  explicit CopiesAhead(const Program& program) : program_(program) {}

  Program run() {
    for (const Role& role : program_.roles) {
      for_each_statement(role.body, [&](const Statement& statement) {
        const For* loop = statement.as<For>();
        if (loop && loop->variable.kind == SymbolKind::loop) loops_ = std::max(loops_, loop->variable.id + 1);
      });
    }
    for (Role& role : program_.roles) {
      role_ = &role;
      block(role.body);
    }
    find_carries(program_);
    return std::move(program_);
  }

 private:
  void block(Block& statements) {
    Block out;
    for (Statement& statement : statements) {
      for (Block* inner : blocks_of(statement)) block(*inner);
      if (For* loop = statement.as<For>()) {
        if (!refill(*loop, statement.span, out)) {
          const std::vector<Copies> copies = take_copies_out_of(*loop, 1);
          if (!copies.empty()) {
            out.push_back(first_turns(*loop, copies, statement.span));
            later_turns(*loop, copies, 0, statement.span);
            prefetch_ahead(*loop, copies, copies.size(), statement.span);
          }
        }
      }
      out.push_back(std::move(statement));
    }
    statements = std::move(out);
  }

  // If each thread takes from all entries only what it has copied itself, it refills the slot right after that. Copies
  // then need only as many slots as iterations that they go ahead.
  bool refill(For& loop, Span span, Block& out) {
    For attempt = loop;
    const std::vector<Copies> copies = take_copies_out_of(attempt, 0);
    const std::optional<size_t> taken = copies.empty() ? std::nullopt : last_taken(attempt, copies);
    if (!taken) return false;
    loop = std::move(attempt);
    out.push_back(first_turns(loop, copies, span));
    later_turns(loop, copies, *taken + 1, span);
    prefetch_ahead(loop, copies, *taken + 1 + copies.size(), span);
    return true;
  }

  // The last statement of the loop that takes from the entries; nothing if one of them is also used otherwise.
  std::optional<size_t> last_taken(const For& loop, const std::vector<Copies>& copies) const {
    std::map<std::pair<int, int>, const Put*> puts;  // by channel and member
    for (const Copies& one : copies) {
      for (const Statement& statement : one.puts) {
        const Put* put = statement.as<Put>();
        if (put->path.kind != PathKind::async || program_.channel(one.channel).delay > 0) return std::nullopt;
        puts[{one.channel.index, put->entry.member}] = put;
      }
    }
    std::map<int, const Put*> got;  // by value
    std::set<std::pair<int, int>> taken;
    std::optional<size_t> last;
    for (size_t i = 0; i < loop.body.size(); ++i) {
      if (const Get* get = loop.body[i].as<Get>()) {
        const auto put = puts.find({get->entry.channel.index, get->entry.member});
        if (put != puts.end()) got[get->value.index] = put->second;
      }
      bool others = false;
      for_each_statement(Block{loop.body[i]}, [&](const Statement& statement) {
        for (const int value : used_by(statement)) {
          const auto put = got.find(value);
          if (put == got.end()) continue;
          const Entry& entry = put->second->entry;
          const Shape& shape = program_.channel(entry.channel).members[static_cast<size_t>(entry.member)].shape;
          others = others || blocks_of(loop.body[i]).size() > 0 ||
                   !takes_own_copies(program_, *role_, statement, value, put->second->path.vector, shape);
          taken.insert({entry.channel.index, entry.member});
          last = i;
        }
      });
      if (others) return std::nullopt;
    }
    return taken.size() == puts.size() ? last : std::nullopt;
  }

  // How many iterations before its use the put may copy if `used` slots are in use.
  int64_t ahead_of(const Statement& statement, const For& loop, const Touched& body, int64_t used) const {
    const Put* put = statement.as<Put>();
    if (!put || put->value || (put->path.kind != PathKind::async && put->path.kind != PathKind::direct)) return 0;
    const Channel& channel = program_.channel(put->entry.channel);
    if (channel.from != channel.to || channel.moves.empty() || channel.moves.back() != loop.variable.name) return 0;
    if (constant_value(loop.step) != 1) return 0;
    const Touched own = touched(program_, statement);
    if (meet(own.reads, body.defines)) return 0;
    if (meet(own.loads, body.stores) && !stores_elsewhere(put->box, own, loop)) return 0;
    if (depends_on_iteration(statement, loop.variable)) return 0;
    return std::max<int64_t>(0, channel.slots.value_or(1) - used - channel.delay);
  }

  // True if no iteration stores to the box of a later one: it stores to the array only the same box of its own
  // iteration, and boxes of two iterations do not overlap.
  bool stores_elsewhere(const Box& box, const Touched& own, const For& loop) const {
    bool fine = advances_past_box(box, loop.variable);
    for_each_statement(loop.body, [&](const Statement& statement) {
      if (!blocks_of(statement).empty() || !meet(own.loads, touched(program_, statement).stores)) return;
      const Write* write = statement.as<Write>();
      fine = fine && write && write->box.dims.size() == box.dims.size();
      for (size_t d = 0; fine && d < box.dims.size(); ++d)
        fine = equal(write->box.dims[d].first, box.dims[d].first) && write->box.dims[d].size == box.dims[d].size;
    });
    return fine;
  }
  // True if along some dim the box of the next iteration begins after the end of this iteration's.
  static bool advances_past_box(const Box& box, const Symbol& variable) {
    return std::any_of(box.dims.begin(), box.dims.end(), [&](const BoxDim& dim) {
      const std::optional<Affine> first = affine(dim.first);
      return first && std::any_of(first->terms.begin(), first->terms.end(), [&](const Affine::Term& term) {
               return term.symbol.kind == variable.kind && term.symbol.id == variable.id &&
                      term.coefficient >= dim.size.value_or(1);
             });
    });
  }

  // True if the statement uses a `let` or an axis size that depends on the variable, which cannot be substituted.
  bool depends_on_iteration(const Statement& statement, const Symbol& variable) const {
    bool found = false;
    for_each_expression(statement, [&](const TypedPtr& expr) {
      walk(expr, [&](const Typed& node) {
        const Symbol* symbol = node.as<Symbol>();
        if (!symbol || (symbol->kind != SymbolKind::let && symbol->kind != SymbolKind::axis_size)) return;
        Touched of = {};
        touch(program_, make_typed({}, node.dtype, node.shape, *symbol), of);
        found = found || (variable.kind == SymbolKind::axis && of.axes.count(variable.id) > 0);
      });
    });
    return found;
  }

  std::vector<Copies> take_copies_out_of(For& loop, int64_t used) const {
    const Touched body = touched(program_, loop.body);
    std::vector<Copies> out;
    // The members of an entry are copied together, or none ahead.
    const auto goes_ahead = [&](const Statement& statement) {
      const Put* put = statement.as<Put>();
      return put && std::all_of(loop.body.begin(), loop.body.end(), [&](const Statement& other) {
               const Put* of = other.as<Put>();
               return !of || of->entry.channel != put->entry.channel || ahead_of(other, loop, body, used) > 0;
             });
    };
    std::vector<bool> moves;
    for (const Statement& statement : loop.body) moves.push_back(goes_ahead(statement));
    Block rest;
    for (size_t i = 0; i < loop.body.size(); ++i) {
      Statement& statement = loop.body[i];
      if (!moves[i]) {
        rest.push_back(std::move(statement));
        continue;
      }
      const ChannelId channel = statement.as<Put>()->entry.channel;
      auto known = std::find_if(out.begin(), out.end(), [&](const Copies& one) { return one.channel == channel; });
      if (known == out.end()) known = out.insert(out.end(), {channel, ahead_of(statement, loop, body, used), {}});
      known->puts.push_back(std::move(statement));
    }
    loop.body = std::move(rest);
    return out;
  }

  // The puts of iteration `turn`, made `ahead` entries early.
  static Block puts_at(const Copies& copies, const Symbol& variable, const TypedPtr& turn, const TypedPtr& ahead) {
    Block out = copies.puts;
    for (Statement& statement : out) {
      change_expressions(statement, [&](TypedPtr& expr) {
        expr = substitute(expr, [&](const Symbol& symbol) -> TypedPtr {
          return symbol.kind == variable.kind && symbol.id == variable.id ? turn : nullptr;
        });
      });
      statement.as<Put>()->ahead = ahead;
    }
    return out;
  }

  Statement first_turns(const For& loop, const std::vector<Copies>& copies, Span span) {
    const Symbol variable{SymbolKind::loop, loops_++, free_name(program_, "ahead")};
    const TypedPtr count = make_typed({}, DType::index, {}, variable);
    const TypedPtr turn = constant_value(loop.first) == 0 ? count : index_apply(Op::add, loop.first, count);
    int64_t most = 0;
    for (const Copies& one : copies) most = std::max(most, one.ahead);
    Block body;
    for (const Copies& one : copies) {
      TypedPtr runs = condition(Op::less, turn, loop.last);
      if (one.ahead < most) runs = both(condition(Op::less, count, index_constant(one.ahead)), runs);
      body.push_back({span, "", If{runs, {}, puts_at(one, loop.variable, turn, count), {}}});
    }
    return {span, "",
            For{variable, index_constant(0), index_constant(most), index_constant(1), {}, std::move(body), {}}};
  }

  // Inserts the puts of later iterations before statement `at` of the loop.
  void later_turns(For& loop, const std::vector<Copies>& copies, size_t at, Span span) const {
    const TypedPtr now = make_typed({}, DType::index, {}, loop.variable);
    Block added;
    for (const Copies& one : copies) {
      const TypedPtr ahead = index_constant(one.ahead);
      // now + ahead < last, without a sum that could overflow
      TypedPtr runs = condition(Op::less, now, index_apply(Op::subtract, loop.last, ahead));
      added.push_back(
          {span, "", If{runs, {}, puts_at(one, loop.variable, index_apply(Op::add, now, ahead), ahead), {}}});
    }
    loop.body.insert(loop.body.begin() + static_cast<ptrdiff_t>(at), std::make_move_iterator(added.begin()),
                     std::make_move_iterator(added.end()));
  }

  // Prefetches into L2 what iterations after the copied one need. A box whose place is loaded itself is left out.
  void prefetch_ahead(For& loop, const std::vector<Copies>& copies, size_t at, Span span) {
    const int64_t further = program_.declarations->pipeline.prefetch.value.value_or(0);
    if (further == 0) return;
    const TypedPtr now = make_typed({}, DType::index, {}, loop.variable);
    Block added;
    for (const Copies& one : copies) {
      const TypedPtr ahead = index_constant(one.ahead + further);
      Block asks;
      for (const Statement& put : puts_at(one, loop.variable, index_apply(Op::add, now, ahead), ahead)) {
        const Put& copy = *put.as<Put>();
        Touched place = {};
        for (const BoxDim& dim : copy.box.dims) {
          touch(program_, dim.first, place);
          if (dim.limit) touch(program_, dim.limit, place);
        }
        if (!place.loads.empty() || place.ordered) continue;
        program_.honoured.insert("pipeline.prefetch");
        program_.decisions.push_back({"prefetch of " + program_.ref(copy.box.ref).name,
                                      fmt::format("into L2, {} steps ahead", one.ahead + further),
                                      fmt::format("prefetch: {}", further)});
        asks.push_back({span, "", Prefetch{copy.box, copy.path, one.ahead + further}});
      }
      TypedPtr runs = condition(Op::less, now, index_apply(Op::subtract, loop.last, ahead));
      if (!asks.empty()) added.push_back({span, "", If{runs, {}, std::move(asks), {}}});
    }
    loop.body.insert(loop.body.begin() + static_cast<ptrdiff_t>(at), std::make_move_iterator(added.begin()),
                     std::make_move_iterator(added.end()));
  }

  Program program_;
  const Role* role_ = nullptr;
  int loops_ = 0;
};

}  // namespace

tile::Program copy_ahead(const tile::Program& program) { return CopiesAhead(program).run(); }

}  // namespace pallasgen::schedule
