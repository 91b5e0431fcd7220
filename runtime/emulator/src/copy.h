#pragma once
#include <cstdint>
#include <string>

#include "cta.h"
#include "execution.h"

namespace pallasgen::emulator {

/// The common part of all asynchronous copies: who started them, where in the source, and what they are ordered after.
class Copy : public AsyncOperation {
 public:
  /// `name` is the instruction's, a literal; `pc` is where the kernel started it.
  Copy(Thread& issuer, const char* name, const void* pc);
  ~Copy() override;
  std::string describe() const override;

 protected:
  /// The copy's context for its accesses by the generic proxy, or in a space by the async proxy: ordered after what its
  /// issuer's clock of that kind had seen when it issued the copy.
  race::Context generic_context();
  race::Context context(race::Space space);
  /// The context of a copy by the async proxy that a thread which waits for all of the copy acquires.
  race::Context finished();

  /// Writes shared memory as a load does: after those reads and writes of threads that a proxy fence followed before
  /// the issuer waited for them. The write belongs to the asynchronous context, so that a thread that waits for the
  /// copy is not ordered after the issuer's ordinary accesses.
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

/// The place at which a load signals its completion.
struct Completed {
  Cta* cta;
  size_t offset;   // offset of the barrier
  uint64_t phase;  // open when the copy was issued
};

/// Returns the barrier at `bar` as the target of a copy.
Completed completion_target(Thread& thread, uint32_t bar, const char* what);

/// Starts the copy and counts it.
void issue_copy(std::unique_ptr<AsyncOperation> copy);

}  // namespace pallasgen::emulator
