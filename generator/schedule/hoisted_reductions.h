#pragma once

#include <functional>

#include "tile/program.h"

namespace pallasgen::schedule {

// True if it combines elements that several threads may hold; for an expression, if any part of it does.
bool is_reduction(const Typed& node);
bool reduces(const TypedPtr& expr);

// True if a scalar decides which parts of the expression are evaluated.
bool short_circuits(const TypedPtr& expr);

// Makes reductions in the expression of the assignment at `at` statements before it, and returns their number. `taken`
// selects them; null: all of them. The first of all the statements quotes the spec's words.
size_t hoist_reductions(tile::Program& program, tile::Block& statements, size_t at,
                        const std::function<bool(const TypedPtr&)>& taken = nullptr);

}  // namespace pallasgen::schedule
