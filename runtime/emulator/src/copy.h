#pragma once
#include <cstdint>
#include <string>

#include "cta.h"
#include "execution.h"

namespace pallasgen::emulator {

/// What all asynchronous copies have in common: who started them, where in the source, and after what.
class Copy : public AsyncOperation {
 public:
  /// `name` is the instruction's, a literal; `pc` where the kernel started it.
  Copy(Thread& issuer, const char* name, const void* pc);
  ~Copy() override;
  std::string describe() const override;

 protected:
  /// The copy's context for what it does by the generic proxy, or in a space by the async proxy: ordered after what its
  /// issuer's clock of that kind had seen when it issued the copy.
  race::Context generic_context();
  race::Context context(race::Space space);
  /// The context of a copy by the async proxy for who waits for all that it has done.
  race::Context finished();

  /// The write of shared memory by a load: after the reads and writes of threads that a proxy fence came after, before
  /// the issuer waited for them. It belongs to the asynchronous context, through which whoever waits for the copy
  /// learns of nothing that the issuer did by ordinary accesses.
  void write_shared(const void* p, size_t bytes);

  Thread& issuer_;
  const char* const name_;
  const void* const pc_;

 private:
  race::Context made_context(race::Context& context, uint64_t& issued);

  race::Sync issued_;
  race::Context generic_ = nullptr, async_[2] = {};  // by race::Space
  uint64_t done_ = 0;
};

/// Where a load signals its completion.
struct Completed {
  Cta* cta;
  size_t offset;   // of the barrier
  uint64_t phase;  // open when the copy was issued
};

/// The barrier at `bar` as the target of a copy.
Completed completion_target(Thread& thread, uint32_t bar, const char* what);

/// Starts the copy; counts it.
void issue_copy(std::unique_ptr<AsyncOperation> copy);

}  // namespace pallasgen::emulator
