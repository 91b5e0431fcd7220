#include <pallasgen/emulator/instructions.h>

#include <cstring>

#include "copy.h"
#include "current.h"
#include "global_memory.h"
#include "poison.h"
#include "report.h"

// Copies of 4, 8 or 16 bytes (PTX ISA, "cp.async"); they act in the generic proxy.
namespace pallasgen::emulator {
namespace {

class SmallCopy : public Copy {
 public:
  SmallCopy(Thread& thread, const void* pc, const void* source, const SharedPlace& target, uint32_t bytes,
            uint32_t source_bytes)
      : Copy(thread, "cp.async", pc),
        source_(source),
        target_(target),
        bytes_(bytes),
        source_bytes_(source_bytes),
        group_(made(thread.copies).add()),
        arrival_(made(thread.arrivals).add_copy()) {}

  bool advance() override {
    const race::Context own = generic_context();
    {
      race::Accesses accesses(own, pc_);
      accesses.read(source_, source_bytes_);
      accesses.write(target_.p, bytes_);
    }
    std::memset(target_.p, 0, bytes_);
    if (source_bytes_ != 0) std::memcpy(target_.p, source_, source_bytes_);
    issuer_.copies->has_completed_generic(group_, own);
    issuer_.arrivals->has_completed(arrival_, own);
    race::release(own, target_.cta->end);
    execution().wake_for_copies(issuer_);
    return true;
  }

  bool uses_shared_memory_of(const Cta& cta) const override { return target_.cta == &cta; }

 private:
  const void* const source_;
  const SharedPlace target_;
  const uint32_t bytes_, source_bytes_;
  const uint64_t group_, arrival_;
};

/// An arrival that is due when the copies that its thread has started before it are complete.
class ArrivalAfterCopies : public Copy {
 public:
  ArrivalAfterCopies(Thread& thread, const void* pc, const SharedPlace& barrier)
      : Copy(thread, "cp.async.mbarrier.arrive", pc), barrier_(barrier), number_(made(thread.arrivals).add()) {
    made(thread.copies).followed_by_arrival();
  }

  bool advance() override {
    if (!issuer_.arrivals->is_due(number_)) return false;
    const race::Context own = generic_context();
    issuer_.arrivals->arrive(number_, own);
    barrier_.cta->mbarriers.touch(barrier_.offset, own, pc_);
    barrier_.cta->mbarriers.arrive(barrier_.offset, own);
    race::release(own, barrier_.cta->end);
    return true;
  }

  bool uses_shared_memory_of(const Cta& cta) const override { return barrier_.cta == &cta; }

 private:
  const SharedPlace barrier_;
  const uint64_t number_;
};

}  // namespace

void cp_async(uint32_t dst, const void* src, uint32_t bytes, uint32_t source_bytes) {
  const void* pc = __builtin_return_address(0);
  Entry entry("cp.async");
  if (source_bytes > bytes) rule_broken("cp.async: %u bytes of source for %u of target", source_bytes, bytes);
  if (reinterpret_cast<uintptr_t>(src) % bytes != 0)
    rule_broken("cp.async: the global address %p is no multiple of %u", src, bytes);
  const SharedPlace target = shared_place(entry.cta(), dst, bytes, bytes, "cp.async");
  if (source_bytes != 0) check_global(src, source_bytes, "cp.async");
  poison::check(src, source_bytes, /*write=*/false, pc);
  poison::check(target.p, bytes, /*write=*/true, pc);
  issue_copy(std::make_unique<SmallCopy>(entry.thread, pc, src, target, bytes, source_bytes));
}

void cp_async_commit_group() {
  Entry entry("cp.async.commit_group");
  made(entry.thread.copies).commit();
}

void cp_async_mbarrier_arrive_noinc(uint32_t bar) {
  const void* pc = __builtin_return_address(0);
  Entry entry("cp.async.mbarrier.arrive");
  const SharedPlace barrier = shared_place(entry.cta(), bar, 8, 8, "cp.async.mbarrier.arrive");
  if (barrier.cta != &entry.cta()) rule_broken("cp.async.mbarrier.arrive: the barrier belongs to another CTA");
  entry.cta().mbarriers.at(barrier.offset, "cp.async.mbarrier.arrive");
  execution().async.issue(std::make_unique<ArrivalAfterCopies>(entry.thread, pc, barrier),
                          execution().options().copies);
}

void cp_async_wait_group(int pending) {
  Entry entry("cp.async.wait_group");
  Thread& thread = entry.thread;
  BulkGroups& groups = made(thread.copies);
  while (!groups.done(pending, /*read_only=*/false))
    execution().block(thread, {.kind = Wait::Kind::kCopyGroups, .number = pending});
  groups.waited(pending, /*read_only=*/false, thread.agent);
}

}  // namespace pallasgen::emulator
