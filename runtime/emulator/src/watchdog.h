#pragma once

#include <driver_types.h>

namespace pallasgen::emulator {

/// Turns signals that a kernel causes (bad addresses, stack overflow, division by zero) and threads that run without
/// end into reports. AddressSanitizer reports signals itself; under ThreadSanitizer nothing watches the time.
void start_watchdog(double seconds_without_switch);
void stop_watchdog();

/// Where watched() goes on when a signal has ended what it runs, as __builtin_setjmp fills it; and what it returns
/// then.
struct SignalExit {
  void* frame[5];
  cudaError_t error = cudaSuccess;
};
SignalExit& signal_exit();

/// Calls `run` between the two. Where errors are returned, a signal that a kernel causes ends it with the error that
/// stands for the report; what `run` had on its stack is left as it is.
template <class Function>
[[gnu::noinline]] cudaError_t watched(Function&& run) {
  if (__builtin_setjmp(signal_exit().frame) != 0) return signal_exit().error;
  run();
  return cudaSuccess;
}

/// The scheduler goes on to another thread.
void watchdog_progress();

}  // namespace pallasgen::emulator
