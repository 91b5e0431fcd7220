#include "poison.h"

extern "C" {
#define PALLASGEN_WEAK __attribute__((weak))
PALLASGEN_WEAK void __asan_poison_memory_region(void const volatile* address, size_t size);
PALLASGEN_WEAK void __asan_unpoison_memory_region(void const volatile* address, size_t size);
PALLASGEN_WEAK void* __asan_region_is_poisoned(void* address, size_t size);
PALLASGEN_WEAK void __asan_report_error(void* pc, void* bp, void* sp, void* address, int is_write, size_t size);
PALLASGEN_WEAK void __sanitizer_start_switch_fiber(void** save, const void* stack, size_t size);
PALLASGEN_WEAK void __sanitizer_finish_switch_fiber(void* save, const void** old_stack, size_t* old_size);
}

namespace pallasgen::emulator::poison {

bool enabled() { return __asan_poison_memory_region != nullptr; }

void poison(const void* p, size_t bytes) {
  if (enabled() && bytes != 0) __asan_poison_memory_region(p, bytes);
}

void unpoison(const void* p, size_t bytes) {
  if (enabled() && bytes != 0) __asan_unpoison_memory_region(p, bytes);
}

void check(const void* p, size_t bytes, bool write, const void* pc) {
  if (!enabled() || bytes == 0) return;
  void* bad = __asan_region_is_poisoned(const_cast<void*>(p), bytes);
  if (bad == nullptr) return;
  void* frame = __builtin_frame_address(0);
  __asan_report_error(const_cast<void*>(pc), frame, frame, bad, write, bytes);
}

void start_switch(void** save, const void* stack, size_t bytes) {
  if (__asan_poison_memory_region != nullptr) __sanitizer_start_switch_fiber(save, stack, bytes);
}

void finish_switch(void* save, const void** old_stack, size_t* old_bytes) {
  if (__asan_poison_memory_region != nullptr) __sanitizer_finish_switch_fiber(save, old_stack, old_bytes);
}

}  // namespace pallasgen::emulator::poison
