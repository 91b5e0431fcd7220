#include "unordered.h"

#include "fault.h"
#include "interpret/rules.h"

namespace pallasgen::interpreter {

void throw_unordered(Span span, std::string message) { throw Fault{kRunOrder, span, std::move(message)}; }

}  // namespace pallasgen::interpreter
