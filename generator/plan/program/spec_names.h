#pragma once

#include <functional>
#include <string>

#include "check/kernel.h"

namespace pallasgen {

// The name in the spec of what has this identifier in the file, for messages; the identifier itself if there is none.
std::string name_in_spec(const Kernel& kernel, const std::string& identifier);
// The text of a constant with the identifiers of the file in place of the names of the spec.
std::string identifiers_in(const Identifiers& identifiers, const std::string& text);
// The name, or the name with a suffix that `is_taken` does not have.
std::string name_apart(const std::string& name, const std::function<bool(const std::string&)>& is_taken);
// Where the spec gives the type of the ref, else where it names the ref.
inline Span place_of_type(const Ref& ref) { return ref.type_span.source ? ref.type_span : ref.span; }

}  // namespace pallasgen
