#pragma once
#include <cstddef>

// Reports memory that must not be touched to AddressSanitizer. Without it (a program not linked with
// -fsanitize=address) these functions do nothing.
namespace pallasgen::emulator::poison {

bool enabled();
void poison(const void* p, size_t bytes);
void unpoison(const void* p, size_t bytes);

/// Reports, as the instruction at `pc`, an access of the emulator (which is not instrumented) to poisoned memory.
void check(const void* p, size_t bytes, bool write, const void* pc);

/// Called around a change of stack; see sanitizer/common_interface_defs.h.
void start_switch(void** save, const void* stack, size_t bytes);
void finish_switch(void* save, const void** old_stack, size_t* old_bytes);

}  // namespace pallasgen::emulator::poison
