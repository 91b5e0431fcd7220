#include "guard.h"

#include <setjmp.h>
#include <signal.h>

#include <memory>
#include <mutex>

namespace pallasgen {

namespace {

constexpr int kSignals[] = {SIGBUS, SIGFPE, SIGILL, SIGSEGV};
constexpr size_t kStackBytes = size_t{1} << 16;

thread_local sigjmp_buf* way_back = nullptr;  // out of the guarded code that this thread runs

void leave(int signal) {
  if (way_back != nullptr) siglongjmp(*way_back, signal);
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

// Gives the handler a stack of its own, since the thread's may have run out.
void give_stack() {
  thread_local std::unique_ptr<char[]> memory;
  if (memory) return;
  memory = std::make_unique<char[]>(kStackBytes);
  stack_t stack = {};
  stack.ss_sp = memory.get();
  stack.ss_size = kStackBytes;
  ::sigaltstack(&stack, nullptr);
}

}  // namespace

int run_guarded(const std::function<void()>& code) {
  static std::once_flag installed;
  std::call_once(installed, [] {
    struct sigaction action = {};
    action.sa_handler = leave;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    for (const int signal : kSignals) ::sigaction(signal, &action, nullptr);
  });
  give_stack();
  sigjmp_buf here;
  const int signal = sigsetjmp(here, /*savesigs=*/1);
  if (signal == 0) {
    way_back = &here;
    code();
  }
  way_back = nullptr;
  return signal;
}

}  // namespace pallasgen
