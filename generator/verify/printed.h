#pragma once

#include <string>
#include <vector>

#include "check/kernel.h"

namespace pallasgen {

// True if the body contains a `print`.
bool has_print(const Kernel& kernel);

// Compares the lines that two evaluations printed, in any order, as programs may run in any order. Numbers agree within
// `tolerance` times the larger of 1 and the wanted value, or if their first five digits do, as generated code prints
// six digits of a float; integers must be equal. Returns a message with a line that one of them lacks, in which
// `got_by` and `want_by` name the two; empty if all lines agree.
std::string compare_printed(std::vector<std::string> got, std::vector<std::string> want, double tolerance,
                            const std::string& got_by, const std::string& want_by);

}  // namespace pallasgen
