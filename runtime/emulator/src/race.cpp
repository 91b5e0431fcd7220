#include "race.h"

#include <algorithm>
#include <deque>

extern "C" {
// ThreadSanitizer's interface for fibers, annotations and accesses; absent in a program without it.
#define PALLASGEN_WEAK __attribute__((weak))
PALLASGEN_WEAK void* __tsan_get_current_fiber();
PALLASGEN_WEAK void* __tsan_create_fiber(unsigned flags);
PALLASGEN_WEAK void __tsan_destroy_fiber(void* fiber);
PALLASGEN_WEAK void __tsan_switch_to_fiber(void* fiber, unsigned flags);
PALLASGEN_WEAK void __tsan_set_fiber_name(void* fiber, const char* name);
PALLASGEN_WEAK void __tsan_acquire(void* address);
PALLASGEN_WEAK void __tsan_release(void* address);
PALLASGEN_WEAK void __tsan_read_range(void* address, unsigned long size);
PALLASGEN_WEAK void __tsan_write_range(void* address, unsigned long size);
PALLASGEN_WEAK signed char __tsan_atomic8_load(const volatile signed char* address, int order);
PALLASGEN_WEAK short __tsan_atomic16_load(const volatile short* address, int order);
PALLASGEN_WEAK int __tsan_atomic32_load(const volatile int* address, int order);
PALLASGEN_WEAK long __tsan_atomic64_load(const volatile long* address, int order);
PALLASGEN_WEAK signed char __tsan_atomic8_fetch_add(volatile signed char* address, signed char value, int order);
PALLASGEN_WEAK long __tsan_atomic64_fetch_add(volatile long* address, long value, int order);
PALLASGEN_WEAK short __tsan_atomic16_fetch_add(volatile short* address, short value, int order);
PALLASGEN_WEAK int __tsan_atomic32_fetch_add(volatile int* address, int value, int order);
PALLASGEN_WEAK void __tsan_java_alloc(unsigned long address, unsigned long size);
PALLASGEN_WEAK void __tsan_func_entry(void* pc);
PALLASGEN_WEAK void __tsan_func_exit();
PALLASGEN_WEAK void __tsan_ignore_thread_begin();
}

