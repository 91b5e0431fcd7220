#include "own_channels.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

bool by_unit(const Path& path) { return path.kind == PathKind::tensor || path.kind == PathKind::bulk; }

class OwnChannels {
 public:
  explicit OwnChannels(Program& program) : program_(program), copies_(program) {}

  void run() {
    for (Role& role : program_.roles) {
      role_ = role.name;
      note_carried(role.body);
      block(role.body);
    }
  }

 private:
  bool is_shared(ValueId id) const { return program_.value(id).home == Home::shared; }

  // The iteration of a loop that an entry belongs to, whether the entry is named before the loop, in it or after it.
  struct Turn {
    Symbol loop;
    TypedPtr at;
  };

  void block(Block& statements) {
    const auto before = std::exchange(puts_, copies_outside_loops(statements));
    Block out;
    for (size_t i = 0; i < statements.size(); ++i) {
      const For* loop = statements[i].as<For>();
      if (loop) {
        loops_.push_back(loop->variable);
        arrive(*loop, index_apply(Op::subtract, make_typed({}, DType::index, {}, loop->variable), index_constant(1)));
      }
      for (Block* inner : blocks_of(statements[i])) block(*inner);
      if (loop) {
        loops_.pop_back();
        arrive(*loop, index_apply(Op::subtract, loop->last, index_constant(1)));
      }
      take(statements[i], out);
      const auto of = puts_.find(i);
      cross(std::move(statements[i]), of == puts_.end() ? nullptr : &of->second, out);
    }
    statements = std::move(out);
    puts_ = before;
  }

  // Notes values in shared memory that an iteration copies there for the next one.
  void note_carried(const Block& body) {
    for_each_statement(body, [&](const Statement& statement) {
      const For* loop = statement.as<For>();
      if (!loop || loop->variable.kind != SymbolKind::axis) return;
      for (const Statement& inner : loop->body) {
        const auto value = copied_by(inner);
        if (value && std::count(loop->carry.begin(), loop->carry.end(), *value))
          carried_[value->index] = program_.value({inner.as<Assign>()->expr->as<LocalUse>()->id}).name;
      }
    });
  }
  // The value in shared memory that a statement copies from registers; none for other statements.
  std::optional<ValueId> copied_by(const Statement& statement) const {
    const Assign* assign = statement.as<Assign>();
    const LocalUse* from = assign && assign->expr ? assign->expr->as<LocalUse>() : nullptr;
    if (!from || !is_shared(assign->value) || is_shared({from->id})) return std::nullopt;
    return assign->value;
  }
  // By index, the copies outside of all loops of the block that copy the same value in each iteration, and the
  // iteration whose entry each copy fills: they fill entries of the loops' channel.
  std::map<size_t, Turn> copies_outside_loops(const Block& statements) const {
    std::map<int, std::vector<size_t>> loops;  // by value: their places
    for (size_t i = 0; i < statements.size(); ++i) {
      const For* loop = statements[i].as<For>();
      if (!loop || loop->variable.kind != SymbolKind::axis) continue;
      for (const Statement& inner : loop->body) {
        if (const auto value = copied_by(inner)) loops[value->index].push_back(i);
      }
    }
    std::map<size_t, Turn> out;
    for (size_t i = 0; i < statements.size(); ++i) {
      const auto value = copied_by(statements[i]);
      const auto found = value ? loops.find(value->index) : loops.end();
      if (found == loops.end()) continue;
      const For &first = *statements[found->second.front()].as<For>(),
                &last = *statements[found->second.back()].as<For>();
      if (i < found->second.front())
        out[i] = {first.variable, index_apply(Op::subtract, first.first, index_constant(1))};
      else if (i > found->second.back())
        out[i] = {last.variable, last.last};
    }
    return out;
  }

  // Notes that the values which an iteration of the loop finds carried, or which the loop leaves, are those of
  // iteration `turn`.
  void arrive(const For& loop, const TypedPtr& turn) {
    if (loop.variable.kind != SymbolKind::axis) return;
    for (ValueId value : loop.carry) {
      if (carried_.count(value.index)) found_[value.index] = {loop.variable, turn};
    }
  }
  // Gets carried values before their first use: the role moves on to the next entry after instructions have read this
  // one.
  void take(const Statement& statement, Block& out) {
    for (int value : used_by(statement)) {
      const auto turn = found_.find(value);
      if (turn == found_.end()) continue;
      const std::string& name = carried_.at(value);
      out.push_back({statement.span, "", Get{{value}, entry_of({value}, name, name, &turn->second)}});
      found_.erase(turn);
    }
  }

