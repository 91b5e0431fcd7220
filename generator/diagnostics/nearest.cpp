#include <algorithm>
#include <cctype>

#include "diagnostics/diagnostic.h"

namespace pallasgen {
namespace {

// Damerau-Levenshtein distance (optimal string alignment): insertions, deletions, replacements, swaps of neighbours.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replace = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= name.size();) {
    const size_t end = std::min(name.find('_', at), name.size());
    if (end > at) parts.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// True if `longer` has every part of `name`: `num_stages` has that of `stages`. `loosely`: a common prefix suffices.
bool has_parts_of(std::string_view longer, std::string_view name, bool loosely) {
  constexpr size_t kLeast = 3;  // letters that a part needs to be significant
  const std::vector<std::string_view> there = parts_of(longer), wanted = parts_of(name);
  return !wanted.empty() && std::all_of(wanted.begin(), wanted.end(), [&](std::string_view part) {
    return part.size() >= kLeast && std::any_of(there.begin(), there.end(), [&](std::string_view other) {
             const bool begins = other.starts_with(part) || part.starts_with(other);
             return other == part || (loosely && other.size() >= kLeast && begins);
           });
  });
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  size_t limit = std::max<size_t>(1, word.size() / 3);
  // One letter more or less turns a single-letter name into another name: `i` is not meant as `pi`.
  if (word.size() == 1) limit = 0;
  const std::string* best = nullptr;
  size_t best_distance = limit + 1;
  for (const std::string& candidate : candidates) {
    size_t difference = std::max(candidate.size(), word.size()) - std::min(candidate.size(), word.size());
    if (difference > limit) continue;
    size_t distance = edit_distance(word, candidate);
    if (equal_ignoring_case(word, candidate)) distance = std::min({distance, limit, size_t{1}});
    // Words without anything in common are no typing error: `x` is not meant as `y`.
    bool unrelated = distance >= std::max(word.size(), candidate.size()) && !equal_ignoring_case(word, candidate);
    if (!unrelated && distance < best_distance) {
      best = &candidate;
      best_distance = distance;
    }
  }
  return best == nullptr ? std::string() : *best;
}

std::string nearest_key(std::string_view word, const std::vector<std::string>& candidates) {
  std::string near = nearest(word, candidates);
  for (const bool loosely : {false, true})
    for (size_t i = 0; near.empty() && i < candidates.size(); ++i)
      if (has_parts_of(word, candidates[i], loosely) || has_parts_of(candidates[i], word, loosely))
        near = candidates[i];
  return near;
}

}  // namespace pallasgen
