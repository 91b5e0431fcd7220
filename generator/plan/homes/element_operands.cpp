#include "homes/element_operands.h"

#include <algorithm>
#include <map>

#include "check/aliases.h"
#include "questions/uses.h"
#include "select/operand_loads.h"
#include "tile/walk.h"

namespace pallasgen {

namespace element_operands {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Assign, tile::Block, tile::For, tile::Home, tile::If, tile::Program, tile::Read, tile::Role,
    tile::Statement, tile::Value, tile::ValueId, tile::Write;

// Places values in registers that statements by elements read.
class ElementOperands {
 public:
  ElementOperands(Program& program, Role& role, const std::set<size_t>& printed)
      : program_(program), role_(role), printed_(printed) {
    copy_entries_to_tiles(role.body);
    tile::for_each_statement(role.body, [&](const Statement& statement) {
      if (const auto value = tile::defined_by(statement)) definitions_[value->index].push_back(&statement);
    });
    stores_ = tile::touched(program, role.body).stores;
    find_read_again();
  }

  void run() {
    spread();
    hoist_writes(role_.body);
    copy_uses(role_.body, {});
    add_reads(role_.body);
  }

 private:
  bool in_registers(int id) const {
    const Value& value = program_.value({id});
    const bool known = value.home == Home::shared || value.home == Home::scalar;
    return !known && value.dtype != DType::index && !value.shape.empty();
  }
  // Values that threads multiply out of tiles.
  static std::set<int> multiplied_by(const Statement& statement) {
    std::set<int> out;
    const auto* dot = dot_if(statement, &tile::Product::reads_tiles);
    if (!dot) return out;
    for (const TypedPtr& operand : dot->product->as<Apply>()->args) out.insert(operand->as<LocalUse>()->id);
    return out;
  }
  bool by_elements(const Statement& statement) const {
    const bool printed = statement.as<PrintStmt>() && printed_.count(statement.span.begin) > 0;
    return is_control(statement) || printed || goes_by_elements(program_, statement) || gathers(statement);
  }

  // Copies an entry that a branch gets, and that statements by elements read after the branch, to a tile in the branch.
  void copy_entries_to_tiles(Block& block) {
    for (Statement& statement : block) {
      for (Block* inner : tile::blocks_of(statement)) copy_entries_to_tiles(*inner);
      const If* branch = statement.as<If>();
      if (!branch) continue;
      const std::vector<ValueId> carry = branch->carry;
      for (Block* inner : tile::blocks_of(statement)) copy_carried_to_tiles(*inner, carry);
    }
  }
  void copy_carried_to_tiles(Block& block, const std::vector<ValueId>& carry) {
    for (size_t i = 0; i < block.size(); ++i) {
      auto* get = block[i].as<tile::Get>();
      if (!get || std::find(carry.begin(), carry.end(), get->value) == carry.end() || !is_read_by_elements(get->value))
        continue;
      Value entry = program_.value(get->value);
      entry.name += "_entry";
      const ValueId kept = std::exchange(get->value, tile::add_value(program_, std::move(entry)));
      Statement copy{block[i].span, "", Assign{kept, tile::use(program_, get->value)}};
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(copy));
      ++i;
    }
  }
  bool is_read_by_elements(ValueId value) const {
    bool found = false;
    tile::for_each_statement(role_.body, [&](const Statement& statement) {
      found = found || (by_elements(statement) && tile::used_by(statement).count(value.index) > 0) ||
              multiplied_by(statement).count(value.index) > 0;
    });
    return found;
  }