namespace pallasgen::emulator::race {
namespace {

constexpr unsigned kNoSynchronisation = 1;  // __tsan_switch_to_fiber_no_sync

Context current = nullptr, runtime = nullptr, host = nullptr;
Kind current_kind = Kind::kAccess;

// ThreadSanitizer soon forgets the accesses of an ended fiber (it keeps the traces of a few dozen), and reports no race
// whose first access it cannot show. So contexts that are done end later: when there are more than kContexts, as it can
// have some 8,000 fibers, but not before kRetired others are done.
constexpr size_t kContexts = 4096, kRetired = 256;
std::deque<Context> retired;
size_t contexts = 0;  // contexts that have not ended, including the retired

// ThreadSanitizer stops at the first access of a range that races, even if it cannot report it. So ranges are split
// into pieces.
constexpr size_t kPiece = 4096;

template <class Access>
void in_pieces(const void* p, size_t bytes, Access access) {
  char* at = static_cast<char*>(const_cast<void*>(p));
  for (size_t done = 0; done < bytes; done += kPiece) access(at + done, std::min(kPiece, bytes - done));
}

}  // namespace

bool enabled() { return __tsan_create_fiber != nullptr; }

void enter(Context context) {
  if (context == current || context == nullptr) return;
  current = context;
  __tsan_switch_to_fiber(context, kNoSynchronisation);
}

void enter_runtime() { enter(runtime); }

void enter_runtime_from_host() {
  if (!enabled()) return;
  host = current = __tsan_get_current_fiber();
  if (runtime == nullptr) {
    runtime = __tsan_create_fiber(kNoSynchronisation);
    __tsan_set_fiber_name(runtime, "emulator");
    enter(runtime);
    __tsan_ignore_thread_begin();
  }
  enter(runtime);
}

void return_to_host() { enter(host); }

Context create(const char* name) {
  if (!enabled()) return nullptr;
  enter(runtime);
  const Context context = __tsan_create_fiber(kNoSynchronisation);
  __tsan_set_fiber_name(context, name);
  ++contexts;
  return context;
}

void destroy(Context context) {
  if (context == nullptr) return;
  enter(runtime);
  retired.push_back(context);
  while (retired.size() > kRetired && contexts > kContexts) {
    __tsan_destroy_fiber(retired.front());
    retired.pop_front();
    --contexts;
  }
}

Agent create_agent(const char* name, Context global) {
  if (!enabled()) return {.view = new View};
  return {create(name), {create(name), global != nullptr ? global : create(name)}, new uint64_t(0), new View};
}

void destroy(const Agent& agent) {
  destroy(agent.generic);
  for (const Context context : agent.async) destroy(context);
  delete agent.fence;
  delete agent.view;
}

void release(Context context, uint64_t& sync) {
  if (context == nullptr) return;
  enter(context);
  __tsan_release(&sync);
  enter(runtime);
}

void acquire(Context context, uint64_t& sync) {
  if (context == nullptr) return;
  enter(context);
  __tsan_acquire(&sync);
  enter(runtime);
}

void release(const Agent& agent, Sync& sync) {
  if (agent.view != nullptr) sync.view.join(*agent.view);
  if (agent.generic == nullptr) return;
  for (const Space space : kSpaces) {
    enter(agent.async_in(space));
    __tsan_release(&sync.async_in(space));
  }
  enter(agent.generic);
  __tsan_release(&sync.generic);
  enter(runtime);
}

void acquire(const Agent& agent, Sync& sync) {
  if (agent.view != nullptr) agent.view->join(sync.view);
  if (agent.generic == nullptr) return;
  for (const Space space : kSpaces) {
    enter(agent.async_in(space));
    __tsan_acquire(&sync.async_in(space));
  }
  enter(agent.generic);
  __tsan_acquire(&sync.generic);
  enter(runtime);
}

void release(Context context, Sync& sync) {
  if (context == nullptr) return;
  enter(context);
  __tsan_release(&sync.generic);
  for (uint64_t& async : sync.async) __tsan_release(&async);
  enter(runtime);
}

void join_async_after_generic(const Agent& agent, Space space) {
  if (agent.generic == nullptr) return;
  enter(agent.generic);
  __tsan_release(agent.fence);
  enter(agent.async_in(space));
  __tsan_acquire(agent.fence);
  enter(runtime);
}

void acquire(Context context, Sync& sync) {
  if (context == nullptr) return;
  enter(context);
  __tsan_acquire(&sync.generic);
  for (uint64_t& async : sync.async) __tsan_acquire(&async);
  enter(runtime);
}

void release_host(Sync& sync) { release(host, sync); }

void host_waits_for(Sync& sync) { acquire(host, sync); }

Accesses::Accesses(Context context, const void* pc) : on_(context != nullptr) {
  if (!on_) return;
  enter(context);
  __tsan_func_entry(const_cast<void*>(pc));
}

Accesses::~Accesses() {
  if (!on_) return;
  __tsan_func_exit();
  enter(runtime);
}

void Accesses::read(const void* p, size_t bytes) const {
  if (on_) in_pieces(p, bytes, [](void* at, size_t size) { __tsan_read_range(at, size); });
}

void Accesses::read_unwritten(const void* p, size_t bytes) const {
  current_kind = Kind::kReadUnwritten;
  read(p, bytes);
  current_kind = Kind::kAccess;
}

void Accesses::load_word(const void* p, size_t bytes) const {
  constexpr int kRelaxed = 0;
  if (!on_) return;
  if (bytes == 1) __tsan_atomic8_load(static_cast<const signed char*>(p), kRelaxed);
  if (bytes == 2) __tsan_atomic16_load(static_cast<const short*>(p), kRelaxed);
  if (bytes == 4) __tsan_atomic32_load(static_cast<const int*>(p), kRelaxed);
  if (bytes == 8) __tsan_atomic64_load(static_cast<const long*>(p), kRelaxed);
}

void Accesses::store_word(const void* p, size_t bytes) const {
  constexpr int kRelaxed = 0;
  if (!on_) return;
  void* at = const_cast<void*>(p);
  if (bytes == 1) __tsan_atomic8_fetch_add(static_cast<signed char*>(at), 0, kRelaxed);
  if (bytes == 2) __tsan_atomic16_fetch_add(static_cast<short*>(at), 0, kRelaxed);
  if (bytes == 4) __tsan_atomic32_fetch_add(static_cast<int*>(at), 0, kRelaxed);
  if (bytes == 8) __tsan_atomic64_fetch_add(static_cast<long*>(at), 0, kRelaxed);
}

void Accesses::update(const void* p, size_t bytes) const {
  constexpr int kRelaxed = 0;
  if (!on_) return;
  // The largest words that are aligned and divide the bytes; TMA reduces no element below 2 bytes.
  char* at = static_cast<char*>(const_cast<void*>(p));
  const size_t word = (reinterpret_cast<uintptr_t>(p) | bytes) % sizeof(int) == 0 ? sizeof(int) : sizeof(short);
  for (size_t i = 0; i < bytes; i += word)
    if (word == sizeof(int))
      __tsan_atomic32_fetch_add(reinterpret_cast<int*>(at + i), 0, kRelaxed);
    else
      __tsan_atomic16_fetch_add(reinterpret_cast<short*>(at + i), 0, kRelaxed);
}

void Accesses::write(const void* p, size_t bytes) const {
  if (on_) in_pieces(p, bytes, [](void* at, size_t size) { __tsan_write_range(at, size); });
}

void Accesses::overwrite(const void* p, size_t bytes) const {
  current_kind = Kind::kOverwrite;
  write(p, bytes);
  current_kind = Kind::kAccess;
}

void Accesses::end(const void* p, size_t bytes) const {
  current_kind = Kind::kEnd;
  write(p, bytes);
  current_kind = Kind::kAccess;
}

// An allocation makes memory new. Only words of barriers use this, when they are initialised.
void forget(const void* p, size_t bytes) {
  if (__tsan_java_alloc && bytes != 0) __tsan_java_alloc(reinterpret_cast<uintptr_t>(p), bytes);
}

Kind kind() { return current_kind; }

}  // namespace pallasgen::emulator::race
