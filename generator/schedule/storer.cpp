#include "storer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "check/aliases.h"
#include "conditions.h"
#include "own_channels.h"
#include "tile/slice.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

class Storing {
 public:
  explicit Storing(Program& program) : program_(program) {}

  void run() {
    find(consumer().body, {}, false);
    std::map<int, std::string> reasons;  // by ref: why it is not moved
    for (const Write* write : in_steps_) {
      std::string& reason = reasons[write->box.ref];
      if (reason.empty()) reason = why_not_delegated(*write);
    }
    for (const auto& [ref, reason] : reasons) decide(program_.ref(ref), ref, reason);
    if (moved_.empty()) return;
    Role storer{"storer", consumer().body, 1};
    storer.duties.stores = true;
    take(storer.body, {});
    const auto is_stored = [this](const Statement& statement) {
      const Get* get = statement.as<Get>();
      return (get && channels_of_stores_.count(get->entry.channel.index) > 0) || is_moved(statement);
    };
    storer.body = slice(program_, storer.body, is_stored);
    put(consumer().body, {});
    // It shares the warpgroup of the role that copies.
    const auto behind = producer() - program_.roles.data() + 1;
    program_.roles.insert(program_.roles.begin() + behind, std::move(storer));
  }

 private:
  Role& consumer() { return computing_role(program_); }
  const Role* producer() const { return role_with(program_, &Duties::copies); }

  void decide(const Ref& ref, int id, const std::string& reason) {
    const bool by_unit = std::any_of(in_steps_.begin(), in_steps_.end(), [&](const Write* write) {
      return write->box.ref == id && write->path.kind == PathKind::tensor;
    });
    if (reason.empty()) moved_.insert(id);
    if (!by_unit && !ref.reduce) return;  // nobody expects it to move
    program_.decisions.push_back({"stores of " + ref.name,
                                  reason.empty() ? "by a warp beside the producer" : "by the threads that compute them",
                                  reason.empty() ? "they move in each step, and nobody else waits for them" : reason});
  }

  bool is_moved(const Statement& statement) const {
    const Write* write = statement.as<Write>();
    return write && write->path.kind == PathKind::tensor && moved_.count(write->box.ref) > 0;
  }

  // Collects the writes in steps, with the loops around them, and the arrays that are written elsewhere.
  void find(const Block& block, const std::string& loops, bool in_steps) {
    for (const Statement& statement : block) {
      const Write* write = statement.as<Write>();
      if (write && in_steps) {
        in_steps_.push_back(write);
        entries_[write->box.ref].insert({write->value.index, loops});
      }
      if (write && !in_steps) elsewhere_.insert(write->box.ref);
      const For* loop = statement.as<For>();
      const bool steps = in_steps || (loop && loop->variable.kind == SymbolKind::axis);
      for (const Block* inner : blocks_of(statement))
        find(*inner, loop ? loops + loop->variable.name + " " : loops, steps);
    }
  }

  // Why the write stays with the threads that compute what it stores; empty: it moves.
  std::string why_not_delegated(const Write& write) {
    const Kernel& kernel = *program_.declarations;
    const std::string& array = program_.ref(write.box.ref).name;
    if (write.path.kind != PathKind::tensor) return "no tensor copy takes them to memory";
    if (!producer()) return "there is no producer's warpgroup: `warp_specialized: true` makes one";
    if (producer()->warps >= kWarpsOfGroup) return "all warps of the producer's warpgroup copy";
    if (work_kind(kernel) == WorkKind::dynamic) return "one thread alone takes tiles as CTAs get free";
    if (!kernel.checks.empty()) return "run-time checks stand before them";
    if (const Choice* known = given_up(program_, ChoiceKind::storer, write.box.ref)) return known->why;
    if (elsewhere_.count(write.box.ref)) return fmt::format("'{}' is stored outside of the steps too", array);
    if (entries_.at(write.box.ref).size() > 1) return fmt::format("'{}' is stored in several loops", array);
    if (program_.value(write.value).home == Home::shared) return "they are computed in shared memory";
    const BoxDim& columns = write.box.dims.back();
    if (!columns.size || bounds(columns.first, kernel.facts()).minimum.value_or(-1) < 0)
      return "their columns may begin before those of the array";
    std::string reason = why_order_matters(write.box.ref);
    return reason.empty() ? why_place_depends(write) : reason;
  }

  // Why other accesses to the array, or effects in an order, keep its stores from moving; empty: nothing does.
  std::string why_order_matters(int ref) {
    const std::string& array = program_.ref(ref).name;
    const Kernel& kernel = *program_.declarations;
    std::string reason;
    for_each_statement(consumer().body, [&](const Statement& statement) {
      if (!blocks_of(statement).empty()) return;
      const Touched own = touched(program_, statement);
      const Write* write = statement.as<Write>();
      const bool is_it = write && write->box.ref == ref && write->path.kind == PathKind::tensor;
      const auto is_same = [&](int other) { return same_buffer(kernel, ref, other); };
      if (std::any_of(own.loads.begin(), own.loads.end(), is_same))
        reason = fmt::format("the kernel reads '{}'", array);
      else if (!is_it && std::any_of(own.stores.begin(), own.stores.end(), is_same))
        reason = fmt::format("the kernel stores to '{}' in other ways too", array);
      else if (own.ordered && !write && !statement.as<Get>())
        reason = "the kernel has effects in an order";
    });
    for (size_t other = 0; other < kernel.refs.size() && reason.empty(); ++other) {
      if (kernel.refs[other].role == RefRole::input && same_buffer(kernel, ref, static_cast<int>(other)))
        reason = fmt::format("'{}' is the array of an input", array);
    }
    return reason;
  }

