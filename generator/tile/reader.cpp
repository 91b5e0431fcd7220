#include "reader.h"

#include <fmt/format.h>

#include "layout/names.h"
#include "tile/rules.h"

namespace pallasgen::tile {

namespace {

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
                              std::string_view::npos;
}

// Whether the text is a call of an atomic operation, not a value whose name begins alike.
bool is_atomic(std::string_view text) {
  const size_t open = text.find('(');
  if (open == std::string_view::npos) return false;
  for (const AtomicOp op : {AtomicOp::add, AtomicOp::max, AtomicOp::min, AtomicOp::bit_and, AtomicOp::bit_or,
                            AtomicOp::bit_xor, AtomicOp::exchange, AtomicOp::compare_exchange})
    if (text.substr(0, open) == name_of(op)) return true;
  return false;
}

}  // namespace

void Reader::run() {
  const Kernel& kernel = typing_.kernel();
  expect(fmt::format("kernel {}:", kernel.name));
  while (at_ < lines_.size() && lines_[at_].depth == 1 && lines_[at_].text.starts("channel ")) channel(lines_[at_++]);
  while (at_ < lines_.size() && lines_[at_].depth == 1 && lines_[at_].text.starts("role ")) {
    const WithAttributes head = attributes_of(lines_[at_++].text);
    program_.roles.push_back({std::string(head.text.part(5).text), {}});
    for (const Piece& attribute : head.attributes) {
      if (attribute.starts("warps ")) program_.roles.back().warps = number(attribute.part(6)).value_or(0);
      if (attribute.starts("registers ")) program_.roles.back().registers = number(attribute.part(10)).value_or(0);
    }
    Block body = block(2);
    program_.roles.back().body = std::move(body);
  }
  if (program_.roles.empty()) expect("role all:");
  if (at_ < lines_.size()) refuse(lines_[at_].text.span, "this line stands at no block's depth");
}

void Reader::refuse(Span span, std::string message) {
  diagnostics_.error(kTileText, span, std::move(message))
      .note("docs/tile-programs.md has the grammar of tile programs");
}

void Reader::expect(const std::string& text) {
  if (at_ < lines_.size() && lines_[at_].text.text == text) {
    ++at_;
    return;
  }
  const Span span = lines_.empty() ? Span{} : lines_[std::min(at_, lines_.size() - 1)].text.span;
  refuse(span, fmt::format("`{}` is missing here", text));
}

int Reader::ref_named(const Piece& name) {
  const Kernel& kernel = typing_.kernel();
  for (size_t i = 0; i < kernel.refs.size(); ++i) {
    if (kernel.refs[i].name == name.text) return static_cast<int>(i);
  }
  refuse(name.span, fmt::format("'{}' is no ref", name.text));
  return -1;
}

ValueId Reader::declare(const Piece& name, DType dtype, const Shape& shape) {
  const std::string text(name.text);
  const auto known = values_.find(text);
  if (known != values_.end()) {
    const Value& value = program_.value(known->second);
    if (value.dtype == dtype && value.shape == shape) return known->second;
  }
  const ValueId id{typing_.declare(text, dtype, shape, name.span)};
  add(id, {text, dtype, shape});
  return id;
}

void Reader::add(ValueId id, Value value) {
  program_.values.resize(std::max(program_.values.size(), static_cast<size_t>(id.index) + 1));
  values_[value.name] = id;
  program_.values[static_cast<size_t>(id.index)] = std::move(value);
}

std::optional<ValueId> Reader::value_named(const Piece& name) {
  const auto found = values_.find(std::string(name.text));
  if (found != values_.end()) return found->second;
  refuse(name.span, fmt::format("'{}' is no value that is defined above", name.text));
  return std::nullopt;
}

std::optional<Box> Reader::box(const Piece& piece) {
  const size_t open = piece.text.find('[');
  if (open == std::string_view::npos || piece.text.back() != ']') {
    refuse(piece.span, "a box is `ref[first +: size, …]`");
    return std::nullopt;
  }
  Box box{ref_named(piece.part(0, open)), {}};
  for (Piece entry : split(piece.part(open + 1, piece.text.size() - open - 2), ",")) {
    BoxDim dim;
    if (const auto limited = split_once(entry, " below ")) {
      dim.limit = index(limited->second);
      entry = limited->first;
    }
    dim.may_leave = !entry.text.empty() && entry.text.back() == '?';
    if (dim.may_leave) entry = entry.part(0, entry.text.size() - 1);
    if (const auto sized = split_once(entry, " +: ")) {
      dim.size_text = index(sized->second);
      dim.size = dim.size_text ? constant_value(dim.size_text) : std::nullopt;
      entry = sized->first;
    }
    dim.first = index(entry);
    box.dims.push_back(std::move(dim));
  }
  const bool good = box.ref >= 0 && box.dims.size() == typing_.kernel().refs[static_cast<size_t>(box.ref)].block.size();
  if (box.ref >= 0 && !good) refuse(piece.span, "a box has one entry for each dim of its array");
  return good ? std::optional(std::move(box)) : std::nullopt;
}

