#include "rings/delegated_stores.h"

#include <fmt/format.h>

#include "diagnostics/assert.h"
#include "plan/words.h"
#include "program/index_terms.h"
#include "program/numbers.h"
#include "questions/delegated_stores.h"
#include "rings/rings.h"
#include "tile/walk.h"

namespace pallasgen {

using program::ArriveFilled, program::BarrierWait, program::Filled, program::ForStoreColumns, program::ReleaseWhen,
    program::Statements, program::StoreAcquire, program::StoreCommit, program::TensorStore;

int DelegatedStores::store_of(tile::ChannelId channel) const {
  const std::vector<StorePlan>& stores = draft_.plan.stores;
  const int ring = *between_.ring_of(channel);
  for (size_t i = 0; i < stores.size(); ++i) {
    if (stores[i].ring == ring) return static_cast<int>(i);
  }
  PALLASGEN_ASSERT(false && "the role that fills the entries is lowered first", Span());
  return -1;
}

// The copies of each consumer's part, buffer by buffer.
Statements DelegatedStores::copies(tile::ChannelId channel, const tile::Write& write) const {
  const int index = store_of(channel);
  const StorePlan& store = draft_.plan.stores[static_cast<size_t>(index)];
  const bool several = store.groups.value > 1;
  const TypedPtr part = several ? multiply(variable("wg"), to_index(store.part)) : nullptr;
  std::vector<TypedPtr> coordinates;
  size_t column = 0, kept = 0;
  for (const tile::BoxDim& dim : write.box.dims) {
    if (dim.size) column = coordinates.size();
    const bool rows = dim.size && kept++ == 0;
    coordinates.push_back(rows && !store.across ? add(dim.first, part) : dim.first);
  }
  if (store.across) coordinates[column] = add(coordinates[column], part);
  coordinates[column] = add(coordinates[column], multiply(variable("j"), to_index(store.columns)));
  const bool adds = draft_.ref(write.box.ref).reduce.has_value();
  const program::Statement copy{"past the end: dropped", false, TensorStore{index, std::move(coordinates), adds}};
  const program::Statement own{
      "", false, ForStoreColumns{"j", store.copies, index, {copy}, nullptr, nullptr, several ? "wg" : "0"}};
  const program::Statement commit{"", false, StoreCommit{}};
  if (!several) return {own, commit};
  program::ForRange parts{"wg", index_constant(0), to_index(store.groups), index_constant(1), {own}};
  parts.unroll = static_cast<int>(store.groups.value);
  return {{"", false, std::move(parts)}, commit};
}

std::optional<Statements> DelegatedStores::lower(const tile::Statement& statement) const {
  const auto one = [](std::string comment, auto node) {
    return Statements{{std::move(comment), false, std::move(node)}};
  };
  if (const tile::ChannelId channel = stored_channel(program_, statement))
    return copies(channel, *statement.as<tile::For>()->body.back().as<tile::Write>());
  const auto* fill = statement.as<tile::Fill>();
  if (fill && is_delegated(fill->channel))
    return one(fmt::format("... and the {} may take them to memory", program_.channel(fill->channel).to),
               ArriveFilled{*between_.ring_of(fill->channel), Filled::staged});
  const auto* wait_free = statement.as<tile::WaitFree>();
  if (wait_free && is_delegated(wait_free->channel)) {
    const RingPlan& of = ring(wait_free->channel);
    return one(fmt::format("the copies out of stage {} have read it; the first lap passes at once", of.slot_name),
               BarrierWait{of.empty, *between_.ring_of(wait_free->channel), true});
  }
  const auto* wait_full = statement.as<tile::WaitFull>();
  if (wait_full && is_delegated(wait_full->channel)) {
    const RingPlan& of = ring(wait_full->channel);
    const std::string& from = program_.channel(wait_full->channel).from;
    return one(fmt::format("the {}s have written {} of this step", from, listed(operand_names(of))),
               BarrierWait{of.full, *between_.ring_of(wait_full->channel), false});
  }
  const auto* stores = statement.as<tile::WaitStores>();
  if (stores && is_delegated(stores->channel))
    return one("the copies have read the stage ...", StoreAcquire{store_of(stores->channel), number(stores->pending)});
  const auto* release = statement.as<tile::Release>();
  if (release && is_delegated(release->channel))
    return one("... which is free again", program::Release{*between_.ring_of(release->channel), ReleaseWhen::now, -1});
  return std::nullopt;
}

}  // namespace pallasgen
