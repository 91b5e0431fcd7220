#pragma once
#include <cstddef>
#include <cstdint>

#include "view.h"

// Race detection with ThreadSanitizer's fibers as vector clocks. These functions act in a kernel linked with
// -fsanitize=thread; otherwise each returns at once. The emulator itself is never instrumented: it runs in a context of
// its own that ThreadSanitizer ignores, and declares explicitly, in the context of the acting thread or operation,
// which memory an operation reads and writes and what it orders.
namespace pallasgen::emulator::race {

/// A clock of ThreadSanitizer: one per agent and proxy, one per asynchronous operation. Null if disabled.
using Context = void*;

/// True if the program is linked with ThreadSanitizer.
bool enabled();

/// The state spaces that fence.proxy.async distinguishes.
enum class Space { kShared, kGlobal };
constexpr Space kSpaces[] = {Space::kShared, Space::kGlobal};

/// The clocks of a warp (or a thread, with Options::per_thread): one orders its ordinary accesses; one per space orders
/// the accesses of the asynchronous operations that it starts. fence.proxy.async of a space brings that space's clock
/// up to the first one. ThreadSanitizer supports some 250 clocks, so threads that have clocks of their own share that
/// of global memory within a warp.
struct Agent {
  Context generic = nullptr;
  Context async[2] = {};      // by Space
  uint64_t* fence = nullptr;  // orders the second after the first; an agent's own, or fences would order agents too
  View* view = nullptr;       // the view of strong accesses, also without ThreadSanitizer; may be null

  Context async_in(Space space) const { return async[static_cast<int>(space)]; }
};

/// A synchronisation: who acquires it is after all who released it before. Proxies and spaces are kept apart.
struct Sync {
  alignas(8) uint64_t generic = 0;
  alignas(8) uint64_t async[2] = {};  // by Space
  View view;

  uint64_t& async_in(Space space) { return async[static_cast<int>(space)]; }
};

Context create(const char* name);
void destroy(Context context);
/// `global`: the clock of global memory, if the lanes of a warp share one; null: a clock of its own.
Agent create_agent(const char* name, Context global = nullptr);
/// Destroys all clocks of the agent.
void destroy(const Agent& agent);

/// Makes `context` that of the next accesses; code of the emulator runs in the runtime's own.
void enter(Context context);
void enter_runtime();
/// Makes the caller's context that of the host; called when a launch begins, on the host's stack.
void enter_runtime_from_host();
void return_to_host();

void release(Context context, uint64_t& sync);
void acquire(Context context, uint64_t& sync);

/// For all clocks of the agent and its view; ends in the runtime's context.
void release(const Agent& agent, Sync& sync);
void acquire(const Agent& agent, Sync& sync);
/// Orders all clocks of a thread that waits for the operation after its context.
void release(Context context, Sync& sync);
/// Orders the context after everything that was released, of either proxy.
void acquire(Context context, Sync& sync);
/// Orders asynchronous operations in the space after the ordinary clock.
void join_async_after_generic(const Agent& agent, Space space);

/// The host's side of a launch.
void release_host(Sync& sync);

/// Orders the host, in its own context, after what was released there.
void host_waits_for(Sync& sync);

/// Accesses of an operation started at `pc`, in its context; ends in the runtime's context.
class Accesses {
 public:
  Accesses(Context context, const void* pc);
  ~Accesses();
  Accesses(const Accesses&) = delete;
  Accesses& operator=(const Accesses&) = delete;
  void read(const void* p, size_t bytes) const;
  /// The same for memory that nothing may write meanwhile: the context is ordered after no running one.
  void read_unwritten(const void* p, size_t bytes) const;
  void write(const void* p, size_t bytes) const;
  /// A write by the async proxy into shared memory: only a fence.proxy.async that was waited for orders others with it.
  void overwrite(const void* p, size_t bytes) const;
  /// The end of the memory: accesses that are not ordered before this may touch memory of another owner.
  void end(const void* p, size_t bytes) const;
  /// An atomic load or store of 1, 2, 4 or 8 bytes, which races with plain stores, or with all plain accesses.
  void load_word(const void* p, size_t bytes) const;
  void store_word(const void* p, size_t bytes) const;
  /// Atomic updates of all of it, which race with plain accesses only. `p` is a multiple of 2.
  void update(const void* p, size_t bytes) const;

 private:
  bool on_;
};

/// Makes no earlier access race with later ones.
void forget(const void* p, size_t bytes);

/// The function of Accesses that is running, for the report of the race that it finds.
enum class Kind { kAccess, kOverwrite, kReadUnwritten, kEnd };
Kind kind();

}  // namespace pallasgen::emulator::race
