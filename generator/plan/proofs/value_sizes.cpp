#include "proofs/value_sizes.h"

#include <utility>

#include "proofs/box_access.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

using Sizes = std::vector<Number>;

class ValueSizes {
 public:
  ValueSizes(const Draft& draft, const tile::Program& program) : draft_(draft), program_(program) {}

  std::map<Shape, Sizes> run() {
    for (const tile::Role& role : program_.roles)
      for_each_statement(role.body, [&](const tile::Statement& statement) { note(statement); });
    products_.merge(reads_);
    return std::move(products_);
  }

 private:
  void note(const tile::Statement& statement) {
    if (const auto* put = statement.as<tile::Put>()) {
      const auto known = put->value ? sizes_.find(put->value.index) : sizes_.end();
      if (known != sizes_.end()) entries_[key_of(put->entry)] = known->second;
      if (!put->value) entries_[key_of(put->entry)] = box_sizes(draft_, put->box);
    } else if (const auto* get = statement.as<tile::Get>()) {
      const auto known = entries_.find(key_of(get->entry));
      if (known != entries_.end()) note_read(get->value, known->second);
    } else if (const auto* read = statement.as<tile::Read>()) {
      note_read(read->value, box_sizes(draft_, read->box));
    } else if (const auto* dot = statement.as<tile::Dot>()) {
      note_product(*dot);
    } else if (const auto* assign = statement.as<tile::Assign>(); assign && assign->expr) {
      walk(assign->expr, [&](const Typed& node) {
        const auto* use = node.as<LocalUse>();
        const auto known = use ? sizes_.find(use->id) : sizes_.end();
        const Shape& shape = program_.value(assign->value).shape;
        if (known != sizes_.end() && program_.value({use->id}).shape == shape)
          sizes_.emplace(assign->value.index, known->second);
      });
    }
  }

  void note_read(tile::ValueId value, const Sizes& sizes) {
    sizes_.emplace(value.index, sizes);
    Shape shape;
    for (const Number& size : sizes) shape.push_back(size.value);
    if (shape == program_.value(value).shape) reads_.emplace(std::move(shape), sizes);
  }

  void note_product(const tile::Dot& dot) {
    const auto& product = *dot.product->as<Apply>();
    const Shape& shape = program_.value(dot.value).shape;
    Sizes sides;
    for (size_t operand = 0; operand < 2; ++operand) {
      const auto* use = product.args[operand]->as<LocalUse>();
      const auto known = use ? sizes_.find(use->id) : sizes_.end();
      if (known == sizes_.end() || known->second.size() != 2 || shape.size() != 2) return;
      const bool transposed = operand == 0 ? product.attributes.trans_a : product.attributes.trans_b;
      sides.push_back(known->second[transposed ? 1 - operand : operand]);
    }
    if (sides[0].value != shape[0] || sides[1].value != shape[1]) return;
    sizes_.emplace(dot.value.index, sides);
    products_.emplace(shape, std::move(sides));
  }

  static std::pair<int, int> key_of(const tile::Entry& entry) { return {entry.channel.index, entry.member}; }

  const Draft& draft_;
  const tile::Program& program_;
  std::map<int, Sizes> sizes_;                    // by value
  std::map<std::pair<int, int>, Sizes> entries_;  // by channel and member
  std::map<Shape, Sizes> products_, reads_;
};

}  // namespace

std::map<Shape, Sizes> value_sizes(const Draft& draft, const tile::Program& program) {
  return ValueSizes(draft, program).run();
}

}  // namespace pallasgen
