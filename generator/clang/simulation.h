#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "simulate.h"

// The state of a launch whose threads run concurrently.
namespace pallasgen::vet {

using Clock = std::vector<int>;

inline void join(Clock& into, const Clock& other) {
  if (into.size() < other.size()) into.resize(other.size());
  for (size_t i = 0; i < other.size(); ++i) into[i] = std::max(into[i], other[i]);
}

// Events known to a thread or barrier: those that have happened, and those that copies and tensor cores see.
struct Knowledge {
  Clock happened, visible;
  void learn(const Knowledge& other) {
    join(happened, other.happened);
    join(visible, other.visible);
  }
};

struct Access {
  int component = 0, time = 0;  // it is complete at this time of the component's clock
  bool is_write = false, is_async = false;
  int actor = 0;
  clang::SourceLocation at;
  int64_t barrier = -1;  // the barrier on which a copy completes
};

struct Barrier {
  int64_t count = 0, pending = 0, bytes = 0;
  int64_t phase = 0;  // number of completed phases
  int component = 0;
  Knowledge gathered, released;
  bool is_initialised = false;
  clang::SourceLocation initialised_at;
  std::vector<std::pair<int, clang::SourceLocation>> arrivals;  // in the open phase
  std::vector<std::vector<std::pair<int, clang::SourceLocation>>> earlier;
};

struct Named {
  int64_t threads = 0, count = 0;
  int64_t generation = 0;
  Knowledge gathered, released;
  std::vector<int> waiting;
  clang::SourceLocation at;
};

struct State {
  size_t next = 0;
  Knowledge knows;
  Clock fenced;                     // clock at its last fence; its tensor cores see everything written before it
  int64_t awaited_generation = -1;  // of a named barrier or the CTA's, after its arrival there
  int commits = 0, stores = 0, stores_open = 0, copies = 0, copies_open = 0;
  std::map<int64_t, clang::SourceLocation> last_wait, last_early_wait;
  std::map<int64_t, int64_t> acquired;  // by barrier: the phase for which it has waited
  int64_t last_waited = -1;             // the barrier for which it waited last
  clang::SourceLocation last_store_wait;
};

// The progress of a launch's threads, and the record of their actions.
struct Course {
  int stores_of(int actor) const { return static_cast<int>(launch_.actors.size()) + actor; }
  int copies_of(int actor) const { return 2 * static_cast<int>(launch_.actors.size()) + actor; }
  int cores_of(int actor) const {
    return 3 * static_cast<int>(launch_.actors.size()) +
           std::min(launch_.actors[static_cast<size_t>(actor)].group(), 7);
  }
  void report(const std::string& rule, clang::SourceLocation at, const std::string& text,
              clang::SourceLocation other = {}, const std::string& note = {});
  std::string name(const Pointer& place) const { return name_of(place, context_); }

  const Launch& launch_;
  const clang::ASTContext& context_;
  Findings& findings_;
  std::vector<State> states_;
  std::map<int64_t, Barrier> barriers_;
  std::map<int, Named> named_;
  std::set<std::pair<std::string, unsigned>> reported_;
  std::set<int64_t> for_copies_;  // barriers on which copies complete
  bool stopped_ = false;
};

// Locates the mistake that made the simulation fail; each function reports it.
class Blame {
 public:
  explicit Blame(Course& course) : course_(course) {}

  // Two accesses are unordered, of which the actor made the later one.
  void unordered(const Access& earlier, int actor, const Access& made, const Pointer& place);
  // A place is read before any thread has written it.
  void read_early(int actor, const Access& made, const Pointer& place);
  // No thread can continue: some wait for ever, or all have ended and something is left open.
  void at_end();

 private:
  void report_stuck_threads(const std::vector<int>& stuck);
  bool written_at_all(const Pointer& place) const;
  int64_t threads_at(int64_t id) const;

  Course& course_;
};

class Simulation : Course {
 public:
  Simulation(const Launch& launch, const clang::ASTContext& context, Findings& findings);

  void run(bool backwards);

 private:
  void grow(Knowledge& knowledge) const {
    knowledge.happened.resize(static_cast<size_t>(components_));
    knowledge.visible.resize(static_cast<size_t>(components_));
  }
  Barrier& barrier(const Pointer& place);
  // True if the access is known to be complete to the actor, as seen by whoever makes the new access: threads, copies
  // or tensor cores.
  bool is_ordered(const Access& access, int actor, const Access& made);
  void access(int actor, const Pointer& place, int64_t low, int64_t high, Access made);
  bool step(int actor);
  bool perform(int actor, const Event& event);
  void arrive(Barrier& barrier, int actor, int64_t threads, const Event& event);
  void complete(Barrier& barrier);
  bool meet(int key, int64_t count, int actor, const Event& event);

  struct Range {
    const Object* object;
    int64_t low, high;
    bool operator<(const Range& other) const {
      return std::tie(object, low, high) < std::tie(other.object, other.low, other.high);
    }
  };

  int components_ = 0;
  std::map<Range, std::vector<Access>> accesses_;
  std::map<std::pair<const Object*, int64_t>, std::set<int>> writers_;
};

}  // namespace pallasgen::vet
