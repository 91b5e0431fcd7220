#pragma once

#include <map>
#include <string>
#include <vector>

#include "interpret/interpret.h"
#include "plan/plan.h"

namespace pallasgen {

// Describes a difference between the kernel and the plan's tile program in outputs or printed lines; empty if there is
// none. The program is printed and read back after each pass.
std::string tile_program_difference(const Plan& plan, const Arguments& arguments,
                                    const std::map<std::string, Array>& wanted, const std::string& printed);

}  // namespace pallasgen
