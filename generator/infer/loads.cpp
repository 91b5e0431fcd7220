#include "loads.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "expression/index_map.h"
#include "infer/infer.h"
#include "tile/parts.h"
#include "tile/walk.h"

namespace pallasgen {

using namespace tile;

namespace {

// True if the node takes whole operands, each element in the threads that compute with it.
bool takes_blocks(const Typed& node) {
  if (node.as<CallFunction>()) return true;
  const Apply* apply = node.as<Apply>();
  if (!apply) return false;
  const OpGroup group = operation(apply->op).group;
  if (group == OpGroup::elementwise || group == OpGroup::cast || group == OpGroup::reduce) return true;
  if (apply->op != Op::slice) return group == OpGroup::shape;
  const std::optional<IndexMap> map = index_map(node);
  return map && tile::is_part(*map) && map->dropped().empty();
}

// Adds the parts of an elementwise expression that are evaluated for some elements only: arms of `where`, and right
// operands of `and` and `or`.
void note_conditional(const TypedPtr& expr, bool conditional, std::set<const Typed*>& out) {
  if (conditional) out.insert(expr.get());
  const Apply* apply = expr->as<Apply>();
  if (!apply) return;
  const bool chooses = apply->op == Op::where || apply->op == Op::logical_and || apply->op == Op::logical_or;
  for (size_t i = 0; i < apply->args.size(); ++i)
    note_conditional(apply->args[i], conditional || (chooses && i > 0), out);
}

class Loads {
 public:
  explicit Loads(Program& program) : program_(program) {}

  void run(Role& role) {
    for_each_statement(role.body, [&](const Statement& statement) {
      if (const Put* put = statement.as<Put>(); put && put->value) put_.insert(put->value.index);
      // An entry is loaded where it is got, as its slot may be free later.
      const auto value = defined_by(statement);
      if (value) ++definitions_[value->index];
      for (int used : used_by(statement)) ++uses_[used];
      const Dot* dot = statement.as<Dot>();
      instructions_ = instructions_ || dot_if(statement, &Product::is_fragment);
      if (dot && !dot->family.empty()) {
        for (const TypedPtr& operand : dot->product->as<Apply>()->args) operands_.insert(operand->as<LocalUse>()->id);
      }
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
    operands_.clear();
  }

 private:
  void change(Block& block) {
    Block out;
    for (Statement& statement : block) {
      Assign* assign = statement.as<Assign>();
      const bool loads =
          assign && assign->expr &&
          (assign->expr->as<LocalUse>() || is_whole_load(*assign) || (is_part(*assign->expr) && is_held(*assign)));
      if (assign && assign->expr && !loads && !by_elements(assign->value)) {
        assign->expr = with_parts_loaded(assign->expr, statement.span, out);
        assign->expr = changed(assign->expr, program_.value(assign->value).shape.size());
      }
      const For* loop = statement.as<For>();
      const bool chunks = loop && loop->variable.kind == SymbolKind::loop;
      chunks_ += chunks ? 1 : 0;
      for (Block* inner : blocks_of(statement)) change(*inner);
      chunks_ -= chunks ? 1 : 0;
      out.push_back(std::move(statement));
    }
    block = std::move(out);
  }

  bool is_held(const Assign& assign) const {
    return !by_elements(assign.value) && assign.expr->shape == program_.value(assign.value).shape;
  }

  // True if the node is a part of a block in shared memory that lies row by row, which operands of dots may not.
  bool is_part(const Typed& node) const {
    const Apply* slice = node.applies(Op::slice);
    const auto* used = slice ? slice->args[0]->as<LocalUse>() : nullptr;
    const std::optional<IndexMap> map = used ? index_map(node) : std::nullopt;
    return map && operands_.count(used->id) == 0 && program_.value({used->id}).home == Home::shared &&
           !is_packed(node.dtype) && node.shape != map->operand && has_rows_apart(program_, *map);
  }

  // Loads parts of blocks by statements before the one that takes them.
  TypedPtr with_parts_loaded(const TypedPtr& expr, Span span, Block& before) {
    std::map<std::string, ValueId> loaded;
    return rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
      if (!is_part(*node)) return nullptr;
      const auto [known, added] = loaded.try_emplace(to_string(node, TypedText::exact));
      if (added) {
        const std::string name = program_.value({node->as<Apply>()->args[0]->as<LocalUse>()->id}).name;
        known->second =
            add_value(program_, {name + place_of_part(*index_map(*node)), node->dtype, node->shape, Home::registers});
        before.push_back({span, "", Assign{known->second, node}});
      }
      return use(program_, known->second, node->span);
    });
  }

