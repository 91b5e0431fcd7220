#pragma once

#include <vector>

#include "model/lane_places.h"

namespace pallasgen {

// The lanes of the first warp in the loops over elements around a statement.
class LoopLanes {
 public:
  // `known`: values of symbols other than the loops' coordinates.
  explicit LoopLanes(Example::Values known) : known_(std::move(known)) {}

  void enter(const program::ForElements& loop);
  void leave() { loops_.pop_back(); }
  bool empty() const { return loops_.empty() || loops_.back().lanes.empty(); }

  // The lanes and the number of dims of the innermost loop.
  const std::vector<Lane>& lanes() const { return loops_.back().lanes; }
  size_t dims() const { return loops_.back().loop->shape.size(); }
  // Returns up to a warp of lanes at consecutive elements along one dim of that loop, at the first one in other dims.
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

// The same for a fragment in this layout, with the element of each lane's first register.
std::vector<Lane> lanes_of(const ValueLayout& layout, const Example::Values& known);
std::vector<Lane> lanes_along(const ValueLayout& layout, size_t dim, const Example::Values& known);

}  // namespace pallasgen