  // Why values of the consumers decide where or whether the write stores; empty: none do.
  std::string why_place_depends(const Write& write) {
    const std::string& array = program_.ref(write.box.ref).name;
    const auto is_place = [&](const Statement& statement) {
      const Write* other = statement.as<Write>();
      return other && other->box.ref == write.box.ref;
    };
    Block places = consumer().body;
    drop_values(places, write.box.ref);
    const std::set<int> needed = needed_by(program_, places, is_place);
    std::string reason;
    for_each_statement(places, [&](const Statement& statement) {
      const std::optional<ValueId> value = defined_by(statement);
      if (!value || !needed.count(value->index) || statement.as<Assign>()) return;
      const Read* read = statement.as<Read>();
      if (!read || program_.value(*value).home == Home::shared)
        reason = fmt::format("'{}' decides where or whether '{}' is stored", program_.value(*value).name, array);
    });
    return reason;
  }
  // Removes the values of writes to the array, so that only their places and the statements around them matter.
  static void drop_values(Block& block, int ref) {
    for (Statement& statement : block) {
      Write* write = statement.as<Write>();
      if (write && write->box.ref == ref) write->value = {};
      for (Block* inner : blocks_of(statement)) drop_values(*inner, ref);
    }
  }

  // The entry that a write stores, which moves on the loops around it.
  Entry entry_of(const Write& write, const std::vector<Symbol>& loops) {
    std::vector<std::string> moves;
    for (const Symbol& loop : loops) moves.push_back(loop.name);
    const auto [known, added] =
        channels_.try_emplace({write.value.index, write.box.ref, moves}, static_cast<int>(program_.channels.size()));
    if (added) {
      const Value& value = program_.value(write.value);
      const std::string& array = program_.ref(write.box.ref).name;
      Channel channel{
          channel_name(program_, array + "_store"), {{array, value.dtype, value.shape}}, {}, consumer().name, "storer"};
      channel.moves = std::move(moves);
      program_.channels.push_back(std::move(channel));
      channels_of_stores_.insert(known->second);
    }
    Entry entry{{known->second}, 0, {}};
    for (const Symbol& loop : loops) entry.at.push_back(make_typed({}, DType::index, {}, loop));
    return entry;
  }
  // The value in shared memory that an entry holds.
  ValueId staged(const Write& write) {
    const auto [known, added] = staged_.try_emplace({write.value.index, write.box.ref});
    if (!added) return known->second;
    Value value = program_.value(write.value);
    value.name = program_.ref(write.box.ref).name + "_store";
    value.home = Home::shared;
    return known->second = add_value(program_, std::move(value));
  }

  // Makes the storer get the entries and write them.
  void take(Block& block, const std::vector<Symbol>& loops) {
    change(block, loops, [&](Statement& statement, const std::vector<Symbol>& around, Block& out) {
      Write& write = *statement.as<Write>();
      const Entry entry = entry_of(write, around);
      write.value = staged(write);
      out.push_back({statement.span, "", Get{write.value, entry}});
      statement.origin.clear();
      out.push_back(std::move(statement));
    });
  }
  // Makes the consumers put what they have computed.
  void put(Block& block, const std::vector<Symbol>& loops) {
    change(block, loops, [&](Statement& statement, const std::vector<Symbol>& around, Block& out) {
      const Write write = *statement.as<Write>();
      out.push_back({statement.span, statement.origin, Put{entry_of(write, around), {}, {}, write.value}});
    });
  }
  template <class Change>
  void change(Block& block, std::vector<Symbol> loops, Change&& make) {
    Block out;
    for (Statement& statement : block) {
      const For* loop = statement.as<For>();
      if (loop) loops.push_back(loop->variable);
      for (Block* inner : blocks_of(statement)) change(*inner, loops, make);
      if (loop) loops.pop_back();
      if (is_moved(statement))
        make(statement, loops, out);
      else
        out.push_back(std::move(statement));
    }
    block = std::move(out);
  }

  Program& program_;
  std::vector<const Write*> in_steps_;
  std::map<int, std::set<std::pair<int, std::string>>> entries_;  // by ref: stored values and the loops around
  std::set<int> elsewhere_, moved_;                               // refs
  std::map<std::tuple<int, int, std::vector<std::string>>, int> channels_;  // by value, ref and loops
  std::set<int> channels_of_stores_;
  std::map<std::pair<int, int>, ValueId> staged_;  // by value and ref
};

}  // namespace

void move_stores(tile::Program& program) { Storing(program).run(); }

}  // namespace pallasgen::schedule
