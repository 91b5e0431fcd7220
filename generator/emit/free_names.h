#pragma once

#include <map>
#include <string>

#include "check/kernel.h"

namespace pallasgen {

// Of the names that are not their own identifiers, those of variables of functions that only meet names which generated
// code may use for itself, with the identifier: a file without such a use can have the name as it is.
std::map<std::string, std::string> avoided_names(const Kernel& kernel);

// Gives names of the spec their own spelling where the file has no other use of it. `avoided`: identifiers in `text`,
// by name. A name is used where code has it otherwise than as a member (`x.row`); strings and comments use none.
// Identifiers are replaced in comments too.
std::string with_free_names(const std::string& text, const std::map<std::string, std::string>& avoided);

}  // namespace pallasgen
