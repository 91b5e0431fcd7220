#pragma once
#include <cstdint>
#include <deque>
#include <memory>

#include "race.h"

namespace pallasgen::emulator {

/// The groups of asynchronous copies that one thread has committed, and the one that is open.
class BulkGroups {
 public:
  /// Adds a copy to the open group; returns the group's number.
  uint64_t add();
  /// A copy of group `number` has read its source, or is complete; `context` is the copy's.
  void has_read(uint64_t number, race::Context context);
  void has_completed(uint64_t number, race::Context context);
  /// The same of a copy in the generic proxy: the async one of who waits needs a proxy fence to be after it.
  void has_completed_generic(uint64_t number, race::Context context);
  /// An arrival on a barrier is to follow the copies so far, in place of a wait; it needs the groups up to this number.
  uint64_t arrival_follows();
  bool completed_up_to(uint64_t number) const;
  /// What the copies of the generic proxy have done so far.
  uint64_t& done_in_generic() { return all_.generic; }
  /// Closes the open group.
  void commit();

  /// True when all but the last `pending` committed groups are complete (`read_only`: have read their sources).
  bool done(int pending, bool read_only) const;
  /// The thread has waited until done(pending, read_only): it is ordered after those groups.
  void waited(int pending, bool read_only, const race::Agent& agent);
  /// True when a wait has covered every copy, whether or not it happened to be complete without.
  bool all_waited_for() const { return next_unwaited_ >= end_of_copies_; }

 private:
  struct Group {
    int reads = 0, copies = 0;  // outstanding
    race::Sync read, complete;
  };
  size_t checked(int pending) const;
  Group& group(uint64_t number) { return groups_[number - first_]; }

  std::deque<Group> groups_ = std::deque<Group>(1);  // the last one is open; complete ones go when they are waited for
  uint64_t first_ = 0;                               // number of groups_[0]
  uint64_t end_of_copies_ = 0;                       // one more than the last group with a copy in it
  race::Sync all_;
  uint64_t next_unwaited_ = 0;  // groups below have been waited for
};

/// The groups, made now when there are none yet.
inline BulkGroups& made(std::unique_ptr<BulkGroups>& groups) {
  if (groups == nullptr) groups = std::make_unique<BulkGroups>();
  return *groups;
}

}  // namespace pallasgen::emulator
