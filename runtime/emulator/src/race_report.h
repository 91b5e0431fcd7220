#pragma once

namespace pallasgen::emulator {

/// Writes to stderr which thread made each of the two accesses of a ThreadSanitizer report, and to which memory.
void describe_race(void* report);

}  // namespace pallasgen::emulator
