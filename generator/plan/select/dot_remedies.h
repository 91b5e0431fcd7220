#pragma once

#include <string>
#include <vector>

#include "plan/targets.h"
#include "questions/families.h"
#include "tile/program.h"

namespace pallasgen {

// Returns the changes that would bring a program's dot to the tensor cores, and its operands and outputs into shared
// memory: "bm 128" or "compute_warpgroups 1". Each is the nearest value for one number that the spec names, with all
// others as they are; if no single one helps, the nearest pair or more, as in "bm 128 and bn 64". Every change was
// tried. Empty if the dot fits as it is or no change helps. `stages`: the stages are among the numbers.
std::vector<std::string> dot_remedies(const tile::Program& program, const tile::Dot& dot, bool stages = true);
// Gives up the instructions of a dot that no row of the target's table fits, and notes changes that would make one fit.
void give_up_instructions(tile::Program& program, const tile::Dot& dot, const FamilyChoice& choice);

}  // namespace pallasgen
