#pragma once
#include <pallasgen/emulator/instructions.h>

#include <cstdint>
#include <vector>

namespace pallasgen::emulator {

/// The variables that hold the A operands of a thread's wgmma instructions. An instruction may read its registers until
/// the thread has waited for it, so they must stay as they are until then; and what was written since must be fenced.
class OperandRegisters {
 public:
  /// Number `instruction` of the thread's takes its operand from these four; `fences` is how many wgmma.fence the
  /// thread has executed. Fails when one of them was written while an instruction in flight may read it, or without a
  /// fence.
  void use(const OperandRegister* registers, uint64_t instruction, uint64_t fences);
  /// The thread has waited for its instructions up to number `end`. Fails when a variable of theirs was written. Those
  /// below `stack` are gone.
  void waited(uint64_t end, uint64_t fences, const void* stack);

 private:
  struct Use {
    const uint32_t* variable;
    uint32_t value;
    uint64_t end;     // instructions to wait for until it may be written; 0 when there are none
    uint64_t fences;  // executed when it was known to have this value
  };
  std::vector<Use> uses_;
};

}  // namespace pallasgen::emulator
