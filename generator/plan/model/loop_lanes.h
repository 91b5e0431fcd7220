#pragma once

#include <vector>

#include "model/lane_places.h"

namespace pallasgen {

// The lanes of the first warp in the loops over elements around a statement.
class LoopLanes {
 public:
  // `known`: what is known of symbols beside the loops.
  explicit LoopLanes(Example::Values known) : known_(std::move(known)) {}

  void enter(const program::ForElements& loop);
  void leave() { loops_.pop_back(); }
  bool empty() const { return loops_.empty() || loops_.back().lanes.empty(); }

  // In the innermost loop.
  const std::vector<Lane>& lanes() const { return loops_.back().lanes; }
  size_t dims() const { return loops_.back().loop->shape.size(); }
  // As many that go along one dim of it, and are at the first element in the others.
  std::vector<Lane> along(size_t dim) const;

 private:
  struct Entered {
    const program::ForElements* loop;
    std::vector<Lane> lanes;
  };
  Lane at(const program::ForElements& loop, const std::vector<int64_t>& element, const Example::Values& around) const;

  const Example::Values known_;
  std::vector<Entered> loops_;  // outermost first
};

// The same of a fragment that is held in the layout: the elements of the lanes' first registers.
std::vector<Lane> lanes_of(const ValueLayout& layout, const Example::Values& known);
std::vector<Lane> lanes_along(const ValueLayout& layout, size_t dim, const Example::Values& known);

}  // namespace pallasgen