  // Makes values go by elements if all their uses are by elements, or in the definition of such a value, and if they
  // are read from memory, or computed from such values and from values that can be read again.
  void spread() {
    std::map<int, std::vector<const Statement*>> uses;
    tile::for_each_statement(role_.body, [&](const Statement& statement) {
      for (int value : tile::used_by(statement)) uses[value].push_back(&statement);
    });
    std::set<int> kept;
    for (const auto& [value, statements] : definitions_) {
      if (in_registers(value) && uses.count(value) > 0) kept.insert(value);
    }
    const auto goes = [&](int value) {
      const auto used_so = [&](const Statement* statement) {
        const auto defined = tile::defined_by(*statement);
        const auto* write = statement->as<Write>();
        const bool stored =
            write && !tile::is_by_unit(write->path.kind) && write->path.vector == 1 && is_of_tiles(value);
        return by_elements(*statement) || stored || (statement->as<Assign>() && kept.count(defined->index) > 0);
      };
      const auto defined_so = [&](const Statement* statement) { return is_simple(*statement, kept); };
      return std::all_of(uses[value].begin(), uses[value].end(), used_so) &&
             std::all_of(definitions_[value].begin(), definitions_[value].end(), defined_so);
    };
    // A value that stays in registers may keep its operands there, and the values that use it.
    std::vector<int> open(kept.begin(), kept.end());
    while (!open.empty()) {
      const int value = open.back();
      open.pop_back();
      if (kept.count(value) == 0 || goes(value)) continue;
      for (int each : values_of_same_name(program_, value)) {
        if (kept.erase(each) == 0) continue;
        for (const Statement* made : definitions_[each]) {
          for (int operand : tile::used_by(*made)) open.push_back(operand);
        }
        for (const Statement* use : uses[each]) {
          if (const auto defined = tile::defined_by(*use)) open.push_back(defined->index);
        }
      }
    }
    for (int value : kept) set_element_home(program_, {value});
  }
  // True if the value is computed only from tiles of values by elements, and numbers: it would be in registers only to
  // be stored.
  bool is_of_tiles(int value) const {
    const std::vector<const Statement*>& made = definitions_.at(value);
    return std::all_of(made.begin(), made.end(), [&](const Statement* statement) {
      const std::set<int> used = tile::used_by(*statement);
      const auto by_elements = [&](const Statement* of) { return goes_by_elements(program_, *of); };
      const auto in_tile = [&](int id) {
        const auto defined = definitions_.find(id);
        return program_.value({id}).home == Home::shared && defined != definitions_.end() &&
               std::all_of(defined->second.begin(), defined->second.end(), by_elements);
      };
      const auto is_held = [&](int id) { return is_number(program_.value({id})); };
      return statement->as<Assign>() && std::any_of(used.begin(), used.end(), in_tile) &&
             std::all_of(used.begin(), used.end(), [&](int id) { return in_tile(id) || is_held(id); });
    });
  }
  // Registers hold neighbouring elements, which share the work of drawing random bits.
  static bool draws_bits(const TypedPtr& expr) {
    bool draws = false;
    if (expr) walk(expr, [&](const Typed& node) { draws = draws || node.applies(Op::random_bits); });
    return draws;
  }
  bool is_simple(const Statement& statement, const std::set<int>& kept) const {
    if (const auto* read = statement.as<Read>()) return !tile::is_by_unit(read->path.kind);
    const auto* assign = statement.as<Assign>();
    if (!assign || draws_bits(assign->expr)) return false;
    const std::set<int> used = tile::used_by(statement);
    return std::all_of(used.begin(), used.end(),
                       [&](int id) { return !in_registers(id) || kept.count(id) > 0 || is_read_again({id}); });
  }

