#include <pallasgen/emulator/exit_codes.h>

#include <cstdio>
#include <string>

#include "current.h"

// What the sanitizers ask a program for by name. The numbers are those of exit_codes.h.
extern "C" {

const char* __asan_default_options() { return "exitcode=87:detect_leaks=0:handle_segv=1"; }
const char* __tsan_default_options() { return "exitcode=88:halt_on_error=1:report_thread_leaks=0:history_size=4"; }

/// Called before AddressSanitizer prints its report.
void __asan_on_error() {
  std::fprintf(stderr, "pallasgen emulator: AddressSanitizer reports: %s\n",
               pallasgen::emulator::describe_current().c_str());
}

/// Called before ThreadSanitizer prints a report.
void __tsan_on_report(void*) {
  std::fprintf(stderr, "pallasgen emulator: data race, found in: %s\n",
               pallasgen::emulator::describe_current().c_str());
}

}  // extern "C"

static_assert(pallasgen::emulator::kExitAddressError == 87 && pallasgen::emulator::kExitRace == 88);

namespace pallasgen::emulator {

void link_sanitizer_defaults() {}

}  // namespace pallasgen::emulator
