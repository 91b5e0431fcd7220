#include "phrases.h"

#include <fmt/format.h>

#include <algorithm>

#include "tile/rules.h"

namespace pallasgen::tile {

void Phrases::refuse(Span span, std::string message) {
  diagnostics_.error(kTileText, span, std::move(message))
      .note("docs/tile-programs.md has the grammar of tile programs");
}

int Phrases::ref_named(const Piece& name) {
  const Kernel& kernel = typing_.kernel();
  for (size_t i = 0; i < kernel.refs.size(); ++i) {
    if (kernel.refs[i].name == name.text) return static_cast<int>(i);
  }
  refuse(name.span, fmt::format("'{}' is no ref", name.text));
  return -1;
}

ValueId Phrases::declare(const Piece& name, DType dtype, const Shape& shape) {
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

void Phrases::add(ValueId id, Value value) {
  program_.values.resize(std::max(program_.values.size(), static_cast<size_t>(id.index) + 1));
  values_[value.name] = id;
  program_.values[static_cast<size_t>(id.index)] = std::move(value);
}

std::optional<ValueId> Phrases::value_named(const Piece& name) {
  const auto found = values_.find(std::string(name.text));
  if (found != values_.end()) return found->second;
  refuse(name.span, fmt::format("'{}' is no value that is defined above", name.text));
  return std::nullopt;
}

std::optional<Box> Phrases::box(const Piece& piece) {
  const size_t open = piece.text.find('[');
  if (open == std::string_view::npos || piece.text.back() != ']') {
    refuse(piece.span, "a box is `ref[first +: size, …]`");
    return std::nullopt;
  }
  Box box{ref_named(piece.part(0, open)), {}};
  for (Piece entry : split(piece.part(open + 1, piece.text.size() - open - 2), ",")) {
    BoxDim dim;
    if (const auto limited = split_once(entry, " :< ")) {
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
    if (entry.starts("each ")) {
      const auto gathered = split_once(entry.part(5), " from ");
      const ExprPtr each = gathered ? parsed(gathered->first) : nullptr;
      dim.each = each ? typing_.any_value(each) : nullptr;
      if (gathered) entry = gathered->second;
    }
    dim.first = index(entry);
    box.dims.push_back(std::move(dim));
  }
  const bool good = box.ref >= 0 && box.dims.size() == typing_.kernel().refs[static_cast<size_t>(box.ref)].block.size();
  if (box.ref >= 0 && !good) refuse(piece.span, "a box has one entry for each dim of its array");
  return good ? std::optional(std::move(box)) : std::nullopt;
}

std::vector<ValueId> Phrases::carry(const std::vector<Piece>& attributes) {
  std::vector<ValueId> out;
  for (const Piece& attribute : attributes) {
    if (!attribute.starts("carry ")) continue;
    for (const Piece& name : split(attribute.part(6), " ")) {
      if (const auto id = value_named(name)) out.push_back(*id);
    }
  }
  return out;
}

Path Phrases::path(const std::vector<Piece>& attributes) {
  Path out;
  for (const Piece& attribute : attributes) {
    if (attribute.text == "path tma") out.kind = PathKind::tensor;
    if (attribute.text == "path bulk") out.kind = PathKind::bulk;
    if (attribute.text == "path cp_async") out.kind = PathKind::async;
    if (attribute.text == "path direct") out.kind = PathKind::direct;
    if (attribute.starts("vector ")) out.vector = number(attribute.part(7), 1).value_or(1);
  }
  return out;
}

std::optional<OfTurn> Phrases::turn_of(const std::vector<Piece>& attributes) {
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

TypedPtr Phrases::rows_of(const std::vector<Piece>& attributes) {
  for (const Piece& attribute : attributes) {
    if (attribute.starts("rows ")) return index(attribute.part(5));
  }
  return nullptr;
}

std::optional<Work> Phrases::work(const std::vector<Piece>& attributes) {
  std::optional<Work> out;
  if (!attributes.empty()) out.emplace();
  for (const Piece& attribute : attributes) {
    if (attribute.text == "static_persistent") out->kind = WorkKind::static_persistent;
    if (attribute.text == "dynamic") out->kind = WorkKind::dynamic;
    if (attribute.text == "column") out->order.kind = TileOrderKind::column;
    const std::vector<Piece> words = split(attribute, " ");
    if (attribute.starts("order ")) {
      out->order.kind = TileOrderKind::listed;
      for (size_t i = 1; i < words.size(); ++i) {
        const bool reversed = words[i].starts("-");
        const Piece name = reversed ? words[i].part(1) : words[i];
        const auto group = split_once(name, ":");
        const int axis = axis_named((group ? group->first : name).text);
        if (axis < 0) refuse(name.span, fmt::format("'{}' is no axis", name.text));
        out->order.parts.push_back({axis, reversed, group ? number(group->second).value_or(1) : 0});
      }
    }
    const std::string_view word = words.empty() ? std::string_view() : words[0].text;
    if (word != "one_per_cta" && word != "static_persistent" && word != "dynamic" && word != "column" &&
        word != "order" && word != "strips")
      refuse(attribute.span, fmt::format("'{}' is nothing that a loop over tiles has", attribute.text));
    if (word != "strips") continue;
    out->order.kind = TileOrderKind::strips;
    out->order.axis = words.size() == 3 ? axis_named(words[1].text) : -1;
    if (out->order.axis < 0) refuse(attribute.span, "strips are `strips axis width`");
    if (words.size() == 3) out->order.width = number(words[2], 1).value_or(1);
  }
  return out;
}

std::optional<Entry> Phrases::entry(const Piece& piece) {
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

ChannelId Phrases::channel_named(const Piece& name) {
  for (size_t i = 0; i < program_.channels.size(); ++i) {
    if (program_.channels[i].name == name.text) return {static_cast<int>(i)};
  }
  refuse(name.span, fmt::format("there is no channel '{}'", name.text));
  return {};
}

std::optional<std::pair<DType, Shape>> Phrases::type(const Piece& piece) {
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

std::optional<int64_t> Phrases::number(const Piece& piece, int64_t least) {
  const TypedPtr expr = index(piece);
  const std::optional<int64_t> value = expr ? constant_value(expr) : std::nullopt;
  if (value && *value < least) refuse(piece.span, fmt::format("'{}' is less than {}", piece.text, least));
  return value;
}

int Phrases::axis_named(std::string_view name) const {
  const std::vector<Axis>& axes = typing_.kernel().axes;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

namespace {

bool multiplies_values(const Apply& product) {
  return std::all_of(product.args.begin(), product.args.end(),
                     [](const TypedPtr& operand) { return operand->as<LocalUse>() != nullptr; });
}

}  // namespace

Dot Phrases::dot(const Piece& whole, DType dtype) {
  const Piece text = whole.part(4);  // behind `dot ` or `mma `
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
  // Instructions take whole blocks or parts of blocks.
  const TypedPtr of_parts = out.product && !out.family.empty() ? dot_of_parts(out.product) : nullptr;
  if (of_parts) out.product = of_parts;
  const Apply* product = out.product ? out.product->applies(Op::dot) : nullptr;
  if (!out.family.empty() && product && !multiplies_values(*product))
    refuse(whole.span, "the operands of a dot with a family are values that are defined above");
  const Product* by = tile::product_of(out.family);
  if (!by || (!out.family.empty() && !whole.starts(by->word)))
    refuse(whole.span, fmt::format("no family '{}' goes with `{}`", out.family, whole.text.substr(0, 3)));
  else
    out.by = by;
  return out;
}

// Types `start, a, b {precision p}` as a call of dot whose dtype is that of the value which it defines.
TypedPtr Phrases::product_of(const Piece& text, DType dtype) {
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

Role Phrases::role(const WithAttributes& head) {
  Role role{std::string(head.text.part(5).text), {}};
  for (const Piece& attribute : head.attributes) {
    if (attribute.text == "computes") role.duties.computes = true;
    if (attribute.starts("warps ")) role.warps = number(attribute.part(6)).value_or(0);
    if (attribute.starts("ctas ")) role.ctas = number(attribute.part(5), 1).value_or(1);
    if (attribute.starts("registers ")) role.registers = number(attribute.part(10)).value_or(0);
  }
  return role;
}

bool is_atomic(std::string_view text) {
  const size_t open = text.find('(');
  if (open == std::string_view::npos) return false;
  for (const AtomicOp op : {AtomicOp::add, AtomicOp::max, AtomicOp::min, AtomicOp::bit_and, AtomicOp::bit_or,
                            AtomicOp::bit_xor, AtomicOp::exchange, AtomicOp::compare_exchange})
    if (text.substr(0, open) == name_of(op)) return true;
  return false;
}

}  // namespace pallasgen::tile
