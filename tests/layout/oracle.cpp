#include "oracle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "parts.h"

namespace pallasgen::layout_oracle {

namespace {

// Returns all coordinates of a shape in row-major order.
std::vector<Coordinates> all_of(const std::vector<int64_t>& shape) {
  std::vector<Coordinates> all = {{}};
  for (int64_t size : shape) {
    std::vector<Coordinates> next;
    for (const Coordinates& prefix : all) {
      for (int64_t i = 0; i < size; ++i) {
        next.push_back(prefix);
        next.back().push_back(i);
      }
    }
    all = std::move(next);
  }
  return all;
}

// Returns an element's coordinates in the tiled shape.
Coordinates tiled(const ValueLayout& layout, const Coordinates& coordinates) {
  Coordinates at = coordinates;
  if (layout.flat) {
    at = {0};
    for (size_t d = 0; d < coordinates.size(); ++d) at[0] = at[0] * layout.shape[d] + coordinates[d];
  }
  for (const std::vector<int64_t>& tiling : layout.tilings) {
    const size_t first = at.size() - tiling.size();
    Coordinates next(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(first));
    for (size_t i = 0; i < tiling.size(); ++i) next.push_back(at[first + i] / tiling[i]);
    for (size_t i = 0; i < tiling.size(); ++i) next.push_back(at[first + i] % tiling[i]);
    at = std::move(next);
  }
  return at;
}

}  // namespace

std::map<Coordinates, Holders> who_holds(const ValueLayout& layout) {
  int64_t lanes = 1, warps = 1;
  std::vector<int64_t> shared;  // sizes of replicated and partial parts
  for (const LayoutPart& part : layout.parts) {
    lanes *= part.holder == Holder::lane ? part.size : 1;
    warps *= part.holder == Holder::warp ? part.size : 1;
    if (part.dim < 0) shared.push_back(part.size);
  }
  const std::vector<Coordinates> choices = all_of(shared);
  std::map<Coordinates, Holders> result;
  for (const Coordinates& element : all_of(layout.shape)) {
    const Coordinates at = tiled(layout, element);
    Holders& holders = result[element];
    for (const Coordinates& choice : choices) {
      std::array<int64_t, 4> index = {};  // by holder
      int64_t addend = 0;
      size_t next = 0;
      for (const LayoutPart& part : layout.parts) {
        const int64_t i = part.dim < 0 ? choice[next++] : at[part.dim];
        int64_t& of_holder = index[static_cast<size_t>(part.holder)];
        of_holder = of_holder * part.size + i;
        if (part.dim == kPartial) addend = addend * part.size + i;
      }
      const auto of = [&](Holder holder) { return index[static_cast<size_t>(holder)]; };
      const int64_t thread = of(Holder::lane) + lanes * (of(Holder::warp) + warps * of(Holder::warpgroup));
      holders[addend].insert({static_cast<int>(thread), static_cast<int>(of(Holder::reg))});
    }
  }
  return result;
}

bool same_holders(const ValueLayout& a, const ValueLayout& b) {
  if (a.shape != b.shape || threads(a) != threads(b) || registers_per_thread(a) != registers_per_thread(b))
    return false;
  const auto of_a = who_holds(a), of_b = who_holds(b);
  return std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), [](const auto& one, const auto& other) {
    return one.first == other.first && by_addend(one.second) == by_addend(other.second);
  });
}

std::set<std::set<std::pair<int, int>>> by_addend(const Holders& holders) {
  std::set<std::set<std::pair<int, int>>> result;
  for (const auto& [addend, of_addend] : holders) result.insert(of_addend);
  return result;
}

namespace {

int64_t pick(std::mt19937& random, const std::vector<int64_t>& of) { return of[random() % of.size()]; }

// Splits `size` into random factors 2 and 4, and an odd rest.
std::vector<int64_t> factors(std::mt19937& random, int64_t size) {
  std::vector<int64_t> all;
  while (size > 1) {
    const int64_t factor = size % 2 == 0 ? (size % 4 == 0 && random() % 2 ? 4 : 2) : size;
    all.push_back(factor);
    size /= factor;
  }
  return all;
}

}  // namespace

