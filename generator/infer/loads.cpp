#include "loads.h"

#include <algorithm>
#include <map>
#include <set>

#include "infer/infer.h"
#include "tile/walk.h"

namespace pallasgen {

using namespace tile;

namespace {

// Whether the elements of the operands are taken as a whole, each by the threads that compute with it.
bool takes_blocks(const Typed& node) {
  if (node.as<CallFunction>()) return true;
  const Apply* apply = node.as<Apply>();
  if (!apply) return false;
  const OpGroup group = operation(apply->op).group;
  if (group == OpGroup::elementwise || group == OpGroup::cast || group == OpGroup::reduce) return true;
  if (apply->op != Op::slice) return group == OpGroup::shape;
  const std::vector<IndexItem>& items = apply->attributes.items;
  return std::all_of(items.begin(), items.end(), [](const IndexItem& item) {
    const auto* range = std::get_if<IndexSlice>(&item);
    return std::holds_alternative<IndexNewAxis>(item) || (range && range->step == 1 && constant_value(range->start));
  });
}

class Loads {
 public:
  explicit Loads(Program& program) : program_(program) {}

  void run(Role& role) {
    for_each_statement(role.body, [&](const Statement& statement) {
      if (const Put* put = statement.as<Put>(); put && put->value) put_.insert(put->value.index);
      // An entry is loaded where it is got: behind that it may be free again.
      const auto value = defined_by(statement);
      if (value) ++definitions_[value->index];
      for (int used : used_by(statement)) ++uses_[used];
      const Dot* dot = statement.as<Dot>();
      instructions_ = instructions_ || (dot && dot->by_unit());
      if (value && statement.as<Get>()) entries_.insert(value->index);
    });
    change(role.body);
    if (!loaded_.empty()) {
      add(role.body);
      add_at_uses(role.body, {});
    }
    loaded_.clear();
    definitions_.clear();
    uses_.clear();
    instructions_ = false;
    entries_.clear();
  }

 private:
  void change(Block& block) {
    for (Statement& statement : block) {
      Assign* assign = statement.as<Assign>();
      if (assign && assign->expr && !assign->expr->as<LocalUse>() && !by_elements(assign->value))
        assign->expr = changed(assign->expr, program_.value(assign->value).shape.size());
      const For* loop = statement.as<For>();
      const bool chunks = loop && loop->variable.kind == SymbolKind::loop;
      chunks_ += chunks ? 1 : 0;
      for (Block* inner : blocks_of(statement)) change(*inner);
      chunks_ -= chunks ? 1 : 0;
    }
  }

  // What goes element by element reads shared memory where it is; not what is put into an entry.
  bool by_elements(ValueId value) const {
    const Home home = program_.value(value).home;
    return home == Home::scalar || (home == Home::shared && put_.count(value.index) == 0);
  }

  // Of an entry, by one statement of each piece, beside what instructions make: each thread has more of its elements
  // than it needs at once.
  bool is_read_in_place(const Typed& node, size_t rank) const {
    const LocalUse* used = column_vector(node);
    if (!used || !instructions_ || rank != 2 || chunks_ > 0) return false;
    const auto uses = uses_.find(used->id);
    return entries_.count(used->id) > 0 && program_.value({used->id}).home == Home::shared && uses != uses_.end() &&
           uses->second <= definitions_.at(used->id);
  }

  TypedPtr changed(const TypedPtr& expr, size_t rank) {
    return rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
      if (is_read_in_place(*node, rank)) return node;
      const auto* used = node->as<LocalUse>();
      if (!used) return takes_blocks(*node) ? nullptr : node;
      if (program_.value({used->id}).home != Home::shared) return nullptr;
      return use(program_, in_registers({used->id}), node->span);
    });
  }

  ValueId in_registers(ValueId shared) {
    const auto [known, added] = loaded_.try_emplace(shared.index);
    if (!added) return known->second;
    Value block = program_.value(shared);
    block.name += "_block";
    block.home = Home::registers;
    return known->second = add_value(program_, std::move(block));
  }

  // Behind the only definition of a value that is wanted in registers.
  void add(Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      for (Block* inner : blocks_of(block[i])) add(*inner);
      const std::optional<ValueId> value = defined_by(block[i]);
      const auto wanted = value ? loaded_.find(value->index) : loaded_.end();
      if (wanted == loaded_.end() || is_loaded_at_uses(value->index)) continue;
      const Assign* assign = block[i].as<Assign>();
      const bool undefined = assign && !assign->expr;
      Statement load{block[i].span, "", Assign{wanted->second, undefined ? nullptr : use(program_, *value)}};
      // As late as it can be: before the first statement that touches one of the two.
      size_t at = i + 1;
      const auto leaves_alone = [&](const Statement& statement) {
        const Touched of = touched(program_, statement);
        return !of.reads.count(wanted->second.index) && !of.defines.count(value->index) &&
               !of.defines.count(wanted->second.index);
      };
      while (at < block.size() && leaves_alone(block[at])) ++at;
      if (at == block.size()) at = i + 1;  // for what follows this block
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(at), std::move(load));
    }
  }

  // A value of several definitions is loaded where it is wanted: before the statement, or before the outermost loop
  // around it that does not change the value. `at_hand`: values of which the registers are up to date.
  void add_at_uses(Block& block, std::set<int> at_hand) {
    Block out;
    for (Statement& statement : block) {
      const std::set<int> changed = touched(program_, statement).defines;
      const bool turns = statement.as<For>() || statement.as<While>();
      for (const auto& [value, registers] : loaded_) {
        if (!is_loaded_at_uses(value)) continue;
        if (turns && changed.count(value) > 0) at_hand.erase(value);
        const bool whole = turns && changed.count(value) == 0;
        const std::set<int> used = whole ? touched(program_, statement).reads : used_by(statement);
        if (used.count(registers.index) > 0 && at_hand.insert(value).second)
          out.push_back({statement.span, "", Assign{registers, use(program_, {value})}});
      }
      for (Block* inner : blocks_of(statement)) add_at_uses(*inner, at_hand);
      std::erase_if(at_hand, [&](int value) { return changed.count(value) > 0; });
      out.push_back(std::move(statement));
    }
    block = std::move(out);
  }

  bool is_loaded_at_uses(int value) const { return definitions_.at(value) > 1 && entries_.count(value) == 0; }

  Program& program_;
  std::map<int, ValueId> loaded_;   // by value
  std::map<int, int> definitions_;  // by value: statements
  std::map<int, int> uses_;         // the same
  bool instructions_ = false;       // the role has matrix instructions
  int chunks_ = 0;                  // loops around that cut stores, among others
  std::set<int> entries_;           // values that are got
  std::set<int> put_;               // values that entries get
};

}  // namespace

const LocalUse* column_vector(const Typed& node) {
  const Apply* slice = node.applies(Op::slice);
  const auto* used = slice ? slice->args[0]->as<LocalUse>() : nullptr;
  if (!used || slice->args[0]->shape.size() != 1 || slice->attributes.items.size() != 2) return nullptr;
  const std::vector<IndexItem>& items = slice->attributes.items;
  const auto* range = std::get_if<IndexSlice>(&items[1]);
  const bool whole = range && std::holds_alternative<IndexNewAxis>(items[0]) && range->step == 1 &&
                     constant_value(range->start) == 0 && range->size == slice->args[0]->shape[0];
  return whole ? used : nullptr;
}

void load_shared(Program& program) {
  Loads loads(program);
  for (Role& role : program.roles) loads.run(role);
  find_carries(program);
}

}  // namespace pallasgen