  // Moves the write of a value by elements directly after the statement that defines it, if nothing between the two
  // touches the array or reads what the write changes: then no tile has to keep the value.
  void hoist_writes(Block& block) {
    if (program_.declarations->checks_for("nan")) return;  // the output that is stored first has the first fault
    for (size_t i = 0; i < block.size(); ++i) {
      for (Block* inner : tile::blocks_of(block[i])) hoist_writes(*inner);
      const auto* write = block[i].as<Write>();
      if (!write || program_.value(write->value).home != Home::shared || !goes_by_elements(program_, block[i]))
        continue;
      const tile::Touched of = tile::touched(program_, block[i]);
      size_t to = i;
      while (to > 0 && passes(of, write->value, block[to - 1])) --to;
      const auto first = block.begin() + static_cast<std::ptrdiff_t>(to);
      std::rotate(first, block.begin() + static_cast<std::ptrdiff_t>(i),
                  block.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    }
  }
  bool passes(const tile::Touched& write, ValueId value, const Statement& over) const {
    const tile::Touched other = tile::touched(program_, over);
    const auto meet = [&](const std::set<int>& a, const std::set<int>& b) {
      return std::any_of(a.begin(), a.end(), [&](int x) {
        return std::any_of(b.begin(), b.end(), [&](int y) { return same_buffer(*program_.declarations, x, y); });
      });
    };
    const bool defines =
        std::any_of(write.reads.begin(), write.reads.end(), [&](int read) { return other.defines.count(read) > 0; });
    return !defines && !other.ordered && !is_protocol(over) && other.defines.count(value.index) == 0 &&
           !meet(write.stores, other.loads) && !meet(write.stores, other.stores) && !over.as<GridSyncStmt>();
  }

  // Values whose tiles are up to date: a tile is filled before the statement that reads it, or before a loop that does
  // not change the value.
  using AvailableOperands = std::set<int>;

  void copy_uses(Block& block, AvailableOperands available) {
    Block out;
    for (Statement& statement : block) {
      const std::set<int> changed = tile::touched(program_, statement).defines;
      if (!puts_values(statement)) {
        if (is_loop(statement)) {
          std::erase_if(available, [&](int value) { return changed.count(value) > 0; });
          for (int value : read_by_elements(statement)) {
            if (changed.count(value) == 0) place_operand(value, statement.span, available, out);
          }
          for (int value : multiplied_in(statement)) {
            if (changed.count(value) == 0) copy_to_tile(value, statement.span, available, out);
          }
        }
        for (Block* inner : tile::blocks_of(statement)) copy_uses(*inner, available);
        if (by_elements(statement)) {
          for (int value : tile::used_by(statement)) {
            if (!in_registers(value)) continue;
            place_operand(value, statement.span, available, out);
            // A loop evaluates its condition again at the end of each iteration.
            auto* turns = statement.as<tile::While>();
            if (turns && changed.count(value) > 0)
              turns->body.push_back({statement.span, "", Assign{copy_of({value}), tile::use(program_, {value})}});
          }
          read_copies(statement);
        }
        for (int value : multiplied_by(statement)) {
          if (in_registers(value)) copy_to_tile(value, statement.span, available, out);
        }
        multiply_tiles(statement);
      }
      std::erase_if(available, [&](int value) { return changed.count(value) > 0; });
      out.push_back(std::move(statement));
    }
    block = std::move(out);
  }
  static bool is_loop(const Statement& statement) {
    return statement.as<For>() || statement.as<tile::While>() || statement.as<tile::ForTiles>();
  }
  // Values in registers that statements by elements inside the loop read.
  std::set<int> read_by_elements(const Statement& loop) const {
    std::set<int> out;
    for (const Block* body : tile::blocks_of(loop)) {
      tile::for_each_statement(*body, [&](const Statement& inner) {
        if (!by_elements(inner)) return;
        for (int value : tile::used_by(inner)) {
          if (in_registers(value)) out.insert(value);
        }
      });
    }
    return out;
  }
  std::set<int> multiplied_in(const Statement& loop) const {
    std::set<int> out;
    for (const Block* body : tile::blocks_of(loop)) {
      tile::for_each_statement(*body, [&](const Statement& inner) {
        for (int value : multiplied_by(inner)) {
          if (in_registers(value)) out.insert(value);
        }
      });
    }
    return out;
  }
  void copy_to_tile(int value, Span span, AvailableOperands& available, Block& out) {
    if (available.insert(value).second)
      out.push_back({span, "", Assign{tile_of({value}), tile::use(program_, {value})}});
  }
  void multiply_tiles(Statement& statement) {
    auto* dot = dot_if(statement, &tile::Product::reads_tiles);
    if (!dot) return;
    Apply product = *dot->product->as<Apply>();
    for (TypedPtr& operand : product.args) {
      const int id = operand->as<LocalUse>()->id;
      if (in_registers(id)) operand = tile::use(program_, tile_of({id}), operand->span);
    }
    const TypedPtr& whole = dot->product;
    dot->product = make_typed(whole->span, whole->dtype, whole->shape, std::move(product));
  }

  void place_operand(int value, Span span, AvailableOperands& available, Block& out) {
    const ValueId copy = copy_of({value});
    if (is_read_again({value}) || !available.insert(value).second) return;
    out.push_back({span, "", Assign{copy, tile::use(program_, {value})}});
  }
  void read_copies(Statement& statement) {
    std::vector<Block> bodies;
    for (Block* inner : tile::blocks_of(statement)) bodies.push_back(std::exchange(*inner, {}));
    tile::change_expressions(statement, [&](TypedPtr& expr) {
      expr = rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
        const auto* used = node->as<LocalUse>();
        if (!used || !in_registers(used->id)) return nullptr;
        return tile::use(program_, copy_of({used->id}), node->span);
      });
    });
    const auto blocks = tile::blocks_of(statement);
    for (size_t i = 0; i < blocks.size(); ++i) *blocks[i] = std::move(bodies[i]);
  }

