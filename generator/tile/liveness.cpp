
#include <fmt/format.h>

#include "channels.h"
#include "tile/walk.h"

namespace pallasgen::tile {

namespace {

using Live = std::set<int>;

void defined_in(const Block& block, Live& out) {
  for_each_statement(block, [&](const Statement& statement) {
    if (const std::optional<ValueId> value = defined_by(statement)) out.insert(value->index);
  });
}

// Values that blocks of `inside` define and that are live after them, in the order of their ids.
std::vector<ValueId> carried(const std::vector<const Block*>& inside, const Live& wanted) {
  Live defined;
  for (const Block* block : inside) defined_in(*block, defined);
  std::vector<ValueId> out;
  for (int value : defined) {
    if (wanted.count(value)) out.push_back({value});
  }
  return out;
}

void add(Live& to, const Live& from) { to.insert(from.begin(), from.end()); }

// Computes liveness backwards: from the values that are read after a block, those that are live before it. `found` gets
// the carry list of each loop and branch, `point` the values that are live before each statement.
class LivenessWalk {
 public:
  using Found = std::function<void(const Statement&, std::vector<ValueId>)>;
  using Point = std::function<void(const Statement&, const Live&)>;
  explicit LivenessWalk(Found found, Point point = {}) : found_(std::move(found)), point_(std::move(point)) {}

  Live block(const Block& statements, Live live) {
    for (size_t i = statements.size(); i-- > 0;) {
      live = statement(statements[i], std::move(live));
      if (point_) point_(statements[i], live);
    }
    return live;
  }

 private:
  Live statement(const Statement& at, Live live) {
    if (const auto* branch = at.as<If>()) {
      found_(at, carried({&branch->then, &branch->otherwise}, live));
      Live out = block(branch->then, live);
      add(out, block(branch->otherwise, live));
      add(out, used_by(at));
      return out;
    }
    if (const auto* loop = at.as<For>()) {
      live = turns(at, loop->body, std::move(live), {});
      add(live, used_by(at));
      return live;
    }
    if (const auto* loop = at.as<While>()) return turns(at, loop->body, std::move(live), used_by(at));
    if (const auto* tiles = at.as<ForTiles>()) return block(tiles->body, std::move(live));
    if (const std::optional<ValueId> value = defined_by(at)) live.erase(value->index);
    add(live, used_by(at));
    return live;
  }

  // `each`: values that are read before each iteration.
  Live turns(const Statement& at, const Block& body, Live live, Live each) {
    add(live, each);
    for (size_t before = live.size() + 1; before != live.size();) {
      before = live.size();
      Live head = block(body, live);
      add(live, head);
    }
    found_(at, carried({&body}, live));
    return live;
  }

  const Found found_;
  const Point point_;
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
  return LivenessWalk([](const Statement&, const std::vector<ValueId>&) {}).block(block, {});
}

Peak peak_of(const Block& body, const std::function<int64_t(int value)>& words,
             const std::function<int64_t(const Statement&)>& within) {
  Peak peak;
  const auto point = [&](const Statement& at, const Live& live) {
    int64_t sum = within ? within(at) : 0;
    for (int value : live) sum += words(value);
    if (sum > peak.words) peak = {sum, &at, live};
  };
  LivenessWalk([](const Statement&, const std::vector<ValueId>&) {}, point).block(body, {});
  return peak;
}

void find_carries(Program& program) {
  std::map<const Statement*, std::vector<ValueId>> found;
  for (Role& role : program.roles) {
    LivenessWalk([&](const Statement& at, std::vector<ValueId> carry) {
      found[&at] = std::move(carry);
    }).block(role.body, {});
    set_carries(role.body, found);
  }
}

namespace {

void verify(const Program& program, const Role& role, std::vector<std::string>& wrong) {
  for (int value : undefined_at_start(role.body)) {
    wrong.push_back("'" + program.values[static_cast<size_t>(value)].name + "' is used before it is defined");
  }
  std::map<const Statement*, std::vector<ValueId>> found;
  LivenessWalk([&](const Statement& at, std::vector<ValueId> carry) {
    found[&at] = std::move(carry);
  }).block(role.body, {});
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
