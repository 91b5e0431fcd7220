#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "diagnostics/source.h"

namespace pallasgen::interpreter {

[[noreturn]] void throw_unordered(Span span, std::string message);

// Throws a Fault that describes what is wrong with the order of statements.
template <class... Args>
[[noreturn]] void unordered(Span span, fmt::format_string<Args...> message, Args&&... args) {
  throw_unordered(span, fmt::format(message, std::forward<Args>(args)...));
}

}  // namespace pallasgen::interpreter
