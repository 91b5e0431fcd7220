#include <fmt/format.h>

#include <algorithm>

#include "reader.h"

namespace pallasgen::tile {

std::optional<std::pair<DType, Shape>> Reader::type(const Piece& piece) {
  if (piece.text == "index") return std::pair(DType::index, Shape{});
  const size_t open = piece.text.find('[');
  const Piece word = piece.part(0, open);
  const ExprPtr dims = open == std::string_view::npos ? nullptr : parsed(piece.part(open));
  const ExprPtr name = word.text == "index" ? nullptr : parsed(word);
  const std::optional<DType> dtype = word.text == "index" ? std::optional(DType::index)
                                     : name               ? typing_.dtype(name)
                                                          : std::nullopt;
  const std::optional<Shape> shape = dims ? typing_.shape(dims) : std::nullopt;
  if (dtype && shape) return std::pair(*dtype, *shape);
  refuse(piece.span, fmt::format("'{}' is no type: dtype[dims] is", piece.text));
  return std::nullopt;
}

void Reader::channel(const Line& line) {
  const WithAttributes parts = attributes_of(line.text);
  const size_t open = parts.text.text.find('(');
  if (open == std::string_view::npos || parts.text.text.back() != ')') {
    refuse(line.text.span, "a channel is `channel name(member: type, …) {moves …, from role, to role}`");
    return;
  }
  Channel out;
  out.name = parts.text.part(8, open - 8).text;
  for (const Piece& member : split(parts.text.part(open + 1, parts.text.text.size() - open - 2), ",")) {
    const auto named = split_once(member, ": ");
    const auto typed = named ? type(named->second) : std::nullopt;
    if (!named) refuse(member.span, "a member of a channel is `name: type`");
    if (typed) out.members.push_back({std::string(named->first.text), typed->first, typed->second});
  }
  for (const Piece& attribute : parts.attributes) {
    if (attribute.starts("from ")) out.from = attribute.part(5).text;
    if (attribute.starts("to ")) out.to = attribute.part(3).text;
    if (attribute.starts("slots ")) {
      out.formed = true;
      if (attribute.text != "slots auto") out.slots = number(attribute.part(6));
    }
    if (attribute.starts("delay ")) out.delay = number(attribute.part(6)).value_or(0);
    if (!attribute.starts("moves ")) continue;
    for (const Piece& name : split(attribute.part(6), " ")) {
      if (name.text != "tile") out.moves.emplace_back(name.text);
    }
  }
  program_.channels.push_back(std::move(out));
}

std::optional<Entry> Reader::entry(const Piece& piece) {
  const size_t open = piece.text.find('['), dot = piece.text.rfind("].");
  if (open == std::string_view::npos || dot == std::string_view::npos || dot < open) {
    refuse(piece.span, "an entry is `channel[coordinates].member`");
    return std::nullopt;
  }
  Entry out;
  const Piece name = piece.part(0, open), member = piece.part(dot + 2);
  for (size_t i = 0; i < program_.channels.size(); ++i) {
    const Channel& channel = program_.channels[i];
    if (channel.name != name.text) continue;
    const auto found = std::find_if(channel.members.begin(), channel.members.end(),
                                    [&](const Channel::Member& one) { return one.name == member.text; });
    if (found == channel.members.end()) continue;
    out.channel = {static_cast<int>(i)};
    out.member = static_cast<int>(found - channel.members.begin());
  }
  if (!out.channel) {
    refuse(piece.span, fmt::format("'{}' has no member '{}'", name.text, member.text));
    return std::nullopt;
  }
  for (const Piece& at : split(piece.part(open + 1, dot - open - 1), ",")) out.at.push_back(index(at));
  return out;
}

Statement Reader::put(const Line& line) {
  Statement out{line.text.span, line.origin, {}};
  const WithAttributes whole = attributes_of(line.text.part(4));
  const auto parts = split_once(whole.text, " <- ");
  if (!parts) {
    refuse(line.text.span, "a put is `put channel[coordinates].member <- box`, or a value in place of the box");
    return out;
  }
  const std::optional<Entry> to = entry(parts->first);
  if (parts->second.text.find('[') == std::string_view::npos) {
    const std::optional<ValueId> value = value_named(parts->second);
    if (to && value) out.node = Put{*to, {}, {}, *value};
    return out;
  }
  const std::optional<Box> from = box(parts->second);
  if (!to || !from) return out;
  Put node{*to, *from, path(whole.attributes)};
  for (const Piece& attribute : whole.attributes) {
    if (attribute.starts("ahead ")) node.ahead = index(attribute.part(6));
  }
  out.node = std::move(node);
  return out;
}

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
