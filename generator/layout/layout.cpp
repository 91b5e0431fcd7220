#include "layout/layout.h"

#include <algorithm>
#include <numeric>

#include "diagnostics/assert.h"
#include "layout/derive.h"
#include "layout/warps.h"
#include "parts.h"

namespace pallasgen {

namespace {

struct TiledDim {
  int source;
  int64_t stride, size;
};

std::vector<int64_t> flat_shape(const ValueLayout& layout) {
  if (!layout.flat) return layout.shape;
  return {std::accumulate(layout.shape.begin(), layout.shape.end(), int64_t{1}, std::multiplies<>())};
}

std::vector<TiledDim> tiled_dims(const ValueLayout& layout) {
  std::vector<TiledDim> dims;
  size_t count = layout.shape.size() + 1;
  for (const std::vector<int64_t>& tiling : layout.tilings) count += tiling.size();
  dims.reserve(count);
  for (const int64_t extent : flat_shape(layout)) dims.push_back({static_cast<int>(dims.size()), 1, extent});
  // Each tiling splits the last dims: the number of tiles replaces a dim, and the tile is appended as a new dim.
  for (const std::vector<int64_t>& tiling : layout.tilings) {
    PALLASGEN_ASSERT(tiling.size() <= dims.size());
    const size_t first = dims.size() - tiling.size();
    for (size_t i = 0; i < tiling.size(); ++i) {
      TiledDim& dim = dims[first + i];
      const TiledDim tile{dim.source, dim.stride, tiling[i]};
      dim = {dim.source, dim.stride * tiling[i], (dim.size + tiling[i] - 1) / tiling[i]};
      dims.push_back(tile);
    }
  }
  return dims;
}

int64_t product_of(const std::vector<TracedPart>& parts, Holder holder) {
  int64_t product = 1;
  for (const TracedPart& part : parts) {
    if (part.holder == holder) product *= part.size;
  }
  return product;
}

// Splits the index of one holder among its parts, the last the fastest, and adds up coordinates.
void add_coordinates(const std::vector<TracedPart>& parts, Holder holder, int64_t index, std::vector<int64_t>& at) {
  for (size_t i = parts.size(); i-- > 0;) {
    if (parts[i].holder != holder) continue;
    if (parts[i].source >= 0) at[parts[i].source] += index % parts[i].size * parts[i].stride;
    index /= parts[i].size;
  }
}

}  // namespace

std::vector<TracedPart> traced_parts(const ValueLayout& layout) {
  const std::vector<TiledDim> dims = tiled_dims(layout);
  std::vector<TracedPart> parts;
  parts.reserve(layout.parts.size());
  for (const LayoutPart& part : layout.parts) {
    if (part.dim < 0) {
      parts.push_back({part.holder, part.dim, 0, part.size});
      continue;
    }
    const TiledDim& dim = dims[part.dim];
    PALLASGEN_ASSERT(dim.size == part.size);
    parts.push_back({part.holder, dim.source, dim.stride, dim.size});
  }
  return parts;
}

std::vector<int64_t> coordinates_of(const std::vector<int64_t>& shape, int64_t linear) {
  std::vector<int64_t> at(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    at[d] = linear % shape[d];
    linear /= shape[d];
  }
  return at;
}

ValueLayout layout_of_parts(std::string name, std::vector<int64_t> shape, const std::vector<TracedPart>& parts) {
  ValueLayout layout;
  layout.name = std::move(name);
  layout.shape = std::move(shape);
  const size_t rank = layout.shape.size();
  std::vector<std::vector<int>> by_source(rank);  // indices of parts, the largest stride first
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].source >= 0 && parts[i].size > 1) by_source[parts[i].source].push_back(static_cast<int>(i));
  }
  size_t depth = 1;
  for (size_t d = 0; d < rank; ++d) {
    std::vector<int>& list = by_source[d];
    std::stable_sort(list.begin(), list.end(), [&](int a, int b) { return parts[a].stride > parts[b].stride; });
    // Parts that reach past the end of the dim are tiles of it.
    const bool reaches_past =
        !list.empty() && parts[list[0]].size * parts[list[0]].stride >= layout.shape[d] + parts[list[0]].stride;
    depth = std::max(depth, list.size() + (reaches_past ? 1 : 0));
  }
  // Dims with fewer parts get parts of size 1 before them: the last tile of each is its fastest part.
  std::vector<int> dim_of(parts.size(), -1);
  std::vector<int> ones;
  for (size_t level = 0; level < depth; ++level) {
    std::vector<int64_t> tiling;
    for (size_t d = 0; d < rank; ++d) {
      const std::vector<int>& list = by_source[d];
      const size_t padding = depth - list.size();
      int64_t tile = 1;
      for (size_t i = std::max(level, padding); i < depth; ++i) tile *= parts[list[i - padding]].size;
      tiling.push_back(tile);
      const int dim = static_cast<int>(level * rank + d);
      if (level >= padding)
        dim_of[list[level - padding]] = dim;
      else
        ones.push_back(dim);
    }
    if (level > 0) layout.tilings.push_back(std::move(tiling));
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].source < 0 && parts[i].size > 1)
      layout.parts.push_back({parts[i].holder, parts[i].source, parts[i].size});
    if (dim_of[i] >= 0) layout.parts.push_back({parts[i].holder, dim_of[i], parts[i].size});
  }
  for (int dim : ones) layout.parts.push_back({Holder::reg, dim, 1});
  return layout;
}

