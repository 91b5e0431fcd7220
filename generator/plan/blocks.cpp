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

namespace {

// Whether the expression has a value of each program.
bool mentions_programs(const Kernel& kernel, const TypedPtr& expr) {
  bool found = false;
  if (!expr) return found;
  walk(expr, [&](const Typed& node) {
    const Symbol* symbol = node.as<Symbol>();
    if (!symbol) return;
    if (symbol->kind == SymbolKind::ticket) found = true;
    if (symbol->kind == SymbolKind::axis) found = found || !kernel.axes[static_cast<size_t>(symbol->id)].sequential;
    if (symbol->kind == SymbolKind::let)
      found = found || mentions_programs(kernel, kernel.lets[static_cast<size_t>(symbol->id)].value);
  });
  return found;
}

}  // namespace

const Ref* largest_block(const Kernel& kernel) {
  const bool several =
      std::any_of(kernel.axes.begin(), kernel.axes.end(), [](const Axis& axis) { return !axis.sequential; });
  for (const RefRole role : {RefRole::output, RefRole::input}) {
    const bool views = std::any_of(kernel.refs.begin(), kernel.refs.end(),
                                   [&](const Ref& ref) { return ref.role == role && is_view(ref); });
    if (role == RefRole::input && views) return nullptr;  // blocks of these may be larger
    const Ref* largest = nullptr;
    int64_t most = 0;
    for (const Ref& ref : kernel.refs) {
      int64_t elements = 1;
      for (int64_t size : ref.shape) elements *= size;
      const bool known = std::all_of(ref.shape.begin(), ref.shape.end(), [](int64_t size) { return size >= 0; });
      const bool own = !several || std::any_of(ref.block.begin(), ref.block.end(), [&](const BlockDim& dim) {
        return mentions_programs(kernel, dim.index);
      });
      if (ref.role == role && known && own && elements > most) largest = &ref, most = elements;
    }
    if (largest) return largest;
  }
  return nullptr;
}

std::vector<Number> tile_of_program(const Kernel& kernel) {
  const Ref* largest = largest_block(kernel);
  std::vector<Number> tile;
  for (size_t d = 0; largest && d < largest->block.size(); ++d) {
    if (largest->block[d].kind != BlockKind::squeezed) tile.push_back(number_of(largest->block[d]));
  }
  return tile;
}

}  // namespace pallasgen
