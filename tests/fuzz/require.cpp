#include <cstdio>
#include <cstdlib>

#include "targets.h"

namespace pallasgen::fuzz {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace pallasgen::fuzz
