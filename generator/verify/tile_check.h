#pragma once

#include <map>
#include <string>
#include <vector>

#include "interpret/interpret.h"

namespace pallasgen {

// How what the kernel's canonical tile program computes and prints differs from what the kernel does; empty: not at
// all. The program is printed and read back first.
std::string tile_program_difference(const Kernel& kernel, const Arguments& arguments,
                                    const std::map<std::string, Array>& wanted, const std::string& printed);

}  // namespace pallasgen
