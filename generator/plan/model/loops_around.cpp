#include "model/loops_around.h"

#include <algorithm>

namespace pallasgen {

namespace {

// Most sampled iterations per loop if a condition depends on one loop, and if it depends on two.
constexpr int64_t kMostSamples = 64, kFewSamples = 12;

bool decides(const LoopsAround::Loop& loop, const TypedPtr& condition) {
  bool found = false;
  walk(condition, [&](const Typed& node) {
    const Symbol* symbol = node.as<Symbol>();
    if (!symbol || symbol->kind != loop.kind) return;
    found = found || (loop.kind == SymbolKind::axis ? symbol->id == loop.axis : symbol->name == loop.variable);
  });
  return found;
}

}  // namespace

double LoopsAround::share_of(const TypedPtr& condition, const Example& example, const Example::Values& known) const {
  std::vector<const Loop*> deciding;
  for (const Loop& loop : loops_) {
    if (deciding.size() < 2 && decides(loop, condition)) deciding.push_back(&loop);
  }
  const int64_t most = deciding.size() > 1 ? kFewSamples : kMostSamples;
  int64_t held = 0, all = 0;
  const auto sample = [&](const auto& self, size_t depth) -> void {
    if (depth == deciding.size()) {
      ++all;
      held += example.value(condition, known).value_or(1) != 0;
      return;
    }
    const Loop& loop = *deciding[depth];
    const int64_t kept = *loop.at, samples = std::clamp<int64_t>(loop.turns, 1, most);
    for (int64_t i = 0; i < samples; ++i) {
      *loop.at = loop.first + loop.step * (samples == 1 ? 0 : i * (loop.turns - 1) / (samples - 1));
      self(self, depth + 1);
    }
    *loop.at = kept;
  };
  sample(sample, 0);
  // A condition that holds in one sample holds in one iteration: the first or the last.
  if (deciding.size() == 1 && held == 1) return 1.0 / static_cast<double>(std::max<int64_t>(1, deciding[0]->turns));
  return static_cast<double>(held) / static_cast<double>(all);
}

double LoopsAround::repeats_of(const std::function<std::optional<int64_t>()>& place) const {
  const std::optional<int64_t> here = place();
  double repeats = 1;
  for (const Loop& loop : loops_) {
    if (!here || loop.turns < 2) continue;
    *loop.at += loop.step;
    if (place() == here) repeats *= static_cast<double>(loop.turns);
    *loop.at -= loop.step;
  }
  return repeats;
}

}  // namespace pallasgen
