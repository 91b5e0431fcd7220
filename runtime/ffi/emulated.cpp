// Part of the emulated build of a library's kernels for frameworks: a fault in a kernel becomes the error of its launch
// instead of ending the process.
#include <pallasgen/emulator/emulator.h>

// The report of this thread's last launch; empty if it has none.
extern "C" const char* pallasgen_last_report() { return pallasgen::emulator::last_report(); }

namespace {

[[maybe_unused]] const bool kReturnsErrors = (pallasgen::emulator::return_errors(true), true);

}  // namespace
