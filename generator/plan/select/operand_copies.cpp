#include "select/operand_copies.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "plan/targets.h"
#include "tile/walk.h"

namespace pallasgen {

namespace operand_copies {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Assign, tile::Block, tile::Dot, tile::Home, tile::Program, tile::Role, tile::Statement, tile::Value,
    tile::ValueId;

class Copies {
 public:
  Copies(Program& program, const std::set<int>& made) : program_(program), made_(made) {}

  void run() {
    for (const Role& role : program_.roles) {
      tile::for_each_statement(role.body, [&](const Statement& statement) {
        if (const auto defined = tile::defined_by(statement)) ++definitions_[defined->index];
      });
    }
    for (Role& role : program_.roles) copy_in(role.body);
    for (Role& role : program_.roles) place_hoisted(role.body);
  }

 private:
  bool goes_through_memory(const Dot& dot, size_t operand, int value) const {
    const bool in_registers = operand == 0 && takes_a_from_registers(program_, dot);
    return made_.count(value) > 0 && !in_registers;
  }

  ValueId copy_of(int value) {
    const auto known = copies_.find(value);
    if (known != copies_.end()) return known->second;
    Value copy = program_.value({value});
    copy.name += "_operand";
    copy.home = Home::shared;
    return copies_.emplace(value, add_value(program_, std::move(copy))).first->second;
  }
  Statement copy(int value, Span span) { return {span, "", Assign{copy_of(value), use(program_, {value}, span)}}; }

  void copy_in(Block& block) {
    std::map<int, size_t> defined;                   // by value: where it is last defined
    std::map<size_t, std::set<int>> behind, before;  // by place: values to copy there
    for (size_t i = 0; i < block.size(); ++i) {
      for (Block* inner : tile::blocks_of(block[i])) copy_in(*inner);
      if (Dot* dot = dot_if(block[i], &tile::Product::reads_slots)) {
        Apply product = *dot->product->as<Apply>();
        for (size_t o = 0; o < product.args.size(); ++o) {
          const int value = product.args[o]->as<LocalUse>()->id;
          if (!goes_through_memory(*dot, o, value)) continue;
          if (const auto at = defined.find(value); at != defined.end())
            behind[at->second].insert(value);
          else if (definitions_[value] == 1)
            hoisted_.insert(value);
          else
            before[i].insert(value);
          product.args[o] = use(program_, copy_of(value), product.args[o]->span);
        }
        const TypedPtr& whole = dot->product;
        dot->product = make_typed(whole->span, whole->dtype, whole->shape, std::move(product));
      }
      for (int value : tile::touched(program_, block[i]).defines) {
        if (tile::defined_by(block[i]) == ValueId{value})
          defined[value] = i;
        else
          defined.erase(value);  // defined in an inner block
      }
    }
    Block out;
    for (size_t i = 0; i < block.size(); ++i) {
      const Span span = block[i].span;
      for (int value : before[i]) out.push_back(copy(value, span));
      out.push_back(std::move(block[i]));
      for (int value : behind[i]) out.push_back(copy(value, span));
    }
    block = std::move(out);
  }

  // Copies a value that is made once, outside of the blocks of the dots that read it, where it is made.
  void place_hoisted(Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      for (Block* inner : tile::blocks_of(block[i])) place_hoisted(*inner);
      const auto defined = tile::defined_by(block[i]);
      if (!defined || hoisted_.count(defined->index) == 0) continue;
      const Statement* next = i + 1 < block.size() ? &block[i + 1] : nullptr;
      const auto* known = next ? next->as<Assign>() : nullptr;
      if (known && known->value == copy_of(defined->index)) continue;
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, copy(defined->index, block[i].span));
    }
  }

  Program& program_;
  const std::set<int>& made_;
  std::map<int, int> definitions_;  // by value: how many statements define it
  std::map<int, ValueId> copies_;   // by value
  std::set<int> hoisted_;           // values
};

}  // namespace operand_copies

bool takes_a_from_registers(const tile::Program& program, const tile::Dot& dot) {
  if (!dot.by->reads_registers() || tile::given_up(program, tile::ChoiceKind::register_operand, dot)) return false;
  const Apply& product = *dot.product->as<Apply>();
  // If each warpgroup has its own columns, all of them read the same rows.
  const int64_t rows = find_target(program.target)->mma_rows;
  const int64_t groups = program.declarations->pipeline.compute_warpgroups.value.value_or(1);
  const TypedPtr& a = product.args[0];
  return !product.attributes.trans_a && info(a->dtype).bits == 16 &&
         a->shape[0] % (rows * std::max<int64_t>(1, groups)) == 0;
}

void copy_computed_operands(tile::Program& program, const std::set<int>& made) {
  operand_copies::Copies(program, made).run();
}

}  // namespace pallasgen
