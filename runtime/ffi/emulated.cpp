// A part of the emulated build of kernels that a library has for frameworks: what goes wrong in a kernel is the error of its
// launch, and not the end of the process.
#include <pallasgen/emulator/emulator.h>

// The report of this thread's last launch; empty where it has none.
extern "C" const char* pallasgen_last_report() { return pallasgen::emulator::last_report(); }

namespace {

[[maybe_unused]] const bool kReturnsErrors = (pallasgen::emulator::return_errors(true), true);

}  // namespace
