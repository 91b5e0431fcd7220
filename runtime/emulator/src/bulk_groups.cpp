#include "bulk_groups.h"

#include <algorithm>

namespace pallasgen::emulator {

uint64_t BulkGroups::add() {
  ++groups_.back().reads;
  ++groups_.back().copies;
  groups_.back().end = ++started_;
  return first_ + groups_.size() - 1;
}

void BulkGroups::has_read(uint64_t number, race::Context context) {
  --group(number).reads;
  race::release(context, group(number).read);
}

void BulkGroups::has_completed(uint64_t number, race::Context context) {
  --group(number).copies;
  race::release(context, group(number).complete);
}

void BulkGroups::has_completed_generic(uint64_t number, race::Context context) {
  --group(number).reads;
  --group(number).copies;
  race::release(context, group(number).complete.generic);
}

void BulkGroups::commit() { groups_.emplace_back(); }

size_t BulkGroups::checked(int pending) const {
  const size_t closed = groups_.size() - 1;
  return closed - std::min(closed, static_cast<size_t>(pending));
}

bool BulkGroups::done(int pending, bool read_only) const {
  return std::all_of(groups_.begin(), groups_.begin() + static_cast<long>(checked(pending)),
                     [=](const Group& group) { return (read_only ? group.reads : group.copies) == 0; });
}

void BulkGroups::waited(int pending, bool read_only, const race::Agent& agent) {
  const size_t count = checked(pending);
  for (size_t i = 0; i < count; ++i) {
    race::acquire(agent, read_only ? groups_[i].read : groups_[i].complete);
    waited_for_ = std::max(waited_for_, groups_[i].end);
  }
  for (size_t i = 0; i < count && groups_.front().copies == 0; ++i) {
    groups_.pop_front();
    ++first_;
  }
}

}  // namespace pallasgen::emulator