  // True if the value is computed element by element, which reads shared memory in place; false for puts into an entry.
  bool by_elements(ValueId value) const {
    const Home home = program_.value(value).home;
    return home == Home::scalar || (home == Home::shared && put_.count(value.index) == 0);
  }

  // True if the node, a vector along columns, is read from its entry in place: a thread has more of its elements than
  // it needs at once, and instructions need registers, too. One statement for each definition reads every element, as a
  // branch around each load would make the compiler move the instructions' registers.
  bool is_read_in_place(const Typed& node, size_t rank, const std::set<const Typed*>& conditional) const {
    const LocalUse* used = column_vector(node);
    if (!used || !instructions_ || rank != 2 || chunks_ > 0 || conditional.count(&node) > 0) return false;
    const auto uses = uses_.find(used->id);
    return entries_.count(used->id) > 0 && program_.value({used->id}).home == Home::shared && uses != uses_.end() &&
           uses->second <= definitions_.at(used->id);
  }

  // True if the statement, the only one that uses the entry, loads it as it is or widened.
  bool is_whole_load(const Assign& assign) const {
    const std::optional<ValueId> loaded = loaded_by(program_, assign);
    return loaded && entries_.count(loaded->index) > 0 && uses_.at(loaded->index) == 1;
  }

  // The entry that the node widens on the way to registers; null for other nodes.
  const LocalUse* widened(const Typed& node) const {
    const Apply* cast = node.applies(Op::cast);
    const auto* used = cast ? cast->args[0]->as<LocalUse>() : nullptr;
    const bool entry = used && entries_.count(used->id) > 0 && program_.value({used->id}).home == Home::shared;
    return entry && is_widened(cast->args[0]->dtype, node.dtype) ? used : nullptr;
  }

  TypedPtr changed(const TypedPtr& expr, size_t rank) {
    std::set<const Typed*> conditional;
    note_conditional(expr, false, conditional);
    return rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
      if (is_read_in_place(*node, rank, conditional)) return node;
      if (const LocalUse* entry = widened(*node))
        return use(program_, in_registers({entry->id}, node->dtype), node->span);
      const auto* used = node->as<LocalUse>();
      if (!used) return takes_blocks(*node) ? nullptr : node;
      if (program_.value({used->id}).home != Home::shared) return nullptr;
      return use(program_, in_registers({used->id}, node->dtype), node->span);
    });
  }

  ValueId in_registers(ValueId shared, DType dtype) {
    const auto [known, added] = loaded_[shared.index].try_emplace(dtype);
    if (!added) return known->second;
    Value block = program_.value(shared);
    block.name += dtype == block.dtype ? "_block" : fmt::format("_{}", name_of(dtype));
    block.dtype = dtype;
    block.home = Home::registers;
    return known->second = add_value(program_, std::move(block));
  }

  // The statement that loads the value as elements of the dtype.
  Statement load(ValueId shared, DType dtype, Span span) const {
    TypedPtr loaded = use(program_, shared);
    const Shape shape = loaded->shape;
    if (loaded->dtype != dtype) loaded = make_typed(loaded->span, dtype, shape, Apply{Op::cast, {loaded}, {}});
    return {span, "", Assign{loaded_.at(shared.index).at(dtype), loaded}};
  }

