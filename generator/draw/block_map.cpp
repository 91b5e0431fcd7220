#include "block_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "plan/slices.h"
#include "plan/words.h"

namespace pallasgen {

std::map<std::string, int64_t> picture_dims(const Plan& plan, const PictureSizes& sizes) {
  std::map<std::string, int64_t> dims(plan.cost.dims.begin(), plan.cost.dims.end());
  if (!plan.kernel->tests.empty())
    for (const auto& [name, size] : plan.kernel->tests.front().dims) dims[name] = size;
  for (const auto& [name, size] : sizes.dims) dims[name] = size;
  return dims;
}

namespace {

struct Block {
  std::vector<SliceDim> dims;
  std::vector<std::set<int64_t>> values;
  std::set<std::vector<int64_t>> programs;  // at most two of them
  int64_t points = 0;
  bool chosen = false;
};

// Walks the points of the grid, and sorts them by the blocks that they touch.
class GridWalk {
 public:
  GridWalk(const Plan& plan, const PictureSizes& sizes, BlockMap& map)
      : kernel_(*plan.kernel),
        map_(map),
        places_(kernel_, map.dims,
                kernel_.tests.empty() ? std::map<std::string, Scalar>() : kernel_.tests.front().scalars,
                find_device(plan.target->device) ? std::optional<int64_t>(find_device(plan.target->device)->sms)
                                                 : std::nullopt),
        parallel_(kernel_.axes.size() - static_cast<size_t>(kernel_.sequential_axes())) {
    measure();
    choose(sizes);
    for (size_t ref = 0; ref < kernel_.refs.size(); ++ref) {
      if (kernel_.refs[ref].role == RefRole::scratch) continue;
      if (refs_.size() == kMostArrays)
        ++map_.more_arrays;
      else
        refs_.push_back(static_cast<int>(ref));
    }
    blocks_.resize(refs_.size());
    unknown_.resize(refs_.size());
  }

  void run() {
    std::vector<int64_t> point;
    visit(point);
    for (size_t i = 0; i < refs_.size(); ++i) map_.arrays.push_back(array_of(i));
  }

 private:
  // Chooses how many values of each axis are walked: all, or fewer of the longest axes.
  void measure() {
    std::vector<int64_t> origin;
    for (size_t axis = 0; axis < kernel_.axes.size(); ++axis) {
      const std::optional<int64_t> size = places_.size(static_cast<int>(axis), origin);
      map_.sizes.push_back(size ? std::max<int64_t>(*size, 0) : -1);
      // An axis whose size depends on axes before it may be longer at other points.
      constexpr int64_t kLonger = 64;
      const bool depends = size && axis > 0 && mentions_axes(kernel_.axes[axis].size);
      map_.drawn.push_back(size ? std::max(*size, depends ? kLonger : 1) : 1);
      origin.push_back(0);
    }
    const auto product = [&] {
      double all = 1;
      for (const int64_t count : map_.drawn) all *= static_cast<double>(count);
      return all;
    };
    while (product() > static_cast<double>(kMostPoints)) {
      int64_t& longest = *std::max_element(map_.drawn.begin(), map_.drawn.end());
      longest = std::max<int64_t>(1, longest > 4 * kMostPoints ? kMostPoints : longest / 2);
    }
  }
  static bool mentions_axes(const TypedPtr& expr) {
    bool found = false;
    walk(expr, [&](const Typed& node) {
      const Symbol* symbol = node.as<Symbol>();
      found = found || (symbol && (symbol->kind == SymbolKind::axis || symbol->kind == SymbolKind::let));
    });
    return found;
  }

  void choose(const PictureSizes& sizes) {
    for (size_t axis = 0; axis < parallel_; ++axis) {
      const int64_t last = std::max<int64_t>(0, map_.sizes[axis] - 1);
      map_.chosen.push_back(sizes.program && axis < sizes.program->size() ? (*sizes.program)[axis]
                                                                          : std::min<int64_t>(1, last));
    }
  }

