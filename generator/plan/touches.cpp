#include "touches.h"

#include <algorithm>

namespace pallasgen {

namespace {

// Whether two accesses to an array reach different elements, whatever the other indices are.
bool is_apart(const TouchedPlace& before, const TouchedPlace& now) {
  return before.ref == now.ref && std::any_of(before.fixed.begin(), before.fixed.end(), [&](const auto& entry) {
           const auto other = now.fixed.find(entry.first);
           return other != now.fixed.end() && other->second != entry.second;
         });
}

}  // namespace

bool conflict(const TouchedPlace& before, const TouchedPlace& now) {
  // A release tells of what all threads did before it, an acquire holds for all threads after it.
  if (before.name.empty() || now.name.empty())
    return before.global && now.global && (before.owner.empty() || before.owner != now.owner);
  if (before.touch == Touch::read && now.touch == Touch::read) return false;
  if (before.global != now.global) return false;  // a tile may have the name of the array that its block is of
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
