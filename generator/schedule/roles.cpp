#include "schedule/roles.h"

#include <fmt/format.h>

#include <map>

#include "conditions.h"
#include "layout/warps.h"
#include "own_channels.h"
#include "schedule/late_reads.h"
#include "slice_ends.h"
#include "storer.h"
#include "tile/slice.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

class Split {
 public:
  explicit Split(const Program& program)
      : program_(program), copies_(program), stored_(touched(program, whole().body).stores) {}

  Program run() {
    const PipelineSettings& pipeline = program_.declarations->pipeline;
    if (!pipeline.warp_specialized.value) {
      program_.honoured.insert("pipeline.warp_specialized");
      move_stores(program_);
      return std::move(program_);
    }
    find_copies();
    if (!program_.retry.empty() || moved_.empty()) return std::move(program_);
    const auto is_moved = [&](const Statement& statement) {
      const Read* read = statement.as<Read>();
      return read && moved_.count(read->value.index) > 0;
    };
    const std::set<int> leading = needed_by(program_, whole().body, is_moved);
    bool by_threads = false;
    for_each_statement(whole().body, [&](const Statement& statement) {
      if (is_moved(statement)) by_threads = by_threads || !is_by_unit(statement.as<Read>()->path.kind);
    });
    Block brought = whole().body;
    copy_whole_rows(brought);
    Role producer{"producer", slice(program_, brought, is_moved), by_threads ? kWarpsOfGroup : 1};
    Role consumer{"consumer", std::move(whole().body), kWarpsOfGroup * pipeline.compute_warpgroups.value.value_or(0)};
    producer.duties.copies = consumer.duties.computes = true;
    turn_copies_into_puts(producer.body, {});
    turn_copies_into_gets(consumer.body, {});
    remove_unread(consumer.body, [&](const Statement& statement) {
      const std::optional<ValueId> value = defined_by(statement);
      return value && leading.count(value->index) > 0 && (statement.as<Assign>() || statement.as<Read>());
    });
    program_.roles = {std::move(producer), std::move(consumer)};
    move_stores(program_);
    find_carries(program_);
    program_.honoured.insert("pipeline.warp_specialized");
    program_.honoured.insert("pipeline.compute_warpgroups");
    return std::move(program_);
  }

 private:
  Role& whole() { return computing_role(program_); }
  const Role& whole() const { return computing_role(program_); }

  void find_copies() {
    std::set<int> refused, of_steps;
    note_steps(whole().body, false, of_steps);
    for_each_statement(whole().body, [&](const Statement& statement) {
      const Read* read = statement.as<Read>();
      if (!read || program_.value(read->value).home != Home::shared || refused.count(read->value.index)) return;
      const std::string reason = why_not_ahead(*read);
      if (reason.empty()) {
        moved_.insert(read->value.index);
        return;
      }
      refused.insert(read->value.index);
      moved_.erase(read->value.index);
      // Threads copy what they use in the steps of an axis; other values they read in global memory.
      if (is_by_unit(read->path.kind) || of_steps.count(read->value.index) == 0)
        retry_with(program_, {.kind = ChoiceKind::copies, .ref = read->box.ref, .why = reason});
      program_.decisions.push_back({program_.value(read->value).name, "copied by the threads that use it", reason});
    });
  }

  // The values that each step of an axis reads.
  static void note_steps(const Block& block, bool in_steps, std::set<int>& found) {
    for (const Statement& statement : block) {
      const Read* read = statement.as<Read>();
      if (read && in_steps) found.insert(read->value.index);
      const For* loop = statement.as<For>();
      const bool steps = loop && loop->variable.kind == SymbolKind::axis;
      for (const Block* inner : blocks_of(statement)) note_steps(*inner, steps, found);
    }
  }

  // Why the copy cannot run ahead of the statements before it; empty: it can.
  std::string why_not_ahead(const Read& read) const {
    const std::string& array = program_.ref(read.box.ref).name;
    const auto is_it = [&](const Statement& statement) {
      const Read* other = statement.as<Read>();
      return other && other->value == read.value;
    };
    std::string reason;
    const std::set<int> needed = needed_by(program_, whole().body, is_it);
    for_each_statement(whole().body, [&](const Statement& statement) {
      const std::optional<ValueId> value = defined_by(statement);
      if (value && needed.count(value->index) && !statement.as<Assign>() && !statement.as<Read>())
        reason = fmt::format("'{}' decides where or whether '{}' is copied", program_.value(*value).name, array);
    });
    if (!reason.empty()) return reason;
    const Block leading = slice(program_, whole().body, is_it);
    for_each_statement(leading, [&](const Statement& statement) {
      Touched own = {};
      bool ticket = false;
      for_each_expression(statement, [&](const TypedPtr& expr) {
        touch(program_, expr, own);
        ticket = ticket || mentions(expr, SymbolKind::ticket, 0);
      });
      if (const Read* other = statement.as<Read>()) {
        own.add(touched(program_, statement));
        if (!is_it(statement) && program_.value(other->value).home == Home::shared)
          reason = fmt::format("where '{}' is copied from depends on a block in shared memory", array);
      }
      if (own.ordered) reason = fmt::format("an ordered access decides where or whether '{}' is copied", array);
      if (ticket) reason = fmt::format("ticket() decides where or whether '{}' is copied", array);
      if (meet(own.loads, stored_)) reason = fmt::format("the kernel writes what '{}' is copied from or by", array);
    });
    return reason;
  }

