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

/// The state spaces that fence.proxy.async tells apart.
enum class Space { kShared, kGlobal };
constexpr Space kSpaces[] = {Space::kShared, Space::kGlobal};

/// The clocks of a warp (or a thread, with Options::per_thread): what its ordinary accesses are ordered by, and what
/// the accesses to each space are ordered by that asynchronous operations make which it starts. fence.proxy.async of a
/// space lets the space's clock catch up with the first. ThreadSanitizer keeps some 250 clocks apart, so that threads
/// with clocks of their own share that of global memory in a warp.
struct Agent {
  Context generic = nullptr;
  Context async[2] = {};      // by Space
  uint64_t* fence = nullptr;  // orders the one after the other; an agent's own, or fences would order agents too
  View* view = nullptr;       // of strong accesses, also without ThreadSanitizer; may be null

  Context async_in(Space space) const { return async[static_cast<int>(space)]; }
};

/// Something that orders: who acquires it is after all who released it before. Proxies and spaces are kept apart.
struct Sync {
  alignas(8) uint64_t generic = 0;
  alignas(8) uint64_t async[2] = {};  // by Space
  View view;

  uint64_t& async_in(Space space) { return async[static_cast<int>(space)]; }
};

Context create(const char* name);
void destroy(Context context);
/// `global`: the clock of global memory, where the lanes of a warp share one; null: a clock of its own.
Agent create_agent(const char* name, Context global = nullptr);
/// All clocks of the agent.
void destroy(const Agent& agent);

/// Makes `context` the one whose accesses follow; code of the emulator runs in the runtime's own.
void enter(Context context);
void enter_runtime();
/// Takes the caller's context for that of the host; call it when a launch begins, on the host's stack.
void enter_runtime_from_host();
void return_to_host();

void release(Context context, uint64_t& sync);
void acquire(Context context, uint64_t& sync);

/// All clocks of the agent and its view; ends in the runtime's context.
void release(const Agent& agent, Sync& sync);
void acquire(const Agent& agent, Sync& sync);
/// The context of an operation gives all clocks of whoever waits for it what it did.
void release(Context context, Sync& sync);
/// The context comes after all that is known of either proxy.
void acquire(Context context, Sync& sync);
/// Orders what asynchronous operations do in the space after the ordinary clock.
void join_async_after_generic(const Agent& agent, Space space);

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
  /// The memory ends: whatever is not ordered before this may touch memory of somebody else.
  void end(const void* p, size_t bytes) const;
  /// An atomic load or store of 1, 2, 4 or 8 bytes, which races with plain stores, or with all plain accesses.
  void load_word(const void* p, size_t bytes) const;
  void store_word(const void* p, size_t bytes) const;
  /// Atomic updates of all of it, which race with plain accesses only. `p` is a multiple of 2.
  void update(const void* p, size_t bytes) const;

 private:
  bool on_;
};

/// No access so far races with one that follows.
void forget(const void* p, size_t bytes);

/// Which function of Accesses is at work, for the report of the race that it meets.
enum class Kind { kAccess, kOverwrite, kReadUnwritten, kEnd };
Kind kind();

}  // namespace pallasgen::emulator::race
