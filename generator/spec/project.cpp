#include "spec/project.h"

#include <fmt/format.h>

#include "bytes.h"
#include "reader.h"
#include "spec/rules.h"
#include "yaml.h"

namespace pallasgen {
namespace {

using K = const KeyInfo&;
using N = const Node&;

// Reads a text that is not empty.
std::string filled(Reader& reader, K key, N node) {
  const std::string text = reader.text(node);
  if (node.is_scalar() && text.empty())
    reader.diagnostics()
        .error(kWrongKind, node.span, fmt::format("'{}' has an empty text", key.name))
        .note(fmt::format("'{}': {}", key.name, key.doc));
  return text;
}

// Reads a text, or a list of texts.
std::vector<std::string> texts(Reader& reader, K key, N node) {
  if (node.is_scalar()) return {filled(reader, key, node)};
  std::vector<std::string> list;
  if (!reader.is_list(node, key)) return list;
  for (N item : node.items) list.push_back(filled(reader, key, item));
  return list;
}

std::vector<std::string> words(Reader& reader, K key, N node) {
  std::vector<std::string> list;
  for (const Named& word : reader.choices(node, key)) list.push_back(word.name);
  return list;
}

void read_defines(Reader& reader, K key, N node, Project& project) {
  if (!reader.is_mapping(node, key)) return;
  for (const NodeEntry& entry : node.entries)
    project.defines.push_back(entry.key.text + "=" + filled(reader, key, entry.value));
}

const std::vector<Row<Project>>& project_rows() {
  using enum ValueKind;
  static const std::vector<Row<Project>> all_rows = {
      {{"pallasgen", version, "the format version, 1", true}, [](Reader& r, K, N n, Project&) { r.version(n); }},
      {{"specs", text, "files and folders of specs", true},
       [](Reader& r, K key, N n, Project& p) { p.specs = texts(r, key, n); }},
      {{"out", text, "the output root"}, [](Reader& r, K, N n, Project& p) { p.out = r.text(n); }},
      {{"target", text, "the architecture, in place of the specs'"},
       [](Reader& r, K, N n, Project& p) { p.target = r.text(n); }},
      {{"define", text_map, "consts and settings of all specs: {name: value}"}, read_defines},
      {{"bindings", choices, "what else is written", false, {}, {"ffi", "python"}},
       [](Reader& r, K key, N n, Project& p) { p.bindings = words(r, key, n); }},
      {{"plan_json", text, "whether plans are written, too"},
       [](Reader& r, K, N n, Project& p) { p.plan_json = r.boolean(n); }},
      {{"template_dir", text, "templates that replace the built-in ones"},
       [](Reader& r, K, N n, Project& p) { p.template_dir = r.text(n); }},
      {{"extern_args", text, "a compiler's arguments for the headers of `extern`"},
       [](Reader& r, K key, N n, Project& p) { p.extern_args = texts(r, key, n); }},
      {{"interface", choice, "`frozen`: launchers keep their signatures", false, {}, {"frozen", "free"}},
       [](Reader& r, K key, N n, Project& p) { p.frozen = r.choice(n, key) == "frozen"; }},
  };
  return all_rows;
}

}  // namespace

std::optional<Project> read_project(const SourceText& source, Sources& sources, Diagnostics& diagnostics) {
  const int errors_before = diagnostics.errors();
  if (!check_bytes(source, diagnostics)) return std::nullopt;
  const std::optional<Node> node = read_yaml(source, diagnostics);
  if (!node) return std::nullopt;
  Project project;
  Reader reader(sources, diagnostics);
  static const Table table = table_of("project", "the project file", project_rows());
  decode_mapping(reader, *node, project_rows(), table, node->span.sub(0, 1), project);
  if (diagnostics.errors() > errors_before) return std::nullopt;
  return project;
}

}  // namespace pallasgen