std::optional<int64_t> Reader::number(const Piece& piece) {
  const TypedPtr expr = index(piece);
  return expr ? constant_value(expr) : std::nullopt;
}

Path Reader::path(const std::vector<Piece>& attributes) {
  Path out;
  for (const Piece& attribute : attributes) {
    if (attribute.text == "path tma") out.kind = PathKind::tensor;
    if (attribute.text == "path bulk") out.kind = PathKind::bulk;
    if (attribute.text == "path cp_async") out.kind = PathKind::async;
    if (attribute.text == "path direct") out.kind = PathKind::direct;
    if (attribute.starts("vector ")) out.vector = number(attribute.part(7)).value_or(1);
  }
  return out;
}

std::optional<OfTurn> Reader::turn_of(const std::vector<Piece>& attributes) {
  for (const Piece& attribute : attributes) {
    const auto parts = attribute.starts("of ") ? split_once(attribute.part(3), " = ") : std::nullopt;
    if (!parts) continue;
    const std::string name(parts->first.text);
    const int axis = axis_named(name);
    if (axis >= 0) return OfTurn{{SymbolKind::axis, axis, name}, index(parts->second)};
    refuse(parts->first.span, fmt::format("'{}' is no sequential axis", parts->first.text));
  }
  return std::nullopt;
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
    if (std::optional<Box> found = box(parts.text)) node.box = std::move(*found);
    node.path = path(parts.attributes);
    out.node = std::move(node);
    return out;
  };
  if (text.starts("forget ")) {
    out.node = Forget{ref_named(text.part(7))};
    return out;
  }
  if (text.starts("fetch ")) return box_node(Fetch{}, 6);
  if (text.starts("flush ")) return box_node(Flush{}, 6);
  if (text.starts("write ")) {
    const WithAttributes whole = attributes_of(text.part(6));
    const auto parts = split_once(whole.text, " <- ");
    if (!parts) {
      refuse(text.span, "a write is `write box <- value`");
      return out;
    }
    const std::optional<Box> to = box(parts->first);
    const std::optional<ValueId> value = value_named(parts->second);
    if (to && value) out.node = Write{*to, *value, path(whole.attributes)};
    return out;
  }
  if (text.starts("put ")) return put(line);
  if (std::optional<Statement> found = protocol(line)) return std::move(*found);
  if (text.starts("print ")) return print(line, text.part(6));
  if (text.starts("assert ")) {
    const std::vector<Piece> parts = split(text.part(7), ",");
    if (parts.size() != 2) {
      refuse(text.span, "an assertion is `assert condition, \"message\"`");
      return out;
    }
    const ExprPtr message = parsed(parts[1]);
    const StringExpr* words = message ? message->as<StringExpr>() : nullptr;
    out.node = AssertStmt{condition(parts[0]), words ? words->value : ""};
    return out;
  }
  for (const std::string_view word : {"for ", "while ", "if "}) {
    if (!text.starts(word)) continue;
    const WithAttributes parts = attributes_of(text);
    if (!parts.opens) refuse(text.span, fmt::format("the block of `{}` is missing", word));
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
  const auto homed = split_once(typed, " in ");
  const Piece placed = homed ? homed->first : typed;
  const auto spread = split_once(placed, " @");
  const auto found = this->type(spread ? spread->first : placed);
  if (!found) return out;
  const auto& [dtype, shape] = *found;
  const auto keep = [&](ValueId id) {
    Value& value = program_.values[static_cast<size_t>(id.index)];
    if (homed) value.home = home_named(homed->second);
    if (!spread) return;
    const auto layout = layout_named(spread->second.text, shape, program_.roles.back().threads(), bytes_of(dtype, 1));
    if (layout)
      value.layout = std::make_shared<const ValueLayout>(*layout);
    else
      refuse(spread->second.span, "no layout of this shape over the role's threads has this name");
  };
  if (is_atomic(what.text)) {
    const std::string assignment = fmt::format("{} = {}", name.text, what.text);
    const auto syntax = parse_statement(assignment, line.text.span, diagnostics_);
    const std::optional<KernelStmt> effect = syntax ? typing_.effect(*syntax, line.text.span) : std::nullopt;
    if (!effect) return out;
    const auto& atomic = std::get<AtomicStmt>(effect->node);
    add({atomic.old}, {std::string(name.text), dtype, shape});
    keep({atomic.old});
    out.node = atomic;
    return out;
  }
  const auto declared = [&] {
    const ValueId id = declare(name, dtype, shape);
    keep(id);
    return id;
  };
  // What is defined may be read by its own definition: the expression comes first.
  if (what.text == "undef") {
    out.node = Assign{declared(), nullptr};
  } else if (what.starts("read ")) {
    const WithAttributes parts = attributes_of(what.part(5));
    const std::optional<Box> from = box(parts.text);
    const ValueId id = declared();
    if (from) out.node = Read{id, *from, path(parts.attributes), turn_of(parts.attributes)};
  } else if (what.starts("get ")) {
    const std::optional<Entry> from = entry(what.part(4));
    const ValueId id = declared();
    if (from) out.node = Get{id, *from};
  } else if (what.starts("dot ") || what.starts("mma ")) {
    Dot node = dot(what.part(4), dtype);
    node.value = declared();
    out.node = std::move(node);
  } else {
    const ExprPtr expr = parsed(what);
    const TypedPtr value = expr ? typing_.value(expr, dtype) : nullptr;
    const ValueId id = declared();
    if (value) out.node = Assign{id, value};
  }
  return out;
}

