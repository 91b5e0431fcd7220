#include "layout/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <unordered_map>

#include "layout/derive.h"
#include "layout/warps.h"
#include "parts.h"

namespace pallasgen {

namespace {

using Shape = std::vector<int64_t>;
using Words = std::vector<std::string_view>;

// Limits: threads of a cluster of eight CTAs, registers of each thread, and registers of all threads.
constexpr int64_t kMostThreads = 8 * 1024, kMostRegisters = int64_t{1} << 16, kMostHeld = int64_t{1} << 26;
constexpr std::string_view kHolders = "rlwg";  // in the order of Holder

Words split(std::string_view text) {
  Words words;
  for (size_t dot = 0; dot != std::string_view::npos;) {
    dot = text.find('.');
    words.push_back(text.substr(0, dot));
    if (dot != std::string_view::npos) text.remove_prefix(dot + 1);
  }
  return words;
}

bool is_power_of_2(int64_t number) { return number > 0 && (number & (number - 1)) == 0; }

// Removes a number from the start of the text and returns it; it must be positive unless it may be zero.
std::optional<int64_t> take_number(std::string_view& text, bool may_be_zero = false) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < (may_be_zero ? 0 : 1) || number > kMostHeld) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

std::optional<int64_t> number_of(std::string_view word) {
  const auto number = take_number(word);
  return word.empty() ? number : std::nullopt;
}

// The role and the element for which a layout's name is looked up, and the numbers in the name.
struct Asked {
  int64_t threads = 0, element_bytes = 0;
  std::vector<int64_t> numbers;
};

// A named kind of layout. In the shape, 0 is a size that the layout leaves open, as a slice does.
struct Family {
  std::string_view name;
  size_t numbers;
  std::optional<ValueLayout> (*make)(const Asked& asked, Shape shape);
};

int64_t or_else(int64_t size, int64_t open) { return size == 0 ? open : size; }

bool is_fragment(const Asked& asked, const Shape& shape, int64_t columns) {
  return asked.threads % kGroupThreads == 0 && shape.size() == 2 && shape[0] % (asked.threads / 2) == 0 &&
         shape[1] % columns == 0;
}

std::optional<ValueLayout> make_wgmma(const Asked& asked, Shape shape) {
  if (!is_fragment(asked, shape, 8)) return std::nullopt;
  return wgmma_layout(or_else(shape[0], asked.threads / 2), or_else(shape[1], 8), asked.threads / kGroupThreads);
}

std::optional<ValueLayout> make_across(const Asked& asked, Shape shape) {
  const int64_t groups = asked.threads / kGroupThreads;
  if (asked.threads % kGroupThreads != 0 || groups < 2 || shape.size() != 2 || shape[0] % 64 != 0 ||
      shape[1] % (8 * groups) != 0)
    return std::nullopt;
  return wgmma_across_layout(or_else(shape[0], 64), or_else(shape[1], 8 * groups), groups);
}

std::optional<ValueLayout> make_operand(const Asked& asked, Shape shape) {
  const int64_t bytes = asked.element_bytes;
  if ((bytes != 1 && bytes != 2 && bytes != 4) || !is_fragment(asked, shape, 32 / bytes)) return std::nullopt;
  return wgmma_operand_layout(or_else(shape[0], asked.threads / 2), or_else(shape[1], 32 / bytes), bytes,
                              asked.threads / kGroupThreads);
}

std::optional<ValueLayout> make_fma(const Asked& asked, Shape shape) {
  constexpr int64_t kNeighbours = 8, kMost = 16;  // threads side by side in a warp; elements of a vector
  const int64_t across = asked.numbers[0], row_vector = asked.numbers[1], column_vector = asked.numbers[2];
  const int64_t warps = asked.threads / kWarp;
  if (asked.threads % kWarp != 0 || !is_power_of_2(across) || across > asked.threads ||
      warps % std::max<int64_t>(1, across / kNeighbours) != 0 || shape.size() != 2 || row_vector > kMost ||
      column_vector > kMost)
    return std::nullopt;
  return fma_layout(asked.threads, across, row_vector, column_vector,
                    or_else(shape[0], asked.threads / across * row_vector), or_else(shape[1], across * column_vector));
}

std::optional<ValueLayout> make_strided(const Asked& asked, Shape shape) {
  if (asked.threads % kWarp != 0 || std::find(shape.begin(), shape.end(), 0) != shape.end()) return std::nullopt;
  return strided_layout(asked.threads, asked.numbers[0], std::move(shape));
}

std::optional<ValueLayout> make_rows(const Asked& asked, Shape shape) {
  const int64_t lanes = asked.numbers[0], vector = asked.numbers[1];
  if (asked.threads % kWarp != 0 || asked.threads % lanes != 0 || !is_power_of_2(lanes) || shape.size() != 2)
    return std::nullopt;
  return rows_layout(asked.threads, lanes, vector, or_else(shape[0], 1), or_else(shape[1], lanes * vector));
}

// The layout with all elements in the registers of each of the threads.
std::optional<ValueLayout> whole(int64_t threads, const Shape& shape) {
  if (threads < kWarp ? kWarp % threads != 0 : threads % kWarp != 0) return std::nullopt;
  std::optional<ValueLayout> layout = uniform_layout(threads);
  for (size_t d = 0; d < shape.size() && layout; ++d)
    layout = broadcast_layout(*layout, static_cast<int>(d), or_else(shape[d], 1));
  if (!layout || shape.empty()) return layout;
  // Each broadcast puts its registers first, so that the last dim would be the slowest.
  std::vector<TracedPart> parts = traced_parts(*layout);
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.source < b.source; });
  return layout_of_parts("uniform", layout->shape, parts);
}

