#pragma once

namespace pallasgen::emulator {

/// Exit codes of a process whose kernel went wrong; the report is on stderr.
enum ExitCode : int {
  kExitRuleBroken = 81,    // an instruction was used against its rules
  kExitDeadlock = 82,      // no thread can run and no asynchronous work is left
  kExitNotModelled = 83,   // the kernel uses something that the emulator does not model
  kExitNoProgress = 84,    // threads poll, or run, without end
  kExitCrash = 85,         // a signal: bad address, stack overflow, division by zero
  kExitBadOptions = 86,    // PALLASGEN_EMULATOR could not be read
  kExitAddressError = 87,  // reported by AddressSanitizer
  kExitRace = 88,          // reported by ThreadSanitizer
};

}  // namespace pallasgen::emulator