namespace {

// Fragments of matrix instructions: warps have 16 rows, groups 64, and warpgroups equal runs of groups (`across`: equal
// runs of columns); each lane of a quad has `word` neighbouring columns of each chunk. From the fastest on, registers
// go through a word, the halves of rows, the chunks of a tile, the tiles and the groups.
ValueLayout fragments(std::string name, std::vector<int64_t> shape, int64_t chunks, int64_t chunk, int64_t word,
                      int64_t warpgroups, bool across = false) {
  const int64_t rows = across ? shape[0] : shape[0] / warpgroups, columns = across ? shape[1] / warpgroups : shape[1];
  const int64_t tile = chunks * chunk;
  PALLASGEN_ASSERT(warpgroups > 0 && rows % 64 == 0 && columns % tile == 0 &&
                   rows * columns * warpgroups == shape[0] * shape[1]);
  ValueLayout layout;
  layout.name = std::move(name);
  layout.shape = std::move(shape);
  // [warpgroups, 1, rows / 64, tiles, 4 warps, chunks, 2 halves, 1, 8 rows, 4 quads, word]
  layout.tilings = {{rows, columns}, {64, tile}, {16, chunk}, {8, chunk}, {word}};
  layout.parts = {{Holder::warpgroup, across ? 1 : 0, warpgroups},
                  {Holder::reg, across ? 0 : 1, 1},
                  {Holder::reg, 2, rows / 64},
                  {Holder::reg, 3, columns / tile},
                  {Holder::warp, 4, 4},
                  {Holder::reg, 5, chunks},
                  {Holder::reg, 6, 2},
                  {Holder::reg, 7, 1},
                  {Holder::lane, 8, 8},
                  {Holder::lane, 9, 4},
                  {Holder::reg, 10, word}};
  return layout;
}

}  // namespace

bool threads_share_elements(const ValueLayout& layout) {
  return std::any_of(layout.parts.begin(), layout.parts.end(), [](const LayoutPart& part) {
    return part.holder != Holder::reg && part.dim == kReplicated && part.size > 1;
  });
}

ValueLayout wgmma_layout(int64_t rows, int64_t columns, int64_t warpgroups) {
  return fragments("wgmma", {rows, columns}, 1, 8, 2, warpgroups);
}

ValueLayout wgmma_across_layout(int64_t rows, int64_t columns, int64_t warpgroups) {
  return fragments("wgmma_across", {rows, columns}, 1, 8, 2, warpgroups, true);
}

