#include "select/rounded_operands.h"

#include <map>
#include <set>
#include <utility>

#include "questions/families.h"
#include "tile/walk.h"

namespace pallasgen {

namespace rounded_operands {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Assign, tile::Block, tile::Dot, tile::Program, tile::Read, tile::Role, tile::Statement, tile::Value,
    tile::ValueId;

class Rounding {
 public:
  Rounding(Program& program, const Target& target) : program_(program), target_(target) {}

  void run() {
    for (const Role& role : program_.roles) {
      tile::for_each_statement(role.body, [&](const Statement& statement) { note(statement); });
    }
    for (const int value : rounded_) {
      if (beside_.count(value) == 0 || read_.count(value) == 0) continue;
      Value copy = program_.value({value});
      copy.name += "_tf32";
      copies_[value] = add_value(program_, std::move(copy));
    }
    if (copies_.empty()) return;
    for (Role& role : program_.roles) copy_in(role.body);
  }

 private:
  bool rounds(const Dot& dot) const {
    const Apply& product = *dot.product->as<Apply>();
    const FamilyChoice choice =
        choose_family(target_, product, program_.value(dot.value).dtype, program_.declarations->approximate_math);
    return choice.row && !choice.row->precision.empty() &&
           !tile::given_up(program_, tile::ChoiceKind::instructions, dot);
  }

  void note(const Statement& statement) {
    if (const Read* read = statement.as<Read>()) read_.insert(read->value.index);
    const Dot* dot = statement.as<Dot>();
    if (!dot || !rounds(*dot)) {
      for (const int used : used_by(statement)) beside_.insert(used);
      return;
    }
    for (const TypedPtr& operand : dot->product->as<Apply>()->args) rounded_.insert(operand->as<LocalUse>()->id);
    if (!dot->start) return;
    walk(dot->start, [&](const Typed& node) {
      if (const auto* use = node.as<LocalUse>()) beside_.insert(use->id);
    });
  }

  // Inserts each copy after the read of its block.
  void copy_in(Block& block) {
    Block out;
    for (Statement& statement : block) {
      for (Block* inner : blocks_of(statement)) copy_in(*inner);
      Dot* dot = statement.as<Dot>();
      if (dot && rounds(*dot)) {
        Apply product = *dot->product->as<Apply>();
        for (TypedPtr& operand : product.args) {
          const auto copy = copies_.find(operand->as<LocalUse>()->id);
          if (copy != copies_.end()) operand = use(program_, copy->second, operand->span);
        }
        const TypedPtr& whole = dot->product;
        dot->product = make_typed(whole->span, whole->dtype, whole->shape, std::move(product));
      }
      const auto defined = tile::defined_by(statement);
      const auto copy = defined ? copies_.find(defined->index) : copies_.end();
      const Span span = statement.span;
      out.push_back(std::move(statement));
      if (copy != copies_.end()) out.push_back({span, "", Assign{copy->second, use(program_, *defined, span)}});
    }
    block = std::move(out);
  }

  Program& program_;
  const Target& target_;
  std::set<int> read_;     // values that are blocks of arrays
  std::set<int> rounded_;  // values that such dots multiply
  std::set<int> beside_;   // values that anything else uses
  std::map<int, ValueId> copies_;
};

}  // namespace rounded_operands

void round_operands(tile::Program& program, const Target& target) { rounded_operands::Rounding(program, target).run(); }

}  // namespace pallasgen
