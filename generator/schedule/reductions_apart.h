#pragma once

#include <functional>

#include "tile/program.h"

namespace pallasgen::schedule {

// Whether it puts elements together that several threads may hold; of an expression, whether some of it does.
bool is_reduction(const Typed& node);
bool reduces(const TypedPtr& expr);

// Whether a scalar decides which parts of the expression are evaluated.
bool short_circuits(const TypedPtr& expr);

// Makes reductions that the assigned expression of the statement at `at` contains statements of their own before it,
// and tells how many. `taken` tells which; without it all are. The first of all quotes the spec's words.
size_t put_reductions_apart(tile::Program& program, tile::Block& statements, size_t at,
                            const std::function<bool(const TypedPtr&)>& taken = nullptr);

}  // namespace pallasgen::schedule