constexpr std::array<Family, 9> kFamilies = {
    Family{"all", 0, [](const Asked& asked, Shape shape) { return whole(asked.threads, shape); }},
    {"warp", 0, [](const Asked&, Shape shape) { return whole(kWarp, shape); }},
    {"one", 0, [](const Asked&, Shape shape) { return whole(1, shape); }},
    {"wgmma", 0, make_wgmma},
    {"wgmma_across", 0, make_across},
    {"wgmma_operand", 0, make_operand},
    {"rows", 2, make_rows},
    {"fma", 3, make_fma},
    {"strided", 1, make_strided},
};

// Makes holders that have the same values hold parts of a sum instead; nothing if there are none.
std::optional<ValueLayout> partial_of(ValueLayout layout) {
  for (LayoutPart& part : layout.parts) part.dim = part.dim == kReplicated ? kPartial : part.dim;
  return is_partial(layout) ? std::optional(layout) : std::nullopt;
}

// Short names of frequent layouts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kShort = {std::pair{"wgmma_row", "wgmma.slice"},
                                                                                 {"wgmma_column", "wgmma.columns"}};

std::string lengthened(std::string_view text) {
  for (const auto& [brief, full] : kShort) {
    if (text == brief || text.starts_with(std::string(brief) + "."))
      return std::string(full) + std::string(text.substr(brief.size()));
  }
  return std::string(text);
}

std::string shortened(const std::string& text) {
  for (const auto& [brief, full] : kShort) {
    if (text.starts_with(full)) return std::string(brief) + text.substr(full.size());
  }
  return text;
}

