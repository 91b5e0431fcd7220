#include "protocol/protocol.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "program/index_terms.h"
#include "protocol/operand_protocol.h"
#include "protocol/role_protocol.h"
#include "protocol/store_protocol.h"
#include "tile/walk.h"

namespace pallasgen {

namespace protocols {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Advance, tile::Assign, tile::Block, tile::Channel, tile::ChannelId, tile::Commit, tile::For, tile::Get,
    tile::If, tile::PathKind, tile::Program, tile::Put, tile::Role, tile::Statement, tile::Sync, tile::Value,
    tile::WaitCopies;

bool intersect(const std::set<int>& a, const std::set<int>& b) {
  return std::any_of(a.begin(), a.end(), [&](int each) { return b.count(each) > 0; });
}

class ProtocolInserter {
 public:
  explicit ProtocolInserter(const Program& program) : program_(program) {}

  Program run() {
    for (Role& role : program_.roles) {
      role_ = &role;
      note_copies(role.body);
      order_blocks(role.body, false);
      copy_in_place(role.body, false);
      insert_operand_protocol(program_, role);
      insert_role_protocol(program_, role);
      insert_store_protocol(program_, role);
      advance_operands(program_, role);
      close_turns(role);
    }
    return std::move(program_);
  }

 private:
  // Adds a pass before the first turn that is taken, and a take after the last one that is passed.
  static void close_turns(Role& role) {
    bool turns = false;
    for_each_statement(role.body, [&](const Statement& statement) { turns = turns || statement.as<tile::TakeTurn>(); });
    if (!turns) return;
    const Span span = role.body.front().span;
    role.body.insert(role.body.begin(), {span, "", tile::PassTurn{true}});
    role.body.push_back({span, "", tile::TakeTurn{true}});
  }

  // Properties of a channel that this role fills by copies of its threads.
  struct Own {
    bool async = false;                // some of its members come by asynchronous copies
    bool meets = false;                // a thread, or instructions, read the copies of another thread
    bool by_instructions = false;      // matrix instructions read it
    bool filled = false;               // by an earlier copy
    int64_t ahead = 0, in_flight = 0;  // steps for which instructions that read it run on
  };
  // True if the statement is a copy by the role's threads to a channel of its own.
  bool is_copy(const Statement& statement) const {
    const Put* put = statement.as<Put>();
    if (!put || put->value) return false;
    const Channel& channel = program_.channel(put->entry.channel);
    return channel.from == channel.to && (put->path.kind == PathKind::async || put->path.kind == PathKind::direct);
  }
  // True if the statement only copies ahead, on the condition that the iteration that needs the copies exists.
  bool is_copy_ahead(const Statement& statement) const {
    const If* branch = statement.as<If>();
    return branch && branch->otherwise.empty() && !branch->then.empty() &&
           std::all_of(branch->then.begin(), branch->then.end(),
                       [this](const Statement& inner) { return is_copy(inner) && inner.as<Put>()->ahead; });
  }

  // True if these copies refill a slot from which each thread has just taken its own: they stay after that.
  bool is_refill(const Statement& statement) const {
    const auto refills = [this](const Statement& inner) {
      const Put& put = *inner.as<Put>();
      const int64_t slots = program_.channel(put.entry.channel).slots.value_or(1);
      return constant_value(put.ahead).value_or(0) >= slots;
    };
    if (!is_copy_ahead(statement)) return false;
    const Block& copies = statement.as<If>()->then;
    return std::all_of(copies.begin(), copies.end(), refills);
  }

  // How the entries of a member are copied.
  struct Member {
    int64_t vector = 1;
    Shape shape;
  };

