#pragma once

#include <functional>

#include "tile/program.h"

namespace pallasgen::tile {

// Returns the part of `body`, a block of the program, that leads to the statements that `keep` accepts: these, the
// loops and branches around them, and the definitions that their boxes, conditions and bounds need; `keep` need not
// accept the definitions. Neighbouring loops of the result that run over adjoining ranges and do the same become one.
Block slice(const Program& program, const Block& body, const std::function<bool(const Statement&)>& keep);

// Removes definitions, if `may_go` accepts them, whose values nothing after them reads, and blocks that are empty then.
void remove_unread(Block& body, const std::function<bool(const Statement&)>& may_go);

// The values that statements which `keep` accepts need, with the loops and branches around them, and the values that
// their definitions need in turn.
std::set<int> needed_by(const Program& program, const Block& body, const std::function<bool(const Statement&)>& keep);

}  // namespace pallasgen::tile
