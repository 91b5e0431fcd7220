#include "fragments/packed_operands.h"

#include "questions/instructions.h"
#include "tile/walk.h"

namespace pallasgen {

PackedOperands::PackedOperands(const tile::Role& role, FragmentValues& values) : values_(values) {
  std::set<tile::ValueId> carried, read;
  for_each_statement(role.body, [&](const tile::Statement& statement) {
    if (const auto* loop = statement.as<tile::For>()) carried.insert(loop->carry.begin(), loop->carry.end());
    const auto* dot = dot_if(statement, &tile::Product::reads_registers);
    if (!dot) return;
    const std::optional<MmaOperands> of = mma_operands(role, *dot);
    if (of && of->in_registers) read.insert(of->in_registers);
  });
  for (const tile::ValueId value : read) {
    if (carried.count(value)) operands_.insert(value);
  }
}

int PackedOperands::fragment(tile::ValueId value) {
  const auto [known, added] = fragments_.try_emplace(value.index);
  if (added) known->second = values_.add_packed(value);
  return known->second;
}

}  // namespace pallasgen
