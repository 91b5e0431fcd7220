#pragma once

#include <functional>

#include "tile/program.h"

namespace pallasgen::schedule {

// Whether it puts elements together that several threads may hold; of an expression, whether some of it does.
bool is_reduction(const Typed& node);
bool reduces(const TypedPtr& expr);

// Whether a scalar decides which parts of the expression are evaluated.
bool short_circuits(const TypedPtr& expr);

// Makes reductions that an assigned expression contains values of their own: the assignments that compute them, which
// belong before the statement. `taken` tells which; without it all are.
tile::Block reductions_apart(tile::Program& program, tile::Statement& statement,
                             const std::function<bool(const TypedPtr&)>& taken = nullptr);

}  // namespace pallasgen::schedule
