#pragma once

#include <cstdint>
#include <string_view>

#include "layout/warps.h"

namespace pallasgen::tile {

// Who executes one instruction of a product, or its whole block where no instructions multiply matrices.
enum class Executor : uint8_t { thread, warp, warpgroup, cta_pair };
// How threads learn that a product is done: it is when they go on; by a wait for its group; by a barrier.
enum class Completion : uint8_t { none, groups, barrier };
// Where an operand or an accumulator may live.
struct Places {
  bool registers = false, shared = false, tensor_memory = false;
};

// A row of the table of ways to multiply a dot.
struct Product {
  std::string_view family;  // names of its rows in tables of targets begin so: "wgmma" of "wgmma.k16.f32.bf16"
  std::string_view word;    // of dots in the text of tile programs
  Executor executor;
  Completion completion;
  Places a, b, accumulator;
  bool overwrites;  // can begin without reading the accumulator

  // Runs after it is issued until it is waited for, and reads shared memory by the async proxy meanwhile.
  constexpr bool runs_on() const { return completion != Completion::none; }
  // Matrix instructions multiply it.
  constexpr bool by_instructions() const { return executor != Executor::thread; }
  // Each warpgroup of the role multiplies a part.
  constexpr bool by_warpgroups() const { return executor == Executor::warpgroup; }
  // Instructions fix which thread has which element of the accumulator.
  constexpr bool is_fragment() const { return by_instructions() && accumulator.registers; }
  // Each thread has a block of the accumulator in its registers (fma_layout).
  constexpr bool has_blocks() const { return executor == Executor::thread && !accumulator.shared; }
  // Instructions read operands out of slots of channels, which lie as the instructions want them.
  constexpr bool reads_slots() const { return runs_on() && b.shared; }
  // Threads read whole operands out of tiles in shared memory.
  constexpr bool reads_tiles() const { return executor == Executor::thread && !b.registers; }
  // Instructions may take operand A from registers.
  constexpr bool reads_registers() const { return by_instructions() && a.registers; }
  // Warps that execute an instruction together.
  constexpr int64_t warps() const { return by_warpgroups() ? kWarpsOfGroup : 1; }
};

inline constexpr Places kAnywhere = {.registers = true, .shared = true};
inline constexpr Places kInRegisters = {.registers = true}, kInShared = {.shared = true};

// Loops over elements, blocks of fused multiply-adds (FmaFamily), matrix instructions (MmaFamily).
inline constexpr Product kProducts[] = {
    {"", "dot", Executor::thread, Completion::none, kAnywhere, kAnywhere, kAnywhere, false},
    {"fma", "dot", Executor::thread, Completion::none, kInShared, kInShared, kInRegisters, false},
    {"wgmma", "mma", Executor::warpgroup, Completion::groups, kAnywhere, kInShared, kInRegisters, true},
};

// The row of a family of a target's table, or of loops for an empty name; null: there is none.
constexpr const Product* product_of(std::string_view family) {
  for (const Product& product : kProducts) {
    if (product.family == family.substr(0, family.find('.'))) return &product;
  }
  return nullptr;
}

}  // namespace pallasgen::tile
