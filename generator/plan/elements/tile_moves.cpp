#include "elements/tile_moves.h"

#include <fmt/format.h>

#include "expression/index_map.h"
#include "fragments/fragment_access.h"
#include "fragments/transposed_tiles.h"
#include "plan/words.h"
#include "tile/walk.h"

namespace pallasgen {

bool TileMoves::combines_in_place(tile::ValueId parts, tile::ValueId sum) const {
  if (program_.value(parts).home == tile::Home::shared || !values_.form(parts).partial || values_.form(sum).partial)
    return false;
  int others = 0;
  tile::for_each_statement(role_.body, [&](const tile::Statement& statement) {
    others += tile::used_by(statement).count(parts.index) > 0 && tile::defined_by(statement) != parts;
  });
  return others == 1;
}

std::optional<tile::ValueId> TileMoves::moved_by(const tile::Assign& assign) const {
  const auto* use = assign.expr->as<LocalUse>();
  if (!use || program_.value({use->id}).home == tile::Home::shared) return std::nullopt;
  return values_.forms().is_move({use->id}, assign.value) ? std::optional(tile::ValueId{use->id}) : std::nullopt;
}

std::optional<tile::ValueId> TileMoves::transposed_by(const tile::Assign& assign) const {
  const TypedPtr operand = permuted_operand(*assign.expr);
  const auto* use = operand ? operand->as<LocalUse>() : nullptr;
  if (!use || program_.value({use->id}).home == tile::Home::shared) return std::nullopt;
  const Form &from = values_.form({use->id}), &to = values_.form(assign.value);
  if (!Forms::is_transposed(from) || Forms::is_transposed(to) || !from.same_type(to) || from.vector != to.vector)
    return std::nullopt;
  int uses = 0, definitions = 0;
  tile::for_each_statement(role_.body, [&](const tile::Statement& statement) {
    const auto made = tile::defined_by(statement);
    uses += static_cast<int>(tile::used_by(statement).count(use->id));
    definitions += made == assign.value || made == tile::ValueId{use->id} ? 1 : 0;
  });
  return uses == 1 && definitions == 2 ? std::optional(tile::ValueId{use->id}) : std::nullopt;
}

TileMoves::Move TileMoves::move(tile::ValueId from, tile::ValueId to) {
  const int field = elements_.tile_of(to);
  Move made{store_tile(draft_, values_, field, from), load_tile(draft_, values_, to, field)};
  if (!Forms::is_transposed(values_.form(to))) return made;
  constexpr int64_t kLine = 128;  // bytes in which the tile exchanges chunks
  const auto& layout_of = [&](tile::ValueId id) -> const ValueLayout& {
    return draft_.plan.fragments[static_cast<size_t>(values_.fragment(id))].layout;
  };
  const int64_t bytes = bytes_of(program_.value(from).dtype, 1);
  const TransposedTile tile = transposed_tile(layout_of(from), layout_of(to), values_.form(from).vector, bytes);
  SharedField& shared = draft_.plan.shared.fields[static_cast<size_t>(field)];
  shared.alignment = std::max(shared.alignment, kLine);
  const auto turns = [](int64_t count) {
    return count == 1 ? std::string("without conflicts of banks") : fmt::format("in {} turns of the banks", count);
  };
  const std::string chunks =
      tile.rows_together == 0
          ? "no chunk of 16 bytes is moved"
          : fmt::format("chunks of 16 bytes are exchanged from {} to the next", counted(tile.rows_together, "row"));
  draft_.decide(
      program_.value(to).name, "stored to a tile by rows, loaded across them",
      fmt::format("a warp stores {}, and loads {}; {}", turns(tile.store_turns), turns(tile.load_turns), chunks));
  std::get<program::StoreTile>(made.store.node).transposed = tile.rows_together;
  std::get<program::LoadTile>(made.load.node).transposed = tile.rows_together;
  return made;
}

}  // namespace pallasgen
