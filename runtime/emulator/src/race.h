#pragma once
#include <cstddef>
#include <cstdint>

#include "view.h"

// Race detection with ThreadSanitizer's fibers as vector clocks. A kernel linked with -fsanitize=thread makes every
// function here act; without it each returns at once. The emulator itself is never instrumented: it runs in a context
// of its own that ThreadSanitizer is told to ignore, and says explicitly, in the context of whoever acts, which memory
// an operation reads and writes and what it orders.
namespace pallasgen::emulator::race {

/// A clock of ThreadSanitizer: one per agent and proxy, one per asynchronous operation. Null when off.
using Context = void*;

/// True when the program carries ThreadSanitizer.
bool enabled();

/// The two clocks of a warp (or a thread, with Options::per_thread): what its ordinary accesses are ordered by, and
/// what the asynchronous operations that it starts are ordered by. fence.proxy.async lets the second catch up with the
/// first.
struct Agent {
  Context generic = nullptr, async = nullptr;
  uint64_t* fence = nullptr;  // orders the one after the other; an agent's own, or fences would order agents too
  View* view = nullptr;       // of strong accesses, also without ThreadSanitizer; may be null
};

/// Something that orders: who acquires it is after all who released it before. Both proxies are kept apart.
struct Sync {
  alignas(8) uint64_t generic = 0;
  alignas(8) uint64_t async = 0;
  View view;
};

Context create(const char* name);
void destroy(Context context);
Agent create_agent(const char* name);
void destroy(const Agent& agent);

/// Makes `context` the one whose accesses follow; code of the emulator runs in the runtime's own.
void enter(Context context);
void enter_runtime();
/// Takes the caller's context for that of the host; call it when a launch begins, on the host's stack.
void enter_runtime_from_host();
void return_to_host();

void release(Context context, uint64_t& sync);
void acquire(Context context, uint64_t& sync);

/// Both clocks of the agent and its view; ends in the runtime's context.
void release(const Agent& agent, Sync& sync);
void acquire(const Agent& agent, Sync& sync);
/// The context of an operation gives both proxies of whoever waits for it what it did.
void release(Context context, Sync& sync);
/// Orders the asynchronous clock after the ordinary one.
void join_async_after_generic(const Agent& agent);

/// The host's side of a launch.
void release_host(Sync& sync);

/// The host, in its own context, comes after what was released there.
void host_waits_for(Sync& sync);

/// Accesses of an operation started at `pc`, in its context; ends in the runtime's context.
class Accesses {
 public:
  Accesses(Context context, const void* pc);
  ~Accesses();
  Accesses(const Accesses&) = delete;
  Accesses& operator=(const Accesses&) = delete;
  void read(const void* p, size_t bytes) const;
  /// The same, of memory that nothing may write meanwhile: the context is ordered after none that runs.
  void read_unwritten(const void* p, size_t bytes) const;
  void write(const void* p, size_t bytes) const;
  /// A write by the async proxy into shared memory: a race with it is one that a fence.proxy.async, waited for, orders.
  void overwrite(const void* p, size_t bytes) const;
  /// Atomic updates of all of it, which race with plain accesses only. `p` is a multiple of 2.
  void update(const void* p, size_t bytes) const;

 private:
  bool on_;
};

/// True while `overwrite` meets a race.
bool overwriting();
/// True while `read_unwritten` does.
bool reading_unwritten();

}  // namespace pallasgen::emulator::race
