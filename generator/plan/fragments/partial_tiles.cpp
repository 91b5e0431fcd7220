#include "fragments/partial_tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "fragments/reduction_strategy.h"
#include "plan/exchanges.h"
#include "program/memory.h"
#include "program/numbers.h"
#include "program/program_walk.h"
#include "questions/blocks.h"

namespace pallasgen {

namespace {

constexpr size_t kFields = 2;         // that alternate: threads may still read one after its reduction
constexpr int64_t kMostAligned = 16;  // bytes of the widest access

constexpr std::string_view kPartialName = "partial";

// Returns the name, with a number appended if a field has it.
std::string free_name(const SharedMemory& shared, std::string_view wanted) {
  std::string name(wanted);
  const auto taken = [&](const SharedField& other) { return other.name == name; };
  for (int i = 2; std::any_of(shared.fields.begin(), shared.fields.end(), taken); ++i)
    name = fmt::format("{}_{}", wanted, i);
  return name;
}

// The values that are combined through a field: the first one's name, and the operations of all.
struct Users {
  std::string first;
  std::set<Op> operations;
};

void find_users(const Plan& plan, program::Statements& statements, std::map<int, Users>& users) {
  for (program::Statement& statement : statements) {
    for (program::Statements* body : bodies_of(statement)) find_users(plan, *body, users);
    const auto* reduce = std::get_if<program::ReduceFragment>(&statement.node);
    if (!reduce || reduce->field < 0) continue;
    Users& of_field = users[reduce->field];
    if (of_field.first.empty()) of_field.first = plan.fragments[static_cast<size_t>(reduce->target)].name;
    of_field.operations.insert(reduce->op);
  }
}

// Returns the elements of a row's line: one for each warp and, if CTAs share the row, one for each CTA after these.
Number parts_of_row(const LaunchPlan& launch, const PartialTiles::Sharing& sharing) {
  if (launch.cluster.value == 1) return quotient(sharing.threads, number(kWarp));
  const Number warps = quotient(launch.threads, number(kWarp));
  return is_exchange(launch, sharing.lanes) ? sum(warps, launch.cluster) : warps;
}

// True if combining the rows of each band by itself would round differently for other numbers of bands: rows are folded
// in halves, and folding ends with the rows of a band only if the number of bands is a power of two.
bool order_follows_bands(const program::ReduceFragment& reduce, DType dtype, const PartialTiles::Sharing& sharing) {
  const bool rounds = info(dtype).is_float && (reduce.op == Op::sum || reduce.op == Op::prod);
  return rounds && sharing.rows.value > sharing.bands.value &&
         !std::has_single_bit(static_cast<uint64_t>(sharing.bands.value));
}

}  // namespace

void PartialTiles::choose_combination(Draft& draft, program::ReduceFragment& reduce, const Sharing& sharing) {
  const FragmentPlan held = draft.plan.fragments[static_cast<size_t>(reduce.target)];
  const bool of_columns = reduce.axis == 0;
  const Number in_band = number(sharing.in_band);
  reduce.threads = of_columns ? sharing.bands.value * in_band.value : sharing.lanes;
  if (sharing.across > 1 && reduce.part != program::ReducePart::lanes) return share_across(draft, reduce, sharing);
  const bool by_rows = of_columns && order_follows_bands(reduce, held.dtype, sharing);
  const bool scans = reduce.part == program::ReducePart::running;
  if (reduce.threads > 1 && !scans && reduce.part != program::ReducePart::picked)
    reduce.strategy =
        choose_strategy(draft, held.name, reduce.threads, by_rows ? RowsOrder::of_all : RowsOrder::of_threads);
  const bool shuffles = reduce.strategy == program::ReduceStrategy::shuffle;
  // A column whose parts are all in one warp, or in one group of lanes, needs no field.
  const bool alone = sharing.threads.value <= std::max<int64_t>(sharing.lanes, kWarp);
  if (of_columns && shuffles && alone) return;
  if (of_columns) {
    const Number bands = by_rows ? sharing.rows : sharing.bands;
    Tile tile{held.dtype, shuffles ? bands : product(bands, in_band), sharing.columns, sharing.vector};
    tile.alone = by_rows;
    reduce.field = next(draft, tile);
  } else if (!shuffles || !reduce.in_warp()) {
    const LaunchPlan& launch = draft.plan.launch;
    Tile tile{held.dtype, number(scans ? sharing.runs : registers_per_thread(held.layout)),
              shuffles ? parts_of_row(launch, sharing) : sharing.threads, 1};
    if (is_exchange(launch, sharing.lanes)) {
      // Exchanges alternate between two copies of one tile. No word is shorter than 4 bytes.
      if (info(tile.dtype).bits < 32) tile.dtype = DType::u32;
      tile.copies = number(2);
      tile.alone = true;
    }
    reduce.field = next(draft, tile);
  }
}

// Combines rows from warpgroup to warpgroup, by a value per thread and row; columns within each warpgroup.
void PartialTiles::share_across(Draft& draft, program::ReduceFragment& reduce, const Sharing& sharing) {
  const FragmentPlan held = draft.plan.fragments[static_cast<size_t>(reduce.target)];
  const Number groups = quotient(sharing.threads, number(kWarpsOfGroup * kWarp));
  reduce.across = true;
  if (reduce.axis == 0) {
    reduce.threads = sharing.bands.value * sharing.in_band;
    reduce.strategy = choose_strategy(draft, held.name, reduce.threads);
    reduce.field = next(draft, {held.dtype, sharing.bands, quotient(sharing.columns, groups), sharing.vector, groups});
  } else {
    reduce.threads = sharing.lanes * sharing.across;
    if (reduce.part == program::ReducePart::all)
      reduce.strategy = choose_strategy(draft, held.name, reduce.threads, RowsOrder::of_warpgroups);
    reduce.field = next(draft, {held.dtype, number(sharing.slots), number(kWarpsOfGroup * kWarp), 1});
  }
}

int PartialTiles::next(Draft& draft, Tile tile) {
  const Key key(tile.dtype, tile.lines.value, tile.length.value, tile.vector, tile.copies.value, tile.alone);
  std::vector<int>& fields = fields_[key];
  if (fields.size() == (tile.alone ? 1 : kFields)) return fields[turn_[key]++ % fields.size()];
  SharedField field;
  field.name = free_name(draft.plan.shared, kPartialName);
  field.dtype = tile.dtype;
  field.alignment = std::min(kMostAligned, tile.vector * std::max<int64_t>(1, info(tile.dtype).bits / 8));
  field.dims = {tile.lines, tile.length};
  if (tile.copies.value > 1) field.dims.insert(field.dims.begin(), tile.copies);
  field.purpose = field.name;
  fields.push_back(add_field(draft, std::move(field)));
  return fields.back();
}

void name_partial_tiles(Draft& draft, program::Statements& statements) {
  std::map<int, Users> users;
  find_users(draft.plan, statements, users);
  if (users.size() < 2) return;
  for (const auto& [index, of_field] : users) {
    if (of_field.operations.size() > 1) continue;
    SharedField& field = draft.plan.shared.fields[static_cast<size_t>(index)];
    const std::string_view value = of_field.first;
    const std::string_view stem = value.substr(0, value.find_last_not_of('_') + 1);
    field.name = free_name(draft.plan.shared, fmt::format("{}_parts", stem));
    field.purpose = field.name;
  }
}

}  // namespace pallasgen
