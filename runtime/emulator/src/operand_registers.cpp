#include "operand_registers.h"

#include <algorithm>
#include <functional>

#include "report.h"

// PTX ISA, "wgmma.mma_async" and "wgmma.fence".
namespace pallasgen::emulator {
namespace {

constexpr int kOperandRegisters = 4;
constexpr char kWritten[] = "wgmma: registers of A were written while an instruction that reads them was in flight";

}  // namespace

void OperandRegisters::use(const OperandRegister* registers, uint64_t instruction) {
  for (const OperandRegister* r = registers; r != registers + kOperandRegisters; ++r) {
    if (r->variable == nullptr) continue;
    const auto found =
        std::find_if(uses_.begin(), uses_.end(), [=](const Use& use) { return use.variable == r->variable; });
    if (found == uses_.end()) {
      uses_.push_back({r->variable, r->value, instruction + 1});
      continue;
    }
    if (found->value != r->value && found->end != 0) rule_broken("%s", kWritten);
    if (found->value != r->value) rule_broken("wgmma: no wgmma.fence since registers of A were written");
    found->end = instruction + 1;
  }
}

void OperandRegisters::fenced(const void* stack) {
  forget_below(stack);
  for (Use& use : uses_)
    if (use.end == 0) use.value = *use.variable;
}

void OperandRegisters::forget_below(const void* stack) {
  std::erase_if(uses_,
                [=](const Use& use) { return std::less<>()(use.variable, static_cast<const uint32_t*>(stack)); });
}

void OperandRegisters::waited(uint64_t end, const void* stack) {
  forget_below(stack);
  for (Use& use : uses_) {
    if (use.end == 0 || use.end > end) continue;
    if (*use.variable != use.value) rule_broken("%s", kWritten);
    use.end = 0;
  }
}

}  // namespace pallasgen::emulator
