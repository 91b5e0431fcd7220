#pragma once
#include <cstdint>
#include <deque>
#include <memory>

#include "race.h"

namespace pallasgen::emulator {

/// The groups of asynchronous copies that one thread has committed, and the open one.
class BulkGroups {
 public:
  /// Adds a copy to the open group; returns the group's number.
  uint64_t add();
  /// Records that a copy of group `number` has read its source, or is complete; `context` is the copy's.
  void has_read(uint64_t number, race::Context context);
  void has_completed(uint64_t number, race::Context context);
  /// The same for a copy in the generic proxy: a waiting thread's async clock is after it only with a proxy fence.
  void has_completed_generic(uint64_t number, race::Context context);
  /// Records that an arrival on a barrier follows the copies so far, which replaces a wait.
  void followed_by_arrival() { waited_for_ = started_; }
  /// Closes the open group.
  void commit();

  /// True if all but the last `pending` committed groups are complete (`read_only`: have read their sources).
  bool done(int pending, bool read_only) const;
  /// Orders the thread, which has waited until done(pending, read_only), after those groups.
  void waited(int pending, bool read_only, const race::Agent& agent);
  /// True if waits have covered every copy, whether or not it happened to be complete without.
  bool all_waited_for() const { return waited_for_ == started_; }

 private:
  struct Group {
    int reads = 0, copies = 0;  // outstanding
    uint64_t end = 0;           // number of copies of the thread up to the last one of the group; 0 without any
    race::Sync read, complete;
  };
  size_t checked(int pending) const;
  Group& group(uint64_t number) { return groups_[number - first_]; }

  std::deque<Group> groups_ = std::deque<Group>(1);  // the last one is open; complete ones are erased by a wait
  uint64_t first_ = 0;                               // number of groups_[0]
  uint64_t started_ = 0, waited_for_ = 0;            // copies, counted from the thread's first one
};

/// Returns the object that the pointer owns, which is created if it is null.
template <class T>
T& made(std::unique_ptr<T>& pointer) {
  if (pointer == nullptr) pointer = std::make_unique<T>();
  return *pointer;
}

}  // namespace pallasgen::emulator
