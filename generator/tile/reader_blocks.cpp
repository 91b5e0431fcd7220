#include <fmt/format.h>

#include <algorithm>

#include "reader.h"

namespace pallasgen::tile {

void Reader::channel(const Line& line) {
  const WithAttributes parts = attributes_of(line.text);
  const size_t open = parts.text.text.find('(');
  if (open == std::string_view::npos || parts.text.text.back() != ')') {
    phrases_.refuse(line.text.span, "a channel is `channel name(member: type, …) {moves …, from role, to role}`");
    return;
  }
  Channel out;
  out.name = parts.text.part(8, open - 8).text;
  for (const Piece& member : split(parts.text.part(open + 1, parts.text.text.size() - open - 2), ",")) {
    const auto named = split_once(member, ": ");
    const auto typed = named ? phrases_.type(named->second) : std::nullopt;
    if (!named) phrases_.refuse(member.span, "a member of a channel is `name: type`");
    if (typed) out.members.push_back({std::string(named->first.text), typed->first, typed->second});
  }
  for (const Piece& attribute : parts.attributes) {
    if (attribute.starts("from ")) out.from = attribute.part(5).text;
    if (attribute.starts("to ")) out.to = attribute.part(3).text;
    if (attribute.starts("slots ")) {
      out.formed = true;
      if (attribute.text != "slots auto") out.slots = phrases_.number(attribute.part(6), 1);
    }
    if (attribute.starts("delay ")) out.delay = phrases_.number(attribute.part(6)).value_or(0);
    if (!attribute.starts("moves ")) continue;
    // The first word means the tiles; an axis may have that name, too.
    const std::vector<Piece> names = split(attribute.part(6), " ");
    for (size_t i = 1; i < names.size(); ++i) out.moves.emplace_back(names[i].text);
  }
  program_.channels.push_back(std::move(out));
}

Statement Reader::put(const Line& line) {
  Statement out{line.text.span, line.origin, {}};
  const WithAttributes whole = attributes_of(line.text.part(4));
  const auto parts = split_once(whole.text, " <- ");
  if (!parts) {
    phrases_.refuse(line.text.span,
                    "a put is `put channel[coordinates].member <- box`, or a value in place of the box");
    return out;
  }
  const std::optional<Entry> to = phrases_.entry(parts->first);
  if (parts->second.text.find('[') == std::string_view::npos) {
    const std::optional<ValueId> value = phrases_.value_named(parts->second);
    if (to && value) out.node = Put{*to, {}, {}, *value};
    return out;
  }
  const std::optional<Box> from = phrases_.box(parts->second);
  if (!to || !from) return out;
  Put node{*to, *from, phrases_.path(whole.attributes)};
  for (const Piece& attribute : whole.attributes) {
    if (attribute.starts("ahead ")) node.ahead = phrases_.index(attribute.part(6));
  }
  out.node = std::move(node);
  return out;
}

Statement Reader::loop(const Line& line, const WithAttributes& parts, int depth) {
  Statement out{line.text.span, line.origin, {}};
  const Piece& text = parts.text;
  if (text.starts("for tile in work(")) {
    out.node = ForTiles{block(depth + 1), phrases_.work(parts.attributes)};
    return out;
  }
  if (text.starts("while ")) {
    While loop;
    if (take(lines_, at_, "test:", depth + 1)) loop.test = block(depth + 2);
    loop.condition = phrases_.condition(text.part(6));
    loop.body = block(depth + 1);
    loop.carry = phrases_.carry(parts.attributes);
    out.node = std::move(loop);
    return out;
  }
  const auto name = split_once(text.part(4), " in ");
  const auto range = name ? split_once(name->second, " .. ") : std::nullopt;
  if (!range) {
    phrases_.refuse(text.span, "a loop is `for name in first .. last:`");
    return out;
  }
  For loop;
  loop.first = phrases_.bound(range->first);
  loop.last = phrases_.bound(range->second);
  loop.step = index_constant(1);
  for (const Piece& attribute : parts.attributes) {
    if (attribute.starts("step ")) loop.step = phrases_.bound(attribute.part(5));
    if (attribute.starts("unroll ")) loop.unroll = phrases_.number(attribute.part(7));
  }
  const int axis = phrases_.axis_named(name->first.text);
  if (axis >= 0) {
    loop.variable = {SymbolKind::axis, axis, std::string(name->first.text)};
    loop.body = block(depth + 1);
  } else {
    loop.variable = typing_.enter_loop(std::string(name->first.text), name->first.span);
    loop.body = block(depth + 1);
    typing_.leave_loop(loop.variable);
  }
  loop.carry = phrases_.carry(parts.attributes);
  out.node = std::move(loop);
  return out;
}

Statement Reader::branch(const Line& line, const WithAttributes& parts, int depth) {
  If node{phrases_.condition(parts.text.part(3)), {}, block(depth + 1), {}};
  if (take(lines_, at_, "else:", depth)) node.otherwise = block(depth + 1);
  node.carry = phrases_.carry(parts.attributes);
  return {line.text.span, line.origin, std::move(node)};
}

}  // namespace pallasgen::tile
