#pragma once

#include "diagnostics/source.h"

namespace pallasgen {

// Reports a bug of pallasgen itself at the user's place `span`, and ends the process with exit code 70.
[[noreturn]] void internal_error(const char* condition, const char* file, int line, Span span);

}  // namespace pallasgen

// Checks for our own bugs, never for a user's mistake. The arguments after the condition make the Span of a place.
#define PALLASGEN_ASSERT(condition, ...) \
  ((condition) ? void(0) : ::pallasgen::internal_error(#condition, __FILE__, __LINE__, ::pallasgen::Span{__VA_ARGS__}))
