#pragma once
#include <driver_types.h>

#include "race.h"

// What orders the work of streams, for the race clocks: every call does its work before it returns, but what no stream,
// event or wait of the host orders counts as done at the same time.
namespace pallasgen::emulator {

class Stream {
 public:
  /// `blocking`: in order with the legacy default stream, as streams are unless they ask not to be.
  explicit Stream(bool blocking) : blocking_(blocking) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// Work begins after what the host has done, and after the work before it, but for a dependent launch. Call it, and
  /// what follows, while the runtime's context runs.
  void begin(bool dependent);
  /// All work that has begun is done, `done` too.
  void end(race::Sync& done);
  void end();
  /// What comes first in the work that has begun acquires this.
  race::Sync& begun() { return begun_; }
  /// The work that has ended.
  race::Sync& finished() { return finished_; }
  /// For accesses of the stream's own, between begin and end.
  race::Context context();

  /// An event takes up what has ended; the stream goes on after an event; the host waits.
  void record(race::Sync& event);
  void wait(race::Sync& event);
  void host_waits();

 private:
  const bool blocking_;
  race::Context context_ = nullptr;
  race::Sync begun_, finished_;
};

/// The stream of a handle; null and cudaStreamLegacy are the legacy default stream.
Stream& stream_of(cudaStream_t handle);
/// Handles are never reused, so that their work stays in the order of the default stream.
cudaStream_t create_stream(bool blocking);

/// The host waits for all streams.
void host_waits_for_streams();

/// A call of the host's: the runtime's context runs until its end.
class HostCall {
 public:
  HostCall() { race::enter_runtime_from_host(); }
  ~HostCall() { race::return_to_host(); }
  HostCall(const HostCall&) = delete;
  HostCall& operator=(const HostCall&) = delete;
};

}  // namespace pallasgen::emulator
