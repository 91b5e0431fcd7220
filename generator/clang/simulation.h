#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "simulate.h"

// The state of a launch whose threads run against one another.
namespace pallasgen::vet {

using Clock = std::vector<int>;

inline void join(Clock& into, const Clock& other) {
  if (into.size() < other.size()) into.resize(other.size());
  for (size_t i = 0; i < other.size(); ++i) into[i] = std::max(into[i], other[i]);
}

// What a thread, or whoever it has met, knows to have happened: at all, and as far as copies and tensor cores see it.
struct Knowledge {
  Clock happened, visible;
  void learn(const Knowledge& other) {
    join(happened, other.happened);
    join(visible, other.visible);
  }
};

struct Access {
  int component = 0, time = 0;  // whose clock says when it is complete
  bool is_write = false, is_async = false;
  int actor = 0;
  clang::SourceLocation at;
  int64_t barrier = -1;  // on which a copy completes
};

struct Barrier {
  int64_t count = 0, pending = 0, bytes = 0;
  int64_t phase = 0;  // how many are complete
  int component = 0;
  Knowledge gathered, released;
  bool is_initialised = false;
  clang::SourceLocation initialised_at;
  std::vector<std::pair<int, clang::SourceLocation>> arrivals;  // of the open phase
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
  Clock fenced;  // what has happened before its last fence, of which its tensor cores see what anyone has written
  int64_t awaited_generation = -1;  // of a named barrier or the CTA's, once it has arrived there
  int commits = 0, stores = 0, stores_open = 0, copies = 0, copies_open = 0;
  std::map<int64_t, clang::SourceLocation> last_wait, last_early_wait;
  std::map<int64_t, int64_t> acquired;  // the phase of each barrier that it has waited for
  int64_t last_waited = -1;             // the barrier that it has waited for last
  clang::SourceLocation last_store_wait;
};

// How far the threads of a launch have come, and what they have done.
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

// Where the mistake is that a simulation has come upon: each reports it.
class Blame {
 public:
  explicit Blame(Course& course) : course_(course) {}

  // Two accesses that nothing orders, of which the actor has made the later one.
  void unordered(const Access& earlier, int actor, const Access& made, const Pointer& place);
  // A place is read that nobody has written yet.
  void read_early(int actor, const Access& made, const Pointer& place);
  // No thread can go on: some wait for ever, or all are done and something is left.
  void at_end();

 private:
  void stuck(const std::vector<int>& stuck);
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
  // Whether the access is known to be complete to the actor, as whoever makes the other one sees it: threads, copies or
  // tensor cores.
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
