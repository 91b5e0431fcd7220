#include "crossings.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

bool by_unit(const Path& path) { return path.kind == PathKind::tensor || path.kind == PathKind::bulk; }

class Crossings {
 public:
  explicit Crossings(Program& program) : program_(program) {}

  void run() {
    for (Role& role : program_.roles) {
      role_ = role.name;
      block(role.body);
    }
  }

 private:
  bool is_shared(ValueId id) const { return program_.value(id).home == Home::shared; }

  void block(Block& statements) {
    Block out;
    for (Statement& statement : statements) {
      const For* loop = statement.as<For>();
      if (loop) loops_.push_back(loop->variable);
      for (Block* inner : blocks_of(statement)) block(*inner);
      if (loop) loops_.pop_back();
      cross(std::move(statement), out);
    }
    statements = std::move(out);
  }

  void cross(Statement statement, Block& out) {
    const std::optional<ValueId> defined = defined_by(statement);
    if (const Write* write = statement.as<Write>(); write && by_unit(write->path) && !is_shared(write->value)) {
      out.push_back(std::move(statement));
      stage(out);
      return;
    }
    const Assign* assigned = statement.as<Assign>();
    const bool undefined = assigned && !assigned->expr;  // nothing that could cross
    if (!defined || !is_shared(*defined) || statement.as<Get>() || undefined) {
      out.push_back(std::move(statement));
      return;
    }
    if (const Assign* copy = assigned && assigned->expr->as<LocalUse>() ? assigned : nullptr) {
      const ValueId made{copy->expr->as<LocalUse>()->id};
      if (!is_shared(made)) return put_as_it_is(statement, made, out);
    }
    const Read* copied = statement.as<Read>();
    const std::string name = copied ? program_.ref(copied->box.ref).name : program_.value(*defined).name;
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

  void put_as_it_is(const Statement& copy, ValueId made, Block& out) {
    const ValueId shared = copy.as<Assign>()->value;
    const std::string& name = program_.value(made).name;
    const Entry entry = entry_of(shared, name, name);
    out.push_back({copy.span, "", Put{entry, {}, {}, made}});
    out.push_back({copy.span, "", Get{shared, entry}});
  }

  // The write that `out` ends with takes its value out of a channel that the value is put into.
  void stage(Block& out) {
    Write& write = *out.back().as<Write>();
    const std::string& array = program_.ref(write.box.ref).name;
    const ValueId made = write.value;
    const auto [known, added] = staged_.try_emplace({made.index, write.box.ref});
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

  // The value in registers that one in shared memory is made of.
  ValueId in_registers(ValueId shared) {
    const auto [known, added] = made_.try_emplace(shared.index);
    if (!added) return known->second;
    Value made = program_.value(shared);
    made.name += "_made";
    made.home = Home::registers;
    return known->second = add_value(program_, std::move(made));
  }

  Entry entry_of(ValueId value, const std::string& name, const std::string& member) {
    std::vector<std::string> moves;
    for (const Symbol& loop : loops_) moves.push_back(loop.name);
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
    return entry;
  }

  Program& program_;
  std::string role_;
  std::vector<Symbol> loops_;
  // By role, value and the loops that it moves on.
  std::map<std::tuple<std::string, int, std::vector<std::string>>, ChannelId> channels_;
  std::map<int, ValueId> made_;                    // by value
  std::map<std::pair<int, int>, ValueId> staged_;  // by value and ref
};

}  // namespace

std::string channel_name(const Program& program, std::string name) {
  const auto taken = [&] {
    return std::any_of(program.channels.begin(), program.channels.end(),
                       [&](const Channel& channel) { return channel.name == name; });
  };
  while (taken()) name += '_';
  return name;
}

void make_crossings(Program& program) { Crossings(program).run(); }

}  // namespace pallasgen::schedule
