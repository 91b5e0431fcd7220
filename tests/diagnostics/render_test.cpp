#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "diagnostics/diagnostic.h"

using namespace pallasgen;

namespace {

constexpr Rule kShape{"bad-shape", "a shape is wrong"};
constexpr Rule kSlow{"slow-path", "a copy is slow"};

}  // namespace

TEST_CASE("text: place, rule, line, caret and notes, in order of place") {
  Sources sources;
  const SourceText& source = sources.add("specs/k.yaml", "kernel: k\ninputs:\n  \xC3\xA9: {block: [7]}\n");
  Diagnostics diagnostics;
  diagnostics.error(kShape, {&source, 30, 33}, "block is 7").note("8 works").note(Span{&source, 0, 6}, "kernel here");
  diagnostics.warning(kSlow, {&source, 10, 16}, "slow");
  diagnostics.error(kShape, {&source, 10, 16}, "wrong");
  diagnostics.error(kShape, {}, "no place");
  diagnostics.error(kShape, {&source, 10, 16}, "wrong");
  CHECK(diagnostics.errors() == 4);
  CHECK(render(diagnostics, ErrorFormat::text, false) ==
        "specs/k.yaml:2:1: error: wrong [bad-shape]\n"
        "    inputs:\n"
        "    ^~~~~~\n"
        "specs/k.yaml:2:1: warning: slow [slow-path]\n"
        "    inputs:\n"
        "    ^~~~~~\n"
        "specs/k.yaml:3:12: error: block is 7 [bad-shape]\n"
        "      \xC3\xA9: {block: [7]}\n"
        "               ^~~\n"
        "  note: 8 works\n"
        "specs/k.yaml:1:1: note: kernel here\n"
        "    kernel: k\n"
        "    ^~~~~~\n"
        "pallasgen: error: no place [bad-shape]\n");
  std::string colored = render(diagnostics, ErrorFormat::text, true);
  CHECK(colored.find("\x1b[1;31m") != std::string::npos);
  CHECK(colored.find("\x1b[1;35m") != std::string::npos);
}

TEST_CASE("what cannot be printed is replaced, and long lines are cut around the span") {
  Sources sources;
  Diagnostics diagnostics;
  std::string text = std::string(500000, 'a') + "\tX\x01\xFF" + std::string(500000, 'b');
  const SourceText& source = sources.add("f", text);
  diagnostics.error(kShape, {&source, 500001, 500002}, "a\nb\x1b[31m");
  std::string out = render(diagnostics, ErrorFormat::text, false);
  CHECK(out.size() < 700);
  CHECK(out.starts_with("f:1:500002: error: a b\xEF\xBF\xBD[31m [bad-shape]\n"));
  size_t line = out.find("    \xE2\x80\xA6"), caret = out.find('^');
  REQUIRE(line != std::string::npos);
  size_t caret_line = out.rfind('\n', caret) + 1;
  // The ellipsis is three bytes and one column.
  CHECK(out[line + (caret - caret_line) + 2] == 'X');
}

TEST_CASE("a span over lines is marked on its first; the file as a whole has no excerpt") {
  Sources sources;
  const SourceText& source = sources.add("f", "one\ntwo\n");
  Diagnostics diagnostics;
  diagnostics.error(kShape, {&source, 1, 8}, "m");
  diagnostics.error(kShape, {&source, 0, 0}, "n");
  CHECK(render(diagnostics, ErrorFormat::text, false) ==
        "f:1:1: error: n [bad-shape]\nf:1:2: error: m [bad-shape]\n    one\n     ^~\n");
}

TEST_CASE("json is one array of objects") {
  Sources sources;
  const SourceText& source = sources.add("f", "a \"b\"\nc");
  Diagnostics diagnostics;
  diagnostics.error(kShape, {&source, 2, 7}, "say \"b\" \xFF").note("n");
  auto json = nlohmann::json::parse(render(diagnostics, ErrorFormat::json, false));
  REQUIRE(json.size() == 1);
  CHECK(json[0]["severity"] == "error");
  CHECK(json[0]["rule"] == "bad-shape");
  CHECK(json[0]["file"] == "f");
  CHECK(json[0]["line"] == 1);
  CHECK(json[0]["column"] == 3);
  CHECK(json[0]["end_line"] == 2);
  CHECK(json[0]["end_column"] == 2);
  CHECK(json[0]["notes"][0]["message"] == "n");
  CHECK(nlohmann::json::parse(render(Diagnostics(), ErrorFormat::json, false)).empty());
}

TEST_CASE("github commands are escaped") {
  Sources sources;
  const SourceText& source = sources.add("a,b:c.yaml", "x");
  Diagnostics diagnostics;
  diagnostics.error(kShape, {&source, 0, 1}, "50% of\nit").note("note, too");
  diagnostics.warning(kSlow, {}, "w");
  CHECK(render(diagnostics, ErrorFormat::github, false) ==
        "::error file=a%2Cb%3Ac.yaml,line=1,col=1,title=bad-shape::50%25 of%0Ait%0Anote: note, too\n"
        "::warning title=slow-path::w\n");
}

TEST_CASE("a thousand are shown, the rest is counted") {
  Sources sources;
  const SourceText& source = sources.add("f", std::string(5000, 'x'));
  Diagnostics diagnostics;
  for (uint32_t i = 0; i < 1500; ++i) diagnostics.error(kShape, {&source, i, i + 1}, "m");
  std::string out = render(diagnostics, ErrorFormat::text, false);
  CHECK(out.find("f:1:1000: error") != std::string::npos);
  CHECK(out.find("f:1:1001: error") == std::string::npos);
  CHECK(out.ends_with("pallasgen: error: 500 more are not shown [too-many-errors]\n"));
}
