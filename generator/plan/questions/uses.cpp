#include "questions/uses.h"

#include <algorithm>

#include "program/index_terms.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

// True if evaluating the operation evaluates all elements of its operands.
bool takes_all(const Typed& node) {
  const Apply* apply = node.as<Apply>();
  if (!apply) return true;
  const Op op = apply->op;
  return op != Op::slice && op != Op::where && op != Op::logical_and && op != Op::logical_or && op != Op::concatenate;
}

void find_sure(const TypedPtr& expr, std::set<int>& out) {
  if (!expr) return;
  if (const auto* use = expr->as<LocalUse>()) out.insert(use->id);
  if (!takes_all(*expr)) return;
  const Apply* apply = expr->as<Apply>();
  const CallFunction* call = expr->as<CallFunction>();
  for (const TypedPtr& arg : apply ? apply->args : call ? call->args : std::vector<TypedPtr>{}) find_sure(arg, out);
}

class Finder {
 public:
  explicit Finder(ElementUses& uses) : uses_(uses) {}

  void in(const tile::Block& block, int depth) {
    for (const tile::Statement& statement : block) {
      if (const auto value = tile::defined_by(statement)) {
        ++uses_.definitions[value->index];
        depths_.emplace(value->index, depth);
        blocks_.emplace(value->index, &block);
      }
    }
    for (const tile::Statement& statement : block) {
      of(statement, depth);
      find_sure_uses(statement, block);
    }
  }

 private:
  void of(const tile::Statement& statement, int depth) {
    const bool turns = statement.as<tile::For>() || statement.as<tile::While>();
    for (int value : tile::used_by(statement)) {
      const int inner = statement.as<tile::While>() ? depth + 1 : depth;
      const auto bound = depths_.find(value);
      uses_.uses[value] += bound != depths_.end() && bound->second < inner ? 2 : 1;
    }
    count_again(statement);
    tile::for_each_expression(statement, [&](const TypedPtr& expr) {
      walk(expr, [&](const Typed& node) {
        if (const auto* read = node.as<RefRead>()) uses_.read.insert(read->ref), uses_.loads.insert(read->ref);
      });
    });
    carries(statement);
    if (const auto* read = statement.as<tile::Read>()) uses_.loads.insert(read->box.ref);
    if (const auto* put = statement.as<tile::Put>(); put && !put->value) uses_.loads.insert(put->box.ref);
    if (const auto* get = statement.as<tile::Get>()) uses_.got.insert(get->value.index);
    effects(statement);
    for (const tile::Block* inner : tile::blocks_of(statement)) in(*inner, depth + (turns ? 1 : 0));
  }

  // Only statements that are kept even if nothing uses their results make a use sure.
  void find_sure_uses(const tile::Statement& statement, const tile::Block& block) {
    if (statement.as<tile::Assign>()) return;
    std::set<int> used;
    if (const auto* write = statement.as<tile::Write>()) used.insert(write->value.index);
    if (const auto* store = statement.as<StoreStmt>()) find_sure(store->value, used);
    if (const auto* atomic = statement.as<AtomicStmt>()) find_sure(atomic->value, used);
    for (int value : used) {
      if (blocks_[value] == &block) uses_.sure.insert(value);
    }
  }

  // Counts the further uses of values that a statement names several times.
  void count_again(const tile::Statement& statement) {
    std::map<int, int> named;
    tile::for_each_expression(statement, [&](const TypedPtr& expr) {
      walk(expr, [&](const Typed& node) {
        if (const auto* use = node.as<LocalUse>()) ++named[use->id];
      });
    });
    for (const auto& [value, count] : named) uses_.uses[value] += count - 1;
  }

  void carries(const tile::Statement& statement) {
    const auto add = [&](const std::vector<tile::ValueId>& values) {
      for (tile::ValueId value : values) uses_.carried.insert(value.index);
    };
    if (const auto* loop = statement.as<tile::For>()) add(loop->carry);
    if (const auto* loop = statement.as<tile::While>()) add(loop->carry);
    if (const auto* branch = statement.as<tile::If>()) add(branch->carry);
  }

