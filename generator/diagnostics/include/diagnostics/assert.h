#pragma once

#include "diagnostics/source.h"

namespace pallasgen {

// Reports a bug of pallasgen itself, with the user's place, and ends the process with exit code 70.
[[noreturn]] void internal_error(const char* condition, const char* file, int line, Span span);

}  // namespace pallasgen

// Our own bugs, never a user's mistake: `span` says where in the spec it happened ({} when there is no place).
#define PALLASGEN_ASSERT(condition, ...) \
  ((condition) ? void(0) : ::pallasgen::internal_error(#condition, __FILE__, __LINE__, ::pallasgen::Span{__VA_ARGS__}))
