#include "diagnostics/assert.h"

#include <cstdio>
#include <cstdlib>

namespace pallasgen {

void internal_error(const char* condition, const char* file, int line, Span span) {
  std::fflush(stdout);
  if (span.source != nullptr) {
    auto [row, column] = span.source->position(span.begin);
    std::fprintf(stderr, "%s:%d:%d: internal error: %s (%s:%d)\n", span.source->path().c_str(), row, column, condition,
                 file, line);
  } else {
    std::fprintf(stderr, "pallasgen: internal error: %s (%s:%d)\n", condition, file, line);
  }
  std::fputs("this is a bug of pallasgen, not of the spec; please report it with the spec\n", stderr);
  // No destructors: other threads may still use what they would destroy.
  std::_Exit(70);
}

}  // namespace pallasgen
