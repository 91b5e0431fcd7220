#pragma once
#include <cstddef>

namespace pallasgen::emulator {

/// One stack for each CUDA thread of a CTA, in one mapping, on request with a page without access below each.
class Stacks {
 public:
  Stacks(size_t count, size_t bytes, bool guards);
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  /// The lowest usable byte of stack `i`.
  char* base(size_t i) const;
  size_t bytes() const { return bytes_; }
  /// The stack in which `address` lies, or -1.
  long owner(const void* address) const;
  /// The stack below which `address` fell into the guard page, or -1.
  long overflowed(const void* address) const;

 private:
  /// The stack in which, or in whose guard, `address` lies, or -1.
  long nearest(const void* address) const;

  size_t count_, bytes_, stride_;  // bytes_ <= stride_: the rest is the guard
  char* mapping_;
};

/// A function that runs on its own stack and suspends itself in favour of the caller of resume().
class Fiber {
 public:
  /// `entry` is called at the first resume; it must end in finish() and never return.
  void prepare(char* stack, size_t bytes, void (*entry)());

  /// Runs the fiber until it suspends. Called on the scheduler's stack.
  void resume();

  /// Returns to the scheduler. Called on the fiber's stack.
  void suspend();

  /// Called first and last by a fiber's entry.
  static void started();
  [[noreturn]] void finish();

 private:
  char* stack_ = nullptr;
  size_t bytes_ = 0;
  void* stack_pointer_ = nullptr;
  void* sanitizer_state_ = nullptr;
};

}  // namespace pallasgen::emulator
