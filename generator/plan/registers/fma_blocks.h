#pragma once

#include <cstdint>
#include <string>

#include "plan/targets.h"
#include "tile/program.h"

namespace pallasgen {

// Products that a role's threads compute by blocks in their registers (Product::has_blocks).

// Returns the threads for the largest of the role's products; 0 if there is none.
int64_t threads_for_products(const tile::Program& program, const tile::Role& role);
// Returns the most 32-bit registers that a thread needs for the elements of two operands that it reads at once.
int64_t operand_words(const tile::Role& role);
// Returns the registers for operands of a second product, which compilers load while threads compute the first.
int64_t operand_words_ahead(const tile::Role& role);
// Returns the CTAs for which an SM has registers, as far as products need them; at least 1.
int64_t ctas_beside(const Target& target, const tile::Role& role);
// Makes the product whose operands take most shared memory use loops, which read arrays in place. False if there is
// none.
bool multiply_in_loops(tile::Program& program, const std::string& why);
// Returns the dot at this place of the spec that threads compute, and its role's `threads`; null if there is none.
const tile::Dot* product_at(const tile::Program& program, Span span, int64_t& threads);
// Describes its blocks: "by 8 x 8 elements of its result in the registers of each thread".
std::string blocks_text(const tile::Dot& dot, int64_t threads);
// Returns the multiply-adds per byte that a thread reads from shared memory.
double products_per_byte(const tile::Dot& dot, int64_t threads);

}  // namespace pallasgen
