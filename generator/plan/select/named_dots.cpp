#include "select/named_dots.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "expression/index_map.h"
#include "questions/families.h"
#include "select/dot_remedies.h"
#include "select/transposed_operands.h"
#include "tile/walk.h"

namespace pallasgen {

namespace named_dots {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Assign, tile::Block, tile::Dot, tile::Program, tile::Role, tile::Statement, tile::Value, tile::ValueId;

// The matrix of which the operand is the transpose, or null. An expression of transposes stays as it is if instructions
// read neither it nor its transpose directly.
TypedPtr untransposed(const TypedPtr& operand) {
  return permuted_operand(*operand) || info(operand->dtype).bits == 16 ? transposed_matrix(operand) : nullptr;
}

class NamedDots {
 public:
  NamedDots(Program& program, const Target& target) : program_(program), target_(target) {}

  void run() {
    std::set<int> made;
    for (const Role& role : program_.roles) {
      for_each_statement(role.body, [&](const Statement& statement) {
        const auto value = tile::defined_by(statement);
        if (value) (statement.as<tile::Read>() ? read_ : made).insert(value->index);
      });
    }
    for (const int value : made) read_.erase(value);
    for (Role& role : program_.roles) name_in(role.body);
    for (Role& role : program_.roles) bind_in(role.body);
  }

 private:
  void name_in(Block& block);
  TypedPtr with_named_dots(const TypedPtr& expr, const std::string& name, const Statement& at, Block& before);
  void bind_in(Block& block);
  bool reaches_parts(const Apply& product) const;
  bool reads_along_k(const Dot& dot, const Apply& product) const;
  TypedPtr bound(const TypedPtr& operand, const std::string& name, const Statement& at, Block& before);

  Value& value(ValueId id) { return program_.values[static_cast<size_t>(id.index)]; }

  Program& program_;
  const Target& target_;
  std::set<int> read_;  // values that are only ever read from arrays
  // Operands and dots, by their names and texts.
  std::map<std::pair<std::string, std::string>, ValueId> bound_;
};

TypedPtr NamedDots::bound(const TypedPtr& operand, const std::string& name, const Statement& at, Block& before) {
  if (operand->as<LocalUse>()) return operand;
  // An operand is one value in all pieces of a loop that guards cut.
  const auto [known, added] = bound_.try_emplace({name, to_string(operand, TypedText::exact)});
  if (added) known->second = add_value(program_, {name, operand->dtype, operand->shape});
  before.push_back({at.span, "", Assign{known->second, operand}});
  return use(program_, known->second, operand->span);
}

TypedPtr NamedDots::with_named_dots(const TypedPtr& expr, const std::string& name, const Statement& at, Block& before) {
  return rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
    const std::optional<tile::AddedDot> sum = tile::added_dot(node);
    const TypedPtr& multiplied = sum ? sum->dot : node;
    const Apply* product = multiplied->applies(Op::dot);
    if (!product) return nullptr;
    Dot dot{{}, nullptr, multiplied};
    const FamilyChoice choice = choose_family(target_, *product, node->dtype, program_.declarations->approximate_math);
    if (!choice.row && is_of_matrices(*product)) give_up_instructions(program_, dot, choice);
    const bool scalar = tile::given_up(program_, tile::ChoiceKind::instructions, dot) != nullptr;
    const bool loops = tile::given_up(program_, tile::ChoiceKind::blocks, dot) != nullptr;
    const bool blocks = scalar && !loops && choose_fma(target_, *product, node->dtype).row;
    const bool apart = blocks || (choice.row && !scalar);
    if (sum && !apart) return nullptr;  // the dot is visited next
    Apply inner = *product;
    for (TypedPtr& operand : inner.args) operand = with_named_dots(operand, name, at, before);
    dot.product = make_typed(multiplied->span, node->dtype, node->shape, std::move(inner));
    if (!apart) return dot.product;
    if (sum) dot.start = with_named_dots(sum->start, name, at, before);
    const TypedPtr part = dot_of_parts(multiplied);
    const OpAttributes& of = part ? part->as<Apply>()->attributes : product->attributes;
    const std::string own = name + (part ? fmt::format("_dot_{}", of.part_first / of.part_size) : "_dot");
    const auto [known, added] = bound_.try_emplace({own, to_string(node, TypedText::exact)});
    if (added) known->second = add_value(program_, {own, node->dtype, node->shape});
    dot.value = known->second;
    before.push_back({at.span, "", std::move(dot)});  // the origin is noted where the result is used
    return use(program_, known->second, node->span);
  });
}