  void effects(const tile::Statement& statement) {
    if (const auto* flush = statement.as<tile::Flush>()) uses_.flushed[flush->box.ref].push_back(flush->box);
    if (const auto* fetch = statement.as<tile::Fetch>()) uses_.fetched[fetch->box.ref].push_back(fetch->box);
    if (const auto* store = statement.as<StoreStmt>()) {
      uses_.written.insert(store->ref);
      if (store->op) uses_.read.insert(store->ref);
    }
    if (const auto* atomic = statement.as<AtomicStmt>()) {
      uses_.written.insert(atomic->ref);
      uses_.updated.insert(atomic->ref);
    }
  }

  ElementUses& uses_;
  std::map<int, int> depths_;                 // by value: loops around its first definition
  std::map<int, const tile::Block*> blocks_;  // by value: the block of its first definition
};

}  // namespace

void ElementUses::note_array(const tile::Program& program, const tile::Statement& statement) {
  if (const auto* write = statement.as<tile::Write>()) arrays_written.insert(write->box.ref);
  if (const auto* flush = statement.as<tile::Flush>()) arrays_written.insert(flush->box.ref);
  const auto* store = statement.as<StoreStmt>();
  const auto* atomic = statement.as<AtomicStmt>();
  const int stored = store ? store->ref : atomic ? atomic->ref : -1;
  if (stored >= 0 && is_view(program.ref(stored))) arrays_written.insert(stored);
}

ElementUses::ElementUses(const tile::Program& program, const tile::Role& role) {
  Finder(*this).in(role.body, 0);
  // The writes of other roles count too.
  for (const tile::Role& other : program.roles) {
    tile::for_each_statement(other.body, [&](const tile::Statement& statement) { note_array(program, statement); });
  }
}

bool puts_values(const tile::Statement& loop) {
  bool puts = false, multiplies = false;  // a loop that also multiplies puts operands of its dots
  for (const tile::Block* body : tile::blocks_of(loop)) {
    tile::for_each_statement(*body, [&](const tile::Statement& statement) {
      const auto* put = statement.as<tile::Put>();
      puts = puts || (put && put->value);
      multiplies = multiplies || statement.as<tile::Dot>();
    });
  }
  return puts && !multiplies && loop.as<tile::For>() && loop.as<tile::For>()->variable.kind == SymbolKind::loop;
}

bool is_put(const tile::Program& program, tile::ValueId value) {
  bool put = false;
  for (const tile::Role& role : program.roles) {
    tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto* node = statement.as<tile::Put>();
      put = put || (node && node->value == value);
    });
  }
  return put;
}

bool is_number(const tile::Value& value) {
  return std::all_of(value.shape.begin(), value.shape.end(), [](int64_t size) { return size == 1; });
}

namespace {

bool is_of_registers(const tile::Program& program, int id) {
  const tile::Value& value = program.value({id});
  return value.home != tile::Home::shared && value.home != tile::Home::scalar && !is_number(value);
}

}  // namespace

bool goes_by_elements(const tile::Program& program, const tile::Statement& statement) {
  using tile::Home;
  const auto by_elements = [&](tile::ValueId id) {
    const Home home = program.value(id).home;
    return home == Home::scalar || (home == Home::shared && !is_put(program, id));
  };
  if (const auto* assign = statement.as<tile::Assign>()) return by_elements(assign->value);
  if (const auto* dot = statement.as<tile::Dot>()) return by_elements(dot->value);
  if (const auto* read = statement.as<tile::Read>())
    return by_elements(read->value) && !tile::is_by_unit(read->path.kind);
  if (const auto* write = statement.as<tile::Write>())
    return by_elements(write->value) && !tile::is_by_unit(write->path.kind);
  if (statement.as<PrintStmt>()) {
    const std::set<int> used = tile::used_by(statement);
    return std::none_of(used.begin(), used.end(), [&](int id) { return is_of_registers(program, id); });
  }
  return statement.as<StoreStmt>() || statement.as<AtomicStmt>() || statement.as<GridSyncStmt>() ||
         statement.as<AssertStmt>() || statement.as<tile::Forget>() || statement.as<tile::Fetch>() ||
         statement.as<tile::Flush>();
}

bool is_control(const tile::Statement& statement) {
  return statement.as<tile::If>() || statement.as<tile::For>() || statement.as<tile::While>();
}

}  // namespace pallasgen
