#pragma once

#include <map>
#include <string>
#include <vector>

#include "check/typing.h"
#include "lines.h"
#include "tile/program.h"

namespace pallasgen::tile {

// Reads the pieces of statements: expressions, types, boxes, entries, and the attributes in braces, given the values
// that are defined so far. Errors go to `diagnostics`.
class Phrases {
 public:
  Phrases(Typing& typing, Program& program, Diagnostics& diagnostics)
      : typing_(typing), program_(program), diagnostics_(diagnostics) {}

  void refuse(Span span, std::string message);

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
  std::optional<int64_t> number(const Piece& piece, int64_t least = 0);
  std::optional<std::pair<DType, Shape>> type(const Piece& piece);
  // `whole`: the words behind the name and type, from `dot` or `mma` on.
  Dot dot(const Piece& whole, DType dtype);

  // The role of `role NAME {warps N}`, without its body.
  Role role(const WithAttributes& head);

  int ref_named(const Piece& name);
  int axis_named(std::string_view name) const;
  ChannelId channel_named(const Piece& name);
  std::optional<Box> box(const Piece& piece);
  std::optional<Entry> entry(const Piece& piece);

  // Returns the value of that name if it has the same type, else declares a new one.
  ValueId declare(const Piece& name, DType dtype, const Shape& shape);
  void add(ValueId id, Value value);
  std::optional<ValueId> value_named(const Piece& name);

  std::vector<ValueId> carry(const std::vector<Piece>& attributes);
  // The path in a statement's braces.
  Path path(const std::vector<Piece>& attributes);
  // The iteration that a read belongs to, `of j = j - 1`; nothing: the current one.
  std::optional<OfTurn> turn_of(const std::vector<Piece>& attributes);
  // The rows that count, `rows n`; null if not given.
  TypedPtr rows_of(const std::vector<Piece>& attributes);
  std::optional<Work> work(const std::vector<Piece>& attributes);

 private:
  TypedPtr product_of(const Piece& text, DType dtype);

  Typing& typing_;
  Program& program_;
  Diagnostics& diagnostics_;
  std::map<std::string, ValueId> values_;
};

// True if the text calls an atomic operation, rather than names a value that begins alike.
bool is_atomic(std::string_view text);

}  // namespace pallasgen::tile