  void visit(std::vector<int64_t>& point) {
    const size_t axis = point.size();
    if (map_.points >= kMostPoints) return;
    if (axis == kernel_.axes.size()) return add(point);
    const int64_t size = places_.size(static_cast<int>(axis), point).value_or(1);
    for (int64_t i = 0; i < std::min(size, map_.drawn[axis]); ++i) {
      point.push_back(i);
      visit(point);
      point.pop_back();
    }
  }

  void add(const std::vector<int64_t>& point) {
    if (kernel_.skip && places_.value(kernel_.skip, point).value_or(0) != 0) return;
    ++map_.points;
    const std::vector<int64_t> program(point.begin(), point.begin() + static_cast<std::ptrdiff_t>(parallel_));
    for (size_t i = 0; i < refs_.size(); ++i) {
      const Ref& ref = kernel_.refs[static_cast<size_t>(refs_[i])];
      const auto dims = places_.slice(ref, point);
      if (!dims) {
        unknown_[i] = true;
        continue;
      }
      std::vector<int64_t> key;
      for (const SliceDim& dim : *dims) key.insert(key.end(), {dim.start, dim.size});
      Block& block = blocks_[i][key];
      block.dims = *dims;
      block.values.resize(point.size());
      for (size_t axis = 0; axis < point.size(); ++axis) block.values[axis].insert(point[axis]);
      if (block.programs.size() < 2) block.programs.insert(program);
      ++block.points;
      block.chosen = block.chosen || program == map_.chosen;
    }
  }

  ArrayMap array_of(size_t i) const {
    ArrayMap array;
    array.ref = refs_[i];
    const Ref& ref = kernel_.refs[static_cast<size_t>(refs_[i])];
    for (const TypedPtr& extent : ref.array_shape) array.extents.push_back(places_.value(extent, {}).value_or(-1));
    if (unknown_[i]) {
      array.unknown = "where its blocks lie depends on data";
    } else if (std::find(array.extents.begin(), array.extents.end(), 0) != array.extents.end()) {
      array.unknown = "it has no elements at these sizes";
    } else if (blocks_[i].empty()) {
      array.unknown = "no program runs at these sizes";
    } else {
      fill(array, blocks_[i]);
    }
    return array;
  }

  static void fill(ArrayMap& array, const std::map<std::vector<int64_t>, Block>& blocks) {
    const auto chosen =
        std::find_if(blocks.begin(), blocks.end(), [](const auto& entry) { return entry.second.chosen; });
    const Block& first = chosen == blocks.end() ? blocks.begin()->second : chosen->second;
    array.first = first.dims;
    array.apart = dims_apart(first.dims.size(), blocks);
    const std::vector<int> drawn = drawn_dims(first.dims.size(), array.apart);
    array.column_dim = drawn.empty() ? -1 : drawn.back();
    array.row_dim = drawn.size() < 2 ? -1 : drawn.front();
    const auto dim_of = [](const Block& block, int dim) {
      return dim < 0 ? SliceDim{0, 1, 1, false} : block.dims[static_cast<size_t>(dim)];
    };
    array.rows = dim_of(first, array.row_dim).extent;
    array.columns = dim_of(first, array.column_dim).extent;
    for (const auto& [key, block] : blocks) {
      bool same_plane = true;
      for (size_t d = 0; d < block.dims.size(); ++d)
        same_plane = same_plane && (static_cast<int>(d) == array.row_dim || static_cast<int>(d) == array.column_dim ||
                                    block.dims[d].start == first.dims[d].start);
      if (!same_plane) {
        ++array.elsewhere;
        continue;
      }
      const SliceDim row = dim_of(block, array.row_dim), column = dim_of(block, array.column_dim);
      MapCell cell{row.start, row.size, column.start, column.size, {}, block.points, true, {}, block.chosen};
      int64_t combinations = 1;
      for (const std::set<int64_t>& values : block.values) {
        cell.values.emplace_back(values.begin(), values.end());
        combinations *= static_cast<int64_t>(values.size());
      }
      cell.product = combinations == block.points;
      if (block.programs.size() == 1) cell.owner = *block.programs.begin();
      array.cells.push_back(std::move(cell));
    }
    std::stable_sort(array.cells.begin(), array.cells.end(), [](const MapCell& a, const MapCell& b) {
      return std::tie(a.row, a.column) < std::tie(b.row, b.column);
    });
  }

