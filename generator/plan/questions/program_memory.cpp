#include "questions/program_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "homes/homes.h"
#include "plan/rules.h"
#include "program/memory.h"
#include "proofs/reductions.h"
#include "questions/clusters.h"
#include "questions/made_operands.h"
#include "questions/uses.h"
#include "select/dot_remedies.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

constexpr int64_t kPlaceAlignment = 128;    // of what a copy fills
constexpr int64_t kMemoryAlignment = 1024;  // the period of the widest swizzle

// Of the first dot by instructions; a number of stages is said apart (Shortage::stages).
std::vector<std::string> remedies(const tile::Program& made) {
  if (!made_operands(made).empty()) return {};  // of which the search knows nothing
  const tile::Dot* first = nullptr;
  for (const tile::Role& role : made.roles) {
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const tile::Dot* dot = statement.as<tile::Dot>();
      if (!first && dot && dot->by_unit()) first = dot;
    });
  }
  return first ? dot_remedies(made, *first, false) : std::vector<std::string>{};
}

}  // namespace

int64_t bytes_of(DType dtype, const Shape& shape) {
  const int64_t bits = std::accumulate(shape.begin(), shape.end(), int64_t{info(dtype).bits}, std::multiplies<>());
  return (bits + 7) / 8;
}

int64_t ProgramMemory::total() const {
  int64_t sum = 0;
  for (const auto& [bytes, of] : parts) sum += bytes;
  return round_up(sum, kMemoryAlignment);
}

int64_t bytes_of_tiles(const tile::Program& homes) {
  std::set<int> tiles;
  int64_t parts = 0;  // of expressions: scans are made in tiles of their own
  for (const tile::Role& role : homes.roles) {
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto value = tile::defined_by(statement);
      const bool tile = value && homes.value(*value).home == tile::Home::shared && goes_by_elements(homes, statement);
      if (tile && !statement.as<tile::Read>()) tiles.insert(value->index);
      const auto* assign = statement.as<tile::Assign>();
      if (!tile || !assign || !assign->expr) return;
      walk(assign->expr, [&](const Typed& node) {
        const Apply* apply = node.as<Apply>();
        if (apply && is_scan(apply->op) && &node != assign->expr.get()) parts += bytes_of(node.dtype, node.shape);
      });
    });
  }
  return std::accumulate(tiles.begin(), tiles.end(), parts, [&](int64_t sum, int id) {
    return sum + bytes_of(homes.value({id}).dtype, homes.value({id}).shape);
  });
}

ProgramMemory memory_of(const tile::Program& made) {
  ProgramMemory memory;
  std::set<int> copied;  // channels with barriers
  std::set<int> places;  // refs
  bool queue = false;
  const int64_t ctas = made.roles.size() == 1 ? made.roles[0].ctas : 1;  // each of which has a part of copies
  for (const tile::Role& role : made.roles) {
    for_each_statement(role.body, [&](const tile::Statement& statement) {
      const tile::Put* put = statement.as<tile::Put>();
      if (put && !put->value) copied.insert(put->entry.channel.index);
      if (const tile::Forget* forget = statement.as<tile::Forget>()) places.insert(forget->ref);
      if (const tile::Fetch* fetch = statement.as<tile::Fetch>()) places.insert(fetch->box.ref);
      if (const tile::Flush* flush = statement.as<tile::Flush>()) places.insert(flush->box.ref);
      const tile::ForTiles* tiles = statement.as<tile::ForTiles>();
      queue = queue || (tiles && tiles->work && tiles->work->kind == tile::WorkKind::dynamic);
    });
  }
  for (size_t i = 0; i < made.channels.size(); ++i) {
    const tile::Channel& channel = made.channels[i];
    const int64_t slots = channel.slots.value_or(1);
    for (const tile::Channel::Member& member : channel.members) {
      memory.parts.emplace_back(slots * round_up(bytes_of(member.dtype, member.shape) / ctas, kPlaceAlignment),
                                fmt::format("{} of '{}'", counted(slots, "slot"), member.name));
    }
    if (copied.count(static_cast<int>(i)) || tile::is_staged_between(made, {static_cast<int>(i)}))
      memory.parts.emplace_back(2 * slots * kBarrierBytes, fmt::format("the barriers of '{}'", channel.name));
  }
  if (made.bytes_beside > 0) memory.parts.emplace_back(made.bytes_beside, "what threads put together");
  if (queue) memory.parts.emplace_back(kQueueBytes, "the queue of tiles");
  for (int place : places) {
    const Ref& ref = made.ref(place);
    if (ref.space != MemorySpace::reg)
      memory.parts.emplace_back(round_up(bytes_of(ref.dtype, ref.shape), 16), fmt::format("'{}'", ref.name));
  }
  return memory;
}

tile::Shortage shortage_of(const ProgramMemory& memory, const tile::Program& program, const Target& target) {
  tile::Program smallest = program;
  tile::Shortage out{&kPlanSharedMemory,        "bytes of shared memory", memory.total(), target.shared_limit, {},
                     "smaller blocks need less"};
  for (const auto& [bytes, of] : memory.parts) out.counted.push_back(fmt::format("{} for {}", grouped(bytes), of));
  out.works = remedies(smallest);
  const IntegerSetting& given = smallest.declarations->pipeline.stages;
  if (given.value) out.span = given.span;
  // The input of the largest channel may have a number of stages of its own, which asks for so much.
  int64_t largest = 0;
  for (const tile::Channel& channel : smallest.channels) {
    for (const tile::Channel::Member& member : channel.members) {
      const int64_t bytes = channel.slots.value_or(1) * bytes_of(member.dtype, member.shape);
      if (bytes <= largest) continue;
      largest = bytes;
      const std::vector<Ref>& refs = smallest.declarations->refs;
      const auto ref = std::find_if(refs.begin(), refs.end(), [&](const Ref& one) { return one.name == member.name; });
      if (ref != refs.end() && ref->stages && !ref->automatic_stages)
        out.span = ref->span;
      else
        out.span = given.value ? given.span : Span();
    }
  }
  if (!program.channels.empty()) out.remedy = "not even 1 stage fits: smaller blocks need less";
  int64_t stages = 1;
  for (const tile::Channel& channel : smallest.channels) stages = std::max(stages, channel.slots.value_or(1));
  while (--stages > 0) {
    for (tile::Channel& channel : smallest.channels) channel.slots = std::min(stages, channel.slots.value_or(1));
    if (memory_of(smallest).total() > target.shared_limit) continue;
    out.stages = stages;
    out.remedy = "smaller blocks need less";
    break;
  }
  out.remedy += beside_cluster(program);
  return out;
}

}  // namespace pallasgen
