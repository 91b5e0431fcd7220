#include "homes/program_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "homes/element_homes.h"
#include "plan/words.h"
#include "program/memory.h"
#include "proofs/element_site.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

constexpr int64_t kPlaceAlignment = 128;  // of the destination of a copy
constexpr int64_t kTileAlignment = 16;
constexpr int64_t kMemoryAlignment = 1024;  // the period of the widest swizzle

}  // namespace

int64_t ProgramMemory::total() const {
  int64_t sum = 0;
  for (const auto& [bytes, of] : parts) sum += bytes;
  return round_up(sum, kMemoryAlignment);
}

int64_t bytes_of_tiles(const tile::Program& homes) {
  std::set<int> tiles;
  for (const tile::Role& role : homes.roles) {
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto value = tile::defined_by(statement);
      if (!value || !goes_by_elements(homes, statement)) return;
      if (homes.value(*value).home == tile::Home::shared && !homes.value(*value).inlined) tiles.insert(value->index);
    });
  }
  return std::accumulate(tiles.begin(), tiles.end(), int64_t{0}, [&](int64_t sum, int id) {
    return sum + bytes_of(homes.value({id}).dtype, elements_of(homes.value({id}).shape));
  });
}

ProgramMemory memory_of(const tile::Program& made) {
  ProgramMemory memory;
  std::set<int> copied;  // channels with barriers
  bool queue = false;
  const int64_t ctas = computing_role(made).ctas;  // CTAs that each copy a part
  for (const tile::Role& role : made.roles) {
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const tile::Put* put = statement.as<tile::Put>();
      if (put && !put->value) copied.insert(put->entry.channel.index);
      const tile::ForTiles* tiles = statement.as<tile::ForTiles>();
      queue = queue || (tiles && tiles->work && tiles->work->kind == tile::WorkKind::dynamic);
    });
  }
  for (size_t i = 0; i < made.channels.size(); ++i) {
    const tile::Channel& channel = made.channels[i];
    const int64_t slots = channel.slots.value_or(1);
    for (const tile::Channel::Member& member : channel.members) {
      memory.parts.emplace_back(
          slots * round_up(bytes_of(member.dtype, elements_of(member.shape)) / ctas, kPlaceAlignment),
          fmt::format("{} of '{}'", counted(slots, "slot"), member.name));
    }
    if (copied.count(static_cast<int>(i)) || tile::is_staged_between(made, {static_cast<int>(i)}))
      memory.parts.emplace_back(2 * slots * kBarrierBytes, fmt::format("the barriers of '{}'", channel.name));
  }
  if (const auto* known = tile::given_up(made, tile::ChoiceKind::memory))
    memory.parts.emplace_back(known->bytes, "what threads put together");
  if (queue) memory.parts.emplace_back(kQueueBytes, "the queue of tiles");
  for (const tile::Role& role : made.roles) {
    const ElementHomes homes(made, role);
    for (size_t i = 0; i < made.declarations->refs.size(); ++i) {
      const Ref& ref = made.declarations->refs[i];
      const std::optional<ElementHomes::OfRef> home = homes.of_ref(static_cast<int>(i));
      if (home && home->home == ElementHome::tile)
        memory.parts.emplace_back(round_up(bytes_of(ref.dtype, elements_of(ref.shape)), kTileAlignment),
                                  fmt::format("'{}'", ref.name));
    }
  }
  return memory;
}

}  // namespace pallasgen
