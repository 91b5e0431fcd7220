#include "reader.h"

namespace pallasgen::tile {

std::vector<ValueId> Reader::carry(const std::vector<Piece>& attributes) {
  std::vector<ValueId> out;
  for (const Piece& attribute : attributes) {
    if (!attribute.starts("carry ")) continue;
    for (const Piece& name : split(attribute.part(6), " ")) {
      if (const auto id = value_named(name)) out.push_back(*id);
    }
  }
  return out;
}

std::optional<Work> Reader::work(const std::vector<Piece>& attributes) {
  std::optional<Work> out;
  if (!attributes.empty()) out.emplace();
  for (const Piece& attribute : attributes) {
    if (attribute.text == "static_persistent") out->kind = WorkKind::static_persistent;
    if (attribute.text == "column") out->order.kind = TileOrderKind::column;
    if (!attribute.starts("strips ")) continue;
    const std::vector<Piece> words = split(attribute, " ");
    out->order.kind = TileOrderKind::strips;
    if (words.size() != 3) continue;
    out->order.axis = axis_named(words[1].text);
    out->order.width = number(words[2]).value_or(1);
  }
  return out;
}

int Reader::axis_named(std::string_view name) const {
  const std::vector<Axis>& axes = typing_.kernel().axes;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

Statement Reader::loop(const Line& line, const WithAttributes& parts, int depth) {
  Statement out{line.text.span, line.origin, {}};
  const Piece& text = parts.text;
  if (text.starts("for tile in work(")) {
    out.node = ForTiles{block(depth + 1), work(parts.attributes)};
    return out;
  }
  if (text.starts("while ")) {
    While loop{condition(text.part(6)), {}, {}};
    loop.body = block(depth + 1);
    loop.carry = carry(parts.attributes);
    out.node = std::move(loop);
    return out;
  }
  const auto name = split_once(text.part(4), " in ");
  const auto range = name ? split_once(name->second, " .. ") : std::nullopt;
  if (!range) {
    refuse(text.span, "a loop is `for name in first .. last:`");
    return out;
  }
  For loop;
  loop.first = bound(range->first);
  loop.last = bound(range->second);
  loop.step = index_constant(1);
  for (const Piece& attribute : parts.attributes) {
    if (attribute.starts("step ")) loop.step = bound(attribute.part(5));
    if (attribute.starts("unroll ")) loop.unroll = number(attribute.part(7));
  }
  const int axis = axis_named(name->first.text);
  if (axis >= 0) {
    loop.variable = {SymbolKind::axis, axis, std::string(name->first.text)};
    loop.body = block(depth + 1);
  } else {
    loop.variable = typing_.enter_loop(std::string(name->first.text), name->first.span);
    loop.body = block(depth + 1);
    typing_.leave_loop(loop.variable);
  }
  loop.carry = carry(parts.attributes);
  out.node = std::move(loop);
  return out;
}

Statement Reader::branch(const Line& line, const WithAttributes& parts, int depth) {
  If node{condition(parts.text.part(3)), {}, block(depth + 1), {}};
  if (at_ < lines_.size() && lines_[at_].depth == depth && lines_[at_].text.text == "else:") {
    ++at_;
    node.otherwise = block(depth + 1);
  }
  node.carry = carry(parts.attributes);
  return {line.text.span, line.origin, std::move(node)};
}

}  // namespace pallasgen::tile
