#pragma once

#include <functional>

namespace pallasgen {

// Runs code of the user's in this process: 0, or the signal that ended it (SIGFPE of an integer division by zero,
// SIGSEGV of a recursion without end). After a signal nothing that the code held is freed.
int run_guarded(const std::function<void()>& code);

}  // namespace pallasgen
