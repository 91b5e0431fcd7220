#pragma once

namespace pallasgen::emulator {

/// Writes to stderr what the two accesses of a report of ThreadSanitizer are: whose, and to which memory.
void describe_race(void* report);

}  // namespace pallasgen::emulator
