#include "order/touches.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace pallasgen {

namespace {

// True if the reaches share no element, by whatever multiples of their steps they are moved.
bool is_apart(const Reach& before, const Reach& now) {
  const int64_t step = std::gcd(before.step, now.step), distance = now.first - before.first;
  if (step == 0) return distance >= before.size || -distance >= now.size;
  const int64_t further = (distance % step + step) % step;
  return further >= before.size && further + now.size <= step;
}

// True if two accesses to an array reach different elements, whatever the other indices are.
bool is_apart(const TouchedPlace& before, const TouchedPlace& now) {
  return before.ref == now.ref && std::any_of(before.reaches.begin(), before.reaches.end(), [&](const auto& entry) {
           const auto other = now.reaches.find(entry.first);
           return other != now.reaches.end() && is_apart(entry.second, other->second);
         });
}

}  // namespace

void note_reach(TouchedPlace& place, DType dtype, size_t dim, const TypedPtr& index, int64_t size) {
  const std::optional<Affine> sum = affine(index);
  if (!sum || is_packed(dtype)) return;
  Reach reach{sum->constant, size, 0};
  for (const Affine::Term& term : sum->terms) reach.step = std::gcd(reach.step, term.coefficient);
  place.reaches[dim] = reach;
}

bool conflict(const TouchedPlace& before, const TouchedPlace& now) {
  // A release covers what all threads did before it, and an acquire holds for all threads after it.
  if (before.name.empty() || now.name.empty())
    return before.global && now.global && (before.owner.empty() || before.owner != now.owner);
  if (before.touch == Touch::read && now.touch == Touch::read) return false;
  if (before.global != now.global) return false;  // a tile may have the same name as the array of its block
  if (before.name != now.name) return before.overlay >= 0 && before.overlay == now.overlay;
  if (before.touch == Touch::atomic && now.touch == Touch::atomic && before.commutes && before.commutes == now.commutes)
    return false;
  return !is_apart(before, now) && (before.owner.empty() || before.owner != now.owner);
}

std::string text_of_touched(const std::vector<std::string>& names, bool read) {
  std::string text = names[0];
  if (names.size() > 1) text += (names.size() > 2 ? ", " : " and ") + names[1];
  if (names.size() > 2) text += " and others";
  return text + (names.size() > 1 ? read ? " have been read" : " are written"
                 : read           ? " has been read"
                                  : " is written");
}

}  // namespace pallasgen
