#pragma once

#include <cstdint>
#include <string>

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// What a role's threads multiply by blocks in their registers (Dot::by_threads).

// Threads for the largest of the role's products; 0: there is none.
int64_t threads_for_products(const tile::Program& program, const tile::Role& role);
// 32-bit registers of a thread for what it reads of two operands at once, at most.
int64_t operand_words(const tile::Role& role);
// Registers for operands of a second product, which compilers read while threads still multiply those of the first.
int64_t operand_words_ahead(const tile::Role& role);
// CTAs of these threads that an SM has registers for, as far as products need them; 1 at least.
int64_t ctas_beside(const Target& target, const tile::Role& role);
// The product whose operands take most shared memory goes by loops, which read arrays where they are. False: there is
// none.
bool multiply_in_loops(tile::Program& program, const std::string& why);
// The dot of the program at this place of the spec that threads multiply; null: there is none. `threads`: of its role.
const tile::Dot* product_at(const tile::Program& program, Span span, int64_t& threads);
// How it goes: "by 8 x 8 elements of its result in the registers of each thread".
std::string blocks_text(const tile::Dot& dot, int64_t threads);
// Multiply-adds for each byte that a thread reads of shared memory.
double products_per_byte(const tile::Dot& dot, int64_t threads);

}  // namespace pallasgen
