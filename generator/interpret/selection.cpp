#include "selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "broadcast.h"
#include "diagnostics/assert.h"
#include "fault.h"
#include "interpret/rules.h"

namespace pallasgen::interpreter {
namespace {

template <class T>
const T* as(const ResolvedItem& item) {
  return std::get_if<T>(&item);
}

// How the dims of the result determine the coordinates of the space.
struct Plan {
  struct ResultDim {
    int64_t extent;
    int space_dim = -1;  // of a slice; -1: a new axis or a dim of the integer arrays
    int64_t step = 0;
    int64_t gather_stride = 0;  // of a dim of the integer arrays, in their elements
  };
  std::vector<ResultDim> dims;
  std::vector<int64_t> start;                 // per space dim
  std::vector<std::optional<Value>> indices;  // per space dim: broadcast integer array
};

Plan plan_of(const std::vector<ResolvedItem>& items) {
  Plan plan;
  Shape gathered;
  bool gathers = false;
  for (const ResolvedItem& item : items) {
    if (const auto* gather = as<ResolvedGather>(item)) {
      gathered = broadcast_shape(gathered, gather->indices.shape);
      gathers = true;
    }
  }
  std::optional<size_t> place;  // of the integer arrays' dims in the result
  bool neighbours = true, left = false;
  for (const ResolvedItem& item : items) {
    const bool array = gathers && (as<ResolvedGather>(item) || as<ResolvedInteger>(item));
    if (array && !place)
      place = plan.dims.size();
    else if (array && left)
      neighbours = false;
    else if (!array && place)
      left = true;
    const int dim = static_cast<int>(plan.start.size());
    if (const auto* integer = as<ResolvedInteger>(item)) {
      plan.start.push_back(integer->value);
      plan.indices.emplace_back();
    } else if (const auto* slice = as<ResolvedSlice>(item)) {
      plan.start.push_back(slice->start);
      plan.indices.emplace_back();
      plan.dims.push_back({slice->size, dim, slice->step, 0});
    } else if (const auto* gather = as<ResolvedGather>(item)) {
      plan.start.push_back(0);
      plan.indices.emplace_back(broadcast(gather->indices, gathered));
    } else {
      plan.dims.push_back({1, -1, 0, 0});
    }
  }
  if (gathers) {
    std::vector<Plan::ResultDim> dims;
    int64_t stride = elements_of(gathered);
    for (int64_t extent : gathered) {
      stride = extent == 0 ? 0 : stride / extent;
      dims.push_back({extent, -1, 0, stride});
    }
    const auto at = plan.dims.begin() + static_cast<ptrdiff_t>(neighbours ? *place : 0);
    plan.dims.insert(at, dims.begin(), dims.end());
  }
  return plan;
}

class Selector {
 public:
  Selector(const IndexedSpace& space, const Plan& plan, const uint8_t* mask, Span span, std::vector<ElementRun>& runs)
      : space_(space), plan_(plan), mask_(mask), span_(span), runs_(runs), counter_(plan.dims.size(), 0) {}

  void run(int64_t total) {
    if (total == 0) return;
    // Neighbours along the last dim are neighbours in memory.
    const bool rows = !mask_ && !plan_.dims.empty() && plan_.dims.back().space_dim >= 0 &&
                      plan_.dims.back().step == 1 &&
                      space_.dims[static_cast<size_t>(plan_.dims.back().space_dim)].stride == 1;
    const size_t outer = plan_.dims.size() - (rows ? 1 : 0);
    for (int64_t element = 0;;) {
      if (rows) {
        push_row(plan_.dims.back().extent);
        element += plan_.dims.back().extent;
      } else {
        push_element(element);
        ++element;
      }
      if (element == total) return;
      for (size_t dim = outer; dim-- > 0;) {
        if (++counter_[dim] < plan_.dims[dim].extent) break;
        counter_[dim] = 0;
      }
    }
  }

