#include "program/shared_scopes.h"

#include <algorithm>
#include <map>

#include "program/program_walk.h"

namespace pallasgen {

namespace {

using namespace program;

// The statements of one list, from the first to the last, that use a field. `list` is the path to the list from the
// role's program: the place of a statement, the number of one of its bodies, and so on.
struct Region {
  std::vector<int> list;
  int first = 0, last = 0;
};

using Paths = std::map<int, std::vector<std::vector<int>>>;  // by field: paths to the statements that use it

void find_uses(Statement& statement, std::vector<int>& path, Paths& uses) {
  for_each_field(std::as_const(statement), [&](int field) { uses[field].push_back(path); });
  const std::vector<Statements*> bodies = bodies_of(statement);
  for (size_t body = 0; body < bodies.size(); ++body) {
    path.push_back(static_cast<int>(body));
    for (size_t i = 0; i < bodies[body]->size(); ++i) {
      path.push_back(static_cast<int>(i));
      find_uses((*bodies[body])[i], path, uses);
      path.pop_back();
    }
    path.pop_back();
  }
}

// Returns the region of the uses in the innermost list that contains all of them.
Region region_of(const std::vector<std::vector<int>>& uses) {
  size_t common = uses.front().size();
  for (const std::vector<int>& use : uses) {
    const auto differ = std::mismatch(use.begin(), use.end(), uses.front().begin(), uses.front().end()).first;
    common = std::min(common, static_cast<size_t>(differ - use.begin()));
  }
  // The even entries of a path are places of statements.
  const size_t at = common == uses.front().size() ? common - 1 : common - common % 2;
  Region region{{uses.front().begin(), uses.front().begin() + static_cast<std::ptrdiff_t>(at)}, INT32_MAX, 0};
  for (const std::vector<int>& use : uses) {
    region.first = std::min(region.first, use[at]);
    region.last = std::max(region.last, use[at]);
  }
  return region;
}

bool overlap(const Region& a, const Region& b) {
  if (a.list.size() > b.list.size()) return overlap(b, a);
  const size_t common = static_cast<size_t>(
      std::mismatch(a.list.begin(), a.list.end(), b.list.begin(), b.list.end()).first - a.list.begin());
  if (common < a.list.size()) return common % 2 != 0;  // two statements of one list, or bodies of one statement
  if (a.list.size() == b.list.size()) return a.first <= b.last && b.first <= a.last;
  return a.first <= b.list[common] && b.list[common] <= a.last;
}

// True if the scopes are the same or one contains the other: the outer one's values are then in use in the inner one.
bool nested(const SharedField& a, const SharedField& b) {
  const SharedField &outer = a.scope <= b.scope ? a : b, &inner = a.scope <= b.scope ? b : a;
  return inner.scope <= outer.last_scope;
}

}  // namespace

void share_scopes(Draft& draft, Statements& statements) {
  std::vector<SharedField>& fields = draft.plan.shared.fields;
  Paths uses;
  std::vector<int> path;
  for (size_t i = 0; i < statements.size(); ++i) {
    path.assign(1, static_cast<int>(i));
    find_uses(statements[i], path, uses);
  }
  std::vector<int> scoped;
  for (const auto& [field, found] : uses) {
    if (fields[field].scope >= 0) scoped.push_back(field);
  }
  // The largest first: a smaller field that shares its place costs nothing.
  std::stable_sort(scoped.begin(), scoped.end(), [&](int a, int b) { return fields[a].bytes > fields[b].bytes; });
  std::vector<std::vector<int>> places;
  for (int field : scoped) {
    const Region region = region_of(uses[field]);
    const auto place = std::find_if(places.begin(), places.end(), [&](const std::vector<int>& others) {
      return std::none_of(others.begin(), others.end(), [&](int other) {
        return nested(fields[field], fields[other]) || overlap(region, region_of(uses[other]));
      });
    });
    if (place == places.end())
      places.push_back({field});
    else
      place->push_back(field);
  }
  for (const std::vector<int>& place : places) {
    for (int field : place) fields[field].overlay = place.size() > 1 ? place.front() : -1;
  }
}

std::vector<std::vector<int>> places_of(const SharedMemory& shared) {
  std::vector<std::vector<int>> places;
  std::map<int, size_t> overlays;
  for (size_t field = 0; field < shared.fields.size(); ++field) {
    const int overlay = shared.fields[field].overlay;
    const auto known = overlays.find(overlay);
    if (overlay < 0 || known == overlays.end()) {
      if (overlay >= 0) overlays[overlay] = places.size();
      places.push_back({static_cast<int>(field)});
    } else {
      places[known->second].push_back(static_cast<int>(field));
    }
  }
  return places;
}

std::string purpose_of(const SharedMemory& shared, const std::vector<int>& place) {
  std::string text;
  for (int field : place) text += (text.empty() ? "" : " or ") + shared.fields[field].purpose;
  return text;
}

int64_t bytes_of(const SharedMemory& shared, const std::vector<int>& place) {
  int64_t bytes = 0;
  for (int field : place) bytes = std::max(bytes, shared.fields[field].bytes);
  return bytes;
}

}  // namespace pallasgen