  void note_copies(const Block& body) {
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
        if (copied == members.end()) continue;
        Own& own = own_[from->second.first];
        own.meets = own.meets ||
                    !takes_own_copies(program_, *role_, statement, value, copied->second.vector, copied->second.shape);
        const auto* dot = dot_if(statement, &tile::Product::reads_slots);
        if (!dot) continue;
        own.by_instructions = true;
        own.in_flight = std::max(own.in_flight, dot->in_flight.value_or(0));
      }
    });
  }

  // `again`: the statements run more than once, so that the entries that they fill may have been filled before.
  void order_blocks(Block& statements, bool again) {
    for (Statement& statement : statements) {
      if (is_copy_ahead(statement)) continue;
      if (For* loop = statement.as<For>()) {
        order_blocks(loop->body, true);
        order_loop_body(*loop, statement.span);
        continue;
      }
      const bool inner_again = again || tile::repeats(statement);
      for (Block* inner : blocks_of(statement)) {
        order_blocks(*inner, inner_again);
        copy_in_place(*inner, inner_again);
      }
    }
  }

  // The channels whose copies need values that the block defines, or arrays that it stores, before them.
  std::set<int> channels_bound_to_place(const Block& body) const {
    std::set<int> found;
    tile::Touched before = {};
    for (const Statement& statement : body) {
      const tile::Touched own = touched(program_, statement);
      if (is_copy(statement) && (intersect(own.reads, before.defines) || intersect(own.loads, before.stores)))
        found.insert(statement.as<Put>()->entry.channel.index);
      before.add(own);
    }
    return found;
  }

  // Waits at once for each run of copies of a block that no copies run ahead of.
  void copy_in_place(Block& statements, bool again) {
    Block out;
    std::set<int> channels;
    for (size_t i = 0; i < statements.size(); ++i) {
      if (!is_copy(statements[i])) {
        out.push_back(std::move(statements[i]));
        continue;
      }
      const Span span = statements[i].span;
      Block run, got;
      std::set<std::pair<int, int>> filled;  // by channel and member
      for (; i < statements.size() && (is_copy(statements[i]) || statements[i].as<Get>()); ++i) {
        const Put* put = statements[i].as<Put>();
        if (put && !filled.insert({put->entry.channel.index, put->entry.member}).second) break;
        if (put) channels.insert(put->entry.channel.index);
        (put ? run : got).push_back(std::move(statements[i]));
      }
      --i;
      std::set<int> of_run;
      for (const Statement& copy : run) of_run.insert(copy.as<Put>()->entry.channel.index);
      wait_for_copies(of_run, std::move(run), {}, span, out, again);
      std::move(got.begin(), got.end(), std::back_inserter(out));
    }
    const Span span = out.empty() ? Span() : out.back().span;
    for (int channel : channels) out.push_back({span, "", Advance{{channel}}});
    statements = std::move(out);
  }

  void order_loop_body(For& loop, Span span) {
    Block now, ahead, rest;
    std::set<int> channels;
    const std::set<int> bound = channels_bound_to_place(loop.body);
    for (Statement& statement : loop.body) {
      const bool first = is_copy(statement) && bound.count(statement.as<Put>()->entry.channel.index) == 0;
      const bool refills = is_refill(statement);
      Block& to = first ? now : !refills && is_copy_ahead(statement) ? ahead : rest;
      if (refills) note_channels({statement}, channels);
      to.push_back(std::move(statement));
    }
    copy_in_place(rest, true);
    commit_refills(rest, span);
    note_channels(now, channels);
    note_channels(ahead, channels);
    if (channels.empty()) {
      loop.body = std::move(rest);
      return;
    }
    // A loop that makes the copies of the first iterations has no reads.
    if (rest.empty() && now.empty()) {
      loop.body = std::move(ahead);
      if (has_async(loop.body)) loop.body.push_back({span, "", Commit{}});
      return;
    }
    loop.body.clear();
    wait_for_copies(channels, std::move(now), std::move(ahead), span, loop.body, true);
    std::move(rest.begin(), rest.end(), std::back_inserter(loop.body));
    for (int channel : channels) loop.body.push_back({span, "", Advance{{channel}}});
  }

  void note_channels(const Block& copies, std::set<int>& channels) const {
    for_each_statement(copies, [&](const Statement& statement) {
      if (is_copy(statement)) channels.insert(statement.as<Put>()->entry.channel.index);
    });
  }

  // The refills of one iteration form one group.
  void commit_refills(Block& body, Span span) const {
    const auto last = std::find_if(body.rbegin(), body.rend(), [&](const Statement& each) { return is_refill(each); });
    if (last != body.rend() && has_async({*last})) body.insert(last.base(), {span, "", Commit{}});
  }

  bool has_async(const Block& copies) const {
    bool found = false;
    for_each_statement(copies, [&](const Statement& statement) {
      found = found || (is_copy(statement) && own_.at(statement.as<Put>()->entry.channel.index).async);
    });
    return found;
  }

  // Adds the copies, waits and syncs at the start of an iteration, before anything is read, or where a block copies.
  void wait_for_copies(const std::set<int>& channels, Block now, Block ahead, Span span, Block& out, bool again) {
    tile::Orders refilled, fenced, met;
    bool async = false;
    int64_t least = -1;
    WaitCopies wait;
    for (int channel : channels) {
      Own& own = own_.at(channel);
      if (own.meets) met.filled.push_back({channel});
      if (own.by_instructions) fenced.filled.push_back({channel});
      // An entry fills the slot of the entry that the previous step has read last.
      const int64_t slots = program_.channel({channel}).slots.value_or(1);
      const bool at_once = !now.empty() && slots <= 1 + own.in_flight;
      if (again || own.filled) (at_once ? refilled : met).read.push_back({channel});
      own.filled = true;
      wait.channels.push_back({channel});
      if (!own.async) continue;
      least = async ? std::min(least, own.ahead) : own.ahead;
      async = true;
    }
    wait.pending = std::max<int64_t>(0, least - 1);
    const auto add = [&](auto node) { out.push_back({span, "", std::move(node)}); };
    if (!now.empty()) {
      // Copies that do not run ahead go into an entry that all threads have read, and are awaited at once.
      const bool waits = has_async(now);
      if (!refilled.read.empty() && !met.filled.empty()) add(Sync{.orders = refilled});
      std::move(now.begin(), now.end(), std::back_inserter(out));
      if (waits) add(Commit{});
    }
    if (async) add(wait);
    if (!fenced.filled.empty()) add(tile::FenceProxy{fenced});
    if (!met.filled.empty()) add(Sync{.orders = met});
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
