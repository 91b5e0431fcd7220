#pragma once

#include <map>
#include <string>
#include <vector>

#include "check/typing.h"
#include "lines.h"
#include "tile/program.h"

namespace pallasgen::tile {

// Reads the statements of a tile program, line `at` on, into `program`. Errors go to `diagnostics`.
class Reader {
 public:
  Reader(const std::vector<Line>& lines, size_t at, Typing& typing, Program& program, Diagnostics& diagnostics)
      : lines_(lines), at_(at), typing_(typing), program_(program), diagnostics_(diagnostics) {}

  void run();

 private:
  void refuse(Span span, std::string message);

  void expect(const std::string& text);

  ExprPtr parsed(const Piece& piece) { return parse_expression(piece.text, piece.span, diagnostics_); }
  TypedPtr index(const Piece& piece) {
    const ExprPtr expr = parsed(piece);
    return expr ? typing_.index(expr) : nullptr;
  }
  TypedPtr bound(const Piece& piece) {
    const ExprPtr expr = parsed(piece);
    return expr ? typing_.bound(expr) : nullptr;
  }
  TypedPtr condition(const Piece& piece) {
    const ExprPtr expr = parsed(piece);
    return expr ? typing_.condition(expr) : nullptr;
  }

  int ref_named(const Piece& name);

  // A definition of a name of the same type is one of the same value.
  ValueId declare(const Piece& name, DType dtype, const Shape& shape);

  void add(ValueId id, Value value);

  std::optional<ValueId> value_named(const Piece& name);

  std::optional<Box> box(const Piece& piece);

  std::vector<ValueId> carry(const std::vector<Piece>& attributes);

  // What a statement's braces say of its path.
  Path path(const std::vector<Piece>& attributes);
  // And of the turn of a loop that it is of.
  std::optional<OfTurn> turn_of(const std::vector<Piece>& attributes);
  std::optional<Work> work(const std::vector<Piece>& attributes);
  // `channel name(member: type, …) {moves …, from role, to role}`
  void channel(const Line& line);
  std::optional<Entry> entry(const Piece& piece);
  Statement put(const Line& line);
  ChannelId channel_named(const Piece& name);
  std::optional<Statement> protocol(const Line& line);
  std::optional<std::pair<DType, Shape>> type(const Piece& piece);
  std::optional<int64_t> number(const Piece& piece);
  int axis_named(std::string_view name) const;

  Block block(int depth);
  Statement statement(const Line& line, int depth);
  Statement loop(const Line& line, const WithAttributes& parts, int depth);
  Statement branch(const Line& line, const WithAttributes& parts, int depth);
  Statement definition(const Line& line, const Piece& name, const Piece& type, const Piece& what);
  Dot dot(const Piece& text, DType dtype);
  TypedPtr product_of(const Piece& text, DType dtype);
  Statement print(const Line& line, const Piece& rest);
  Statement effect(const Line& line, const Piece& text);

  const std::vector<Line>& lines_;
  size_t at_;
  Typing& typing_;
  Program& program_;
  Diagnostics& diagnostics_;
  std::map<std::string, ValueId> values_;
};

}  // namespace pallasgen::tile
