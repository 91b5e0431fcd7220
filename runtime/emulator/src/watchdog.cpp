#include "watchdog.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "current.h"
#include "host_call.h"
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
stack_t saved_stack;
timer_t timer;
bool has_timer = false;

alignas(16) char stack_of_exit[4096];

[[noreturn]] void leave_by_signal() { __builtin_longjmp(signal_exit().frame, 1); }

/// Ends the process with the report; if errors are returned, makes watched() continue after the signal's handler.
void report_signal(ExitCode code, const std::string& message, void* context) {
#ifdef __x86_64__
  if (returns_errors()) {
    signal_exit().error = keep_report(code, report_of(code, message));
    mcontext_t& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
    registers.gregs[REG_RIP] = reinterpret_cast<greg_t>(&leave_by_signal);
    registers.gregs[REG_RSP] = reinterpret_cast<greg_t>(stack_of_exit + sizeof stack_of_exit - sizeof(void*));
    return;
  }
#else
  static_cast<void>(context);
#endif
  fail(code, message);
}

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

/// Returns where a signal stopped the kernel: ", at kernel.cu:12", or an empty string.
std::string stopped_at(const void* context) {
#ifdef __x86_64__
  // source_place looks at the byte before a return address; the place of the instruction itself is needed here.
  const greg_t pc = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  const std::string place = source_place(reinterpret_cast<const char*>(pc) + 1);
  return place.empty() ? "" : ", at " + place;
#else
  static_cast<void>(context);
  return "";
#endif
}

// The process is lost in any case, or code of a kernel crashed, so the report may allocate.
void on_crash(int signal, siginfo_t* info, void* context) {
  if (execution_or_null() == nullptr) {  // another thread of the program, whose own handler takes the signal again
    for (size_t i = 0; i < std::size(kCrashSignals); ++i)
      if (kCrashSignals[i] == signal) sigaction(signal, &saved_crash[i], nullptr);
    return;
  }
  const bool has_address = signal == SIGSEGV || signal == SIGBUS;
  report_signal(kExitCrash,
                std::string(signal == SIGSEGV  ? "SIGSEGV"
                            : signal == SIGBUS ? "SIGBUS"
                            : signal == SIGFPE ? "SIGFPE"
                                               : "SIGILL") +
                    (has_address ? text(" at %p", info->si_addr) + what_is_at(info->si_addr) : "") +
                    stopped_at(context),
                context);
}

void on_tick(int, siginfo_t*, void* context) {
  if (execution_or_null() == nullptr) return;  // a signal of the program's own, on another thread
  if (++ticks_without_switch <= tick_limit) return;
  report_signal(kExitNoProgress,
                text("a thread has run for %.0f s of CPU time without a synchronisation", tick_limit * kTick) +
                    stopped_at(context),
                context);
}

// A timer of this thread alone: signals of ITIMER_VIRTUAL may go to any thread of the program.
void start_timer(double seconds) {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGVTALRM;
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  has_timer = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0;
  if (!has_timer) return;
  const double whole = std::floor(seconds);
  timespec interval{};
  interval.tv_sec = static_cast<time_t>(whole);
  interval.tv_nsec = static_cast<long>((seconds - whole) * 1e9);
  const itimerspec setting{interval, interval};
  timer_settime(timer, 0, &setting, nullptr);
}

void stop_timer() {
  if (has_timer) timer_delete(timer);
  has_timer = false;
}

// AddressSanitizer reports signals itself.
bool handles_signals() { return !poison::enabled(); }

}  // namespace

SignalExit& signal_exit() {
  static SignalExit exit;  // for the one launch that runs
  return exit;
}

void start_watchdog(double seconds_without_switch) {
  if (!handles_signals()) return;
  const stack_t stack{.ss_sp = signal_stack, .ss_flags = 0, .ss_size = sizeof signal_stack};
  sigaltstack(&stack, &saved_stack);
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
  start_timer(kTick);
}

void stop_watchdog() {
  if (!handles_signals()) return;
  for (size_t i = 0; i < std::size(kCrashSignals); ++i) sigaction(kCrashSignals[i], &saved_crash[i], nullptr);
  sigaltstack(&saved_stack, nullptr);
  if (race::enabled()) return;
  stop_timer();
  sigaction(SIGVTALRM, &saved_timer, nullptr);
}

void watchdog_progress() { ticks_without_switch.store(0, std::memory_order_relaxed); }

}  // namespace pallasgen::emulator
