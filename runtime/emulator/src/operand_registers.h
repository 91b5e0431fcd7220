#pragma once
#include <pallasgen/emulator/instructions.h>

#include <cstdint>
#include <vector>

namespace pallasgen::emulator {

/// The variables that hold the A operands of a thread's wgmma instructions. An instruction may read its registers until
/// the thread has waited for it, so they must stay as they are until then; and what was written since must be fenced.
class OperandRegisters {
 public:
  /// Number `instruction` of the thread's takes its operand from these four. Fails when one of them was written while an
  /// instruction in flight may read it, or without a fence.
  void use(const OperandRegister* registers, uint64_t instruction);
  /// The thread executes wgmma.fence. Variables below `stack` are gone.
  void fenced(const void* stack);
  /// The thread has waited for its instructions up to number `end`. Fails when a variable of theirs was written. Those
  /// below `stack` are gone.
  void waited(uint64_t end, const void* stack);

 private:
  struct Use {
    const uint32_t* variable;
    uint32_t value;  // which an instruction took, or that it had at a later fence, while none was in flight
    uint64_t end;    // instructions to wait for until it may be written; 0 when there are none
  };
  void forget_below(const void* stack);
  std::vector<Use> uses_;
};

}  // namespace pallasgen::emulator