void NamedDots::name_in(Block& block) {
  Block out;
  for (Statement& statement : block) {
    for (Block* inner : blocks_of(statement)) name_in(*inner);
    if (Assign* assign = statement.as<Assign>(); assign && assign->expr) {
      const std::string name = value(assign->value).name;
      assign->expr = with_named_dots(assign->expr, name, statement, out);
    }
    auto* store = statement.as<StoreStmt>();
    auto* atomic = statement.as<AtomicStmt>();
    if (TypedPtr* stored = store ? &store->value : atomic ? &atomic->value : nullptr; stored && *stored)
      *stored = with_named_dots(*stored, program_.ref(store ? store->ref : atomic->ref).name, statement, out);
    if (Dot* dot = statement.as<Dot>()) {
      const std::string name = value(dot->value).name;
      if (dot->start) dot->start = with_named_dots(dot->start, name, statement, out);
      Apply product = *dot->product->as<Apply>();
      for (TypedPtr& operand : product.args) operand = with_named_dots(operand, name, statement, out);
      dot->product = make_typed(dot->product->span, dot->product->dtype, dot->product->shape, std::move(product));
    }
    out.push_back(std::move(statement));
  }
  block = std::move(out);
}

// True if instructions can start at the part: both operands are blocks that are read, and the part starts at a multiple
// of the depth of an instruction.
bool NamedDots::reaches_parts(const Apply& product) const {
  const int64_t of_instruction = target_.mma_k_bytes * 8 / info(product.args[0]->dtype).bits;
  return product.attributes.part_first % of_instruction == 0 && product.attributes.part_size % of_instruction == 0 &&
         std::all_of(product.args.begin(), product.args.end(),
                     [&](const TypedPtr& operand) { return read_.count(operand->as<LocalUse>()->id) > 0; });
}

// True if the dot's instructions only take rows along k, so that threads must store other operands transposed.
bool NamedDots::reads_along_k(const Dot& dot, const Apply& product) const {
  if (tile::given_up(program_, tile::ChoiceKind::instructions, dot)) return false;
  const FamilyChoice choice =
      choose_family(target_, product, program_.value(dot.value).dtype, program_.declarations->approximate_math);
  return choice.row && !choice.row->any_major;
}

void NamedDots::bind_in(Block& block) {
  Block out;
  for (Statement& statement : block) {
    for (Block* inner : blocks_of(statement)) bind_in(*inner);
    if (Dot* dot = statement.as<Dot>()) {
      Apply product = *dot->product->as<Apply>();
      const std::string name = value(dot->value).name;
      bool* const flags[] = {&product.attributes.trans_a, &product.attributes.trans_b};
      for (size_t i = 0; i < 2; ++i) {
        while (const TypedPtr matrix = untransposed(product.args[i])) {
          product.args[i] = matrix;
          *flags[i] = !*flags[i];
        }
      }
      const bool along_k = reads_along_k(*dot, product);
      for (size_t i = 0; i < 2 && along_k; ++i) {
        const bool wanted = i == 1;  // B must have rows along k, which are columns of the product
        if (*flags[i] == wanted) continue;
        product.args[i] = transpose_of(product.args[i]);
        *flags[i] = wanted;
      }
      const TypedPtr written = make_typed(dot->product->span, dot->product->dtype, dot->product->shape, product);
      if (const TypedPtr parts = dot_of_parts(written); parts && reaches_parts(*parts->as<Apply>()))
        product = *parts->as<Apply>();
      product.args[0] = bound(product.args[0], name + "_a", statement, out);
      product.args[1] = bound(product.args[1], name + "_b", statement, out);
      dot->product = make_typed(dot->product->span, dot->product->dtype, dot->product->shape, std::move(product));
    }
    out.push_back(std::move(statement));
  }
  block = std::move(out);
}

}  // namespace named_dots

void name_dots(tile::Program& program, const Target& target) { named_dots::NamedDots(program, target).run(); }

}  // namespace pallasgen
