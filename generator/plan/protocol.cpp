#include "protocol.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "layout/layout.h"
#include "made_operands.h"
#include "role_protocol.h"
#include "store_protocol.h"
#include "tile/walk.h"

namespace pallasgen {

namespace protocols {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Advance, tile::Assign, tile::Block, tile::Channel, tile::ChannelId, tile::Commit, tile::For, tile::Get,
    tile::If, tile::PathKind, tile::Program, tile::Put, tile::Role, tile::Statement, tile::Sync, tile::Value,
    tile::WaitCopies;

class ProtocolInserter {
 public:
  explicit ProtocolInserter(const Program& program) : program_(program) {}

  Program run() {
    for (Role& role : program_.roles) {
      role_ = &role;
      note(role.body);
      block(role.body);
      insert_operand_protocol(program_, role);
      insert_role_protocol(program_, role);
      insert_store_protocol(program_, role);
      advance_operands(program_, role);
      close_turns(role);
    }
    return std::move(program_);
  }

 private:
  // Each turn that is passed is taken.
  static void close_turns(Role& role) {
    bool turns = false;
    for_each_statement(role.body, [&](const Statement& statement) { turns = turns || statement.as<tile::TakeTurn>(); });
    if (!turns) return;
    const Span span = role.body.front().span;
    role.body.insert(role.body.begin(), {span, "", tile::PassTurn{true}});
    role.body.push_back({span, "", tile::TakeTurn{true}});
  }

  // Of each channel that this role fills by copies of its threads.
  struct Own {
    bool async = false;  // some of its members come by copies that go on by themselves
    bool meets = false;  // a thread reads what another one copied
    int64_t ahead = 0;
  };
  // A copy by the threads of the role to a channel of its own.
  bool is_copy(const Statement& statement) const {
    const Put* put = statement.as<Put>();
    if (!put || put->value) return false;
    const Channel& channel = program_.channel(put->entry.channel);
    return channel.from == channel.to && (put->path.kind == PathKind::async || put->path.kind == PathKind::direct);
  }
  // Copies under the condition that there is the turn which they are for.
  bool is_copy_ahead(const Statement& statement) const {
    const If* branch = statement.as<If>();
    return branch && branch->otherwise.empty() && !branch->then.empty() &&
           std::all_of(branch->then.begin(), branch->then.end(),
                       [this](const Statement& inner) { return is_copy(inner); });
  }

  // How the entries of a member are copied.
  struct Member {
    int64_t vector = 1;
    Shape shape;
  };

  void note(const Block& body) {
    own_.clear();
    std::map<std::pair<int, int>, Member> members;  // by channel and member
    for_each_statement(body, [&](const Statement& statement) {
      if (!is_copy(statement)) return;
      const Put& put = *statement.as<Put>();
      Own& of = own_[put.entry.channel.index];
      of.async = of.async || put.path.kind == PathKind::async;
      if (put.ahead) of.ahead = std::max(of.ahead, constant_value(put.ahead).value_or(0));
      const Channel& channel = program_.channel(put.entry.channel);
      members[{put.entry.channel.index, put.entry.member}] = {
          put.path.vector, channel.members[static_cast<size_t>(put.entry.member)].shape};
    });
    std::map<int, std::pair<int, int>> got;  // by value
    for_each_statement(body, [&](const Statement& statement) {
      if (const Get* get = statement.as<Get>()) got[get->value.index] = {get->entry.channel.index, get->entry.member};
    });
    for_each_statement(body, [&](const Statement& statement) {
      for (int value : used_by(statement)) {
        const auto from = got.find(value);
        const auto copied = from == got.end() ? members.end() : members.find(from->second);
        if (copied != members.end() && !reads_own(statement, value, copied->second))
          own_[from->second.first].meets = true;
      }
    });
  }

  // Whether each thread takes just what it has copied itself: then nothing but its own copies matters to it.
  bool reads_own(const Statement& statement, int value, const Member& copied) const {
    const Assign* assign = statement.as<Assign>();
    const std::optional<tile::ValueId> loaded = assign ? loaded_by(program_, *assign) : std::nullopt;
    if (!loaded || loaded->index != value) return false;
    const Value& to = program_.value(assign->value);
    return to.layout && *to.layout == strided_layout(role_->threads(), copied.vector, copied.shape);
  }

  void block(Block& statements) {
    for (Statement& statement : statements) {
      for (Block* inner : blocks_of(statement)) block(*inner);
      if (For* loop = statement.as<For>()) turn(*loop, statement.span);
    }
  }

  void turn(For& loop, Span span) {
    Block now, ahead, rest;
    std::set<int> channels;
    for (Statement& statement : loop.body) {
      Block& to = is_copy(statement) ? now : is_copy_ahead(statement) ? ahead : rest;
      to.push_back(std::move(statement));
    }
    for (const Block* copies : {&now, &ahead}) {
      for_each_statement(*copies, [&](const Statement& statement) {
        if (is_copy(statement)) channels.insert(statement.as<Put>()->entry.channel.index);
      });
    }
    if (channels.empty()) {
      loop.body = std::move(rest);
      return;
    }
    // The copies of the first turns are no turns themselves: no one reads here.
    if (rest.empty() && now.empty()) {
      loop.body = std::move(ahead);
      if (has_async(loop.body)) loop.body.push_back({span, "", Commit{}});
      return;
    }
    loop.body.clear();
    head(channels, std::move(now), std::move(ahead), span, loop.body);
    std::move(rest.begin(), rest.end(), std::back_inserter(loop.body));
    for (int channel : channels) loop.body.push_back({span, "", Advance{{channel}}});
  }

  bool has_async(const Block& copies) const {
    bool found = false;
    for_each_statement(copies, [&](const Statement& statement) {
      found = found || (is_copy(statement) && own_.at(statement.as<Put>()->entry.channel.index).async);
    });
    return found;
  }

  // What stands at the head of a turn, before anything is read.
  void head(const std::set<int>& channels, Block now, Block ahead, Span span, Block& out) const {
    bool meets = false, one_slot = false, async = false;
    int64_t least = -1;
    WaitCopies wait;
    for (int channel : channels) {
      const Own& own = own_.at(channel);
      meets = meets || own.meets;
      one_slot = one_slot || program_.channel({channel}).slots.value_or(1) == 1;
      wait.channels.push_back({channel});
      if (!own.async) continue;
      least = async ? std::min(least, own.ahead) : own.ahead;
      async = true;
    }
    wait.pending = std::max<int64_t>(0, least - 1);
    const auto add = [&](auto node) { out.push_back({span, "", std::move(node)}); };
    if (!now.empty()) {
      // What is not copied ahead goes into an entry that all threads have read, and is waited for at once.
      const bool waits = has_async(now);
      if (one_slot && meets) add(Sync{});
      std::move(now.begin(), now.end(), std::back_inserter(out));
      if (waits) add(Commit{});
    }
    if (async) add(wait);
    if (meets) add(Sync{});
    if (ahead.empty()) return;
    const bool commits = has_async(ahead);
    std::move(ahead.begin(), ahead.end(), std::back_inserter(out));
    if (commits) add(Commit{});
  }

  Program program_;
  const Role* role_ = nullptr;
  std::map<int, Own> own_;  // by channel
};

}  // namespace protocols

tile::Program insert_protocol(const tile::Program& program) { return protocols::ProtocolInserter(program).run(); }

}  // namespace pallasgen