// One part of a "held" layout: its holder, its number of indices, and where they lie.
std::optional<TracedPart> part_of(std::string_view word, const Shape& shape) {
  const size_t holder = word.empty() ? std::string_view::npos : kHolders.find(word[0]);
  if (holder == std::string_view::npos) return std::nullopt;
  word.remove_prefix(1);
  const auto size = take_number(word);
  if (!size) return std::nullopt;
  TracedPart part{static_cast<Holder>(holder), kReplicated, 0, *size};
  if (word == "x") return part;
  part.source = kPartial;
  if (word == "p") return part;
  if (word.empty() || word[0] != 'd') return std::nullopt;
  word.remove_prefix(1);
  const auto dim = take_number(word, true);
  if (!dim || *dim >= static_cast<int64_t>(shape.size()) || word.empty() || word[0] != 's') return std::nullopt;
  const auto stride = number_of(word.substr(1));
  if (!stride) return std::nullopt;
  part.source = static_cast<int>(*dim);
  part.stride = *stride;
  return part;
}

// True if the parts of each dim follow one another without a gap, as those of tilings do.
bool are_tiles(std::vector<TracedPart> parts, const Shape& shape) {
  std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.stride < b.stride; });
  for (int d = 0; d < static_cast<int>(shape.size()); ++d) {
    int64_t filled = 1;
    for (const TracedPart& part : parts) {
      if (part.source != d || part.size == 1) continue;
      if (part.stride != filled) return false;
      filled *= part.size;
      if (filled > kMostHeld) return false;
    }
    if (filled < shape[d]) return false;
  }
  return true;
}

std::optional<ValueLayout> layout_of_words(const Words& words, const Shape& shape, int64_t role_threads) {
  Shape extents = shape;
  if (words[0] == "flat")
    extents.assign(1, std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>()));
  std::vector<TracedPart> parts;
  int64_t registers = 1, threads = 1;
  for (size_t i = 1; i < words.size(); ++i) {
    const auto part = part_of(words[i], extents);
    if (!part) return std::nullopt;
    (part->holder == Holder::reg ? registers : threads) *= part->size;
    if (registers > kMostRegisters || threads > std::min(role_threads, kMostThreads) || registers * threads > kMostHeld)
      return std::nullopt;
    parts.push_back(*part);
  }
  if (!are_tiles(parts, extents)) return std::nullopt;
  ValueLayout layout = layout_of_parts(std::string(words[0]), extents, parts);
  layout.shape = shape;
  layout.flat = words[0] == "flat";
  return covers_shape(layout) ? std::optional(layout) : std::nullopt;
}

std::string text_of_parts(const ValueLayout& layout) {
  std::vector<TracedPart> parts = traced_parts(layout);
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.holder < b.holder; });
  std::string text = layout.flat ? "flat" : "held";
  for (const TracedPart& part : parts) {
    if (part.size == 1) continue;
    text += fmt::format(".{}{}", kHolders[static_cast<size_t>(part.holder)], part.size);
    if (part.source == kReplicated) text += "x";
    if (part.source == kPartial) text += "p";
    if (part.source >= 0) text += fmt::format("d{}s{}", part.source, part.stride);
  }
  return text;
}

// Names that the layout could have, the likeliest first.
std::vector<std::string> candidates(const ValueLayout& layout, int64_t role_threads) {
  std::vector<std::string> endings = {""};
  if (layout.shape.size() == 1) endings.insert(endings.end(), {".slice", ".columns"});
  if (layout.shape.size() == 2) endings.emplace_back(".T");
  for (std::string& ending : endings) ending += is_partial(layout) ? ".partial" : "";
  std::vector<std::string> first, rest;
  const auto add = [&](const std::string& name, std::string_view family) {
    for (const std::string& ending : endings) {
      const bool is_named = layout.name == family || layout.name == shortened(name + ending);
      (is_named ? first : rest).push_back(name + ending);
    }
  };
  for (const Family& family : kFamilies) {
    const std::string name(family.name);
    if (family.numbers == 0) add(name, name);
    for (int64_t vector = 1; family.numbers == 1 && vector <= 16; vector *= 2)
      add(fmt::format("{}.{}", name, vector), name);
    for (int64_t across = 1; family.numbers == 3 && layout.name == name && across <= role_threads; across *= 2) {
      for (int64_t row = 1; row <= 4; row *= 2) {
        for (int64_t column = 1; column <= 4; column *= 2)
          add(fmt::format("{}.{}.{}.{}", name, across, row, column), name);
      }
    }
    for (int64_t lanes = 1; family.numbers == 2 && lanes <= role_threads; lanes *= 2) {
      add(fmt::format("{}.{}", name, lanes), name);  // a slice
      for (int64_t vector = 1; vector <= 16; vector *= 2) add(fmt::format("{}.{}.{}", name, lanes, vector), name);
    }
  }
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

// True if reductions of both give equal layouts. Equal layouts may put lanes without elements beyond different dims: a
// sum along that dim is in all of these lanes, a sum along another dim only in the lanes with elements.
bool reduce_alike(const ValueLayout& a, const ValueLayout& b) {
  for (int dim = 0; dim < static_cast<int>(a.shape.size()); ++dim) {
    if (!(slice_layout(a, dim) == slice_layout(b, dim))) return false;
  }
  return true;
}

}  // namespace

