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

using program::ForStoreColumns, program::Statements, program::StoreAcquire, program::StoreCommit, program::TensorStore;

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
  if (const tile::ChannelId channel = stored_channel(program_, statement))
    return copies(channel, *statement.as<tile::For>()->body.back().as<tile::Write>());
  const auto* stores = statement.as<tile::WaitStores>();
  if (!stores || !tile::is_staged_between(program_, stores->channel)) return std::nullopt;
  const StoreAcquire acquire{store_of(stores->channel), number(stores->pending)};
  return Statements{{"the copies have read the stage ...", false, acquire}};
}

}  // namespace pallasgen
