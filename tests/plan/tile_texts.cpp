#include "tile_texts.h"

#include <doctest/doctest.h>

#include <sstream>

#include "plan/passes.h"
#include "tile/text.h"
#include "tile/walk.h"

namespace pallasgen::test {

std::string after_pass(const std::string& pass, const std::string& declarations, const std::string& body) {
  std::string text = "tile 1 few sm_90a after canonicalise\n" + declarations + "kernel few:\n";
  const bool roles = body.starts_with("role ") || body.starts_with("channel ");
  if (!roles) text += "  role all:\n";
  std::istringstream lines(body);
  for (std::string line; std::getline(lines, line);) text += (roles ? "  " : "    ") + line + "\n";
  const SourceText source("few.tile", text);
  Diagnostics diagnostics;
  const auto program = tile::read_text(source, diagnostics);
  if (!program) FAIL(render(diagnostics, ErrorFormat::text, false), "\n", text);
  tile::Program made = *program;
  std::istringstream names(pass);
  for (std::string name; std::getline(names, name, ',');) made = run_pass(name, made, *find_target("sm_90a"));
  CHECK(tile::verify(made) == std::vector<std::string>{});
  const std::string printed = tile::to_text(made);
  const SourceText again("again.tile", printed);
  const auto read = tile::read_text(again, diagnostics);
  if (!read) FAIL(render(diagnostics, ErrorFormat::text, false), "\n", printed);
  CHECK(tile::to_text(*read) == printed);
  std::string out;
  std::istringstream all(printed.substr(printed.find("kernel few:\n") + 12));
  for (std::string line; std::getline(all, line);) out += line.substr(2) + "\n";
  return out;
}

}  // namespace pallasgen::test
