#pragma once
#include <pallasgen/emulator/instructions.h>

#include <cstdint>
#include <vector>

namespace pallasgen::emulator {

/// The variables that hold the A operands of a thread's wgmma instructions. An instruction may read its registers until
/// the thread has waited for it, so they must not change until then; and later writes must be fenced.
class OperandRegisters {
 public:
  /// Records that the thread's instruction number `instruction` takes its operand from these four. Fails if one of them
  /// was written while an instruction in flight may read it, or without a fence.
  void use(const OperandRegister* registers, uint64_t instruction);
  /// Records that the thread executes wgmma.fence. Variables below `stack` are gone.
  void fenced(const void* stack);
  /// Records that the thread has waited for its instructions up to number `end`. Fails if a variable of theirs was
  /// written. Those below `stack` are gone.
  void waited(uint64_t end, const void* stack);

 private:
  struct Use {
    const uint32_t* variable;
    uint32_t value;  // as an instruction took it, or as it was at a later fence, while none was in flight
    uint64_t end;    // number of instructions to wait for until it may be written; 0 if there are none
  };
  void forget_below(const void* stack);
  std::vector<Use> uses_;
};

}  // namespace pallasgen::emulator
