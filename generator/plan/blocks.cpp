#include "blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "program_walk.h"
#include "tensor_copies.h"

namespace pallasgen {

using namespace program;

void tell_accesses(Draft& draft, const RolePlan& role) {
  std::set<int> told;
  for_each_statement(role.program, [&](const Statement& statement) {
    const Access* access = nullptr;
    int fragment = -1;
    if (const auto* node = std::get_if<Load>(&statement.node)) access = &node->access, fragment = node->fragment;
    if (const auto* node = std::get_if<StoreGlobal>(&statement.node)) access = &node->access, fragment = node->fragment;
    if (!access || !told.insert(access->ref).second) return;
    const Ref& ref = draft.ref(access->ref);
    const int64_t bytes = access->vector.value * info(ref.dtype).bits / 8;
    draft.decide("access to " + ref.name, fmt::format("{} bytes at a time{}", bytes, access->masked ? ", masked" : ""),
                 access->reason);
    const int64_t most = needed_multiple(ref), width = ref.shape.empty() ? 1 : ref.shape.back();
    // Only rows that run along the rows of the fragment could go by vectors; a value for each row does not.
    const FragmentPlan& held = draft.plan.fragments[fragment];
    const int last = static_cast<int>(held.layout.shape.size()) - 1;
    if (held.is_row_slice) return;
    if (access->vector.value > 1 || most == 1 || width % most != 0 || access->dims.empty()) return;
    if (last < 0 || access->dims.back().fragment_dim != last) return;
    std::optional<PitchGap> gap = gap_of_extent(ref, draft.facts);
    if (!gap) gap = gap_of_strides(ref, draft.facts);
    if (!gap) return;
    draft.diagnostics
        .warning(kPlanSlowPath, place_of_type(ref),
                 fmt::format("'{}' is accessed element by element: {}", ref.name, gap->why))
        .note(pitch_remedy(*draft.kernel, *gap));
  });
}

int64_t whole_warps(int64_t wanted) { return std::clamp((wanted + kWarp - 1) / kWarp * kWarp, kWarp, kMostThreads); }

int64_t threads_of_vectors(int64_t vectors) {
  constexpr int64_t kMostVectors = 2 * kVectorsInFlight, kMostOfCta = 1024;
  const auto with = [&](int64_t each) { return (vectors + each * kWarp - 1) / (each * kWarp) * kWarp; };
  return std::clamp(with(kMostVectors), std::clamp(with(kVectorsInFlight), kWarp, kMostThreads), kMostOfCta);
}

const Ref* largest_stored(const Kernel& kernel) {
  const Ref* largest = nullptr;
  int64_t most = 0;
  for (const Ref& ref : kernel.refs) {
    int64_t elements = 1;
    for (int64_t size : ref.shape) elements *= size;
    const bool known = std::all_of(ref.shape.begin(), ref.shape.end(), [](int64_t size) { return size >= 0; });
    if (ref.role == RefRole::output && known && elements > most) largest = &ref, most = elements;
  }
  return largest;
}

std::vector<Number> stored_tile(const Kernel& kernel) {
  const Ref* largest = largest_stored(kernel);
  std::vector<Number> tile;
  for (size_t d = 0; largest && d < largest->block.size(); ++d) {
    if (largest->block[d].kind != BlockKind::squeezed) tile.push_back(number_of(largest->block[d]));
  }
  return tile;
}

}  // namespace pallasgen
