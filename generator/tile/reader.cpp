#include "reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/print_format.h"
#include "layout/derive.h"
#include "layout/names.h"
#include "tile/rules.h"

namespace pallasgen::tile {

namespace {

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
                              std::string_view::npos;
}

// Adds the duties that follow from the channels to those that roles have in the text.
void add_duties(Program& program) {
  for (Role& role : program.roles) {
    const bool computes = role.duties.computes;
    role.duties = duties_by_channels(program, role);
    role.duties.computes = role.duties.computes || computes;
  }
}

}  // namespace

void Reader::run() {
  expect(fmt::format("kernel {}:", typing_.kernel().name));
  const auto next_is = [&](std::string_view word) {
    return at_ < lines_.size() && lines_[at_].depth == 1 && lines_[at_].text.starts(word);
  };
  while (next_is("without ")) choices_.read(lines_[at_++]);
  while (next_is("channel ")) channel(lines_[at_++]);
  while (next_is("role ")) {
    Role role = phrases_.role(attributes_of(lines_[at_++].text));
    threads_ = role.threads();
    role.body = block(2);
    program_.roles.push_back(std::move(role));
  }
  if (program_.roles.empty()) expect("role all:");
  add_duties(program_);
  if (!program_.roles.empty() && !role_with(program_, &Duties::computes))
    phrases_.refuse(lines_.front().text.span, "no role computes: one says so, as in `role NAME {computes}:`");
  if (at_ < lines_.size()) phrases_.refuse(lines_[at_].text.span, "this line stands at no block's depth");
}

void Reader::expect(const std::string& text) {
  if (at_ < lines_.size() && lines_[at_].text.text == text) {
    ++at_;
    return;
  }
  const Span span = lines_.empty() ? Span{} : lines_[std::min(at_, lines_.size() - 1)].text.span;
  phrases_.refuse(span, fmt::format("`{}` is missing here", text));
}

Block Reader::block(int depth) {
  Block out;
  while (at_ < lines_.size() && lines_[at_].depth == depth) {
    const Line& line = lines_[at_++];
    out.push_back(statement(line, depth));
  }
  return out;
}

Statement Reader::statement(const Line& line, int depth) {
  Statement out{line.text.span, line.origin, {}};
  const Piece& text = line.text;
  const auto box_node = [&](auto node, size_t word) {
    const WithAttributes parts = attributes_of(text.part(word));
    if (std::optional<Box> found = phrases_.box(parts.text)) node.box = std::move(*found);
    node.path = phrases_.path(parts.attributes);
    out.node = std::move(node);
    return out;
  };
  if (text.starts("forget ")) {
    out.node = Forget{phrases_.ref_named(text.part(7))};
    return out;
  }
  if (text.starts("prefetch ")) {
    Prefetch ask;
    for (const Piece& attribute : attributes_of(text.part(9)).attributes) {
      if (attribute.starts("ahead ")) ask.ahead = phrases_.number(attribute.part(6)).value_or(0);
    }
    return box_node(ask, 9);
  }
  if (text.starts("fetch ")) return box_node(Fetch{}, 6);
  if (text.starts("flush ")) return box_node(Flush{}, 6);
  if (text.starts("write ")) {
    const WithAttributes whole = attributes_of(text.part(6));
    const auto parts = split_once(whole.text, " <- ");
    if (!parts) {
      phrases_.refuse(text.span, "a write is `write box <- value`");
      return out;
    }
    const std::optional<Box> to = phrases_.box(parts->first);
    const std::optional<ValueId> value = phrases_.value_named(parts->second);
    if (to && value) out.node = Write{*to, *value, phrases_.path(whole.attributes)};
    return out;
  }
  if (text.starts("put ")) return put(line);
  if (std::optional<Statement> found = protocol(line)) return std::move(*found);
  if (text.starts("print ")) return print(line, text.part(6));
  if (text.starts("assert ")) {
    const std::vector<Piece> parts = split(text.part(7), ",");
    if (parts.size() != 2) {
      phrases_.refuse(text.span, "an assertion is `assert condition, \"message\"`");
      return out;
    }
    const ExprPtr message = phrases_.parsed(parts[1]);
    const StringExpr* words = message ? message->as<StringExpr>() : nullptr;
    out.node = AssertStmt{phrases_.condition(parts[0]), words ? words->value : ""};
    return out;
  }
  for (const std::string_view word : {"for ", "while ", "if "}) {
    if (!text.starts(word)) continue;
    const WithAttributes parts = attributes_of(text);
    if (!parts.opens) phrases_.refuse(text.span, fmt::format("the block of `{}` is missing", word));
    return word == "if " ? branch(line, parts, depth) : loop(line, parts, depth);
  }
  const auto named = split_once(text, ": ");
  if (named && is_name(named->first.text)) {
    if (const auto parts = split_once(named->second, " = "))
      return definition(line, named->first, parts->first, parts->second);
  }
  return effect(line, text);
}

namespace {

Home home_named(const Piece& name) {
  return name.text == "smem" ? Home::shared : name.text == "scalar" ? Home::scalar : Home::registers;
}

}  // namespace

