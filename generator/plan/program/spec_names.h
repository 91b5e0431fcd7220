#pragma once

#include <functional>
#include <string>

#include "check/kernel.h"

namespace pallasgen {

// Translates an identifier of the file to its name in the spec, for messages; unchanged if the spec has none.
std::string name_in_spec(const Kernel& kernel, const std::string& identifier);
// Replaces the spec's names in the text of a constant by the identifiers of the file.
std::string identifiers_in(const Identifiers& identifiers, const std::string& text);
// Returns the name, with a suffix if it is taken.
std::string name_apart(const std::string& name, const std::function<bool(const std::string&)>& is_taken);
// Returns the place where the spec gives the type of the ref, else the place of its name.
inline Span place_of_type(const Ref& ref) { return ref.type_span.source ? ref.type_span : ref.span; }

}  // namespace pallasgen
