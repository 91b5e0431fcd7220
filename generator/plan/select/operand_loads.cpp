#include "select/operand_loads.h"

#include <map>
#include <set>
#include <utility>

#include "questions/computed_operands.h"
#include "tile/walk.h"

namespace pallasgen {

namespace operand_loads {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Assign, tile::Block, tile::Home, tile::Program, tile::Role, tile::Statement, tile::Value, tile::ValueId;

class Loading {
 public:
  Loading(Program& program, const Role& role) : program_(program), made_(computed_operands(program)) {
    tile::for_each_statement(role.body, [&](const Statement& statement) {
      if (const auto* get = statement.as<tile::Get>()) got_.insert(get->value.index);
    });
  }

  void block(Block& statements) {
    Block out;
    for (Statement& statement : statements) {
      for (Block* inner : tile::blocks_of(statement)) block(*inner);
      auto* put = statement.as<tile::Put>();
      if (put && made_.count(put->entry.channel.index) > 0 && program_.value(put->value).home == Home::shared)
        put->value = load(put->value, Home::open, statement.span, out);
      if (auto* dot = dot_if(statement, &tile::Product::reads_slots)) load_first(*dot, statement.span, out);
      out.push_back(std::move(statement));
    }
    statements = std::move(out);
  }

 private:
  void load_first(tile::Dot& dot, Span span, Block& out) {
    Apply product = *dot.product->as<Apply>();
    const auto* a = product.args[0]->as<LocalUse>();
    if (!a || got_.count(a->id) > 0 || program_.value({a->id}).home != Home::shared) return;
    product.args[0] = tile::use(program_, load({a->id}, Home::registers, span, out), product.args[0]->span);
    const TypedPtr& whole = dot.product;
    dot.product = make_typed(whole->span, whole->dtype, whole->shape, std::move(product));
  }
  ValueId load(ValueId tile, Home home, Span span, Block& out) {
    const auto [known, added] = loaded_.try_emplace({tile.index, home});
    if (added) {
      Value loaded = program_.value(tile);
      loaded.name += "_loaded";
      loaded.home = home;
      known->second = tile::add_value(program_, std::move(loaded));
    }
    out.push_back({span, "", Assign{known->second, tile::use(program_, tile)}});
    return known->second;
  }

  Program& program_;
  const std::set<int> made_;                        // channels of operands that threads make
  std::set<int> got_;                               // values
  std::map<std::pair<int, Home>, ValueId> loaded_;  // by tile and home of the loaded value
};

}  // namespace operand_loads

void load_element_operands(tile::Program& program, tile::Role& role) {
  operand_loads::Loading(program, role).block(role.body);
}

}  // namespace pallasgen
