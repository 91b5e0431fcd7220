#include "questions/blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "program/numbers.h"
#include "program/program_walk.h"
#include "proofs/tensor_copies.h"

namespace pallasgen {

using namespace program;

void explain_accesses(Draft& draft, const RolePlan& role) {
  std::set<int> told;
  for_each_statement(role.program, [&](const Statement& statement) {
    const Access* access = nullptr;
    if (const auto* node = std::get_if<Load>(&statement.node)) access = &node->access;
    if (const auto* node = std::get_if<StoreGlobal>(&statement.node)) access = &node->access;
    if (!access || !told.insert(access->ref).second) return;
    const Ref& ref = draft.ref(access->ref);
    const int64_t bytes = access->vector.value * info(ref.dtype).bits / 8;
    draft.decide("access to " + ref.name, fmt::format("{} bytes at a time{}", bytes, access->masked ? ", masked" : ""),
                 access->reason);
  });
}

int64_t whole_warps(int64_t wanted) { return std::clamp((wanted + kWarp - 1) / kWarp * kWarp, kWarp, kMostThreads); }

int64_t threads_of_vectors(int64_t vectors) {
  constexpr int64_t kMostVectors = 2 * kVectorsInFlight, kMostOfCta = 1024;
  const auto with = [&](int64_t each) { return (vectors + each * kWarp - 1) / (each * kWarp) * kWarp; };
  return std::clamp(with(kMostVectors), std::clamp(with(kVectorsInFlight), kWarp, kMostThreads), kMostOfCta);
}

namespace {

// True if the expression depends on the program.
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
