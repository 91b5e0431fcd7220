#include <fmt/format.h>

#include <algorithm>

#include "findings/effects.h"

namespace pallasgen {

void check_coverage(Context& context, const Ref& ref, const std::vector<const KernelStmt*>& stores) {
  constexpr int64_t kMostElements = int64_t{1} << 20;
  int64_t size = 1;
  for (int64_t extent : ref.shape) {
    if (extent <= 0 || size > kMostElements / extent) return;
    size *= extent;
  }
  std::vector<bool> covered(size);
  const size_t rank = ref.shape.size();
  for (const KernelStmt* stmt : stores) {
    const StoreStmt& store = std::get<StoreStmt>(stmt->node);
    if (store.whole) return;
    std::vector<std::vector<int64_t>> places;
    for (const IndexItem& item : store.index) {
      if (std::holds_alternative<IndexNewAxis>(item)) continue;
      const IndexInteger* integer = std::get_if<IndexInteger>(&item);
      const IndexSlice* slice = std::get_if<IndexSlice>(&item);
      const std::optional<int64_t> start = integer ? constant_value(integer->value)
                                           : slice ? constant_value(slice->start)
                                                   : std::nullopt;
      if (!start) return;
      std::vector<int64_t>& list = places.emplace_back();
      for (int64_t i = 0; i < (slice ? slice->size : 1); ++i) list.push_back(*start + i * (slice ? slice->step : 1));
    }
    if (places.size() != rank) return;
    std::vector<size_t> at(rank, 0);
    bool done = std::any_of(places.begin(), places.end(), [](const auto& list) { return list.empty(); });
    while (!done) {
      int64_t element = 0;
      for (size_t i = 0; i < rank; ++i) element = element * ref.shape[i] + places[i][at[i]];
      covered[element] = true;
      size_t i = rank;
      while (i > 0 && ++at[i - 1] == places[i - 1].size()) at[--i] = 0;
      done = i == 0;
    }
  }
  for (int64_t element = 0; element < size; ++element) {
    if (covered[element]) continue;
    std::vector<int64_t> index(rank);
    int64_t rest = element;
    for (size_t i = rank; i > 0; --i) {
      index[i - 1] = rest % ref.shape[i - 1];
      rest /= ref.shape[i - 1];
    }
    // If the array is smaller than its block, only the elements inside it count.
    bool inside = true;
    size_t at = 0;
    for (size_t dim = 0; dim < ref.block.size(); ++dim) {
      if (ref.block[dim].kind == BlockKind::squeezed) continue;
      const std::optional<int64_t> extent = constant_value(simplify(ref.array_shape[dim]));
      inside = inside && (!extent || index[at] < *extent);
      ++at;
    }
    if (!inside) continue;
    context.diagnostics
        .error(kUnwrittenOutput, stores[0]->span,
               fmt::format("no statement writes {}[{}], though the block is written back whole", ref.name,
                           fmt::join(index, ", ")))
        .note(ref.span, fmt::format("the block of '{}' is {}", ref.name, shape_text(ref.shape)))
        .note("write the rest, too, or make the block as large as what is written");
    return;
  }
}

}  // namespace pallasgen
