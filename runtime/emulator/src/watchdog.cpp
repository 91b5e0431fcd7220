#include "watchdog.h"

#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "current.h"
#include "poison.h"
#include "report.h"
#include "source_place.h"

namespace pallasgen::emulator {
namespace {

constexpr int kCrashSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr double kTick = 0.5;  // seconds of CPU time

std::atomic<unsigned> ticks_without_switch{0};
unsigned tick_limit = 0;
alignas(16) char signal_stack[256 << 10];
struct sigaction saved_crash[std::size(kCrashSignals)];
struct sigaction saved_timer;

std::string what_is_at(const void* address) {
  const Execution* run = execution_or_null();
  if (run == nullptr) return "";
  for (const Cta* cta : run->ctas()) {
    if (cta->stacks != nullptr)
      if (const long thread = cta->stacks->overflowed(address); thread >= 0)
        return text(": the stack of thread %ld overflowed (PALLASGEN_EMULATOR=stack=BYTES gives more)", thread);
    if (cta->shared.flanks(address))
      return text(": %+ld bytes from the start of the shared memory of %s, which has %zu",
                  static_cast<long>(static_cast<const char*>(address) - cta->shared.data()), describe(*cta).c_str(),
                  cta->shared.bytes());
  }
  return "";
}

/// Where a signal stopped the kernel: ", at kernel.cu:12", or nothing.
std::string stopped_at(const void* context) {
#ifdef __x86_64__
  // source_place looks at the byte before a return address; here the instruction itself is wanted.
  const greg_t pc = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  const std::string place = source_place(reinterpret_cast<const char*>(pc) + 1);
  return place.empty() ? "" : ", at " + place;
#else
  static_cast<void>(context);
  return "";
#endif
}

// The process is lost in any case, so that the report may allocate.
void on_crash(int signal, siginfo_t* info, void* context) {
  const bool has_address = signal == SIGSEGV || signal == SIGBUS;
  fail(kExitCrash, std::string(signal == SIGSEGV  ? "SIGSEGV"
                               : signal == SIGBUS ? "SIGBUS"
                               : signal == SIGFPE ? "SIGFPE"
                                                  : "SIGILL") +
                       (has_address ? text(" at %p", info->si_addr) + what_is_at(info->si_addr) : "") +
                       stopped_at(context));
}

void on_tick(int, siginfo_t*, void* context) {
  if (++ticks_without_switch <= tick_limit) return;
  fail(kExitNoProgress, text("a thread has run for %.0f s of CPU time without a synchronisation", tick_limit * kTick) +
                            stopped_at(context));
}

void set_timer(double seconds) {
  const double whole = std::floor(seconds);
  timeval interval{};
  interval.tv_sec = static_cast<time_t>(whole);
  interval.tv_usec = static_cast<suseconds_t>((seconds - whole) * 1e6);
  const itimerval timer{interval, interval};
  setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

// AddressSanitizer reports signals itself.
bool handles_signals() { return !poison::enabled(); }

}  // namespace

void start_watchdog(double seconds_without_switch) {
  if (!handles_signals()) return;
  const stack_t stack{.ss_sp = signal_stack, .ss_flags = 0, .ss_size = sizeof signal_stack};
  sigaltstack(&stack, nullptr);
  struct sigaction crash{};
  crash.sa_sigaction = on_crash;
  crash.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
  for (size_t i = 0; i < std::size(kCrashSignals); ++i) sigaction(kCrashSignals[i], &crash, &saved_crash[i]);
  struct sigaction tick{};
  tick.sa_sigaction = on_tick;
  tick.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  if (race::enabled()) return;  // ThreadSanitizer holds back signals that come from outside
  sigaction(SIGVTALRM, &tick, &saved_timer);
  tick_limit = static_cast<unsigned>(std::max(1.0, seconds_without_switch / kTick));
  ticks_without_switch = 0;
  set_timer(kTick);
}

void stop_watchdog() {
  if (!handles_signals()) return;
  for (size_t i = 0; i < std::size(kCrashSignals); ++i) sigaction(kCrashSignals[i], &saved_crash[i], nullptr);
  if (race::enabled()) return;
  set_timer(0);
  sigaction(SIGVTALRM, &saved_timer, nullptr);
}

void watchdog_progress() { ticks_without_switch.store(0, std::memory_order_relaxed); }

}  // namespace pallasgen::emulator