ValueLayout wgmma_operand_layout(int64_t rows, int64_t depth, int64_t element_bytes, int64_t warpgroups) {
  return fragments("wgmma_operand", {rows, depth}, 2, 16 / element_bytes, 4 / element_bytes, warpgroups);
}

ValueLayout strided_layout(int64_t threads, int64_t vector, std::vector<int64_t> shape) {
  PALLASGEN_ASSERT(threads % kWarp == 0);
  ValueLayout layout;
  layout.name = "strided";
  layout.shape = std::move(shape);
  layout.flat = true;
  const int64_t warps = threads / kWarp;
  const bool whole_groups = warps % kWarpsOfGroup == 0;
  const int64_t groups = whole_groups ? warps / kWarpsOfGroup : 1, in_group = warps / groups;
  layout.tilings = {{threads * vector}, {in_group * kWarp * vector}, {kWarp * vector}, {vector}};
  const int64_t total = flat_shape(layout).front();
  layout.parts = {{Holder::reg, 0, (total + threads * vector - 1) / (threads * vector)},
                  {Holder::warpgroup, 1, groups},
                  {Holder::warp, 2, in_group},
                  {Holder::lane, 3, kWarp},
                  {Holder::reg, 4, vector}};
  return layout;
}

ValueLayout rows_layout(int64_t threads, int64_t lanes, int64_t vector, int64_t rows, int64_t columns) {
  PALLASGEN_ASSERT(threads % kWarp == 0 && threads % lanes == 0 && lanes > 0 && (lanes & (lanes - 1)) == 0);
  if (rows == 1 && lanes < threads) {
    const ValueLayout several = rows_layout(threads, lanes, vector, threads / lanes, columns);
    ValueLayout only = *broadcast_layout(*slice_layout(several, 0), 0, 1);
    only.name = "rows";
    return only;
  }
  ValueLayout layout;
  layout.name = "rows";
  layout.shape = {rows, columns};
  const int64_t warps = threads / kWarp, in_group = warps % kWarpsOfGroup == 0 ? kWarpsOfGroup : warps;
  // Rows and columns that `count` neighbouring threads hold at once.
  const auto tile = [&](int64_t count) {
    return std::vector<int64_t>{std::max<int64_t>(1, count / lanes), std::min(count, lanes) * vector};
  };
  layout.tilings = {tile(threads), tile(in_group * kWarp), tile(kWarp), {1, vector}};
  const std::vector<TiledDim> dims = tiled_dims(layout);
  constexpr Holder kHolders[] = {Holder::reg, Holder::warpgroup, Holder::warp, Holder::lane, Holder::reg};
  for (size_t d = 0; d < dims.size(); ++d) layout.parts.push_back({kHolders[d / 2], static_cast<int>(d), dims[d].size});
  return layout;
}

ValueLayout fma_layout(int64_t threads, int64_t across, int64_t row_vector, int64_t column_vector, int64_t rows,
                       int64_t columns) {
  constexpr int64_t kNeighbours = 8;  // of a warp, side by side
  PALLASGEN_ASSERT(threads % kWarp == 0 && across > 0 && (across & (across - 1)) == 0 && threads % across == 0);
  const int64_t lanes_across = std::min(across, kNeighbours), lanes_down = kWarp / lanes_across;
  PALLASGEN_ASSERT(threads / across % lanes_down == 0);
  const int64_t warps = threads / kWarp, in_group = warps % kWarpsOfGroup == 0 ? kWarpsOfGroup : warps,
                groups = warps / in_group;
  const int64_t warps_across = across / lanes_across;
  const int64_t beside = std::gcd(warps_across, in_group), below = in_group / beside;  // warps of a warpgroup
  const int64_t groups_beside = warps_across / beside;
  std::vector<TracedPart> parts;
  // Adds the parts of one side, the slowest of each holder first.
  const auto side = [&](int source, int64_t size, int64_t of_groups, int64_t of_warps, int64_t of_lanes,
                        int64_t vector) {
    const int64_t round = of_groups * of_warps * of_lanes * vector;
    parts.push_back({Holder::reg, source, round, (size + round - 1) / round});
    parts.push_back({Holder::warpgroup, source, of_warps * of_lanes * vector, of_groups});
    parts.push_back({Holder::warp, source, of_lanes * vector, of_warps});
    parts.push_back({Holder::lane, source, vector, of_lanes});
    parts.push_back({Holder::reg, source, 1, vector});
  };
  side(0, rows, groups / groups_beside, below, lanes_down, row_vector);
  side(1, columns, groups_beside, beside, lanes_across, column_vector);
  return layout_of_parts("fma", {rows, columns}, parts);
}

