#include "fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "poison.h"
#include "report.h"

#if !defined(__x86_64__) || !defined(__linux__)
#error "the emulator's switch of stacks is written for Linux on x86-64"
#endif

// void pallasgen_switch_stack(void** save, void* to): pushes the registers that a call preserves (System V ABI; no
// kernel changes the floating-point control words), stores the stack pointer in *save and goes on from `to`.
extern "C" [[gnu::visibility("hidden")]] void pallasgen_switch_stack(void** save, void* to);
asm(R"(
.text
.globl pallasgen_switch_stack
.hidden pallasgen_switch_stack
.type pallasgen_switch_stack, @function
pallasgen_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size pallasgen_switch_stack, . - pallasgen_switch_stack
)");

namespace pallasgen::emulator {
namespace {

constexpr size_t kSavedRegisters = 6;

// The scheduler's stack.
void* scheduler_pointer = nullptr;
void* scheduler_sanitizer_state = nullptr;
const void* scheduler_stack = nullptr;
size_t scheduler_bytes = 0;

size_t page_size() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

}  // namespace

Stacks::Stacks(size_t count, size_t bytes, bool guards) : count_(count) {
  const size_t page = page_size();
  bytes_ = (bytes + page - 1) / page * page;
  stride_ = bytes_ + (guards ? page : 0);
  void* mapping =
      mmap(nullptr, count_ * stride_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) fail(kExitCrash, text("no memory for %zu stacks of %zu bytes", count_, bytes_));
  mapping_ = static_cast<char*>(mapping);
  for (size_t i = 0; guards && i < count_; ++i) mprotect(mapping_ + i * stride_, page, PROT_NONE);
}

Stacks::~Stacks() { munmap(mapping_, count_ * stride_); }

char* Stacks::base(size_t i) const { return mapping_ + (i + 1) * stride_ - bytes_; }

long Stacks::nearest(const void* address) const {
  const char* p = static_cast<const char*>(address);
  if (p < mapping_ || p >= mapping_ + count_ * stride_) return -1;
  return static_cast<long>(static_cast<size_t>(p - mapping_) / stride_);
}

long Stacks::owner(const void* address) const {
  const long i = nearest(address);
  return i >= 0 && address >= base(static_cast<size_t>(i)) ? i : -1;
}

long Stacks::overflowed(const void* address) const {
  const long i = nearest(address);
  return i >= 0 && address < base(static_cast<size_t>(i)) ? i : -1;
}

void Fiber::prepare(char* stack, size_t bytes, void (*entry)()) {
  stack_ = stack;
  bytes_ = bytes;
  // The words that pallasgen_switch_stack pops: the saved registers, then `entry` as the return address. A function
  // expects its stack 8 bytes below a multiple of 16, as after a call.
  uintptr_t* top = reinterpret_cast<uintptr_t*>((reinterpret_cast<uintptr_t>(stack) + bytes) & ~uintptr_t{63});
  *--top = 0;
  *--top = reinterpret_cast<uintptr_t>(entry);
  for (size_t i = 0; i < kSavedRegisters; ++i) *--top = 0;
  stack_pointer_ = top;
}

void Fiber::resume() {
  poison::start_switch(&scheduler_sanitizer_state, stack_, bytes_);
  pallasgen_switch_stack(&scheduler_pointer, stack_pointer_);
  poison::finish_switch(scheduler_sanitizer_state, nullptr, nullptr);
}

void Fiber::suspend() {
  poison::start_switch(&sanitizer_state_, scheduler_stack, scheduler_bytes);
  pallasgen_switch_stack(&stack_pointer_, scheduler_pointer);
  poison::finish_switch(sanitizer_state_, &scheduler_stack, &scheduler_bytes);
}

void Fiber::started() { poison::finish_switch(nullptr, &scheduler_stack, &scheduler_bytes); }

void Fiber::finish() {
  poison::start_switch(nullptr, scheduler_stack, scheduler_bytes);
  pallasgen_switch_stack(&stack_pointer_, scheduler_pointer);
  std::abort();
}

}  // namespace pallasgen::emulator
