#pragma once
#include <pallasgen/emulator/emulator.h>
#include <pallasgen/emulator/launch.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "race.h"
#include "random.h"
#include "shared_memory.h"
#include "streams.h"
#include "strong_memory.h"

namespace pallasgen::emulator {

struct Cluster;
struct Cta;
struct Thread;
class Stacks;
struct Wait;

/// Work that runs concurrently with the threads: a copy, a matrix multiplication.
class AsyncOperation {
 public:
  virtual ~AsyncOperation() = default;
  /// Does the next step; returns true if nothing is left to do.
  virtual bool advance() = 0;
  /// True while shared memory of `cta` is still to be read or written; such work must not outlive the CTA.
  virtual bool uses_shared_memory_of(const Cta& cta) const = 0;
  /// Describes the operation and who started it, for reports.
  virtual std::string describe() const = 0;
};

/// Asynchronous work in flight, in the order in which it will complete.
class AsyncQueue {
 public:
  void issue(std::unique_ptr<AsyncOperation> operation, Completion completion);
  /// Does the next step of the operation that is first in order, if it is due (or always, with `force`).
  bool advance_one(bool force);
  bool empty() const { return operations_.empty(); }
  /// The operation whose next step is being done, or null.
  const AsyncOperation* running() const { return running_; }
  /// Fails if an operation still needs the shared memory of `cta`.
  void check_cta_exit(const Cta& cta) const;

 private:
  struct Pending {
    std::unique_ptr<AsyncOperation> operation;
    Completion completion;
  };
  void insert(Pending pending);
  std::map<std::pair<uint64_t, uint64_t>, Pending> operations_;  // by (due switch, order of issue)
  uint64_t issued_ = 0;
  const AsyncOperation* running_ = nullptr;
};

/// The attributes of a launch besides its shape.
struct LaunchAttributes {
  uint3 cluster{1, 1, 1};
  bool cooperative = false;  // all CTAs run at the same time
  bool dependent = false;    // starts before earlier launches have ended
};

/// One launch while it runs: the scheduler of its threads and its asynchronous work.
class Execution {
 public:
  Execution(const cudaLaunchConfig_t& config, const KernelCall& call, const LaunchAttributes& attributes);

  /// Runs all clusters one after another, those of a cooperative launch together. A dependent launch is ordered after
  /// earlier launches only where its threads wait for them.
  void run();

  /// Called on the thread's fiber. block() suspends it until wake(thread), yield() until it is scheduled again.
  void block(Thread& thread, const Wait& wait);
  void yield(Thread& thread, const char* polled);
  void wake(Thread& thread);
  /// Records an event that others may poll for.
  void note_progress() { polls_ = idle_switches_ = 0; }
  /// As wake(), for a thread that waits for its own copies; others stay blocked.
  void wake_for_copies(Thread& thread);

  /// Called on the thread's fiber, which never continues: the launch ends with this error.
  [[noreturn]] void abandon(Thread& thread, cudaError_t error);

  /// Ends the running thread; checks the work that it left in flight.
  [[noreturn]] void exit_thread(Thread& thread);

  const Options& options() const { return options_; }
  const std::string& kernel() const { return kernel_; }
  const KernelCall& call() const { return call_; }
  /// The CTAs that are running.
  const std::vector<Cta*>& ctas() const { return ctas_; }
  bool dependent() const { return attributes_.dependent; }
  Stream& stream() { return stream_; }
  /// The context for loads of memory that nothing writes in the kernel: ordered only after what preceded the launch.
  race::Context read_only();
  uint64_t switches() const { return switches_; }

  AsyncQueue async;
  Random random;
  SharedFields fields;
  StrongMemory strong;
  race::Sync fences;  // fence.sc of scope gpu and wider

 private:
  void start_cluster(uint3 first);
  void run_started();
  void run_threads();
  void start_threads(Cta& cta);
  Thread* next_ready();
  bool has_favourites() const;
  /// True if every ready thread has polled, and nothing else has happened.
  bool polls_in_vain() const { return polls_ > ready_.size(); }
  void give_priorities(Cta& cta);
  bool comes_before(const Thread& one, const Thread& other) const;
  void note_wait(const Thread& thread);

  const Options options_;
  const KernelCall call_;
  const dim3 grid_, block_;
  const LaunchAttributes attributes_;
  const size_t shared_bytes_;
  const std::string kernel_;
  std::vector<std::unique_ptr<Cluster>> clusters_;  // the running ones
  std::vector<Cta*> ctas_;                          // their CTAs
  std::deque<Thread*> ready_;
  std::unique_ptr<Stacks> spare_stacks_;
  Stream& stream_;
  race::Sync done_;  // released by the CTAs that have ended
  race::Context read_only_ = nullptr;
  cudaError_t abandoned_ = cudaSuccess;
  uint64_t switches_ = 0;
  uint64_t polls_ = 0;          // since a thread last did something else
  uint64_t idle_switches_ = 0;  // since an event that others may wait for; waits of lanes for each other are none
};

Statistics& mutable_statistics();

}  // namespace pallasgen::emulator
