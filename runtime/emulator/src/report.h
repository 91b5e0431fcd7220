#pragma once
#include <pallasgen/emulator/exit_codes.h>

#include <string>

namespace pallasgen::emulator {

/// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...);

/// `<kind>: <message>` and, on a kernel's thread, a line that names kernel, CTA and thread.
std::string report_of(ExitCode code, const std::string& message);

/// Ends the process with `code` after writing the report with the prefix `pallasgen emulator: `; if errors are
/// returned, ends the host's call instead (host_call.h).
[[noreturn]] void fail(ExitCode code, const std::string& message);

/// fail(kExitRuleBroken, ...).
[[noreturn, gnu::format(printf, 1, 2)]] void rule_broken(const char* format, ...);

/// fail(kExitNotModelled, ...): the message starts with "not modelled: ".
[[noreturn, gnu::format(printf, 1, 2)]] void not_modelled(const char* format, ...);

}  // namespace pallasgen::emulator