std::optional<ValueLayout> layout_named(std::string_view text, const std::vector<int64_t>& shape, int64_t role_threads,
                                        int64_t element_bytes) {
  if (text.empty() || role_threads <= 0) return std::nullopt;
  const std::string full = lengthened(text);
  Words words = split(full);
  if (words[0] == "held" || words[0] == "flat") return layout_of_words(words, shape, role_threads);
  const auto ends_in = [&](std::string_view ending) {
    if (words.size() < 2 || words.back() != ending) return false;
    words.pop_back();
    return true;
  };
  const bool partial = ends_in("partial"), transposed = ends_in("T");
  const bool slice = !transposed && ends_in("slice"), columns = !transposed && !slice && ends_in("columns");
  Shape of_base = shape;
  if (transposed) std::reverse(of_base.begin(), of_base.end());
  if (slice) of_base.push_back(0);
  if (columns) of_base.insert(of_base.begin(), 0);
  if ((slice || columns) && shape.size() != 1) return std::nullopt;
  Asked asked{role_threads, element_bytes, {}};
  for (size_t i = 1; i < words.size(); ++i) {
    const auto number = number_of(words[i]);
    if (!number || *number > kMostThreads) return std::nullopt;
    asked.numbers.push_back(*number);
  }
  if (slice && words[0] == "rows" && asked.numbers.size() == 1) asked.numbers.push_back(1);  // for any vector
  for (const Family& family : kFamilies) {
    if (family.name != words[0] || family.numbers != asked.numbers.size()) continue;
    std::optional<ValueLayout> layout = family.make(asked, of_base);
    if (layout && transposed) layout = transpose_layout(*layout, {1, 0});
    if (layout && (slice || columns)) layout = slice_layout(*layout, slice ? 1 : 0);
    return layout && partial ? partial_of(*layout) : layout;
  }
  return std::nullopt;
}

std::string layout_text(const ValueLayout& layout, int64_t role_threads, int64_t element_bytes) {
  // A planner asks for the same few names again and again, and each candidate is a layout that must be made.
  thread_local std::unordered_map<std::string, std::string> names;
  const auto [known, is_new] =
      names.try_emplace(fmt::format("{} {} {} {} {}", layout.name, fmt::join(layout.shape, ","), role_threads,
                                    element_bytes, text_of_parts(layout)),
                        text_of_parts(canonical(layout)));
  if (!is_new) return known->second;
  std::vector<std::string> tried = candidates(layout, role_threads);
  tried.insert(tried.end(), {text_of_parts(canonical(layout)), text_of_parts(layout)});
  for (const std::string& candidate : tried) {
    const auto named = layout_named(candidate, layout.shape, role_threads, element_bytes);
    if (named && *named == layout && reduce_alike(*named, layout)) return known->second = shortened(candidate);
  }
  return known->second;
}

}  // namespace pallasgen
