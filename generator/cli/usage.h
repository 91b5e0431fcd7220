#pragma once

#include "diagnostics/diagnostic.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace pallasgen {

// Says what is wrong with a command line that could not be parsed: a diagnostic of the rule command-line, with the
// command or option that was likely meant. Where `--error-format` is among the words it holds for this too.
void report_usage(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv, DiagnosticStream& errors);

}  // namespace pallasgen