std::vector<int64_t> random_shape(std::mt19937& random) {
  switch (random() % 8) {
    case 0:
      return {};
    case 1:
      return {pick(random, {1, 3, 16, 64, 100})};
    case 2:
      return {pick(random, {1, 2, 5}), pick(random, {1, 3, 4}), pick(random, {2, 6, 8})};
    default:
      return {pick(random, {1, 2, 3, 8, 16, 64}), pick(random, {1, 2, 4, 6, 8, 16, 32})};
  }
}

int64_t random_warps(std::mt19937& random) { return pick(random, {1, 1, 1, 2, 3, 4, 4, 8}); }

ValueLayout random_layout_of(std::mt19937& random, const std::vector<int64_t>& shape, int64_t warps, bool partial) {
  const int64_t total = std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
  if (!partial && random() % 4 == 0) {
    const int64_t vector = pick(random, {1, 2, 4});
    return strided_layout(warps * 32, vector, shape);
  }
  // Every factor of every holder goes to a dim or is shared; registers hold the rest of a dim.
  const int64_t in_group = warps % 4 == 0 ? 4 : warps;
  std::vector<TracedPart> parts;
  for (const auto& [holder, size] :
       {std::pair(Holder::lane, int64_t{32}), {Holder::warp, in_group}, {Holder::warpgroup, warps / in_group}}) {
    for (int64_t factor : factors(random, size)) {
      const int source = static_cast<int>(random() % (shape.size() + 1)) - 1;
      const int shared = partial && random() % 2 ? kPartial : kReplicated;
      parts.push_back({holder, source < 0 ? shared : source, 0, factor});
    }
  }
  if (total < 200 && random() % 4 == 0) parts.push_back({Holder::reg, partial ? kPartial : kReplicated, 0, 2});
  std::shuffle(parts.begin(), parts.end(), random);
  for (size_t d = 0; d < shape.size(); ++d) {
    // Parts beyond the end of a dim sometimes become shared, else they hold padding.
    int64_t filled = 1;
    std::vector<TracedPart> kept;
    const int64_t vector = shape[d] % 2 == 0 && random() % 2 ? 2 : 1;
    if (vector > 1) parts.insert(parts.begin(), {Holder::reg, static_cast<int>(d), 0, vector});
    for (TracedPart& part : parts) {
      if (part.source != static_cast<int>(d)) continue;
      if (filled * part.size > shape[d] && random() % 8 != 0) {
        part.source = part.holder == Holder::reg ? part.source : kReplicated;
        if (part.source < 0) continue;
      }
      part.stride = filled;
      filled *= part.size;
    }
    const int64_t rest = (shape[d] + filled - 1) / filled;
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(random() % (parts.size() + 1)),
                 {Holder::reg, static_cast<int>(d), filled, rest});
  }
  return layout_of_parts("random", shape, parts);
}

ValueLayout random_layout(std::mt19937& random, bool partial) {
  switch (partial ? 4 : random() % 9) {
    case 0:
      return wgmma_layout(64 << random() % 2, 8 * pick(random, {1, 2, 3, 8}));
    case 1:
      return wgmma_operand_layout(64, 64, pick(random, {1, 2, 4}));
    case 2: {
      const int64_t lanes = pick(random, {1, 4, 32, 64});
      return rows_layout(64 * pick(random, {1, 2, 4}), lanes, pick(random, {1, 4}), pick(random, {1, 6, 16}),
                         pick(random, {3, 16, 100}));
    }
    case 3:
      return fma_layout(64 * pick(random, {1, 2, 4}), pick(random, {1, 8, 16}), pick(random, {1, 4}),
                        pick(random, {1, 2}), pick(random, {4, 20, 64}), pick(random, {6, 16, 70}));
    default:
      return random_layout_of(random, random_shape(random), random_warps(random), partial);
  }
}

std::string text(const ValueLayout& layout) {
  std::string result = fmt::format("{}{} {}", layout.name, layout.flat ? " flat" : "", fmt::join(layout.shape, "x"));
  for (const auto& tiling : layout.tilings) result += fmt::format(" ({})", fmt::join(tiling, " "));
  for (const LayoutPart& part : layout.parts)
    result += fmt::format(" {}{}:{}", "rlwg"[static_cast<int>(part.holder)], part.size, part.dim);
  return result;
}

}  // namespace pallasgen::layout_oracle
