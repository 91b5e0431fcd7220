#pragma once

#include <driver_types.h>

namespace pallasgen::emulator {

/// Turns signals that a kernel causes (bad addresses, stack overflow, division by zero) and threads that run without
/// end into reports. AddressSanitizer reports signals itself; under ThreadSanitizer there is no time limit.
void start_watchdog(double seconds_without_switch);
void stop_watchdog();

/// Where watched() continues when a signal has ended its function, as __builtin_setjmp fills it; and its result then.
struct SignalExit {
  void* frame[5];
  cudaError_t error = cudaSuccess;
};
SignalExit& signal_exit();

/// Calls `run` with the jump target set. If errors are returned, a signal that a kernel causes ends it with the error
/// that represents the report; the stack of `run` is not unwound.
template <class Function>
[[gnu::noinline]] cudaError_t watched(Function&& run) {
  if (__builtin_setjmp(signal_exit().frame) != 0) return signal_exit().error;
  run();
  return cudaSuccess;
}

/// Restarts the time limit, as the scheduler goes on to another thread.
void watchdog_progress();

}  // namespace pallasgen::emulator
