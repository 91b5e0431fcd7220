#include <fmt/format.h>

#include <algorithm>

#include "diagnostics/assert.h"
#include "reader.h"
#include "spec/rules.h"

namespace pallasgen {
namespace {

// Tables whose keys are easily mixed up: a key that another table of the group has is misplaced, not unknown.
const std::vector<std::vector<std::string_view>> kGroups = {{"input", "output", "scratch", "workspace"},
                                                            {"spec", "pipeline", "schedule", "math"}};

const Table* owner_of(std::string_view key, std::string_view table) {
  for (const auto& group : kGroups) {
    if (std::find(group.begin(), group.end(), table) == group.end()) continue;
    for (std::string_view other : group) {
      if (key_table(other).find(key) != nullptr) return &key_table(other);
    }
  }
  return nullptr;
}

}  // namespace

std::string Reader::unknown_key(const Node& key, const Table& table) {
  ++left_out_;
  if (const Table* owner = owner_of(key.text, table.name)) {
    diagnostics_.error(kMisplacedKey, key.span,
                       fmt::format("'{}' is a key of {}, not of {}", key.text, owner->doc, table.doc));
    return {};
  }
  std::vector<std::string> known = table.key_names();
  // A statement already has the key that determines its form.
  std::vector<std::string> meant = known;
  std::erase(meant, std::string(table.name));
  std::string near = nearest_key(key.text, meant);
  Diagnostic& d = diagnostics_.error(kUnknownKey, key.span, fmt::format("{} has no key '{}'", table.doc, key.text));
  if (near.empty()) {
    d.note(fmt::format("its keys are {}", fmt::join(known, ", ")));
  } else {
    d.note(fmt::format("did you mean '{}'?", near));
  }
  return near;
}

void Reader::missing_key(Span place, std::string_view key, const Table& table) {
  diagnostics_.error(kMissingKey, place,
                     fmt::format("{} needs the key '{}': {}", table.doc, key, table.find(key)->doc));
}

bool Reader::has_value(const Node& key, const Node& value) {
  if (!value.is_null()) return true;
  if (!value.broken) diagnostics_.error(kNullValue, key.span, fmt::format("'{}' has no value", key.text));
  return false;
}

std::vector<Setting> read_settings(Reader& reader, const Node& node, const Table& table) {
  std::vector<Setting> out;
  if (!reader.is_mapping(node, table.doc)) return out;
  std::vector<std::string> meant;
  for (const auto& [key, value] : node.entries) {
    const KeyInfo* info = table.find(key.text);
    if (info == nullptr) {
      meant.push_back(reader.unknown_key(key, table));
      if (node.find(meant.back()) == nullptr) info = table.find(meant.back());
    }
    if (info != nullptr && reader.has_value(key, value)) {
      std::optional<Setting> entry = read_setting(reader, key, value, *info);
      if (entry) {
        entry->name = info->name;
        out.push_back(std::move(*entry));
      }
    }
  }
  for (const KeyInfo& info : table.keys) {
    bool misspelt = std::find(meant.begin(), meant.end(), info.name) != meant.end();
    if (info.required && !misspelt && node.find(info.name) == nullptr)
      reader.missing_key(node.span.sub(0, 1), info.name, table);
  }
  return out;
}

namespace {

// Reads the entries of a mapping whose keys are the user's names.
std::vector<Setting> entries(Reader& reader, const Node& node, const KeyInfo& key) {
  std::vector<Setting> out;
  if (!reader.is_mapping(node, key)) return out;
  for (const auto& [name, value] : node.entries) {
    if (!reader.is_name(name.text, name.span) || !reader.has_value(name, value)) continue;
    Setting entry;
    entry.name = name.text;
    entry.span = name.span;
    entry.value_span = value.span;
    if (key.kind == ValueKind::table_map) {
      entry.entries = read_settings(reader, value, key_table(key.table));
    } else {
      entry.value = reader.value(value);
    }
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace

std::optional<Setting> read_setting(Reader& reader, const Node& name, const Node& value, const KeyInfo& key) {
  Setting out;
  out.name = name.text;
  out.span = name.span;
  out.value_span = value.span;
  switch (key.kind) {
    case ValueKind::expression:
      out.value = reader.expression(value);
      break;
    case ValueKind::value:
      out.value = reader.value(value);
      break;
    case ValueKind::expressions: {
      std::optional<std::vector<ExprPtr>> list = reader.expressions(value);
      if (list) out.value = make_expr(value.span, ListExpr{std::move(*list)});
      break;
    }
    case ValueKind::names: {
      ListExpr list;
      for (const Named& item : reader.names(value)) list.items.push_back(make_expr(item.span, NameExpr{item.name}));
      out.value = make_expr(value.span, std::move(list));
      break;
    }
    case ValueKind::name_lists:
      out.value = reader.value(value);
      break;
    case ValueKind::value_map:
    case ValueKind::table_map:
      out.entries = entries(reader, value, key);
      break;
    case ValueKind::table:
      out.entries = read_settings(reader, value, key_table(key.table));
      break;
    case ValueKind::value_or_table:
      if (value.is_mapping() && !value.is_tree()) {
        out.entries = read_settings(reader, value, key_table(key.table));
      } else if (value.is_sequence()) {
        if (value.items.empty()) out.value = make_expr(value.span, ListExpr{});
        for (const Node& item : value.items) {
          Node number = item;  // the name of the entry, at the place of the item
          number.text = fmt::format("{}", out.entries.size());
          if (std::optional<Setting> entry = read_setting(reader, number, item, key)) out.entries.push_back(*entry);
        }
      } else {
        out.value = reader.expression(value);
      }
      break;
    case ValueKind::transforms:
      if (!reader.is_list(value, key)) return std::nullopt;
      for (const Node& item : value.items) {
        for (Setting& entry : read_settings(reader, item, key_table(key.table)))
          out.entries.push_back(std::move(entry));
      }
      break;
    default:
      PALLASGEN_ASSERT(false && "a kind of setting without a decoder", name.span);
  }
  return out;
}

}  // namespace pallasgen
