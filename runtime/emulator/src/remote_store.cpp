#include <pallasgen/emulator/instructions.h>

#include <cstring>
#include <memory>

#include "copy.h"
#include "current.h"
#include "poison.h"
#include "report.h"

// Stores into the shared memory of a CTA of the cluster that complete their bytes on a barrier there (PTX ISA,
// "st.async").
namespace pallasgen::emulator {
namespace {

class RemoteStore : public Copy {
 public:
  RemoteStore(Thread& thread, const void* pc, const SharedPlace& target, uint64_t value, uint32_t bytes,
              const Completed& completed)
      : Copy(thread, "st.async", pc), target_(target), value_(value), bytes_(bytes), completed_(completed) {}

  bool advance() override {
    const race::Context own = generic_context();
    race::Accesses(own, pc_).write(target_.p, bytes_);
    std::memcpy(target_.p, &value_, bytes_);
    completed_.cta->mbarriers.complete_bytes(completed_.offset, bytes_, completed_.phase, own,
                                             /*of_other=*/completed_.cta != issuer_.cta);
    race::release(own, target_.cta->end);
    return true;
  }

  bool uses_shared_memory_of(const Cta& cta) const override { return target_.cta == &cta; }

 private:
  const SharedPlace target_;
  const uint64_t value_;
  const uint32_t bytes_;
  const Completed completed_;
};

}  // namespace

void store_async(uint32_t address, uint64_t value, uint32_t bytes, uint32_t bar) {
  const void* pc = __builtin_return_address(0);
  Entry entry("st.async");
  const SharedPlace target = shared_place(entry.cta(), address, bytes, bytes, "st.async");
  const Completed completed = completion_target(entry.thread, bar, "st.async");
  if (completed.cta != target.cta) rule_broken("st.async: the barrier is not of the CTA that it stores to");
  poison::check(target.p, bytes, /*write=*/true, pc);
  issue_copy(std::make_unique<RemoteStore>(entry.thread, pc, target, value, bytes, completed));
}

}  // namespace pallasgen::emulator
