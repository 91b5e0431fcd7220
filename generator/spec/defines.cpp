#include <fmt/format.h>

#include <algorithm>

#include "spec/rules.h"
#include "tables.h"

namespace pallasgen {
namespace {

struct Place {
  const SourceText& source;
  Span name, value;
};

std::vector<Setting>* section_of(Spec& spec, std::string_view name) {
  if (name == "pipeline") return &spec.pipeline;
  if (name == "schedule") return &spec.schedule;
  if (name == "math") return &spec.math;
  return nullptr;
}

void unknown(Reader& reader, Span place, const std::string& message, std::string_view word,
             const std::vector<std::string>& known) {
  Diagnostic& d = reader.diagnostics().error(kDefineUnknown, place, message);
  std::string near = nearest_key(word, known);
  if (!near.empty()) {
    d.note(fmt::format("did you mean '{}'?", near));
  } else if (!known.empty()) {
    d.note(fmt::format("known are {}", fmt::join(known, ", ")));
  }
}

Setting& entry_of(std::vector<Setting>& settings, std::string_view name, Span span) {
  for (Setting& setting : settings) {
    if (setting.name == name) return setting;
  }
  Setting& fresh = settings.emplace_back();
  fresh.name = name;
  fresh.span = span;
  return fresh;
}

// Sets `path`, which is below a mapping that follows `table`; `table` is null if its keys are free.
void set_path(Reader& reader, std::vector<Setting>& settings, const Table* table, std::string_view path,
              const Place& place, ExprPtr value) {
  std::string_view key = path.substr(0, path.find('.'));
  uint32_t begin = place.name.end - static_cast<uint32_t>(path.size());
  Span key_span{place.name.source, begin, begin + static_cast<uint32_t>(key.size())};
  const KeyInfo* info = table == nullptr ? nullptr : table->find(key);
  bool last = key.size() == path.size();
  bool mapping = info != nullptr && (info->kind == ValueKind::table || info->kind == ValueKind::value_map);
  bool leaf = info == nullptr || (info->kind != ValueKind::table && info->kind != ValueKind::value_map &&
                                  info->kind != ValueKind::value_or_table);
  if (table != nullptr && info == nullptr) {
    std::vector<std::string> known = table->key_names();
    unknown(reader, key_span, fmt::format("{} has no key '{}'", table->doc, key), key, known);
    return;
  }
  if ((last && mapping) || (!last && leaf)) {
    reader.diagnostics().error(kDefineUnknown, key_span,
                               last ? fmt::format("'{}' is a mapping: give one of its keys, as in '{}.…'", key, key)
                                    : fmt::format("'{}' has no keys of its own", key));
    return;
  }
  Setting& entry = entry_of(settings, key, key_span);
  if (!last) {
    entry.value = nullptr;
    if (entry.is_list()) entry.entries.clear();
    const Table* below = info->table.empty() ? nullptr : &key_table(info->table);
    return set_path(reader, entry.entries, below, path.substr(key.size() + 1), place, std::move(value));
  }
  if (info != nullptr && (info->kind == ValueKind::names || info->kind == ValueKind::expressions) &&
      value->as<ListExpr>() == nullptr) {
    value = make_expr(value->span, ListExpr{{value}});
  }
  entry.entries.clear();
  entry.value = std::move(value);
  entry.value_span = place.value;
}

void apply(Reader& reader, const Define& define, const Place& place, Spec& spec) {
  ExprPtr value = parse_expression(define.value, place.value, reader.diagnostics());
  size_t dot = define.name.find('.');
  if (dot != std::string::npos) {
    std::string section = define.name.substr(0, dot);
    std::vector<Setting>* settings = section_of(spec, section);
    if (settings == nullptr) {
      unknown(reader, place.name.sub(0, static_cast<uint32_t>(dot)),
              fmt::format("'{}' is no mapping of settings", section), section, {"pipeline", "schedule", "math"});
    } else if (value != nullptr) {
      set_path(reader, *settings, &key_table(section), std::string_view(define.name).substr(dot + 1), place, value);
    }
    return;
  }
  std::vector<std::string> known;
  for (ConstSpec& constant : spec.consts) {
    if (constant.name == define.name) {
      if (!constant.replaced) constant.replaced = constant.value;
      constant.value = std::move(value);
      return;
    }
    known.push_back(constant.name);
  }
  // A setting is given by its path; the bare key is a likely mistake.
  for (std::string_view section : {"pipeline", "schedule", "math"}) {
    if (key_table(section).find(define.name) == nullptr) continue;
    reader.diagnostics()
        .error(kDefineUnknown, place.name, fmt::format("the spec has no const '{}'", define.name))
        .note(fmt::format("the setting is '{}.{}'", section, define.name));
    return;
  }
  const auto is_it = [&](const Named& each) { return each.name == define.name; };
  const bool dim = std::any_of(spec.dims.begin(), spec.dims.end(), is_it);
  if (dim || std::any_of(spec.scalars.begin(), spec.scalars.end(), is_it)) {
    reader.diagnostics()
        .error(kDefineUnknown, place.name,
               fmt::format("'{}' is a {}, and -D gives values to consts", define.name, dim ? "dim" : "scalar"))
        .note(fmt::format("the launch gives it its value; for a run on the CPU write {} {}={}", dim ? "--dim" : "--in",
                          define.name, define.value));
    return;
  }
  unknown(reader, place.name, fmt::format("the spec has no const '{}'", define.name), define.name, known);
}

}  // namespace

void apply_defines(Reader& reader, const std::vector<Define>& defines, Sources& sources, Spec& spec) {
  for (const Define& define : defines) {
    const SourceText& source = sources.add("-D", define.name + "=" + define.value);
    uint32_t name_end = static_cast<uint32_t>(define.name.size());
    uint32_t end = static_cast<uint32_t>(source.text().size());
    Place place{source, {&source, 0, name_end}, {&source, name_end + 1, end}};
    apply(reader, define, place, spec);
  }
}

}  // namespace pallasgen
