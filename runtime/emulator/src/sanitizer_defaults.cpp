#include <pallasgen/emulator/exit_codes.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "current.h"
#include "race_report.h"

// Functions that the sanitizers look up by name. The numbers are those of exit_codes.h. By default they take the first
// llvm-symbolizer of PATH; on Debian that is often missing or dangling, while addr2line comes with the compiler.
#define PALLASGEN_COMMON_OPTIONS(symbolizer) ":external_symbolizer_path=" symbolizer
#define PALLASGEN_OPTIONS(options)                                                                        \
  const bool has_llvm = access(kLlvmSymbolizer, X_OK) == 0, has_binutils = access(kAddr2line, X_OK) == 0; \
  return has_llvm       ? options PALLASGEN_COMMON_OPTIONS("/usr/lib/llvm-19/bin/llvm-symbolizer")        \
         : has_binutils ? options PALLASGEN_COMMON_OPTIONS("/usr/bin/addr2line")                          \
                        : options

namespace {

constexpr char kLlvmSymbolizer[] = "/usr/lib/llvm-19/bin/llvm-symbolizer";
constexpr char kAddr2line[] = "/usr/bin/addr2line";

}  // namespace

extern "C" {

const char* __asan_default_options() { PALLASGEN_OPTIONS("exitcode=87:detect_leaks=0"); }
const char* __tsan_default_options() {
  // By default it sleeps for a second at the end of a program with several fibers, in the hope of late races.
  PALLASGEN_OPTIONS(
      "exitcode=88:halt_on_error=1:atexit_sleep_ms=0:report_thread_leaks=0:report_signal_unsafe=0:handle_segv=0:"
      "handle_sigbus=0:handle_sigfpe=0");
}

/// Called before AddressSanitizer prints its report.
void __asan_on_error() {
  std::fprintf(stderr, "pallasgen emulator: AddressSanitizer reports: %s\n",
               pallasgen::emulator::describe_current().c_str());
}

/// Called before UndefinedBehaviorSanitizer, which is linked with it, prints its own: an index outside an array.
void __ubsan_on_report() { __asan_on_error(); }

/// Called after ThreadSanitizer has printed a report: describes the two accesses in the kernel's terms.
void __tsan_on_report(void* report) { pallasgen::emulator::describe_race(report); }

}  // extern "C"

static_assert(pallasgen::emulator::kExitAddressError == 87 && pallasgen::emulator::kExitRace == 88);

namespace pallasgen::emulator {

void link_sanitizer_defaults() {}

}  // namespace pallasgen::emulator