ValueLayout uniform_layout(int64_t threads) {
  PALLASGEN_ASSERT(threads > 0 && (threads < kWarp ? kWarp % threads : threads % kWarp) == 0);
  const int64_t lanes = std::min<int64_t>(threads, kWarp), warps = threads / lanes;
  const int64_t in_group = warps % kWarpsOfGroup == 0 ? kWarpsOfGroup : warps;
  return layout_of_parts("uniform", {},
                         {{Holder::warpgroup, kReplicated, 0, warps / in_group},
                          {Holder::warp, kReplicated, 0, in_group},
                          {Holder::lane, kReplicated, 0, lanes}});
}

int64_t threads(const ValueLayout& layout) {
  const std::vector<TracedPart> parts = traced_parts(layout);
  return product_of(parts, Holder::lane) * product_of(parts, Holder::warp) * product_of(parts, Holder::warpgroup);
}

int64_t registers_per_thread(const ValueLayout& layout) { return product_of(traced_parts(layout), Holder::reg); }

std::optional<std::vector<int64_t>> element_of(const ValueLayout& layout, int thread, int reg) {
  const std::vector<TracedPart> parts = traced_parts(layout);
  const int64_t lanes = product_of(parts, Holder::lane), warps = product_of(parts, Holder::warp);
  std::vector<int64_t> at(flat_shape(layout).size(), 0);
  add_coordinates(parts, Holder::reg, reg, at);
  add_coordinates(parts, Holder::lane, thread % lanes, at);
  add_coordinates(parts, Holder::warp, thread / lanes % warps, at);
  add_coordinates(parts, Holder::warpgroup, thread / (lanes * warps), at);
  const std::vector<int64_t> shape = flat_shape(layout);
  for (size_t d = 0; d < shape.size(); ++d) {
    if (at[d] >= shape[d]) return std::nullopt;
  }
  return layout.flat ? coordinates_of(layout.shape, at.empty() ? 0 : at[0]) : at;
}

int64_t addends(const ValueLayout& layout) {
  int64_t product = 1;
  for (const LayoutPart& part : layout.parts) product *= part.dim == kPartial ? part.size : 1;
  return product;
}

bool covers_shape(const ValueLayout& layout) {
  int64_t elements = 1, replicas = 1, found = 0;
  for (int64_t size : layout.shape) elements *= size;
  for (const TracedPart& part : traced_parts(layout)) {
    if (part.source < 0) replicas *= part.size;
  }
  const std::vector<TracedPart> parts = traced_parts(layout);
  const int64_t lanes = product_of(parts, Holder::lane), warps = product_of(parts, Holder::warp);
  const int64_t groups = product_of(parts, Holder::warpgroup);
  if (kWarp % lanes != 0 || (warps * groups > 1 && lanes != kWarp) || (groups > 1 && warps != kWarpsOfGroup))
    return false;
  std::vector<int64_t> count(elements, 0);
  for (int thread = 0; thread < threads(layout); ++thread) {
    for (int reg = 0; reg < registers_per_thread(layout); ++reg) {
      const auto at = element_of(layout, thread, reg);
      if (!at) continue;
      int64_t linear = 0;
      for (size_t d = 0; d < at->size(); ++d) linear = linear * layout.shape[d] + (*at)[d];
      ++count[linear];
      ++found;
    }
  }
  return found == elements * replicas &&
         std::all_of(count.begin(), count.end(), [&](int64_t times) { return times == replicas; });
}

}  // namespace pallasgen
