#include "partial_tiles.h"

#include <fmt/format.h>

#include <algorithm>

#include "blocks.h"
#include "memory.h"
#include "reduction_strategy.h"

namespace pallasgen {

namespace {

constexpr size_t kFields = 2;         // that stand in turn; one, of which a cluster has two copies
constexpr int64_t kMostAligned = 16;  // bytes of the widest access

// One of each warp; in a cluster those of the CTA, and behind them what each CTA has put together.
Number parts_of_row(const LaunchPlan& launch, const PartialTiles::Sharing& sharing) {
  if (launch.cluster.value == 1) return quotient(sharing.threads, number(kWarp));
  return sum(quotient(launch.threads, number(kWarp)), launch.cluster);
}

}  // namespace

void PartialTiles::choose_way(Draft& draft, program::ReduceFragment& reduce, const Sharing& sharing) {
  const FragmentPlan held = draft.plan.fragments[static_cast<size_t>(reduce.target)];
  const bool of_columns = reduce.axis == 0;
  const Number in_band = number(sharing.in_band);
  reduce.threads = of_columns ? sharing.bands.value * in_band.value : sharing.lanes;
  const bool scans = reduce.part == program::ReducePart::running;
  if (reduce.threads > 1 && !scans && reduce.part != program::ReducePart::picked)
    reduce.strategy = choose_strategy(draft, held.name, reduce.threads);
  const bool shuffles = reduce.strategy == program::ReduceStrategy::shuffle;
  // Where one warp, or one group of threads, has all parts of a column, no other is met.
  const bool alone = sharing.threads.value <= std::max<int64_t>(sharing.lanes, kWarp);
  if (of_columns && shuffles && alone) return;
  if (of_columns)
    reduce.field = next(draft, held.dtype, shuffles ? sharing.bands : product(sharing.bands, in_band), sharing.columns,
                        sharing.vector);
  else if (!shuffles || !reduce.in_warp())
    reduce.field = next(draft, held.dtype, number(scans ? sharing.runs : registers_per_thread(held.layout)),
                        shuffles ? parts_of_row(draft.plan.launch, sharing) : sharing.threads, 1);
}

int PartialTiles::next(Draft& draft, DType dtype, const Number& lines, const Number& length, int64_t vector) {
  const bool exchanged = draft.plan.launch.cluster.value > 1;
  if (exchanged && info(dtype).bits < 32) dtype = DType::u32;
  const Key key(dtype, lines.value, length.value, vector);
  std::vector<int>& fields = fields_[key];
  if (fields.size() == (exchanged ? 1 : kFields)) return fields[turn_[key]++ % fields.size()];
  SharedField field;
  field.name = "partial";
  const std::vector<SharedField>& others = draft.plan.shared.fields;
  const auto taken = [&](const SharedField& other) { return other.name == field.name; };
  for (int i = 2; std::any_of(others.begin(), others.end(), taken); ++i) field.name = fmt::format("partial_{}", i);
  field.dtype = dtype;
  field.alignment = std::min(kMostAligned, vector * std::max<int64_t>(1, info(dtype).bits / 8));
  field.dims = {lines, length};
  // Two copies stand in turn by the number of the exchange.
  if (exchanged) field.dims.insert(field.dims.begin(), number(2));
  field.purpose = field.name;
  fields.push_back(add_field(draft, std::move(field)));
  return fields.back();
}

}  // namespace pallasgen
