#pragma once

#include "fragments/fragment_values.h"

namespace pallasgen {

// A print of numbers that all threads of the role hold, by its first thread.
program::Statements print_of(const PrintStmt& print, FragmentValues& values);

}  // namespace pallasgen