Statement Reader::print(const Line& line, const Piece& rest) {
  Statement out{line.text.span, line.origin, {}};
  const std::vector<Piece> parts = split(rest, ",");
  const ExprPtr format = parts.empty() ? nullptr : parsed(parts[0]);
  const StringExpr* words = format ? format->as<StringExpr>() : nullptr;
  if (!words) {
    refuse(line.text.span, "a print is `print \"text\", arguments`");
    return out;
  }
  PrintStmt node{{}, {}};
  std::string text = words->value;
  for (size_t i = 1; i < parts.size(); ++i) {
    const size_t place = text.find("{}");
    node.texts.push_back(text.substr(0, place));
    text = place == std::string::npos ? "" : text.substr(place + 2);
    const ExprPtr expr = parsed(parts[i]);
    node.args.push_back(expr ? typing_.any_value(expr) : nullptr);
  }
  node.texts.push_back(std::move(text));
  out.node = std::move(node);
  return out;
}

Statement Reader::effect(const Line& line, const Piece& text) {
  Statement out{line.text.span, line.origin, {}};
  const auto syntax = parse_statement(text.text, text.span, diagnostics_);
  const std::optional<KernelStmt> made = syntax ? typing_.effect(*syntax, text.span) : std::nullopt;
  if (!made) {
    if (syntax) refuse(text.span, "this line is no statement of a tile program");
    return out;
  }
  if (const auto* store = std::get_if<StoreStmt>(&made->node)) out.node = *store;
  if (const auto* atomic = std::get_if<AtomicStmt>(&made->node)) out.node = *atomic;
  if (std::holds_alternative<GridSyncStmt>(made->node)) out.node = GridSyncStmt{};
  return out;
}

Dot Reader::dot(const Piece& text, DType dtype) {
  const WithAttributes parts = attributes_of(text);
  const std::vector<Piece> args = split(parts.text, ",");
  const Piece* start = args.size() == 3 && args[0].text != "0" ? &args[0] : nullptr;
  const ExprPtr expr = start ? parsed(*start) : nullptr;
  Dot out;
  out.start = expr ? typing_.value(expr, dtype) : nullptr;
  out.product = product_of(text, dtype);
  for (const Piece& attribute : parts.attributes) {
    if (attribute.starts("family ")) out.family = attribute.part(7).text;
    if (attribute.starts("accumulate ")) out.accumulate = condition(attribute.part(11));
    if (attribute.starts("in_flight ")) out.in_flight = number(attribute.part(10));
  }
  return out;
}

// `start, a, b {precision p}` as the call of dot that it is, with the dtype of what it defines.
TypedPtr Reader::product_of(const Piece& text, DType dtype) {
  const WithAttributes parts = attributes_of(text);
  const std::vector<Piece> args = split(parts.text, ",");
  if (args.size() != 3) {
    refuse(text.span, "a dot is `dot start, a, b`");
    return nullptr;
  }
  std::string call = "dot(";
  std::string settings;
  for (size_t i = 1; i < 3; ++i) {
    const std::string_view arg = args[i].text;
    const bool transposed = arg.starts_with("(") && arg.ends_with(").T");
    call += std::string(transposed ? arg.substr(1, arg.size() - 4) : arg) + ", ";
    if (transposed) settings += i == 1 ? "trans_a=true, " : "trans_b=true, ";
  }
  for (const Piece& attribute : parts.attributes) {
    if (attribute.starts("precision ")) settings += fmt::format("precision={}, ", attribute.part(10).text);
  }
  call += fmt::format("{}dtype={})", settings, name_of(dtype));
  const ExprPtr expr = parse_expression(call, text.span, diagnostics_);
  return expr ? typing_.any_value(expr) : nullptr;
}

}  // namespace pallasgen::tile