  ValueId copy_of(ValueId value) {
    if (!is_read_again(value)) return tile_of(value);
    return copy_in(copies_, value, "_each");
  }
  ValueId tile_of(ValueId value) { return copy_in(tiles_, value, "_tile"); }
  ValueId copy_in(std::map<int, ValueId>& copies, ValueId value, const char* ending) {
    const auto [known, added] = copies.try_emplace(value.index);
    if (!added) return known->second;
    Value copy = program_.value(value);
    copy.name += ending;
    copy.home = Home::shared;
    copy.layout = nullptr;
    return known->second = tile::add_value(program_, std::move(copy));
  }

  // True if the value is read from an array that nothing changes, so that its elements can be read where they are used.
  bool is_read_again(ValueId value) const { return read_again_.count(value.index) > 0; }
  void find_read_again() {
    for (const auto& [value, statements] : definitions_) {
      const auto* read = statements.size() == 1 ? statements.front()->as<Read>() : nullptr;
      const bool again =
          read && !tile::is_by_unit(read->path.kind) && std::none_of(stores_.begin(), stores_.end(), [&](int other) {
            return same_buffer(*program_.declarations, other, read->box.ref);
          });
      if (again) read_again_.insert(value);
    }
  }

  // Adds the second read of each value that is read again, after its only definition.
  void add_reads(Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      for (Block* inner : tile::blocks_of(block[i])) add_reads(*inner);
      const auto* read = block[i].as<Read>();
      const auto copied = read ? copies_.find(read->value.index) : copies_.end();
      if (copied == copies_.end()) continue;
      Statement again{block[i].span, "", Read{copied->second, read->box, read->path}};
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(again));
      ++i;
    }
  }

  Program& program_;
  Role& role_;
  const std::set<size_t>& printed_;
  std::map<int, std::vector<const Statement*>> definitions_;
  std::set<int> stores_, read_again_;
  std::map<int, ValueId> copies_, tiles_;  // by value: its second read, its tile
};

}  // namespace element_operands

std::vector<int> values_of_same_name(const tile::Program& program, int value) {
  std::vector<int> out;
  for (size_t i = 0; i < program.values.size(); ++i) {
    if (program.values[i].name == program.value({value}).name) out.push_back(static_cast<int>(i));
  }
  return out;
}

bool gathers(const tile::Statement& statement) {
  const auto* read = statement.as<tile::Read>();
  const auto* put = statement.as<tile::Put>();
  const auto* ask = statement.as<tile::Prefetch>();
  return (read && read->box.gathers()) || (put && put->box.gathers()) || (ask && ask->box.gathers());
}

void set_element_home(tile::Program& program, tile::ValueId id) {
  tile::Value& value = program.values[static_cast<size_t>(id.index)];
  value.home = is_number(value) ? tile::Home::scalar : tile::Home::shared;
}

void place_element_operands(tile::Program& program, tile::Role& role, const std::set<size_t>& printed) {
  load_element_operands(program, role);
  element_operands::ElementOperands(program, role, printed).run();
}

}  // namespace pallasgen
