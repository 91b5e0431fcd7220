#pragma once

#include <string>
#include <vector>

#include "plan/targets.h"
#include "questions/families.h"
#include "tile/program.h"

namespace pallasgen {

// What would bring the dot of a program beside a producer to the tensor cores, and its operands and outputs into shared
// memory: "bm 128", "compute_warpgroups 1", for each number that the spec names the nearest value with all others as
// they are; where no single one does, the nearest pair or triple, "bm 128 and bn 64". Every one was tried. Nothing
// where the dot fits as it is, or no change of numbers helps. `stages`: these are among the numbers.
std::vector<std::string> dot_remedies(const tile::Program& program, const tile::Dot& dot, bool stages = true);
// Gives up the instructions of a dot that no row of the target's table takes, with what would bring it there.
void give_up_instructions(tile::Program& program, const tile::Dot& dot, const FamilyChoice& choice);

}  // namespace pallasgen
