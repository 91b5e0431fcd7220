#include <fmt/format.h>

#include <filesystem>

#include "commands.h"
#include "output/rules.h"
#include "verify/installation.h"

namespace pallasgen {

namespace fs = std::filesystem;

int run_runtime(const std::string& out, DiagnosticStream& errors) {
  const fs::path from = fs::path(installation().headers) / "pallasgen", to = fs::path(out) / "pallasgen";
  Diagnostics diagnostics;
  int written = 0, all = 0;
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    if (!entry.is_regular_file()) continue;
    ++all;
    const fs::path place = to / entry.path().lexically_relative(from);
    const std::optional<std::string> text = read_file(entry.path().string(), diagnostics);
    Diagnostics unsaid;
    if (!text || (fs::exists(place) && read_file(place.string(), unsaid) == text)) continue;
    if (!write_file(place.string(), *text, diagnostics)) break;
    ++written;
  }
  errors.write(diagnostics);
  if (diagnostics.has_errors()) return kFiles;
  fmt::print("wrote {} of {} headers to {}; nvcc finds them with -I {}\n", written, all, to.string(), out);
  return kFine;
}

}  // namespace pallasgen