  // The dims along which blocks have different starts, last dims first.
  static std::vector<int> dims_apart(size_t rank, const std::map<std::vector<int64_t>, Block>& blocks) {
    std::vector<int> apart;
    for (int d = static_cast<int>(rank) - 1; d >= 0; --d) {
      const auto start = [&](const Block& block) { return block.dims[static_cast<size_t>(d)].start; };
      const bool moves = std::any_of(blocks.begin(), blocks.end(), [&](const auto& entry) {
        return start(entry.second) != start(blocks.begin()->second);
      });
      if (moves) apart.push_back(d);
    }
    return apart;
  }

  // At most two dims, ascending: `dims`, whose first ones are preferred, then the last dims.
  static std::vector<int> drawn_dims(size_t rank, std::vector<int> dims) {
    for (int d = static_cast<int>(rank) - 1; d >= 0; --d)
      if (std::find(dims.begin(), dims.end(), d) == dims.end()) dims.push_back(d);
    if (dims.size() > 2) dims.resize(2);
    std::sort(dims.begin(), dims.end());
    return dims;
  }

  const Kernel& kernel_;
  BlockMap& map_;
  const GridPlaces places_;
  const size_t parallel_;
  std::vector<int> refs_;
  std::vector<std::map<std::vector<int64_t>, Block>> blocks_;
  std::vector<bool> unknown_;
};

}  // namespace

bool BlockMap::cut() const {
  for (size_t axis = 0; axis < sizes.size(); ++axis)
    if (drawn[axis] < sizes[axis]) return true;
  return false;
}

BlockMap block_map(const Plan& plan, const PictureSizes& sizes) {
  BlockMap map;
  map.dims = picture_dims(plan, sizes);
  GridWalk(plan, sizes, map).run();
  return map;
}

std::vector<std::string> block_map_words(const Plan& plan, const BlockMap& map) {
  std::vector<std::string> dims, names, sizes, chosen, parallel, lines;
  for (const Dim& dim : plan.kernel->dims) {
    const auto size = map.dims.find(dim.name);
    if (size != map.dims.end()) dims.push_back(fmt::format("{} = {}", dim.name, grouped(size->second)));
  }
  for (size_t axis = 0; axis < plan.kernel->axes.size(); ++axis) {
    const Axis& of = plan.kernel->axes[axis];
    names.push_back(of.name);
    sizes.push_back(map.sizes[axis] < 0 ? "?" : grouped(map.sizes[axis]));
    if (axis < map.chosen.size()) parallel.push_back(of.name), chosen.push_back(grouped(map.chosen[axis]));
    if (map.sizes[axis] < 0)
      lines.push_back(
          fmt::format("How long {} is depends on data: one {} is drawn.", of.name, of.sequential ? "step" : "program"));
    else if (map.drawn[axis] < map.sizes[axis])
      lines.push_back(fmt::format("Along {} the first {} of {} are looked at.", of.name, grouped(map.drawn[axis]),
                                  grouped(map.sizes[axis])));
  }
  const auto is_chosen = [](const MapCell& cell) { return cell.chosen; };
  const bool marks = std::any_of(map.arrays.begin(), map.arrays.end(), [&](const ArrayMap& array) {
    return std::any_of(array.cells.begin(), array.cells.end(), is_chosen);
  });
  std::string first = dims.empty() ? "" : "Drawn for " + joined(dims, ", ") + ". ";
  first += names.empty()
               ? "The grid has one program."
               : fmt::format("The grid ({}) is {} at its first program.", joined(names, ", "), joined(sizes, " x "));
  if (!parallel.empty() && marks)
    first += parallel.size() == 1
                 ? fmt::format(" A heavy edge marks the blocks of program {} = {}.", parallel[0], chosen[0])
                 : fmt::format(" A heavy edge marks the blocks of program ({}) = ({}).", joined(parallel, ", "),
                               joined(chosen, ", "));
  lines.insert(lines.begin(), first);
  if (map.points == 0) lines.emplace_back("The grid is empty at these sizes: no program runs.");
  if (map.more_arrays > 0) lines.push_back(fmt::format("{} more are not drawn.", counted(map.more_arrays, "array")));
  return lines;
}

}  // namespace pallasgen