Statement Reader::definition(const Line& line, const Piece& name, const Piece& typed, const Piece& what) {
  Statement out{line.text.span, line.origin, {}};
  const bool inlined = typed.text.ends_with(" inlined");
  const auto homed = split_once(typed, inlined ? " inlined" : " in ");
  const Piece placed = homed ? homed->first : typed;
  const auto spread = split_once(placed, " @");
  const auto found = phrases_.type(spread ? spread->first : placed);
  if (!found) return out;
  const auto& [dtype, shape] = *found;
  const auto keep = [&](ValueId id) {
    Value& value = program_.values[static_cast<size_t>(id.index)];
    if (homed) value.home = inlined ? Home::shared : home_named(homed->second);
    value.inlined = inlined;
    if (!spread) return;
    const auto parts = split_once(spread->second, "(");
    const Piece called = parts ? parts->first : spread->second;
    if (parts && parts->second.text.ends_with(')'))
      value.parts = operation_named(parts->second.text.substr(0, parts->second.text.size() - 1));
    const auto layout = layout_named(called.text, shape, threads_, bytes_of(dtype, 1));
    const bool reduces =
        value.parts == Op::sum || value.parts == Op::prod || value.parts == Op::max || value.parts == Op::min;
    if (layout && is_partial(*layout) != reduces)
      phrases_.refuse(spread->second.span,
                      "a layout of parts, and no other, says what reduces them: sum, prod, max or min");
    else if (layout)
      value.layout = std::make_shared<const ValueLayout>(*layout);
    else
      phrases_.refuse(called.span, "no layout of this shape over the role's threads has this name");
  };
  if (is_atomic(what.text)) {
    const std::string assignment = fmt::format("{} = {}", name.text, what.text);
    const auto syntax = parse_statement(assignment, line.text.span, diagnostics_);
    const std::optional<KernelStmt> effect = syntax ? typing_.effect(*syntax, line.text.span) : std::nullopt;
    if (!effect) return out;
    const auto& atomic = std::get<AtomicStmt>(effect->node);
    phrases_.add({atomic.old}, {std::string(name.text), dtype, shape});
    keep({atomic.old});
    out.node = atomic;
    return out;
  }
  const auto declared = [&] {
    const ValueId id = phrases_.declare(name, dtype, shape);
    keep(id);
    return id;
  };
  // A definition may read the value's earlier definition, so the expression is read before the name is declared.
  if (what.text == "undef") {
    out.node = Assign{declared(), nullptr};
  } else if (what.starts("read ")) {
    const WithAttributes parts = attributes_of(what.part(5));
    const std::optional<Box> from = phrases_.box(parts.text);
    const ValueId id = declared();
    if (from) out.node = Read{id, *from, phrases_.path(parts.attributes), phrases_.turn_of(parts.attributes)};
  } else if (what.starts("get ")) {
    const WithAttributes parts = attributes_of(what.part(4));
    const std::optional<Entry> from = phrases_.entry(parts.text);
    const ValueId id = declared();
    if (from) out.node = Get{id, *from, phrases_.rows_of(parts.attributes)};
  } else if (what.starts("dot ") || what.starts("mma ")) {
    Dot node = phrases_.dot(what, dtype);
    node.product = choices_.numbered(node.product, attributes_of(what).attributes);
    node.value = declared();
    out.node = std::move(node);
  } else {
    const WithAttributes parts = attributes_of(what);
    const ExprPtr expr = phrases_.parsed(parts.text);
    const TypedPtr value = expr ? typing_.value(expr, dtype) : nullptr;
    const ValueId id = declared();
    if (value) out.node = Assign{id, choices_.numbered(value, parts.attributes)};
  }
  return out;
}

Statement Reader::print(const Line& line, const Piece& rest) {
  Statement out{line.text.span, line.origin, {}};
  const std::vector<Piece> parts = split(rest, ",");
  const ExprPtr format = parts.empty() ? nullptr : phrases_.parsed(parts[0]);
  const StringExpr* words = format ? format->as<StringExpr>() : nullptr;
  if (!words) {
    phrases_.refuse(line.text.span, "a print is `print \"text\", arguments`");
    return out;
  }
  PrintStmt node{print_texts(words->value), {}};
  if (node.texts.size() != parts.size()) {
    phrases_.refuse(line.text.span, fmt::format("the print has {} places {{}} for {} arguments", node.texts.size() - 1,
                                                parts.size() - 1));
    return out;
  }
  for (size_t i = 1; i < parts.size(); ++i) {
    const ExprPtr expr = phrases_.parsed(parts[i]);
    node.args.push_back(expr ? typing_.any_value(expr) : nullptr);
  }
  out.node = std::move(node);
  return out;
}

Statement Reader::effect(const Line& line, const Piece& text) {
  Statement out{line.text.span, line.origin, {}};
  const auto syntax = parse_statement(text.text, text.span, diagnostics_);
  const std::optional<KernelStmt> made = syntax ? typing_.effect(*syntax, text.span) : std::nullopt;
  if (!made) {
    if (syntax) phrases_.refuse(text.span, "this line is no statement of a tile program");
    return out;
  }
  if (const auto* store = std::get_if<StoreStmt>(&made->node)) out.node = *store;
  if (const auto* atomic = std::get_if<AtomicStmt>(&made->node)) out.node = *atomic;
  if (std::holds_alternative<GridSyncStmt>(made->node)) out.node = GridSyncStmt{};
  return out;
}

}  // namespace pallasgen::tile
