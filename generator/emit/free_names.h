#pragma once

#include <map>
#include <string>

#include "check/kernel.h"

namespace pallasgen {

// Returns those names of the spec's variables whose identifier differs from the name only because generated code may
// use that name itself, with their identifiers. A file that does not use such a name can spell the variable with it.
std::map<std::string, std::string> avoided_names(const Kernel& kernel);

// Replaces identifiers in `text`, also in its comments, by the names of the spec where the file does not use the name
// otherwise. `avoided`: name to identifier. Members (`x.row`), strings and comments do not count as uses.
std::string with_free_names(const std::string& text, const std::map<std::string, std::string>& avoided);

}  // namespace pallasgen
