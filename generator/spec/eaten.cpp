#include "eaten.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "spec/rules.h"

namespace pallasgen {
namespace {

constexpr size_t kLongest = 160;  // bytes of a text that a message quotes
constexpr std::string_view kWords[] = {"and", "or", "not", "if", "else"};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string_view text_of(Span span) { return span.source->text().substr(span.begin, span.end - span.begin); }

bool starts(std::string_view text, std::string_view prefix) { return text.starts_with(prefix); }

// The start of the text that holds `offset` on its line: after `- ` or `key: `, and in a flow collection after the last
// `,`, `{` or `[` before `offset`.
uint32_t begin_of_text(const SourceText& source, uint32_t offset, bool flow) {
  std::string_view text = source.text();
  size_t line = offset;
  while (line > 0 && text[line - 1] != '\n') --line;
  size_t begin = line;
  for (size_t i = line; i < offset; ++i) {
    bool after = i + 1 < text.size() && is_blank(text[i + 1]);
    bool dash = text[i] == '-' && after && trimmed(text.substr(begin, i - begin)).empty();
    bool colon = text[i] == ':' && after;
    bool bracket = flow && (text[i] == ',' || text[i] == '{' || text[i] == '[');
    if (dash || colon || bracket) begin = i + 1;
  }
  while (begin < offset && is_blank(text[begin])) ++begin;
  return static_cast<uint32_t>(begin);
}

// Finds a tab in the indentation of the line that holds `offset`, or of the next line.
std::optional<Span> tab_indentation(const SourceText& source, uint32_t offset) {
  std::string_view text = source.text();
  size_t line = offset;
  while (line > 0 && text[line - 1] != '\n') --line;
  for (int i = 0; i < 2 && line < text.size(); ++i) {
    size_t first = std::min(text.find_first_not_of(' ', line), text.size());
    if (first < text.size() && text[first] == '\t') {
      return Span{&source, static_cast<uint32_t>(first), static_cast<uint32_t>(first + 1)};
    }
    size_t next = text.find('\n', line);
    line = next == std::string_view::npos ? text.size() : next + 1;
  }
  return std::nullopt;
}

// True if a bracket is open before `offset` on its line.
bool in_flow(const SourceText& source, uint32_t offset) {
  std::string_view text = source.text();
  size_t line = offset;
  while (line > 0 && text[line - 1] != '\n') --line;
  return open_brackets(text.substr(line, offset - line)) > 0;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string quoted(std::string_view whole) {
  std::string_view text = trimmed(whole);
  if (text.size() > kLongest) return "\"…\"";
  // A text with double quotes or backslashes gets single quotes, which need no escapes for them.
  if (text.find('"') == std::string_view::npos && text.find('\\') == std::string_view::npos) {
    return fmt::format("\"{}\"", text);
  }
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

int open_brackets(std::string_view text) {
  int open = 0;
  char quote = 0;
  for (char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++open;
    } else if (c == ')' || c == ']' || c == '}') {
      --open;
    }
  }
  return open;
}

bool is_incomplete(std::string_view text) {
  text = trimmed(text);
  if (open_brackets(text) > 0) return true;
  if (std::count(text.begin(), text.end(), '"') % 2 == 1 || std::count(text.begin(), text.end(), '\'') % 2 == 1)
    return true;
  if (text.empty() || std::string_view("+-*/%@<>=&|^~,.").find(text.back()) != std::string_view::npos) return true;
  size_t space = text.find_last_of(" \t\r\n");
  std::string_view last = space == std::string_view::npos ? text : text.substr(space + 1);
  return std::find(std::begin(kWords), std::end(kWords), last) != std::end(kWords);
}

Span text_at(const SourceText& source, uint32_t offset, bool flow) {
  std::string_view text = source.text();
  int open = 0;
  size_t end = offset;
  for (; end < text.size() && text[end] != '\n'; ++end) {
    char c = text[end];
    bool closes = c == ')' || c == ']' || c == '}';
    if (flow && open == 0 && (closes || c == ',')) break;
    if (c == '#' && end > offset && is_blank(text[end - 1])) break;
    open += c == '(' || c == '[' || c == '{' ? 1 : closes ? -1 : 0;
  }
  while (end > offset && is_blank(text[end - 1])) --end;
  return {&source, offset, static_cast<uint32_t>(end)};
}

namespace {

// The likely remedy for an error message of libfyaml, which is about tokens and not about what somebody wrote.
std::string_view remedy_for_yaml(std::string_view message) {
  constexpr std::pair<std::string_view, std::string_view> kRemedies[] = {
      {"quoted scalar", "a quote that opens a text is not closed: it ends with the same quote, in the same line"},
      {"wrongly indented flow", "a '{' or '[' further up is not closed"},
      {"mismatched flow", "each '{' is closed by '}', and each '[' by ']', the last one first"},
      {"missing comma", "a ',' is missing, or a '{' or '[' further up is not closed"},
      {"multiline plain key", "a key is one line, and ends in ':' with a space behind it: `kernel: add`"},
      {"expected ':'", "a key ends in ':' with a space behind it: `kernel: add`"},
      {"value after mapping", "a key ends in ':' with a space behind it: `kernel: add`"},
      {"inden", "the keys of one mapping begin in one column, and so do the '-' of one list"}};
  for (const auto& [said, remedy] : kRemedies)
    if (message.find(said) != std::string_view::npos) return remedy;
  return "";
}

}  // namespace

void report_yaml_error(const SourceText& source, uint32_t offset, const std::string& message,
                       Diagnostics& diagnostics) {
  std::string_view text = source.text();
  Span here{&source, offset, std::min<uint32_t>(offset + 1, static_cast<uint32_t>(text.size()))};
  bool flow = in_flow(source, offset);
  char at = offset < text.size() ? text[offset] : '\0';
  if (starts(message, "missing comma in flow") && (at == '[' || at == '{')) {
    // In `{type: bf16[M, K]}` the text began before the bracket.
    Span eaten = text_at(source, begin_of_text(source, offset, true), true);
    diagnostics.error(kYamlSplit, eaten,
                      fmt::format("inside {{ }} and [ ] YAML takes '{}' as the begin of a {}: quote the "
                                  "text: {}",
                                  at, at == '[' ? "list" : "mapping", quoted(text_of(eaten))));
    return;
  }
  if (starts(message, "plain scalar cannot start with")) {
    Span eaten = text_at(source, offset, flow);
    diagnostics.error(
        kYamlLeading, eaten,
        fmt::format("YAML allows no text that begins with '{}': quote it: {}", at, quoted(text_of(eaten))));
    return;
  }
  uint32_t begin = begin_of_text(source, offset, flow);
  char first = begin < text.size() ? text[begin] : '\0';
  bool opens = first == '[' || first == '{' || first == '"' || first == '\'';
  if (begin < offset && opens && (starts(message, "invalid scalar") || starts(message, "invalid trailing content"))) {
    Span eaten = text_at(source, begin, flow);
    diagnostics.error(
        kYamlLeading, eaten,
        fmt::format("YAML takes '{}' at the begin of a text as the begin of {}: quote the whole: {}", first,
                    first == '['   ? "a list"
                    : first == '{' ? "a mapping"
                                   : "a quoted text",
                    quoted(text_of(eaten))));
    return;
  }
  if (starts(message, "invalid nested block mapping on the same line")) {
    Span eaten = text_at(source, begin, flow);
    diagnostics.error(kYamlColon, eaten,
                      fmt::format("YAML makes a mapping of this text at ': ': quote it: {}", quoted(text_of(eaten))));
    return;
  }
  if (std::optional<Span> tab = tab_indentation(source, offset)) {
    diagnostics.error(kYamlSyntax, *tab, "this line is indented by a tab: YAML is indented by spaces");
    return;
  }
  Diagnostic& out =
      diagnostics.error(kYamlSyntax, here, fmt::format("YAML cannot read the file from here: {}", message));
  const std::string_view remedy = remedy_for_yaml(message);
  if (!remedy.empty()) out.note(std::string(remedy));
}

Span cut_comment(const Node& scalar) {
  if (!scalar.plain || scalar.span.source == nullptr) return {};
  std::string_view text = scalar.span.source->text();
  size_t hash = scalar.span.end;
  while (hash < text.size() && (text[hash] == ' ' || text[hash] == '\t')) ++hash;
  if (hash == scalar.span.end || hash == text.size() || text[hash] != '#') return {};
  size_t end = std::min(text.find_first_of("\r\n", hash), text.size());
  return {scalar.span.source, static_cast<uint32_t>(hash), static_cast<uint32_t>(end)};
}

bool is_eaten_mapping(const Node& node) {
  if (!node.is_mapping() || node.entries.empty() || node.is_tree()) return false;
  const auto& [key, value] = node.entries[0];
  bool name =
      std::all_of(key.text.begin(), key.text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  return key.plain && !node.flow && (!name || open_brackets(key.text) != 0);
}

void report_eaten_mapping(const Node& node, Diagnostics& diagnostics) {
  const auto& [key, value] = node.entries[0];
  Span whole = value.is_scalar() ? join(key.span, value.span) : text_at(*key.span.source, key.span.begin, node.flow);
  diagnostics.error(kYamlColon, whole,
                    fmt::format("YAML made a mapping of this text at ': ': quote it: {}", quoted(text_of(whole))));
}

namespace {

// Open brackets of a piece of text between two commas of a flow list or mapping.
int balance_of(const Node& node) { return node.plain ? open_brackets(node.text) : 0; }

void report_split(Node& start, Span whole, Diagnostics& diagnostics) {
  diagnostics.error(
      kYamlSplit, whole,
      fmt::format("inside {{ }} and [ ] YAML splits a text at its commas: quote it: {}", quoted(text_of(whole))));
  start.kind = Node::Kind::scalar;
  start.text = text_of(whole);
  start.span = whole;
}

void join_items(std::vector<Node>& items, Diagnostics& diagnostics) {
  std::vector<Node> joined;
  for (size_t i = 0; i < items.size(); ++i) {
    int open = balance_of(items[i]);
    size_t last = i;
    while (open > 0 && last + 1 < items.size() && items[last + 1].is_scalar()) open += balance_of(items[++last]);
    if (last > i && open == 0) {
      report_split(items[i], join(items[i].span, items[last].span), diagnostics);
    } else {
      last = i;
    }
    joined.push_back(std::move(items[i]));
    i = last;
  }
  items = std::move(joined);
}

// Joins to `start`, the key or value of entry `first`, what follows up to the entry where its brackets close. Returns
// that entry, and whether they close in its key; `first` if there is nothing to join.
struct Joined {
  size_t last;
  bool in_key;
};
Joined join_from(std::vector<NodeEntry>& entries, size_t first, size_t next, Node& start, Diagnostics& diagnostics) {
  int open = balance_of(start);
  Span whole = start.span;
  for (size_t i = next; open > 0 && i < entries.size(); ++i) {
    const auto& [key, value] = entries[i];
    open += balance_of(key);
    whole = join(whole, key.span);
    bool in_key = open == 0;
    if (open > 0 && value.is_scalar()) {
      open += balance_of(value);
      whole = join(whole, value.span);
    }
    if (open != 0) continue;
    report_split(start, whole, diagnostics);
    return {i, in_key};
  }
  return {first, false};
}

void join_entries(std::vector<NodeEntry>& entries, Diagnostics& diagnostics) {
  std::vector<NodeEntry> joined;
  for (size_t i = 0; i < entries.size();) {
    auto& [key, value] = entries[i];
    size_t last = i;
    if (value.is_null()) {
      Joined end = join_from(entries, i, i + 1, key, diagnostics);
      if (end.in_key) value = std::move(entries[end.last].value);
      last = end.last;
    }
    last = join_from(entries, last, last + 1, value, diagnostics).last;
    joined.push_back(std::move(entries[i]));
    i = last + 1;
  }
  entries = std::move(joined);
}

}  // namespace

void join_splits(Node& node, Diagnostics& diagnostics) {
  if (node.flow && node.is_sequence()) join_items(node.items, diagnostics);
  if (node.flow && node.is_mapping()) join_entries(node.entries, diagnostics);
  for (Node& item : node.items) join_splits(item, diagnostics);
  for (auto& [key, value] : node.entries) join_splits(value, diagnostics);
}

}  // namespace pallasgen
