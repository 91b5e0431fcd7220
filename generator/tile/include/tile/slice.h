#pragma once

#include <functional>

#include "tile/program.h"

namespace pallasgen::tile {

// The part of `body`, a block of the program, that leads to some of its statements: those that `keep` wants, the loops
// and branches around them, and the definitions that their boxes, conditions and bounds need, which are not asked
// whether they may stand twice. Two neighbouring loops of the slice that run over adjoining ranges and do the same are
// one loop.
Block slice(const Program& program, const Block& body, const std::function<bool(const Statement&)>& keep);

// Removes definitions of values that nothing behind them reads, where `may_go` allows it, and what is empty then.
void remove_unread(Block& body, const std::function<bool(const Statement&)>& may_go);

// The values that statements which `keep` wants need, those around them for their conditions and bounds included, and
// so on for what defines these.
std::set<int> needed_by(const Program& program, const Block& body, const std::function<bool(const Statement&)>& keep);

}  // namespace pallasgen::tile
