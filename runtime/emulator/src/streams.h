#pragma once
#include <driver_types.h>

#include "race.h"

// The order of work in streams, for the race clocks: every call does its work before it returns, but work that no
// stream, event or wait of the host orders counts as concurrent.
namespace pallasgen::emulator {

class Stream {
 public:
  /// `blocking`: in order with the legacy default stream, as streams are by default.
  explicit Stream(bool blocking) : blocking_(blocking) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Begins work, ordered after the host's and, except for a dependent launch, after earlier work. This and the other
  /// functions are called while the runtime's context runs.
  void begin(bool dependent);
  /// Ends all work that has begun, and `done` with it.
  void end(race::Sync& done);
  void end();
  /// Acquired by the first accesses of the work that has begun.
  race::Sync& begun() { return begun_; }
  /// The work that has ended.
  race::Sync& finished() { return finished_; }
  /// The context for accesses of the stream's own, between begin and end.
  race::Context context();

  /// An event records the work that has ended; the stream waits for an event; the host waits for the stream.
  void record(race::Sync& event);
  void wait(race::Sync& event);
  void host_waits();

 private:
  const bool blocking_;
  race::Context context_ = nullptr;
  race::Sync begun_, finished_;
};

/// Returns the stream of a handle; null and cudaStreamLegacy are the legacy default stream.
Stream& stream_of(cudaStream_t handle);
/// Handles are never reused, so that their work stays in the order of the default stream.
cudaStream_t create_stream(bool blocking);

/// Makes the host wait for all streams.
void host_waits_for_streams();

/// A call by the host: the runtime's context runs until its end.
class HostCall {
 public:
  HostCall() { race::enter_runtime_from_host(); }
  ~HostCall() { race::return_to_host(); }
  HostCall(const HostCall&) = delete;
  HostCall& operator=(const HostCall&) = delete;
};

}  // namespace pallasgen::emulator
