#include "copy_arrivals.h"

#include <algorithm>

namespace pallasgen::emulator {

uint64_t CopyArrivals::add_copy() {
  ++spans_.back().copies;
  return first_ + spans_.size() - 1;
}

void CopyArrivals::has_completed(uint64_t number, race::Context context) {
  --span(number).copies;
  race::release(context, span(number).done);
}

uint64_t CopyArrivals::add() {
  spans_.emplace_back();
  return first_ + spans_.size() - 2;
}

bool CopyArrivals::is_due(uint64_t number) const {
  return std::all_of(spans_.begin(), spans_.begin() + static_cast<long>(number - first_ + 1),
                     [](const Span& span) { return span.copies == 0; });
}

void CopyArrivals::arrive(uint64_t number, race::Context context) {
  for (uint64_t before = first_; before <= number; ++before) race::acquire(context, span(before).done);
  race::release(context, span(number).done);
  span(number).arrived = true;
  while (spans_[0].arrived && spans_[1].arrived) {
    spans_.pop_front();
    ++first_;
  }
}

}  // namespace pallasgen::emulator
