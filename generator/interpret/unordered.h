#pragma once

#include <fmt/format.h>

#include "fault.h"
#include "interpret/rules.h"

namespace pallasgen::interpreter {

template <class... Args>
[[noreturn]] void unordered(Span span, fmt::format_string<Args...> message, Args&&... args) {
  throw Fault{kRunOrder, span, fmt::format(message, std::forward<Args>(args)...)};
}

}  // namespace pallasgen::interpreter
