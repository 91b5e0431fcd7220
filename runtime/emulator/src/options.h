#pragma once
#include <pallasgen/emulator/emulator.h>

#include <string>

namespace pallasgen::emulator {

/// Returns the options that `list` ("policy=random,seed=3") sets, the others at their defaults; ends the process, with
/// the expected form, if it cannot be read.
Options parse_options(const std::string& list);

}  // namespace pallasgen::emulator
