#pragma once

namespace pallasgen::emulator {

class Execution;
struct Thread;

/// Ends the process, as nothing can run. Lists, for each CTA, ranges of threads and what they wait for.
[[noreturn]] void report_deadlock(const Execution& execution);

/// Ends the process, as threads poll without end; `thread` is one of them.
[[noreturn]] void report_polling(const Execution& execution, const Thread& thread);

/// Ends the process, as threads meet without end and nothing else happens; `thread` is one of them.
[[noreturn]] void report_idling(const Execution& execution, const Thread& thread);

}  // namespace pallasgen::emulator