  // Adds loads after the only definition of each value that is needed in registers.
  void add(Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      for (Block* inner : blocks_of(block[i])) add(*inner);
      const std::optional<ValueId> value = defined_by(block[i]);
      const auto wanted = value ? loaded_.find(value->index) : loaded_.end();
      if (wanted == loaded_.end() || is_loaded_at_uses(value->index)) continue;
      const Assign* assign = block[i].as<Assign>();
      const bool undefined = assign && !assign->expr;
      const Span span = block[i].span;
      for (const auto& [dtype, registers] : wanted->second) {
        Statement made = undefined ? Statement{span, "", Assign{registers, nullptr}} : load(*value, dtype, span);
        // Loads as late as possible: before the first statement that touches one of the two.
        size_t at = i + 1;
        const auto leaves_alone = [&, of_load = registers.index](const Statement& statement) {
          const Touched of = touched(program_, statement);
          return !of.reads.count(of_load) && !of.defines.count(value->index) && !of.defines.count(of_load);
        };
        while (at < block.size() && leaves_alone(block[at])) ++at;
        if (at == block.size()) at = i + 1;  // nothing here uses it, but statements after this block do
        block.insert(block.begin() + static_cast<std::ptrdiff_t>(at), std::move(made));
      }
    }
  }

  // Loads a value of several definitions where it is used: before the statement, or before the outermost loop around it
  // that does not change the value. `available`: values that registers have up to date, and as which dtype.
  void add_at_uses(Block& block, std::set<std::pair<int, DType>> available) {
    Block out;
    for (Statement& statement : block) {
      const std::set<int> changed = touched(program_, statement).defines;
      const bool turns = statement.as<For>() || statement.as<While>();
      const auto is_changed = [&](const std::pair<int, DType>& loaded) { return changed.count(loaded.first) > 0; };
      if (turns) std::erase_if(available, is_changed);
      for (const auto& [value, all] : loaded_) {
        if (!is_loaded_at_uses(value)) continue;
        const bool whole = turns && changed.count(value) == 0;
        const std::set<int> used = whole ? touched(program_, statement).reads : used_by(statement);
        for (const auto& [dtype, registers] : all) {
          if (used.count(registers.index) > 0 && available.insert({value, dtype}).second)
            out.push_back(load({value}, dtype, statement.span));
        }
      }
      for (Block* inner : blocks_of(statement)) add_at_uses(*inner, available);
      std::erase_if(available, is_changed);
      out.push_back(std::move(statement));
    }
    block = std::move(out);
  }

  bool is_loaded_at_uses(int value) const { return definitions_.at(value) > 1 && entries_.count(value) == 0; }

  Program& program_;
  std::map<int, std::map<DType, ValueId>> loaded_;  // by value and dtype: its copy in registers
  std::map<int, int> definitions_;                  // by value: how many statements define it
  std::map<int, int> uses_;                         // by value: how many statements use it
  bool instructions_ = false;                       // the role has matrix instructions
  int chunks_ = 0;                                  // counted loops around, such as those that cut stores
  std::set<int> entries_;                           // values that are got from entries
  std::set<int> put_;                               // values that are put into entries
  std::set<int> operands_;                          // values that dots by instructions or by threads take
};

}  // namespace

const LocalUse* column_vector(const Typed& node) {
  const std::optional<IndexMap> map = index_map(node);
  const bool row = map && map->operand.size() == 1 && map->result == Shape{1, map->operand[0]} && map->is_in_order();
  return row && map->takes_all() ? node.as<Apply>()->args[0]->as<LocalUse>() : nullptr;
}

void load_shared(Program& program) {
  Loads loads(program);
  for (Role& role : program.roles) loads.run(role);
  find_carries(program);
}

}  // namespace pallasgen