  // The loops that the read's entries move on: those around it, and the one whose iteration it belongs to.
  static std::vector<Symbol> loops_of(const Read& read, std::vector<Symbol> around) {
    const auto is_it = [&](const Symbol& loop) { return read.of && loop.name == read.of->loop.name; };
    if (read.of && std::none_of(around.begin(), around.end(), is_it)) around.push_back(read.of->loop);
    return around;
  }
  ChannelId channel_of(const Read& read, const std::vector<Symbol>& loops) {
    std::vector<std::string> moves;
    for (const Symbol& loop : loops) moves.push_back(loop.name);
    const auto [known, added] =
        channels_.try_emplace({read.value.index, moves}, ChannelId{static_cast<int>(channels_.size())});
    if (!added) return known->second;
    const Value& value = program_.value(read.value);
    const std::string name = copies_.of(program_, read);
    Channel channel{channel_name(program_, name), {{name, value.dtype, value.shape}}, {}, "producer", "consumer"};
    channel.moves = std::move(moves);
    program_.channels.push_back(std::move(channel));
    return known->second;
  }

  Entry entry_of(const Read& read, const std::vector<Symbol>& around) {
    const std::vector<Symbol> loops = loops_of(read, around);
    Entry entry{channel_of(read, loops), 0, {}};
    for (const Symbol& loop : loops) {
      const bool other = read.of && read.of->loop.name == loop.name;
      entry.at.push_back(other ? read.of->turn : make_typed({}, DType::index, {}, loop));
    }
    return entry;
  }

  template <class Change>
  void change_copies(Block& block, std::vector<Symbol> loops, Change&& change) {
    for (Statement& statement : block) {
      const Read* read = statement.as<Read>();
      if (read && moved_.count(read->value.index)) change(statement, *read, loops);
      const For* loop = statement.as<For>();
      if (loop) loops.push_back(loop->variable);
      for (Block* inner : blocks_of(statement)) change_copies(*inner, loops, change);
      if (loop) loops.pop_back();
    }
  }
  // A tensor copy brings all rows of a box, ...
  static void copy_whole_rows(Block& block) {
    for (Statement& statement : block) {
      for (Block* inner : blocks_of(statement)) copy_whole_rows(*inner);
      Read* read = statement.as<Read>();
      if (!read || read->path.kind != PathKind::tensor) continue;
      for (BoxDim& dim : read->box.dims) dim.limit = nullptr;
    }
  }
  // ... and the role that uses them clears those past a slice if the ref has a `fill`. Null: all rows count.
  TypedPtr rows_of(const Read& read) const {
    if (!program_.ref(read.box.ref).fill || read.path.kind != PathKind::tensor) return nullptr;
    for (const BoxDim& dim : read.box.dims) {
      if (dim.limit) return end_of_slice(dim);
    }
    return nullptr;
  }
  void turn_copies_into_puts(Block& block, const std::vector<Symbol>& loops) {
    change_copies(block, loops, [&](Statement& statement, const Read& read, const std::vector<Symbol>& around) {
      statement.node = Put{entry_of(read, around), read.box, read.path};
    });
  }
  void turn_copies_into_gets(Block& block, const std::vector<Symbol>& loops) {
    change_copies(block, loops, [&](Statement& statement, const Read& read, const std::vector<Symbol>& around) {
      statement.node = Get{read.value, entry_of(read, around), rows_of(read)};
    });
  }

  Program program_;
  const CopyNames copies_;
  const std::set<int> stored_;                                              // arrays that the kernel writes
  std::set<int> moved_;                                                     // values that the producer's copies fill
  std::map<std::pair<int, std::vector<std::string>>, ChannelId> channels_;  // by value and its loops
};

}  // namespace

tile::Program split_into_roles(const tile::Program& program) {
  tile::Program made = Split(program).run();
  if (made.retry.empty()) read_parameters_late(made);
  return made;
}

}  // namespace pallasgen::schedule