 private:
  // The coordinate along each dim of the space at the counter.
  std::vector<int64_t>& coordinates() {
    at_ = plan_.start;
    int64_t gathered = 0;
    for (size_t i = 0; i < counter_.size(); ++i) {
      const Plan::ResultDim& dim = plan_.dims[i];
      if (dim.space_dim >= 0) at_[static_cast<size_t>(dim.space_dim)] += counter_[i] * dim.step;
      gathered += counter_[i] * dim.gather_stride;
    }
    for (size_t i = 0; i < at_.size(); ++i) {
      if (plan_.indices[i]) at_[i] = plan_.indices[i]->as<int64_t>()[gathered];
    }
    return at_;
  }

  void check(size_t dim, int64_t coordinate) const {
    const IndexedDim& d = space_.dims[dim];
    if (coordinate >= 0 && (d.clips || coordinate < d.size)) return;
    const std::string space = space_.name.empty() ? "the value" : "'" + space_.name + "'";
    throw Fault{
        kRunIndexRange,
        span_,
        fmt::format("index {} along dim {} of {} is outside: it has {} elements there", coordinate, dim, space, d.size),
        {FaultKind::oob, space_.name}};
  }

  bool inside(size_t dim, int64_t coordinate) const {
    return coordinate >= space_.dims[dim].inside_begin && coordinate < space_.dims[dim].inside_end;
  }

  void push(int64_t source, int64_t count) {
    if (count <= 0) return;
    if (!runs_.empty()) {
      ElementRun& last = runs_.back();
      if (source < 0 ? last.source == source : last.source >= 0 && last.source + last.count == source) {
        last.count += count;
        return;
      }
    }
    runs_.push_back({source, count});
  }

  void push_element(int64_t element) {
    if (mask_ && !mask_[element]) return push(kMasked, 1);
    const std::vector<int64_t>& at = coordinates();
    int64_t source = space_.base;
    bool there = true;
    for (size_t dim = 0; dim < at.size(); ++dim) {
      check(dim, at[dim]);
      there = there && inside(dim, at[dim]);
      source += at[dim] * space_.dims[dim].stride;
    }
    push(there ? source : kPastEnd, 1);
  }

  void push_row(int64_t count) {
    const auto last = static_cast<size_t>(plan_.dims.back().space_dim);
    const std::vector<int64_t>& at = coordinates();
    int64_t source = space_.base;
    bool there = true;
    for (size_t dim = 0; dim < at.size(); ++dim) {
      check(dim, at[dim]);
      if (dim == last)
        check(dim, at[dim] + count - 1);
      else
        there = there && inside(dim, at[dim]);
      source += at[dim] * space_.dims[dim].stride;
    }
    if (!there) return push(kPastEnd, count);
    const IndexedDim& d = space_.dims[last];
    const int64_t begin = std::clamp(d.inside_begin - at[last], int64_t{0}, count);
    const int64_t end = std::clamp(d.inside_end - at[last], begin, count);
    push(kPastEnd, begin);
    push(source + begin, end - begin);
    push(kPastEnd, count - end);
  }

  const IndexedSpace& space_;
  const Plan& plan_;
  const uint8_t* mask_;
  Span span_;
  std::vector<ElementRun>& runs_;
  std::vector<int64_t> counter_, at_;
};

Shape shape_of(const Plan& plan) {
  Shape shape;
  for (const Plan::ResultDim& dim : plan.dims) shape.push_back(dim.extent);
  return shape;
}

}  // namespace

IndexedSpace dense_space(const Shape& shape, std::string name) {
  IndexedSpace space{{}, 0, std::move(name)};
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    space.dims.insert(space.dims.begin(), {shape[i], stride, 0, shape[i], false});
    stride *= shape[i];
  }
  return space;
}

Shape selected_shape(const std::vector<ResolvedItem>& items) { return shape_of(plan_of(items)); }

Selection select(const IndexedSpace& space, const std::vector<ResolvedItem>& items, const Value* mask, Span span) {
  const Plan plan = plan_of(items);
  PALLASGEN_ASSERT(plan.start.size() == space.dims.size(), span);
  Selection selection{shape_of(plan), {}};
  const std::optional<Value> spread = mask ? std::optional(broadcast(*mask, selection.shape)) : std::nullopt;
  const uint8_t* flags = spread ? spread->as<uint8_t>() : nullptr;
  Selector(space, plan, flags, span, selection.runs).run(elements_of(selection.shape));
  return selection;
}

}  // namespace pallasgen::interpreter
