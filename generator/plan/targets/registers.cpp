#include "targets/registers.h"

#include <algorithm>

#include "tile/walk.h"

namespace pallasgen {

int64_t instruction_words(const tile::Role& role) {
  int64_t words = 0;
  for_each_statement(role.body, [&](const tile::Statement& statement) {
    if (dot_if(statement, &tile::Product::by_instructions)) words = kWordsOfInstruction;
  });
  return words;
}

bool mma_instruction_fits(const Target& target, int64_t consumers, int64_t accumulator) {
  return accumulator + kWordsOfInstruction <=
         registers_at_entry(target, threads_with_producer(static_cast<int>(consumers)));
}

int64_t registers_available(const Target& target, int64_t consumers) {
  const RegisterSplit* split = register_split(consumers);
  if (!split) return registers_at_entry(target, threads_with_producer(static_cast<int>(consumers)));
  return target.setmaxnreg ? split->consumer : split->entry;
}

int64_t registers_at_entry(const Target& target, int64_t threads) {
  return std::min<int64_t>(target.max_registers, target.registers / threads / 8 * 8);
}

}  // namespace pallasgen
