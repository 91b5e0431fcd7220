#include "report.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>

#include "current.h"
#include "host_call.h"
#include "race.h"
#include "source_place.h"

namespace pallasgen::emulator {
namespace {

std::string formatted(const char* format, va_list arguments) {
  va_list copy;
  va_copy(copy, arguments);
  const int size = std::vsnprintf(nullptr, 0, format, copy);
  va_end(copy);
  std::string out(static_cast<size_t>(size), '\0');
  std::vsnprintf(out.data(), out.size() + 1, format, arguments);
  return out;
}

const char* kind(ExitCode code) {
  switch (code) {
    case kExitRuleBroken:
      return "rule broken: ";
    case kExitDeadlock:
      return "deadlock: ";
    case kExitNotModelled:
      return "not modelled: ";
    case kExitNoProgress:
      return "no progress: ";
    case kExitCrash:
      return "crash: ";
    case kExitBadOptions:
      return "options: ";
    default:
      return "";
  }
}

/// Returns where the running thread called the instruction that refused; for other faults its last call is irrelevant.
std::string instruction_place(ExitCode code) {
  const Thread* thread = current_thread_or_null();
  if (thread == nullptr || (code != kExitRuleBroken && code != kExitNotModelled)) return "";
  return at_source_place(thread->pc);
}

}  // namespace

std::string text(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::string out = formatted(format, arguments);
  va_end(arguments);
  return out;
}

std::string report_of(ExitCode code, const std::string& message) {
  const std::string place = describe_current();
  return kind(code) + message + (place.empty() ? "" : "\n  " + place + instruction_place(code));
}

void fail(ExitCode code, const std::string& message) {
  race::enter_runtime();
  const std::string report = report_of(code, message);
  if (returns_errors()) {
    const cudaError_t error = keep_report(code, report);
    // A thread of the kernel leaves its stack as it is: nothing on it is unwound.
    if (Thread* thread = current_thread_or_null()) execution().abandon(*thread, error);
    throw Failure(error);
  }
  std::fflush(stdout);
  std::fprintf(stderr, "pallasgen emulator: %s\n", report.c_str());
  std::fflush(stderr);
  // Not _exit: ThreadSanitizer would end the process its own way.
  syscall(SYS_exit_group, static_cast<int>(code));
  __builtin_unreachable();
}

void rule_broken(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const std::string message = formatted(format, arguments);
  va_end(arguments);
  fail(kExitRuleBroken, message);
}

void not_modelled(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const std::string message = formatted(format, arguments);
  va_end(arguments);
  fail(kExitNotModelled, message);
}

}  // namespace pallasgen::emulator
