#pragma once

#include "diagnostics/diagnostic.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace pallasgen {

// Reports a command line that could not be parsed: a diagnostic of the rule command-line, with the command or option
// that was likely meant. An `--error-format` among the words applies to it.
void report_usage(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv, DiagnosticStream& errors);

}  // namespace pallasgen
