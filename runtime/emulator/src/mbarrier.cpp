#include "mbarrier.h"

#include <algorithm>
#include <cstring>

#include "current.h"
#include "report.h"

namespace pallasgen::emulator {

std::string Mbarriers::name(size_t offset) const {
  for (const auto& [at, name] : names_)
    if (at == offset) return name;
  return "";
}

void Mbarriers::set_name(size_t offset, const std::string& name) {
  std::erase_if(names_, [=](const auto& entry) { return entry.first == offset; });
  names_.emplace_back(offset, name);
}

std::string Mbarriers::label(size_t offset) const { return "mbarrier at " + describe_shared(cta_, offset); }

MbarrierWord Mbarriers::word(const Mbarrier& barrier) const {
  uint64_t bits;
  std::memcpy(&bits, cta_.shared.data() + barrier.offset, sizeof bits);
  return MbarrierWord(bits);
}

MbarrierWord Mbarriers::checked_word(const Mbarrier& barrier, const char* what) const {
  const MbarrierWord now = word(barrier);
  if (now.bits() != barrier.last)
    rule_broken("%s: the %s was overwritten with other data", what, label(barrier.offset).c_str());
  return now;
}

void Mbarriers::store(Mbarrier& barrier, MbarrierWord word) {
  barrier.last = word.bits();
  std::memcpy(cta_.shared.data() + barrier.offset, &barrier.last, sizeof barrier.last);
}

Mbarrier& Mbarriers::at(size_t offset, const char* what) {
  for (const auto& barrier : barriers_)
    if (barrier->offset == offset) return *barrier;
  rule_broken("%s: the %s was not initialised", what, label(offset).c_str());
}

void Mbarriers::init(size_t offset, uint32_t count, Thread& thread, const void* pc) {
  if (count < 1 || count > MbarrierWord::kMaxCount)
    rule_broken("mbarrier.init: count %u is not from 1 to %u", count, MbarrierWord::kMaxCount);
  for (const auto& barrier : barriers_)
    if (barrier->offset == offset)
      rule_broken("mbarrier.init: the %s is in use; it was initialised before", label(offset).c_str());
  barriers_.push_back(std::make_unique<Mbarrier>());
  barriers_.back()->offset = offset;
  barriers_.back()->initialised_by = thread.index;
  store(*barriers_.back(), MbarrierWord::open(count));
  const char* at = cta_.shared.data() + offset;
  race::Accesses(thread.agent.generic, pc).write(at, sizeof(uint64_t));
  if (!race::enabled()) return;
  BarrierInits& inits = thread.inits;
  if (inits.all == nullptr) {
    const std::string name = text("thread %d of %s", thread.index, emulator::describe(cta_).c_str());
    inits.all = race::create(name.c_str());
    inits.fenced = race::create(name.c_str());
    race::acquire(inits.all, cta_.begin.generic);
  }
  // From here on the write belongs to the clock of initialisations, which the thread's own clock is after.
  race::forget(at, sizeof(uint64_t));
  race::Accesses(inits.all, pc).write(at, sizeof(uint64_t));
  race::release(inits.all, inits.done);
  race::acquire(thread.agent.generic, inits.done);
}

void Mbarriers::fence(Thread& thread) {
  fence_proxy(thread);
  race::release(thread.inits.all, thread.inits.fence);
  race::acquire(thread.inits.fenced, thread.inits.fence);
}

void Mbarriers::fence_proxy(const Thread& thread) {
  for (const auto& barrier : barriers_)
    if (barrier->initialised_by == thread.index) barrier->fenced = true;
}

uint64_t Mbarriers::phase_for_copy(size_t offset) {
  const Mbarrier& barrier = at(offset, "copy");
  checked_word(barrier, "copy");
  if (!barrier.fenced)
    rule_broken(
        "a copy completes on the %s, which thread %d initialised without a fence.mbarrier_init or fence.proxy.async "
        "after it",
        label(offset).c_str(), barrier.initialised_by);
  return barrier.phase;
}

void Mbarriers::invalidate(size_t offset, const Thread& thread, const void* pc) {
  Mbarrier& barrier = at(offset, "mbarrier.inval");
  checked_word(barrier, "mbarrier.inval");
  if (!barrier.waiting.empty()) rule_broken("mbarrier.inval: threads wait at the %s", label(offset).c_str());
  std::memset(cta_.shared.data() + offset, 0xff, sizeof barrier.last);
  race::Accesses(thread.agent.generic, pc).write(cta_.shared.data() + offset, sizeof barrier.last);
  std::erase_if(barriers_, [=](const auto& other) { return other->offset == offset; });
}

void Mbarriers::finish_phase_if_complete(Mbarrier& barrier, MbarrierWord word) {
  if (word.pending() == 0 && word.bytes() == 0) {
    word = word.with(word.parity() ^ 1, word.count(), word.count(), 0);
    ++barrier.phase;
    barrier.waiting.wake_all();
  }
  store(barrier, word);
}

void Mbarriers::touch(size_t offset, race::Context context, const void* pc) const {
  race::Accesses(context, pc).read(cta_.shared.data() + offset, sizeof(uint64_t));
}

template <class Release>
void Mbarriers::arrive_and(size_t offset, Release release) {
  Mbarrier& barrier = at(offset, "mbarrier.arrive");
  const MbarrierWord word = checked_word(barrier, "mbarrier.arrive");
  if (word.pending() == 0)
    rule_broken("mbarrier.arrive: more arrivals than its count of %u in one phase: %s", word.count(),
                describe(offset).c_str());
  release(barrier, word.parity());
  finish_phase_if_complete(barrier, word.with(word.parity(), word.pending() - 1, word.count(), word.bytes()));
}

void Mbarriers::arrive(size_t offset, const Thread& thread) {
  arrive_and(offset, [&](Mbarrier& barrier, uint32_t parity) {
    race::release(thread.agent, (thread.cta == &cta_ ? barrier.syncs : barrier.of_others)[parity]);
  });
}

void Mbarriers::arrive(size_t offset, race::Context context) {
  arrive_and(offset,
             [=](Mbarrier& barrier, uint32_t parity) { race::release(context, barrier.syncs[parity].generic); });
}

void Mbarriers::expect_bytes(size_t offset, uint32_t bytes) {
  Mbarrier& barrier = at(offset, "mbarrier.expect_tx");
  const MbarrierWord word = checked_word(barrier, "mbarrier.expect_tx");
  const int64_t sum = word.bytes() + bytes;
  if (bytes > MbarrierWord::kMaxBytes || sum > MbarrierWord::kMaxBytes)
    rule_broken("mbarrier.expect_tx: %u bytes more exceed the %lld that a phase can count: %s", bytes,
                static_cast<long long>(MbarrierWord::kMaxBytes), describe(offset).c_str());
  // Expecting arrived bytes may bring the count back to 0, but only an arrival or a copy ends a phase.
  store(barrier, word.with(word.parity(), word.pending(), word.count(), sum));
}

void Mbarriers::complete_bytes(size_t offset, uint32_t bytes, uint64_t phase, race::Context context, bool of_other) {
  Mbarrier& barrier = at(offset, "completion of a copy");
  const MbarrierWord word = checked_word(barrier, "completion of a copy");
  if (barrier.phase != phase)
    rule_broken(
        "%u bytes of a copy issued in phase %llu arrive in a later one: fewer bytes were expected than copied: %s",
        bytes, static_cast<unsigned long long>(phase), describe(offset).c_str());
  const int64_t sum = word.bytes() - static_cast<int64_t>(bytes);
  if (sum < -MbarrierWord::kMaxBytes)
    rule_broken("%u bytes of a copy bring the count below -%lld: %s", bytes,
                static_cast<long long>(MbarrierWord::kMaxBytes), describe(offset).c_str());
  race::release(context, (of_other ? barrier.of_others : barrier.syncs)[word.parity()]);
  finish_phase_if_complete(barrier, word.with(word.parity(), word.pending(), word.count(), sum));
}

void Mbarriers::acquire(size_t offset, uint32_t parity, MemoryScope scope, const Thread& thread) {
  Mbarrier& barrier = at(offset, "mbarrier wait");
  race::acquire(thread.agent, barrier.syncs[parity]);
  if (scope != MemoryScope::kCta) race::acquire(thread.agent, barrier.of_others[parity]);
}

bool Mbarriers::complete(size_t offset, uint32_t parity) {
  const Mbarrier& barrier = at(offset, "mbarrier wait");
  return checked_word(barrier, "mbarrier wait").parity() != parity;
}

std::string Mbarriers::describe(size_t offset) const {
  const auto found =
      std::find_if(barriers_.begin(), barriers_.end(), [=](const auto& barrier) { return barrier->offset == offset; });
  if (found == barriers_.end()) return label(offset) + ": not initialised";
  const MbarrierWord word((*found)->last);
  return label(offset) + text(": phase %llu (parity %u) is open, %u of %u arrivals, %lld bytes outstanding",
                              static_cast<unsigned long long>((*found)->phase), word.parity(),
                              word.count() - word.pending(), word.count(), static_cast<long long>(word.bytes()));
}

void Mbarriers::check_at_exit() const {
  for (const auto& barrier : barriers_)
    if (MbarrierWord((*barrier).last).bytes() != 0)
      rule_broken("the CTA ends, and bytes that were expected have not been copied, or the reverse: %s",
                  describe(barrier->offset).c_str());
}

}  // namespace pallasgen::emulator
