#include <fmt/format.h>

#include <unordered_map>

#include "channels.h"
#include "tile/walk.h"
#include "value_set.h"

namespace pallasgen::tile {

namespace {

void defined_in(const Block& block, ValueSet& out) {
  for_each_statement(block, [&](const Statement& statement) {
    if (const std::optional<ValueId> value = defined_by(statement)) out.insert(value->index);
  });
}

// Values that blocks of `inside` define and that are live after them, in the order of their ids.
std::vector<ValueId> carried(const std::vector<const Block*>& inside, const ValueSet& wanted) {
  ValueSet defined;
  for (const Block* block : inside) defined_in(*block, defined);
  std::vector<ValueId> out;
  defined.for_each([&](int value) {
    if (wanted.contains(value)) out.push_back({value});
  });
  return out;
}

// Computes liveness backwards: from the values that are read after a block, those that are live before it. `found` gets
// the carry list of each loop and branch, `point` the values that are live before each statement.
class LivenessWalk {
 public:
  using Found = std::function<void(const Statement&, std::vector<ValueId>)>;
  using Point = std::function<void(const Statement&, const ValueSet&)>;
  explicit LivenessWalk(Found found, Point point = {}) : found_(std::move(found)), point_(std::move(point)) {}

  // Changes `live` from the values that are live after the block to those before it.
  void block(const Block& statements, ValueSet& live) {
    for (size_t i = statements.size(); i-- > 0;) {
      statement(statements[i], live);
      if (point_) point_(statements[i], live);
    }
  }

 private:
  void statement(const Statement& at, ValueSet& live) {
    if (const auto* branch = at.as<If>()) {
      if (found_) found_(at, carried({&branch->then, &branch->otherwise}, live));
      ValueSet otherwise = live;
      block(branch->then, live);
      block(branch->otherwise, otherwise);
      live.add(otherwise);
      live.add(used(at));
    } else if (const auto* loop = at.as<For>()) {
      turns(at, loop->body, live);
      live.add(used(at));
    } else if (const auto* loop = at.as<While>()) {
      turns(at, *loop, live);
    } else if (const auto* tiles = at.as<ForTiles>()) {
      block(tiles->body, live);
    } else {
      if (const std::optional<ValueId> value = defined_by(at)) live.erase(value->index);
      live.add(used(at));
    }
  }

  void turns(const Statement& at, const Block& body, ValueSet& live) {
    for (bool grows = true; grows;) {
      ValueSet head = live;
      block(body, head);
      grows = live.add(head);
    }
    if (found_) found_(at, carried({&body}, live));
  }

  // The test and the condition are evaluated before each iteration and before the loop ends.
  void turns(const Statement& at, const While& loop, ValueSet& live) {
    const ValueSet after = live;
    live.add(used(at));
    ValueSet head;
    for (bool grows = true; grows;) {
      head = live;
      block(loop.test, head);
      ValueSet start = head;
      block(loop.body, start);
      grows = live.add(start);
    }
    live = std::move(head);
    ValueSet wanted = live;
    wanted.add(after);
    if (found_) found_(at, carried({&loop.test, &loop.body}, wanted));
  }

  // The values that the statement uses. The walk comes to statements in loops several times.
  const ValueSet& used(const Statement& at) {
    const auto [known, added] = used_.try_emplace(&at);
    if (added) known->second = ValueSet(used_by(at));
    return known->second;
  }

  const Found found_;
  const Point point_;
  std::unordered_map<const Statement*, ValueSet> used_;
};

void set_carries(Block& block, const std::map<const Statement*, std::vector<ValueId>>& found) {
  for (Statement& statement : block) {
    if (const auto at = found.find(&statement); at != found.end()) {
      if (auto* branch = statement.as<If>()) branch->carry = at->second;
      if (auto* loop = statement.as<For>()) loop->carry = at->second;
      if (auto* loop = statement.as<While>()) loop->carry = at->second;
    }
    for (Block* inner : blocks_of(statement)) set_carries(*inner, found);
  }
}

}  // namespace

const std::vector<ValueId>* carry_of(const Statement& statement) {
  if (const auto* branch = statement.as<If>()) return &branch->carry;
  if (const auto* loop = statement.as<For>()) return &loop->carry;
  if (const auto* loop = statement.as<While>()) return &loop->carry;
  return nullptr;
}

std::set<int> undefined_at_start(const Block& block) {
  ValueSet live;
  LivenessWalk({}).block(block, live);
  return live.values();
}

Peak peak_of(const Block& body, const std::function<int64_t(int value)>& words,
             const std::function<int64_t(const Statement&)>& within) {
  Peak peak;
  ValueSet highest;
  std::unordered_map<int, int64_t> known;  // words, by value
  const auto point = [&](const Statement& at, const ValueSet& live) {
    int64_t sum = within ? within(at) : 0;
    live.for_each([&](int value) {
      const auto [of, added] = known.try_emplace(value, 0);
      if (added) of->second = words(value);
      sum += of->second;
    });
    if (sum <= peak.words) return;
    peak.words = sum;
    peak.before = &at;
    highest = live;
  };
  ValueSet live;
  LivenessWalk({}, point).block(body, live);
  peak.values = highest.values();
  return peak;
}

void find_carries(Program& program) {
  std::map<const Statement*, std::vector<ValueId>> found;
  for (Role& role : program.roles) {
    ValueSet live;
    LivenessWalk([&](const Statement& at, std::vector<ValueId> carry) {
      found[&at] = std::move(carry);
    }).block(role.body, live);
    set_carries(role.body, found);
  }
}

namespace {

void verify(const Program& program, const Role& role, std::vector<std::string>& wrong) {
  for (int value : undefined_at_start(role.body)) {
    wrong.push_back("'" + program.values[static_cast<size_t>(value)].name + "' is used before it is defined");
  }
  std::map<const Statement*, std::vector<ValueId>> found;
  ValueSet live;
  LivenessWalk([&](const Statement& at, std::vector<ValueId> carry) {
    found[&at] = std::move(carry);
  }).block(role.body, live);
  for_each_statement(role.body, [&](const Statement& statement) {
    const std::vector<ValueId>* carry = carry_of(statement);
    if (!carry) return;
    const auto names = [&](const std::vector<ValueId>& list) {
      std::set<std::string> out;
      for (ValueId id : list) out.insert(program.value(id).name);
      return out;
    };
    const std::set<std::string> wanted = names(found[&statement]), given = names(*carry);
    for (const std::string& name : wanted) {
      if (!given.count(name)) wrong.push_back("'" + name + "' crosses a block that does not carry it");
    }
    for (const std::string& name : given) {
      if (!wanted.count(name)) wrong.push_back("'" + name + "' is carried, and nothing behind the block reads it");
    }
  });
}

}  // namespace

std::vector<std::string> verify(const Program& program) {
  std::vector<std::string> wrong;
  for (const Role& role : program.roles) {
    verify(program, role, wrong);
    const Duties said = duties_by_channels(program, role);
    if (said.copies != role.duties.copies || said.stores != role.duties.stores)
      wrong.push_back(fmt::format("role '{}' has other duties than its channels say", role.name));
  }
  verify_channels(program, wrong);
  verify_types(program, wrong);
  return wrong;
}

}  // namespace pallasgen::tile
