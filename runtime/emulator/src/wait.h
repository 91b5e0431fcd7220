#pragma once
#include <cstdint>

namespace pallasgen::emulator {

struct Thread;

/// The event that a blocked thread waits for; the deadlock report reads it.
struct Wait {
  enum class Kind {
    kNothing,
    kMbarrier,      // address, parity
    kNamedBarrier,  // number: id
    kWarp,          // text: the operation
    kBulkGroups,    // number: groups that may stay unfinished
    kBulkReads,     // likewise, for their reads of shared memory
    kCopyGroups,    // likewise, for cp.async
    kMma,           // number: the wgmma group
    kRegisters,     // number: registers per thread asked for
    kCluster,       // the barrier of the cluster
    kPoll,          // polls; text: the polled object
  };
  Kind kind = Kind::kNothing;
  uint32_t address = 0;
  uint32_t parity = 0;
  int number = 0;
  const char* text = "";
};

/// Threads that wait for one event, in order of arrival.
class WaitList {
 public:
  void add(Thread& thread);
  bool empty() const { return first_ == nullptr; }
  /// Makes all of them ready.
  void wake_all();

 private:
  Thread* first_ = nullptr;
  Thread* last_ = nullptr;
};

}  // namespace pallasgen::emulator
