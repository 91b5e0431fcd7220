#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "interpret/interpret.h"
#include "schedule/canonicalise.h"
#include "spec/spec.h"
#include "tile/text.h"
#include "tile/walk.h"

namespace pallasgen::test {

// A spec's kernel, with its sources and diagnostics.
struct Checked {
  Sources sources;
  Diagnostics diagnostics;
  std::shared_ptr<const Kernel> kernel;

  explicit Checked(const std::string& yaml) {
    const auto spec = read_spec(sources.add("k.yaml", yaml), {}, sources, diagnostics);
    std::optional<Kernel> checked = spec ? check(std::make_shared<const Spec>(*spec), diagnostics) : std::nullopt;
    CAPTURE(render(diagnostics, ErrorFormat::text, false));
    REQUIRE(checked);
    kernel = std::make_shared<const Kernel>(*checked);
  }
  tile::Program canonical() const { return schedule::canonicalise(kernel, "sm_90a"); }
};

// Adds the first two lines to a spec without them.
inline std::string short_spec(const std::string& yaml) { return "pallasgen: 1\nkernel: k\n" + yaml; }

// Returns the lines of the canonical program of a spec, from the tile's first statement on and those of its parts,
// without the words of the spec.
inline std::string canonical(const std::string& yaml) {
  const std::string text = tile::to_text(Checked(short_spec(yaml)).canonical());
  std::string out;
  size_t blanks = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const bool part = line.starts_with("  part "), role = line.starts_with("  role ");
    if (part) out += line.substr(2) + "\n";
    if (!part && !role && blanks > 0) out += line.substr(blanks, line.find("  #", blanks) - blanks) + "\n";
    if (part) blanks = 2;
    if (role) blanks = 0;
    if (line.find("for tile in work(") != std::string::npos) blanks = 6;
  }
  return out;
}

// Checks that a spec's canonical program, printed and read back, computes the kernel's bits at these sizes.
inline void check_computes(const Checked& checked, const std::map<std::string, int64_t>& dims, uint64_t seed) {
  const tile::Program program = checked.canonical();
  CHECK(tile::verify(program) == std::vector<std::string>{});
  const std::string text = tile::to_text(program);
  CAPTURE(text);
  Sources sources;
  Diagnostics said;
  const std::optional<tile::Program> read = tile::read_text(sources.add("k.tile", text), said);
  CAPTURE(render(said, ErrorFormat::text, false));
  REQUIRE(read);
  CHECK(tile::to_text(*read) == text);
  KernelTest test;
  test.dims = dims;
  test.seed = seed;
  const Arguments arguments = seeded_arguments(*checked.kernel, test, said);
  const auto want = interpret(*checked.kernel, arguments, {}, said), got = interpret(*read, arguments, {}, said);
  CAPTURE(render(said, ErrorFormat::text, false));
  REQUIRE(want);
  REQUIRE(got);
  for (const auto& [name, array] : *want) {
    CAPTURE(name);
    CHECK(compare(got->at(name), array, 0).equal);
  }
}

}  // namespace pallasgen::test
