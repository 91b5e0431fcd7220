#include "read_declarations.h"
#include "reader.h"
#include "tile/rules.h"
#include "tile/text.h"

namespace pallasgen::tile {

namespace {

// Reads the first line, `tile 1 NAME TARGET after PASS`; false if it is none.
bool read_head(const Line& line, Spec& spec, Program& program) {
  const std::vector<Piece> words = split(line.text, " ");
  if (words.size() != 6 || words[0].text != "tile" || words[1].text != "1" || words[4].text != "after") return false;
  spec.kernel = {std::string(words[2].text), words[2].span};
  spec.targets = {{std::string(words[3].text), words[3].span}};
  program.target = std::string(words[3].text);
  program.pass = std::string(words[5].text);
  return true;
}

}  // namespace

std::optional<Program> read_text(const SourceText& source, Diagnostics& diagnostics,
                                 std::shared_ptr<const ExternHeader> externs) {
  const int errors = diagnostics.errors();
  const std::vector<Line> lines = lines_of(source);
  Program program;
  Spec head;
  if (lines.empty() || !read_head(lines[0], head, program)) {
    diagnostics.error(kTileText, lines.empty() ? Span{} : lines[0].text.span, "the first line is no head")
        .note("a tile program begins with `tile 1 NAME TARGET after PASS`");
    return std::nullopt;
  }
  size_t at = 1;
  const std::shared_ptr<Spec> spec = read_declarations(lines, at, source, diagnostics);
  if (!spec) return std::nullopt;
  spec->kernel = head.kernel;
  spec->targets = head.targets;
  Typing typing(spec, diagnostics, std::move(externs));
  const TileOrder& order = typing.kernel().schedule.tile_order;
  if (diagnostics.errors() == errors && order.kind == TileOrderKind::strips && order.axis < 0)
    diagnostics.error(kTileText, order.span, "`ask schedule.tile_order.axis` is missing for this width");
  if (diagnostics.errors() != errors) return std::nullopt;
  Reader(lines, at, typing, program, diagnostics).run();
  if (diagnostics.errors() != errors) return std::nullopt;
  program.declarations = std::make_shared<const Kernel>(typing.kernel());
  return program;
}

}  // namespace pallasgen::tile