  // `turn`: the iteration whose entry a copy fills, if its loop is not around the copy.
  void cross(Statement statement, const Turn* turn, Block& out) {
    const std::optional<ValueId> defined = defined_by(statement);
    if (const Write* write = statement.as<Write>(); write && by_unit(write->path) && !is_shared(write->value)) {
      out.push_back(std::move(statement));
      stage(out);
      return;
    }
    const Assign* assigned = statement.as<Assign>();
    const bool undefined = assigned && !assigned->expr;  // it cannot cross
    if (!defined || !is_shared(*defined) || statement.as<Get>() || undefined) {
      out.push_back(std::move(statement));
      return;
    }
    if (const Assign* copy = assigned && assigned->expr->as<LocalUse>() ? assigned : nullptr) {
      const ValueId made{copy->expr->as<LocalUse>()->id};
      if (!is_shared(made)) return copy_unchanged(statement, made, turn, out);
    }
    const Read* copied = statement.as<Read>();
    const std::string name = copied ? copies_.of(program_, *copied) : program_.value(*defined).name;
    const Entry entry = entry_of(*defined, name, name);
    const Span span = statement.span;
    if (const Read* read = statement.as<Read>()) {
      statement.node = Put{entry, Box(read->box), read->path};
      out.push_back(std::move(statement));
    } else {
      const ValueId made = in_registers(*defined);
      if (Assign* assign = statement.as<Assign>()) assign->value = made;
      if (Dot* dot = statement.as<Dot>()) dot->value = made;
      if (AtomicStmt* atomic = statement.as<AtomicStmt>()) atomic->old = made.index;
      out.push_back(std::move(statement));
      out.push_back({span, "", Put{entry, {}, {}, made}});
    }
    out.push_back({span, "", Get{*defined, entry}});
  }

  void copy_unchanged(const Statement& copy, ValueId made, const Turn* turn, Block& out) {
    const ValueId shared = copy.as<Assign>()->value;
    const std::string& name = program_.value(made).name;
    const Entry entry = entry_of(shared, name, name, turn);
    out.push_back({copy.span, "", Put{entry, {}, {}, made}});
    if (!carried_.count(shared.index)) out.push_back({copy.span, "", Get{shared, entry}});
  }

  // Makes the write that `out` ends with take its value out of a channel, into which the value is put first.
  void stage(Block& out) {
    Write& write = *out.back().as<Write>();
    const std::string& array = program_.ref(write.box.ref).name;
    const ValueId made = write.value;
    const auto [known, added] = staged_.try_emplace({program_.value(made).shape, write.box.ref});
    if (added) {
      Value staged = program_.value(made);
      staged.name = array + "_store";
      staged.home = Home::shared;
      known->second = add_value(program_, std::move(staged));
    }
    const Entry entry = entry_of(known->second, array + "_store", array);
    const Span span = out.back().span;
    write.value = known->second;
    out.insert(out.end() - 1, {span, "", Put{entry, {}, {}, made}});
    out.insert(out.end() - 1, {span, "", Get{known->second, entry}});
  }

  // The value in registers from which the one in shared memory is made.
  ValueId in_registers(ValueId shared) {
    const auto [known, added] = made_.try_emplace(shared.index);
    if (!added) return known->second;
    Value made = program_.value(shared);
    made.name += "_made";
    made.home = Home::registers;
    return known->second = add_value(program_, std::move(made));
  }

  // `turn`: an iteration of a loop that need not be around the entry.
  Entry entry_of(ValueId value, const std::string& name, const std::string& member, const Turn* turn = nullptr) {
    std::vector<std::string> moves;
    for (const Symbol& loop : loops_) moves.push_back(loop.name);
    const bool beside = turn && (moves.empty() || moves.back() != turn->loop.name);
    if (beside) moves.push_back(turn->loop.name);
    const auto [known, added] =
        channels_.try_emplace({role_, value.index, moves}, ChannelId{static_cast<int>(program_.channels.size())});
    if (added) {
      const Value& shared = program_.value(value);
      Channel channel{channel_name(program_, name), {{member, shared.dtype, shared.shape}}, {}, role_, role_};
      channel.moves = std::move(moves);
      program_.channels.push_back(std::move(channel));
    }
    Entry entry{known->second, 0, {}};
    for (const Symbol& loop : loops_) entry.at.push_back(make_typed({}, DType::index, {}, loop));
    if (turn && !beside) entry.at.pop_back();
    if (turn) entry.at.push_back(turn->at);
    return entry;
  }

  Program& program_;
  const CopyNames copies_;
  std::string role_;
  std::vector<Symbol> loops_;
  // By role, value and the loops that the channel moves on.
  std::map<std::tuple<std::string, int, std::vector<std::string>>, ChannelId> channels_;
  std::map<int, ValueId> made_;                      // by value
  std::map<int, std::string> carried_;               // by value: the name of what it copies
  std::map<int, Turn> found_;                        // by value that is not got yet: the iteration that left it
  std::map<size_t, Turn> puts_;                      // by index in the block
  std::map<std::pair<Shape, int>, ValueId> staged_;  // by shape and ref: the value that a copy takes to the array
};

}  // namespace

CopyNames::CopyNames(const Program& program) {
  for (const Role& role : program.roles) {
    for_each_statement(role.body, [&](const Statement& statement) {
      const Read* read = statement.as<Read>();
      if (read && program.value(read->value).home == Home::shared) filled_[read->box.ref].insert(read->value.index);
    });
  }
}

std::string CopyNames::of(const Program& program, const Read& read) const {
  const auto filled = filled_.find(read.box.ref);
  const bool several = filled != filled_.end() && filled->second.size() > 1;
  return several ? program.value(read.value).name : program.ref(read.box.ref).name;
}

std::string channel_name(const Program& program, std::string name) {
  const auto taken = [&] {
    return std::any_of(program.channels.begin(), program.channels.end(),
                       [&](const Channel& channel) { return channel.name == name; });
  };
  while (taken()) name += '_';
  return name;
}

void add_own_channels(Program& program) { OwnChannels(program).run(); }

}  // namespace pallasgen::schedule
