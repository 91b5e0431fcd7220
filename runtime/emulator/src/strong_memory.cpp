#include "strong_memory.h"

#include <algorithm>

#include "current.h"
#include "global_memory.h"
#include "report.h"

namespace pallasgen::emulator {
namespace {

constexpr uint32_t kTracked = 256;          // locations in views; for others only the value in memory is read
constexpr size_t kValues = 8;               // kept per location in random schedules; one in others
constexpr uint64_t kNewestValueOnceIn = 4;  // if an older one may be read

bool acquires(MemoryOrder order) { return order == MemoryOrder::kAcquire || order == MemoryOrder::kAcqRel; }
bool releases(MemoryOrder order) { return order == MemoryOrder::kRelease || order == MemoryOrder::kAcqRel; }

bool same(uint3 a, uint3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

Place place_of(const Thread& thread) {
  const int agent = execution().options().per_thread ? thread.index : thread.warp->index;
  return {thread.cta->index, thread.cta->cluster.ctas.front()->index, agent, thread.index};
}

bool includes(MemoryScope scope, const Place& from, const Place& to) {
  if (scope == MemoryScope::kCta) return same(from.cta, to.cta);
  return scope != MemoryScope::kCluster || same(from.cluster, to.cluster);
}

/// True if each scope includes the other thread (PTX: the two are morally strong).
bool include_each_other(MemoryScope a, const Place& of_a, MemoryScope b, const Place& of_b) {
  return includes(a, of_a, of_b) && includes(b, of_b, of_a);
}

const char* name_of(MemoryScope scope) {
  constexpr const char* kNames[] = {"cta", "cluster", "gpu", "sys"};
  return kNames[static_cast<int>(scope)];
}

std::string place_name(const void* p) {
  const std::string global = describe_global(p);
  return global.empty() ? text("%p", p) : global;
}

StrongThread& state_of(Thread& thread) {
  if (thread.strong == nullptr) thread.strong = std::make_unique<StrongThread>();
  return *thread.strong;
}

/// Adds a release and drops an older one of the same agent and scope, which it covers.
void add_newest(std::vector<Release>& list, const Release& release) {
  for (Release& old : list)
    if (old.scope == release.scope && old.by.agent == release.by.agent && same(old.by.cta, release.by.cta)) {
      old.sync = release.sync;
      return;
    }
  list.push_back(release);
}

Release release_of(Thread& thread, MemoryScope scope) {
  Release release{std::make_shared<race::Sync>(), scope, place_of(thread)};
  race::release(thread.agent, *release.sync);
  return release;
}

}  // namespace

void StrongMemory::forget_overlapping(const Thread& thread, const char* p, const StrongAccess& access) {
  constexpr size_t kLargest = 16;
  auto at = locations_.lower_bound(p - kLargest);
  while (at != locations_.end() && at->first < p + access.bytes) {
    const auto& [start, other] = *at;
    if ((start == p && other.bytes == access.bytes) || start + other.bytes <= p) {
      ++at;
      continue;
    }
    const Value& value = other.values.back();
    if (value.by.agent >= 0 && other.number < kTracked && thread.agent.view->oldest(other.number) < value.number)
      rule_broken(
          "data race at %s: this access has %zu bytes, the store of thread %d of CTA (%u,%u,%u) before it %zu bytes "
          "from %td bytes further on, and nothing else orders the two; atomic accesses of other sizes order nothing "
          "between them",
          place_name(p).c_str(), access.bytes, value.by.thread, value.by.cta.x, value.by.cta.y, value.by.cta.z,
          other.bytes, start - p);
    free_numbers_.push_back(other.number);
    at = locations_.erase(at);
  }
}

StrongMemory::Location& StrongMemory::location(Thread& thread, const void* p, const StrongAccess& access,
                                               uint64_t now) {
  forget_overlapping(thread, static_cast<const char*>(p), access);
  const auto [found, is_new] = locations_.try_emplace(static_cast<const char*>(p));
  Location& at = found->second;
  if (is_new) {
    at.number = free_numbers_.empty() ? numbers_++ : free_numbers_.back();
    if (!free_numbers_.empty()) free_numbers_.pop_back();
  }
  if (!is_new && at.values.back().is_ahead) {
    at.values.back().bits = now;
    at.values.back().is_ahead = false;
  }
  // New, or stored by other means in between; the race clocks judge that order.
  if (is_new || at.values.back().bits != now) {
    at.bytes = access.bytes;
    at.values.clear();
    at.values.push_back({.bits = now, .number = ++stores_});
  }
  return at;
}

void StrongMemory::check_scopes(const Thread& thread, const void* p, const Location& at, const Value& value,
                                const StrongAccess& access) const {
  if (value.by.agent < 0 || at.number >= kTracked || thread.agent.view->oldest(at.number) >= value.number) return;
  if (include_each_other(access.scope, place_of(thread), value.scope, value.by)) return;
  rule_broken(
      "data race at %s: this access has the scope .%s, the store of thread %d of CTA (%u,%u,%u) before it .%s, one of "
      "which does not include the other thread, and nothing else orders the two",
      place_name(p).c_str(), name_of(access.scope), value.by.thread, value.by.cta.x, value.by.cta.y, value.by.cta.z,
      name_of(value.scope));
}

void StrongMemory::observe(Thread& thread, const Value& value, const StrongAccess& access) {
  if (value.releases.empty()) return;
  StrongThread& state = state_of(thread);
  const bool acquired = acquires(access.order);
  if (acquired && state.acquired == value.number) return;
  const Place here = place_of(thread);
  bool all = acquired;
  for (const Release& release : value.releases)
    if (acquired && include_each_other(access.scope, here, release.scope, release.by)) {
      race::acquire(thread.agent, *release.sync);
    } else {
      add_newest(state.seen, release);
      all = false;
    }
  if (all) state.acquired = value.number;
}

uint64_t StrongMemory::load(Thread& thread, const void* p, const StrongAccess& access, uint64_t now, bool newest) {
  Location& at = location(thread, p, access, now);
  size_t chosen = at.values.size() - 1;
  if (chosen > 0 && at.number < kTracked && !newest) {
    const uint64_t oldest = thread.agent.view->oldest(at.number);
    size_t first = chosen;
    while (first > 0 && at.values[first - 1].number >= oldest) --first;
    Random& random = execution().random;
    if (first < chosen && !random.once_in(kNewestValueOnceIn)) chosen = first + random.below(chosen - first);
  }
  const Value& value = at.values[chosen];
  check_scopes(thread, p, at, value, access);
  if (at.number < kTracked) thread.agent.view->raise(at.number, value.number);
  observe(thread, value, access);
  return value.bits;
}

void StrongMemory::store(Thread& thread, const void* p, const StrongAccess& access, uint64_t before, uint64_t now) {
  store(thread, p, access, before, Value{.bits = now});
}

void StrongMemory::store_ahead(Thread& thread, const void* p, const StrongAccess& access, uint64_t before) {
  store(thread, p, access, before, Value{.bits = before, .is_ahead = true});
}

void StrongMemory::store(Thread& thread, const void* p, const StrongAccess& access, uint64_t before, Value value) {
  Location& at = location(thread, p, access, before);
  check_scopes(thread, p, at, at.values.back(), access);
  // A store that follows a release of its own thread there continues that release sequence.
  const Place here = place_of(thread);
  for (const Value& old : at.values)
    for (const Release& release : old.releases)
      if (release.by.agent == here.agent && same(release.by.cta, here.cta)) add_newest(value.releases, release);
  add(thread, at, std::move(value), access);
}

void StrongMemory::update(Thread& thread, const void* p, const StrongAccess& access, uint64_t before, uint64_t now) {
  Location& at = location(thread, p, access, before);
  Value& last = at.values.back();
  check_scopes(thread, p, at, last, access);
  observe(thread, last, access);
  Value value{.bits = now};
  if (execution().options().random_order)
    value.releases = last.releases;
  else
    value.releases = std::move(last.releases);
  add(thread, at, std::move(value), access);
}

void StrongMemory::add(Thread& thread, Location& at, Value value, const StrongAccess& access) {
  value.number = ++stores_;
  value.scope = access.scope;
  value.by = place_of(thread);
  if (at.number < kTracked) thread.agent.view->raise(at.number, value.number);
  if (thread.strong != nullptr)
    for (const Release& fence : thread.strong->fenced) add_newest(value.releases, fence);
  if (releases(access.order)) add_newest(value.releases, release_of(thread, access.scope));
  at.values.push_back(std::move(value));
  if (at.values.size() > (execution().options().random_order ? kValues : 1)) at.values.pop_front();
}

void StrongMemory::fence(Thread& thread, MemoryScope scope, bool sequentially_consistent) {
  StrongThread& state = state_of(thread);
  const Place here = place_of(thread);
  std::erase_if(state.seen, [&](const Release& release) {
    if (!include_each_other(scope, here, release.scope, release.by)) return false;
    race::acquire(thread.agent, *release.sync);
    return true;
  });
  if (sequentially_consistent) {
    race::Sync* const syncs[] = {&thread.cta->fences, &thread.cta->cluster.fences, &execution().fences};
    const size_t count = std::min<size_t>(static_cast<size_t>(scope) + 1, std::size(syncs));
    for (size_t i = 0; i < count; ++i) race::acquire(thread.agent, *syncs[i]);
    for (size_t i = 0; i < count; ++i) race::release(thread.agent, *syncs[i]);
  }
  add_newest(state.fenced, release_of(thread, scope));
}

void StrongMemory::forget(const void* p, size_t bytes) {
  const char* start = static_cast<const char*>(p);
  const auto first = locations_.lower_bound(start), last = locations_.lower_bound(start + bytes);
  for (auto at = first; at != last; ++at) free_numbers_.push_back(at->second.number);
  locations_.erase(first, last);
}

}  // namespace pallasgen::emulator
