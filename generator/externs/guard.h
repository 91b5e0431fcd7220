#pragma once

#include <functional>

namespace pallasgen {

// Runs user code in this process. Returns 0, or the signal that ended it (SIGFPE for an integer division by zero,
// SIGSEGV for an endless recursion). After a signal nothing that the code held is freed.
int run_guarded(const std::function<void()>& code);

}  // namespace pallasgen
