#pragma once

#include <map>
#include <string>
#include <vector>

#include "interpret/interpret.h"
#include "plan/plan.h"

namespace pallasgen {

// How what the tile program of the plan computes and prints differs from what the kernel does; empty: not at all. The
// program is printed and read back behind each pass.
std::string tile_program_difference(const Plan& plan, const Arguments& arguments,
                                    const std::map<std::string, Array>& wanted, const std::string& printed);

}  // namespace pallasgen
