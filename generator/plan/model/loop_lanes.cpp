#include "model/loop_lanes.h"

#include <algorithm>

#include "layout/warps.h"

namespace pallasgen {

using program::ForElements;

namespace {

std::vector<int64_t> one_along(size_t dims, size_t dim, int64_t at) {
  std::vector<int64_t> element(dims, 0);
  element[dim] = at;
  return element;
}

}  // namespace

void LoopLanes::enter(const ForElements& loop) {
  int64_t elements = 1;
  for (const Number& size : loop.shape) elements *= std::max<int64_t>(1, size.value);
  const Example::Values around = empty() ? Example::Values() : lanes().front().symbols;
  Entered entered{&loop, {}};
  for (int64_t lane = 0; lane < std::min<int64_t>(kWarp, elements); ++lane) {
    std::vector<int64_t> element(loop.shape.size(), 0);
    int64_t left = loop.by == program::Share::warps ? 0 : lane;
    for (size_t dim = loop.shape.size(); dim-- > 0;) {
      element[dim] = left % std::max<int64_t>(1, loop.shape[dim].value);
      left /= std::max<int64_t>(1, loop.shape[dim].value);
    }
    entered.lanes.push_back(at(loop, element, around));
  }
  loops_.push_back(std::move(entered));
}

Lane LoopLanes::at(const ForElements& loop, const std::vector<int64_t>& element, const Example::Values& around) const {
  std::map<std::string, int64_t> coordinates;
  for (size_t dim = 0; dim < loop.shape.size(); ++dim) coordinates[loop.coordinates[dim]] = element[dim];
  return {[coordinates, around, known = known_](const Symbol& symbol) {
    const auto found = symbol.kind == SymbolKind::loop ? coordinates.find(symbol.name) : coordinates.end();
    if (found != coordinates.end()) return std::optional(found->second);
    const std::optional<int64_t> outer = around ? around(symbol) : std::nullopt;
    return outer ? outer : known(symbol);
  }};
}

std::vector<Lane> LoopLanes::along(size_t dim) const {
  const ForElements& loop = *loops_.back().loop;
  const bool nested = loops_.size() > 1 && !loops_[loops_.size() - 2].lanes.empty();
  const Example::Values around = nested ? loops_[loops_.size() - 2].lanes.front().symbols : Example::Values();
  std::vector<Lane> walk;
  for (int64_t lane = 0; lane < std::min<int64_t>(kWarp, loop.shape[dim].value); ++lane)
    walk.push_back(at(loop, one_along(loop.shape.size(), dim, lane), around));
  return walk;
}

std::vector<Lane> lanes_of(const ValueLayout& layout, const Example::Values& known) {
  std::vector<Lane> lanes;
  for (int lane = 0; lane < std::min<int64_t>(kWarp, threads(layout)); ++lane) {
    if (const auto element = element_of(layout, lane, 0)) lanes.push_back({known, *element});
  }
  return lanes;
}

std::vector<Lane> lanes_along(const ValueLayout& layout, size_t dim, const Example::Values& known) {
  std::vector<Lane> walk;
  for (int64_t lane = 0; lane < std::min<int64_t>(kWarp, layout.shape[dim]); ++lane)
    walk.push_back({known, one_along(layout.shape.size(), dim, lane)});
  return walk;
}

}  // namespace pallasgen
