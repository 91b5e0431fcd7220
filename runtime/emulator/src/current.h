#pragma once
#include <string>

#include "cta.h"
#include "execution.h"

// The current launch and the thread that runs in it. Functions of ptx/ find their caller only through these.
namespace pallasgen::emulator {

/// The running launch; fails when no kernel runs.
Execution& execution();
/// The running launch, or null.
Execution* execution_or_null();
void set_execution(Execution* execution);

/// The thread whose fiber runs; fails if `what` was called outside a kernel. `pc` is where the kernel called: the
/// return address of the function that uses this default, which is the one that the kernel calls.
Thread& current_thread(const char* what, const void* pc = __builtin_return_address(0));
Thread* current_thread_or_null();
void set_current_thread(Thread* thread);

/// "kernel K, CTA (x,y,z), thread t (warpgroup g, warp w, lane l)", or the asynchronous operation instead of the
/// thread; empty outside a kernel.
std::string describe_current();
/// "CTA (x,y,z)".
std::string describe(const Cta& cta);
/// "thread t (warpgroup g, warp w, lane l)".
std::string describe(const Thread& thread);

/// A thread's time in the emulator: its race context is the runtime's from here to the end of the scope.
class Entry {
 public:
  explicit Entry(const char* what, const void* pc = __builtin_return_address(0)) : thread(current_thread(what, pc)) {
    race::enter_runtime();
  }
  ~Entry() { race::enter(thread.agent.generic); }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  Thread& thread;
  Cta& cta() const { return *thread.cta; }
};

}  // namespace pallasgen::emulator
