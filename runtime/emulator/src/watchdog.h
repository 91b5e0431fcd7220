#pragma once

namespace pallasgen::emulator {

/// Turns signals that a kernel causes (bad addresses, stack overflow, division by zero) and threads that run without
/// end into reports. AddressSanitizer reports signals itself; under ThreadSanitizer nothing watches the time.
void start_watchdog(double seconds_without_switch);
void stop_watchdog();

/// The scheduler goes on to another thread.
void watchdog_progress();

}  // namespace pallasgen::emulator
