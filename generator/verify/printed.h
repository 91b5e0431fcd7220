#pragma once

#include <string>
#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// Whether a `print` stands anywhere in the body.
bool has_print(const Kernel& kernel);

// Compares the lines that two evaluations printed, in any order: nothing says which program comes first. Numbers agree
// within `tolerance` times the larger of 1 and the size of the wanted one, and where their first five digits do, as
// generated code prints six of a float; those of digits alone must be the same. Gives a line of one that the other
// lacks, `got_by` and `want_by` being the names of the two; empty when all agree.
std::string compare_printed(std::vector<std::string> got, std::vector<std::string> want, double tolerance,
                            const std::string& got_by, const std::string& want_by);

}  // namespace pallasgen
