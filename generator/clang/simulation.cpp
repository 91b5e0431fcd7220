#include "simulation.h"

// Applies events to the state and checks the order of accesses.
namespace pallasgen::vet {

using namespace clang;

namespace {

constexpr int kFirstWarpgroup = -100;  // keys of warpgroups, from here downwards, among those of barriers

}  // namespace

Simulation::Simulation(const Launch& launch, const ASTContext& context, Findings& findings)
    : Course{launch, context, findings, std::vector<State>(launch.actors.size()), {}, {}, {}, {}, false} {
  const int actors = static_cast<int>(launch.actors.size());
  components_ = actors * 3 + 8;  // each thread; its stores; its copies; the tensor cores of each warpgroup
  for (State& state : states_) grow(state.knows);
  for (size_t i = 0; i < states_.size(); ++i) states_[i].knows.happened[i] = 1;
  for (const Actor& actor : launch.actors) {
    for (const Event& event : actor.events) {
      if (event.verb == Verb::shared_write || event.verb == Verb::async_copy)
        writers_[{event.place.object, event.place.low}].insert(actor.warp);
      else if (event.verb == Verb::tensor_load || event.verb == Verb::bulk_load || event.verb == Verb::bulk_copy)
        for_copies_.insert(event.other.offset);
    }
  }
}

void Simulation::run(bool backwards) {
  const int actors = static_cast<int>(states_.size());
  for (bool moved = true; moved && !stopped_;) {
    moved = false;
    for (int i = 0; i < actors && !stopped_; ++i) {
      const int actor = backwards ? actors - 1 - i : i;
      bool any = false;
      while (!stopped_ && step(actor)) any = true;
      if (any) {
        moved = true;
        break;  // threads that copy go first, whenever they can
      }
    }
  }
  if (!stopped_) Blame(*this).at_end();
}

void Course::report(const std::string& rule, SourceLocation at, const std::string& text, SourceLocation other,
                    const std::string& note) {
  if (!reported_.insert({rule, at.getRawEncoding()}).second) return;
  Finding finding{rule, at, text, {}, {}};
  if (other.isValid() && other != at) finding.notes.emplace_back(other, note);
  findings_.push_back(std::move(finding));
  stopped_ = true;
}

Barrier& Simulation::barrier(const Pointer& place) {
  auto [found, added] = barriers_.try_emplace(place.offset);
  if (added) {
    found->second.component = components_++;
    grow(found->second.gathered);
    grow(found->second.released);
  }
  return found->second;
}

bool Simulation::is_ordered(const Access& access, int actor, const Access& made) {
  const State& state = states_[static_cast<size_t>(actor)];
  Knowledge& knows = states_[static_cast<size_t>(actor)].knows;
  grow(knows);
  const size_t component = static_cast<size_t>(access.component);
  if (knows.happened[component] < access.time) return false;
  if (!made.is_async || access.is_async || knows.visible[component] >= access.time) return true;
  // A proxy fence orders what happened before it with the instructions after it (PTX ISA 8.6, causality order).
  return made.component == cores_of(actor) && component < state.fenced.size() && state.fenced[component] >= access.time;
}

void Simulation::access(int actor, const Pointer& place, int64_t low, int64_t high, Access made) {
  if (!place.object || place.object->kind != Object::Kind::shared || stopped_) return;
  made.actor = actor;
  const int warp = launch_.actors[static_cast<size_t>(actor)].warp;
  bool is_written = false;
  for (auto& [range, accesses] : accesses_) {
    if (range.object != place.object || range.high <= low || high <= range.low) continue;
    for (const Access& earlier : accesses) {
      // Several copies may fill a stage in one phase of its barrier.
      if (earlier.component == made.component && earlier.time == made.time && earlier.is_async) continue;
      is_written = is_written || earlier.is_write;
      if (!earlier.is_write && !made.is_write) continue;
      if (!earlier.is_async && !made.is_async) {
        // Threads that share the elements of a place each keep to their own; layouts are not checked.
        if (earlier.actor == actor && earlier.component == made.component) continue;
        const int other = launch_.actors[static_cast<size_t>(earlier.actor)].warp;
        if (earlier.actor != actor && (other == warp || (earlier.is_write && made.is_write))) continue;
        const auto& writers = writers_[{place.object, earlier.is_write ? range.low : low}];
        if (earlier.actor != actor && writers.count(other) && writers.count(warp)) continue;
      }
      if (is_ordered(earlier, actor, made)) continue;
      Blame(*this).unordered(earlier, actor, made, place);
      return;
    }
  }
  if (!made.is_write && !is_written) {
    Blame(*this).read_early(actor, made, place);
    if (stopped_) return;
  }
  auto& same = accesses_[{place.object, low, high}];
  for (Access& each : same) {
    if (each.component == made.component && each.is_write == made.is_write && each.actor == actor) {
      each = made;
      return;
    }
  }
  same.push_back(made);
}

void Simulation::complete(Barrier& barrier) {
  if (!barrier.is_initialised || barrier.pending > 0 || barrier.bytes != 0) return;
  ++barrier.phase;
  barrier.pending = barrier.count;
  grow(barrier.gathered);
  barrier.gathered.happened[static_cast<size_t>(barrier.component)] = static_cast<int>(barrier.phase);
  barrier.gathered.visible[static_cast<size_t>(barrier.component)] = static_cast<int>(barrier.phase);
  barrier.released.learn(barrier.gathered);
  barrier.earlier.push_back(std::move(barrier.arrivals));
  barrier.arrivals.clear();
}

void Simulation::arrive(Barrier& barrier, int actor, int64_t threads, const Event& event) {
  State& state = states_[static_cast<size_t>(actor)];
  grow(state.knows);
  barrier.gathered.learn(state.knows);
  barrier.arrivals.emplace_back(actor, event.at);
  if (threads > barrier.pending && barrier.is_initialised) {
    report("arrivals", event.at,
           std::to_string(threads) + (threads == 1 ? " thread arrives" : " threads arrive") + " here, but " +
               name(event.place) + " waits for " + std::to_string(barrier.pending) + " more in this phase",
           barrier.initialised_at, "its count is said here");
    return;
  }
  barrier.pending -= threads;
  complete(barrier);
}

// Arrives at a barrier of threads: the CTA's, a warp's or a named one. True once all threads have come.
bool Simulation::meet(int key, int64_t count, int actor, const Event& event) {
  State& state = states_[static_cast<size_t>(actor)];
  Named& named = named_[key];
  if (state.awaited_generation >= 0) {
    if (named.generation <= state.awaited_generation) return false;
    state.awaited_generation = -1;
    if (key <= kFirstWarpgroup) return true;  // passes on no knowledge
    grow(state.knows);
    grow(named.released);
    state.knows.learn(named.released);
    return true;
  }
  named.at = event.at;
  named.count = count;
  grow(state.knows);
  named.gathered.learn(state.knows);
  named.threads += launch_.actors[static_cast<size_t>(actor)].threads;
  if (event.verb != Verb::named_arrive) state.awaited_generation = named.generation;
  if (named.threads > named.count)
    report("named-barrier", event.at,
           std::to_string(named.threads) + " threads come to this barrier at once, of which it takes " +
               std::to_string(named.count));
  if (named.threads == named.count) {
    named.threads = 0;
    ++named.generation;
    named.released = named.gathered;
  }
  if (event.verb == Verb::named_arrive) return true;
  return meet(key, count, actor, event);
}

// Performs the next event of the actor; false if it has to wait or has no event left.
bool Simulation::step(int actor) {
  const Actor& who = launch_.actors[static_cast<size_t>(actor)];
  State& state = states_[static_cast<size_t>(actor)];
  if (state.next >= who.events.size()) return false;
  const Event& event = who.events[state.next];
  const Pointer& place = event.place;
  if (!perform(actor, event) || stopped_) return false;
  // Others have learnt only of events up to this one.
  const bool passes_on = event.verb == Verb::barrier_arrive || event.verb == Verb::barrier_arrive_expect ||
                         event.verb == Verb::copies_arrive || event.verb == Verb::named_sync ||
                         event.verb == Verb::named_arrive || event.verb == Verb::cta_sync ||
                         event.verb == Verb::warp_sync || event.verb == Verb::proxy_fence;
  if (passes_on && (place.object || event.verb >= Verb::named_sync)) ++state.knows.happened[static_cast<size_t>(actor)];
  ++state.next;
  return true;
}

bool Simulation::perform(int actor, const Event& event) {
  const Actor& who = launch_.actors[static_cast<size_t>(actor)];
  State& state = states_[static_cast<size_t>(actor)];
  grow(state.knows);
  const Pointer& place = event.place;
  const auto touch = [&](bool writes, bool is_async, int component, int time, int64_t low, int64_t high,
                         int64_t barrier_at = -1) {
    access(actor, place, low, high, {component, time, writes, is_async, actor, event.at, barrier_at});
    return !stopped_;
  };
  const int now = state.knows.happened[static_cast<size_t>(actor)];
  const auto finish = [&](int component, int64_t issued) {
    int& known = state.knows.happened[static_cast<size_t>(component)];
    known = std::max<int>(known, static_cast<int>(issued - event.number));
  };
  const auto alive = [&](int warp) {
    int64_t threads = 0;
    for (size_t i = 0; i < states_.size(); ++i)
      if ((warp < 0 || launch_.actors[i].warp == warp) && states_[i].next < launch_.actors[i].events.size())
        threads += launch_.actors[i].threads;
    return threads;
  };
  switch (event.verb) {
    case Verb::barrier_init: {
      Barrier& each = barrier(place);
      each.is_initialised = true;
      each.count = each.pending = event.number;
      each.initialised_at = event.at;
      return touch(true, false, actor, now, place.low, place.high);
    }
    case Verb::barrier_wait: {
      if (!place.object) return true;
      Barrier& each = barrier(place);
      if (!touch(false, false, actor, now, place.low, place.high)) return false;
      if ((each.phase & 1) == event.number) return false;
      if (each.phase == 0)
        state.last_early_wait[place.offset] = event.at;
      else
        state.last_early_wait.erase(place.offset);
      state.last_wait[place.offset] = event.at;
      state.last_waited = place.offset;
      state.acquired[place.offset] = each.phase;
      grow(each.released);
      state.knows.learn(each.released);
      return true;
    }
    case Verb::barrier_arrive:
      if (!place.object) return true;
      if (!touch(false, false, actor, now, place.low, place.high)) return false;
      arrive(barrier(place), actor, who.threads, event);
      return true;
    case Verb::barrier_expect:
      if (place.object) barrier(place).bytes += event.number;
      return true;
    case Verb::barrier_arrive_expect:
      if (!place.object) return true;
      if (!touch(false, false, actor, now, place.low, place.high)) return false;
      barrier(place).bytes += event.number * who.threads;
      arrive(barrier(place), actor, who.threads, event);
      return true;
    case Verb::tensor_load:
    case Verb::bulk_load:
    case Verb::bulk_copy: {
      if (!event.other.object || !place.object) return true;
      Barrier& each = barrier(event.other);
      const int64_t bytes = event.map ? event.map->bytes() : event.number;
      const bool says_bytes = event.verb == Verb::bulk_copy;  // the barrier expects the bytes of the copy itself
      if (!touch(true, true, each.component, static_cast<int>(each.phase) + 1, says_bytes ? place.low : place.offset,
                 says_bytes ? place.high : place.offset + bytes, event.other.offset))
        return false;
      if (!says_bytes) {
        each.bytes -= bytes * who.threads;
        complete(each);
      }
      return true;
    }
    case Verb::tensor_store: {
      ++state.stores_open;
      const int64_t bytes = event.map ? event.map->bytes() : place.high - place.offset;
      return touch(false, true, stores_of(actor), state.stores + 1, place.offset, place.offset + bytes);
    }
    case Verb::bulk_commit:
      ++state.stores;
      state.stores_open = 0;
      return true;
    case Verb::bulk_wait:
    case Verb::bulk_wait_read:
      state.last_store_wait = event.at;
      finish(stores_of(actor), state.stores);
      return true;
    case Verb::async_copy:
      return touch(true, false, copies_of(actor), state.copies + 1, place.low, place.high);
    case Verb::async_commit:
      ++state.copies;
      return true;
    case Verb::async_wait:
      finish(copies_of(actor), state.copies);
      return true;
    case Verb::copies_arrive: {
      if (!place.object) return true;
      // The arrival happens when the copies are complete, so threads that wait for it learn of them.
      const Knowledge before = state.knows;
      state.knows.happened[static_cast<size_t>(copies_of(actor))] = ++state.copies;
      arrive(barrier(place), actor, who.threads, event);
      state.knows = before;
      grow(state.knows);
      return true;
    }
    case Verb::named_sync:
      return meet(static_cast<int>(event.number), event.threads, actor, event);
    case Verb::named_arrive:
      meet(static_cast<int>(event.number), event.threads, actor, event);
      return true;
    case Verb::cta_sync:
      return meet(-1, alive(-1), actor, event);
    case Verb::warp_sync:
      return meet(-2 - who.warp, alive(who.warp), actor, event);
    case Verb::proxy_fence:
      for (const int own : {actor, copies_of(actor)})
        state.knows.visible[static_cast<size_t>(own)] = state.knows.happened[static_cast<size_t>(own)];
      state.fenced = state.knows.happened;
      return true;
    case Verb::shared_read:
      return touch(false, false, actor, now, place.low, place.high);
    case Verb::shared_write:
      return touch(true, false, actor, now, place.low, place.high);
    case Verb::wgmma:
      return !place.object || touch(false, true, cores_of(actor), state.commits + 1, place.low, place.high);
    case Verb::wgmma_commit: {
      // The instructions belong to the warpgroup: no warp gets ahead of the others.
      int64_t threads = 0;
      for (size_t i = 0; i < states_.size(); ++i)
        if (launch_.actors[i].group() == who.group() && states_[i].next < launch_.actors[i].events.size())
          threads += launch_.actors[i].threads;
      if (!meet(kFirstWarpgroup - who.group(), threads, actor, event)) return false;
      ++state.commits;
      return true;
    }
    case Verb::wgmma_wait:
      finish(cores_of(actor), state.commits);
      return true;
    default:
      return true;
  }
}

void simulate(const Launch& launch, const ASTContext& context, Findings& findings) {
  for (const bool backwards : {false, true}) {
    const size_t before = findings.size();
    Simulation(launch, context, findings).run(backwards);
    if (findings.size() > before) return;
  }
}

}  // namespace pallasgen::vet
