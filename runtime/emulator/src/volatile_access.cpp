#include <cstring>

#include "current.h"

// Volatile accesses, which PTX treats as relaxed ones of system scope. A kernel that is compiled with -fsanitize=thread
// -mllvm -tsan-distinguish-volatile calls one of these functions before each.
namespace pallasgen::emulator {
namespace {

constexpr size_t kLargest = 8;  // bytes of an access to a single value

StrongAccess volatile_access(size_t bytes) { return {MemoryOrder::kRelaxed, MemoryScope::kSystem, bytes}; }

uint64_t bits_at(const void* p, size_t bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, p, bytes);
  return bits;
}

bool is_value(const void* p, size_t bytes) { return bytes <= kLargest && reinterpret_cast<uintptr_t>(p) % bytes == 0; }

/// True for variables of the kernel's own, which no other thread accesses.
bool is_on_stack(const Thread& thread, const void* p) {
  return thread.cta->stacks != nullptr && thread.cta->stacks->owner(p) >= 0;
}

void before_load(const void* p, size_t bytes, const void* pc) {
  Thread* const thread = current_thread_or_null();
  if (thread == nullptr || is_on_stack(*thread, p)) return;
  Entry entry("volatile load", pc);
  execution().yield(*thread, "a volatile load");
  if (!is_value(p, bytes)) return race::Accesses(thread->agent.generic, pc).read(p, bytes);
  race::Accesses(thread->agent.generic, pc).load_word(p, bytes);
  execution().strong.load(*thread, p, volatile_access(bytes), bits_at(p, bytes), /*newest=*/true);
}

void before_store(const void* p, size_t bytes, const void* pc) {
  Thread* const thread = current_thread_or_null();
  if (thread == nullptr || is_on_stack(*thread, p)) return;
  Entry entry("volatile store", pc);
  execution().yield(*thread, nullptr);
  if (!is_value(p, bytes)) return race::Accesses(thread->agent.generic, pc).write(p, bytes);
  race::Accesses(thread->agent.generic, pc).store_word(p, bytes);
  execution().strong.store_ahead(*thread, p, volatile_access(bytes), bits_at(p, bytes));
  execution().note_progress();
}

}  // namespace
}  // namespace pallasgen::emulator

extern "C" {
#define PALLASGEN_VOLATILE(name, bytes)                                       \
  void __tsan_##name##read##bytes(void* p) {                                  \
    pallasgen::emulator::before_load(p, bytes, __builtin_return_address(0));  \
  }                                                                           \
  void __tsan_##name##write##bytes(void* p) {                                 \
    pallasgen::emulator::before_store(p, bytes, __builtin_return_address(0)); \
  }
PALLASGEN_VOLATILE(volatile_, 1)
PALLASGEN_VOLATILE(volatile_, 2)
PALLASGEN_VOLATILE(volatile_, 4)
PALLASGEN_VOLATILE(volatile_, 8)
PALLASGEN_VOLATILE(volatile_, 16)
PALLASGEN_VOLATILE(unaligned_volatile_, 2)
PALLASGEN_VOLATILE(unaligned_volatile_, 4)
PALLASGEN_VOLATILE(unaligned_volatile_, 8)
PALLASGEN_VOLATILE(unaligned_volatile_, 16)
}
