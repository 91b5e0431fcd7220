#include "simulation.h"

// Locates the mistake that made the simulation fail.
namespace pallasgen::vet {

using namespace clang;

namespace {

constexpr int64_t kVector = 16;  // bytes of one access of a thread

std::string access_words(const Access& access) {
  if (!access.is_async) return access.is_write ? "a thread writes" : "a thread reads";
  return access.is_write ? "a copy writes" : "a copy or the tensor cores read";
}

}  // namespace

// Decides which of these causes two unordered accesses: a wait that does not wait, an arrival that comes too early, a
// missing fence, or the access itself if no wait precedes it.
void Blame::unordered(const Access& earlier, int actor, const Access& made, const Pointer& place) {
  State& state = course_.states_[static_cast<size_t>(actor)];
  const Knowledge& knows = state.knows;
  const bool happened = knows.happened[static_cast<size_t>(earlier.component)] >= earlier.time;
  const std::string both = access_words(earlier) + " " + course_.name(place) + " there";
  if (happened) {
    course_.report("missing-fence", earlier.at,
                   "no fence_async_shared() of this thread follows, before what it has " +
                       std::string(earlier.is_write ? "written to " : "read of ") + course_.name(place) +
                       " is passed on to " +
                       (made.is_write ? "a copy that overwrites it" : "a copy or the tensor cores that read it"),
                   made.at, "which is done here");
    return;
  }
  if (earlier.is_async && earlier.is_write && earlier.barrier >= 0) {
    const auto wait = state.last_wait.find(earlier.barrier);
    const auto acquired = state.acquired.find(earlier.barrier);
    if (wait == state.last_wait.end()) {
      course_.report("missing-wait", made.at, "nothing waits for the copy to " + course_.name(place) + " before this",
                     earlier.at, "the copy is issued here");
    } else if (acquired != state.acquired.end() && acquired->second > 0 && earlier.time == acquired->second + 1 &&
               state.last_early_wait.count(earlier.barrier) == 0) {
      course_.report("early-release", made.at,
                     course_.name(place) +
                         " is used after its stage was released, or without a wait for the next "
                         "copy to it",
                     earlier.at, "this copy overwrites it meanwhile");
    } else {
      course_.report("wait-parity", wait->second,
                     "this wait passes before the copy to " + course_.name(place) +
                         " has arrived: its parity is that of another phase",
                     made.at, "it is used here");
    }
    return;
  }
  if (earlier.component >= course_.stores_of(0) && earlier.component < course_.copies_of(0)) {
    const State& other = course_.states_[static_cast<size_t>(earlier.actor)];
    if (earlier.time > other.stores) {
      course_.report("store-wait", earlier.at, "no commit follows this store, so that nothing waits for it", made.at,
                     course_.name(place) + " is written again here");
      return;
    }
    const SourceLocation at = other.last_store_wait.isValid() ? other.last_store_wait : made.at;
    if (other.last_store_wait.isValid())
      course_.report("store-wait", at,
                     "what this leaves running may still read " + course_.name(place) +
                         " when it is written again, or "
                         "no sync passes on that it has been read",
                     made.at, "it is written here");
    else
      course_.report("store-wait", made.at,
                     "nothing waits until the store has read " + course_.name(place) + " before it is written again",
                     earlier.at, "the store is issued here");
    return;
  }
  // If the actor has waited for an arrival of the other access's warpgroup, that arrival came too early.
  const int group = course_.launch_.actors[static_cast<size_t>(earlier.actor)].group();
  if (group != course_.launch_.actors[static_cast<size_t>(actor)].group()) {
    const auto acquired = state.acquired.find(state.last_waited);
    if (acquired != state.acquired.end() && acquired->second >= 1) {
      const Barrier& barrier = course_.barriers_.at(acquired->first);
      for (const auto& [who, at] : barrier.earlier[static_cast<size_t>(acquired->second - 1)]) {
        if (course_.launch_.actors[static_cast<size_t>(who)].group() != group) continue;
        course_.report("early-release", at,
                       "this arrival comes before all threads of the warpgroup, or the instructions that it "
                       "has issued, are done with " +
                           course_.name(place),
                       earlier.at, access_words(earlier) + " it here");
        return;
      }
    }
  }
  course_.report(earlier.is_write ? "missing-sync" : "missing-wait", made.at,
                 "nothing orders this with what is done to " + course_.name(place) + " by others", earlier.at, both);
}

// A place is read before any thread has written it.
void Blame::read_early(int actor, const Access& made, const Pointer& place) {
  const State& state = course_.states_[static_cast<size_t>(actor)];
  if (!written_at_all(place)) return;
  if (!state.last_early_wait.empty()) {
    SourceLocation latest;
    for (const auto& [barrier, at] : state.last_early_wait) latest = at;
    course_.report("wait-parity", latest,
                   "this wait passes before anything has arrived, so that what is read of " + course_.name(place) +
                       " was not written yet: its parity is wrong",
                   made.at, "it is read here");
    return;
  }
  course_.report("missing-wait", made.at,
                 course_.name(place) + " is read before anything was written to it: nothing waits for that");
}

bool Blame::written_at_all(const Pointer& place) const {
  for (const Actor& actor : course_.launch_.actors)
    for (const Event& event : actor.events) {
      // Writes of single elements belong to the lanes that are executed alone; other lanes write theirs, too.
      const bool by_threads = event.verb == Verb::shared_write && event.place.high - event.place.low > kVector;
      const bool writes = by_threads || event.verb == Verb::async_copy || event.verb == Verb::tensor_load ||
                          event.verb == Verb::bulk_load || event.verb == Verb::bulk_copy;
      if (writes && event.place.object == place.object && event.place.low < place.high && place.low < event.place.high)
        return true;
    }
  return false;
}

// The number of threads that come to a named barrier in all.
int64_t Blame::threads_at(int64_t id) const {
  int64_t threads = 0;
  for (const Actor& actor : course_.launch_.actors)
    for (const Event& event : actor.events)
      if ((event.verb == Verb::named_sync || event.verb == Verb::named_arrive) && event.number == id)
        threads += actor.threads;
  return threads;
}

// Among the threads that wait for ever, chooses one that waits in vain, as too few arrivals come in all.
void Blame::report_stuck_threads(const std::vector<int>& stuck) {
  const auto event_of = [&](int actor) -> const Event& {
    return course_.launch_.actors[static_cast<size_t>(actor)].events[course_.states_[static_cast<size_t>(actor)].next];
  };
  int chosen = -1, first_barrier = -1;
  for (const int actor : stuck) {
    const Event& event = event_of(actor);
    if (event.verb == Verb::named_sync && chosen < 0 && threads_at(event.number) % event.threads != 0) chosen = actor;
  }
  for (const int actor : stuck) {
    const Event& event = event_of(actor);
    if (event.verb != Verb::barrier_wait) continue;
    if (first_barrier < 0) first_barrier = actor;
    int64_t arrivals = 0;
    for (const Actor& other : course_.launch_.actors)
      for (const Event& each : other.events)
        if ((each.verb == Verb::barrier_arrive || each.verb == Verb::barrier_arrive_expect ||
             each.verb == Verb::copies_arrive) &&
            each.place.offset == event.place.offset)
          arrivals += other.threads;
    const Barrier& each = course_.barriers_.at(event.place.offset);
    if (chosen < 0 && arrivals < each.count * (each.phase + 1)) chosen = actor;
    if (chosen < 0 && each.bytes != 0 && each.pending == 0) chosen = actor;
  }
  if (chosen < 0)
    for (const int actor : stuck)
      if (chosen < 0 && event_of(actor).verb == Verb::barrier_wait && event_of(actor).number == 0 &&
          course_.barriers_.at(event_of(actor).place.offset).phase == 0 &&
          course_.for_copies_.count(event_of(actor).place.offset) == 0)
        chosen = actor;
  if (chosen < 0) chosen = first_barrier < 0 ? stuck.front() : first_barrier;
  const Event& event = event_of(chosen);
  if (event.verb != Verb::barrier_wait) {
    const Named& named =
        course_.named_[event.verb == Verb::cta_sync    ? -1
                       : event.verb == Verb::warp_sync ? -2 - course_.launch_.actors[static_cast<size_t>(chosen)].warp
                                                       : static_cast<int>(event.number)];
    course_.report("deadlock", event.at,
                   "this waits for ever: " + std::to_string(named.threads) + " of " + std::to_string(named.count) +
                       " threads come to the barrier");
    return;
  }
  const Barrier& each = course_.barriers_.at(event.place.offset);
  const std::string name = name_of(event.place, course_.context_);
  if (!each.is_initialised)
    course_.report("deadlock", event.at, name + " is never initialised");
  else if (each.pending == 0 && each.bytes != 0)
    course_.report("deadlock", event.at,
                   "this waits for ever: " + std::to_string(std::abs(each.bytes)) + " bytes " +
                       (each.bytes > 0 ? "that " + name + " expects are never copied"
                                       : "are copied that " + name + " does not expect"));
  else
    course_.report("deadlock", event.at,
                   "this waits for ever: phase " + std::to_string(each.phase) + " of " + name + " lacks " +
                       std::to_string(each.pending) + " of " + std::to_string(each.count) + " arrivals",
                   each.initialised_at, "its count is said here");
}

void Blame::at_end() {
  std::vector<int> waiting;
  for (size_t i = 0; i < course_.states_.size(); ++i)
    if (course_.states_[i].next < course_.launch_.actors[i].events.size()) waiting.push_back(static_cast<int>(i));
  if (!waiting.empty()) return report_stuck_threads(waiting);
  for (const auto& [key, named] : course_.named_)
    if (key > 0 && named.threads != 0)
      course_.report("named-barrier", named.at,
                     "barrier " + std::to_string(key) + " is left half-way when the kernel ends: " +
                         std::to_string(named.threads) + " of " + std::to_string(named.count) + " threads have come");
  for (size_t i = 0; i < course_.states_.size() && !course_.stopped_; ++i) {
    SourceLocation last;
    int stores = 0,
        waited = course_.states_[i].knows.happened[static_cast<size_t>(course_.stores_of(static_cast<int>(i)))];
    for (const Event& event : course_.launch_.actors[i].events) {
      if (event.verb == Verb::tensor_store) last = event.at;
      stores += event.verb == Verb::bulk_commit;
    }
    if (last.isValid() && course_.states_[i].stores_open > 0)
      course_.report("store-wait", last, "no commit follows this store, so that nothing waits for it");
    else if (last.isValid() && waited < stores)
      course_.report("store-wait", last,
                     "the kernel may end before this store has read its shared memory: nothing waits for it");
  }
}

}  // namespace pallasgen::vet
