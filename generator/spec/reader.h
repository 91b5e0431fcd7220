#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "expression/expr.h"
#include "keys.h"
#include "node.h"
#include "spec/spec.h"

namespace pallasgen {

// Turns nodes into the leaves of a Spec. Every function reports errors and returns nothing, or an empty value, for
// them; a node that is marked as broken has been reported before.
class Reader {
 public:
  Reader(Sources& sources, Diagnostics& diagnostics) : sources_(sources), diagnostics_(diagnostics) {}

  Diagnostics& diagnostics() { return diagnostics_; }

  // Reads one expression: a scalar, or a JSON tree. Null after an error.
  ExprPtr expression(const Node& node);
  // Reads an expression, or a list of values, which becomes a ListExpr. Null after an error.
  ExprPtr value(const Node& node);
  // Reads a list of expressions, or one string with commas.
  std::optional<std::vector<ExprPtr>> expressions(const Node& node);
  std::optional<StatementSyntax> statement(const Node& node);
  // Reads a scalar as it is.
  std::string text(const Node& node);
  std::optional<Named> name(const Node& node);
  // Reads a list of names, one string with commas, or one name.
  std::vector<Named> names(const Node& node);
  // Reads one of the key's words; empty after an error.
  std::string choice(const Node& node, const KeyInfo& key);
  std::vector<Named> choices(const Node& node, const KeyInfo& key);
  bool boolean(const Node& node);
  // Reports a format version that is not 1.
  void version(const Node& node);
  TypeSpec type(const Node& node);
  // Reads `name(parameter, …)`, the key of a function.
  std::optional<FunctionSpec> signature(const Node& key);

  // True if the node is of the kind; else reports it. `what` names its purpose, as in "'dims'".
  bool is_mapping(const Node& node, std::string_view what, const std::string& example = "");
  bool is_list(const Node& node, std::string_view what, const std::string& example = "");
  // The same for the value of a key; the error has an example of one.
  bool is_mapping(const Node& node, const KeyInfo& key);
  bool is_list(const Node& node, const KeyInfo& key);
  // True if the text is a name; else reports it.
  bool is_name(std::string_view text, Span place);

  // Reports a key that the table does not have, an error that does not affect the rest of the spec. Returns the key
  // that was likely meant, or an empty text.
  std::string unknown_key(const Node& key, const Table& table);
  void missing_key(Span place, std::string_view key, const Table& table);
  // The number of errors that do not affect the rest of the spec.
  int left_out() const { return left_out_; }
  // True if a key has a value; else reports that, unless it was reported before.
  bool has_value(const Node& key, const Node& value);

 private:
  struct Written {
    std::string_view text;
    Span span;
  };
  // The text of a scalar, or the canonical text of a JSON tree in a source of its own.
  std::optional<Written> written(const Node& node, bool statement);
  // Runs a parser on the text. If YAML cut the text at a comment, that is reported instead of its consequences.
  template <class Parse>
  auto parse(const Node& node, const Written& text, Parse parse);

  Sources& sources_;
  Diagnostics& diagnostics_;
  int left_out_ = 0;
};

// Reads a setting by its key's kind: expressions, names, free and nested mappings. Empty after an error.
std::optional<Setting> read_setting(Reader& reader, const Node& name, const Node& value, const KeyInfo& key);
// Reads all entries of a mapping that follows a table of settings, except those in error.
std::vector<Setting> read_settings(Reader& reader, const Node& node, const Table& table);

// True if the text matches [A-Za-z][A-Za-z0-9_]*.
bool has_name_form(std::string_view text);

// One key of a mapping that is decoded into a T, and its decoder.
template <class T>
struct Row {
  KeyInfo key;
  void (*decode)(Reader&, const KeyInfo&, const Node&, T&);
};

template <class T>
Table table_of(std::string_view name, std::string_view doc, const std::vector<Row<T>>& rows) {
  Table table{name, doc, {}};
  for (const Row<T>& row : rows) table.keys.push_back(row.key);
  return table;
}

// The end of a note about a text in place of a mapping: the mapping with the text under its only required key; empty if
// it has several.
std::string under_the_only_key(const Node& node, const Table& table);

// Decodes a mapping key by key into `out`. A missing key is reported at `place`.
template <class T>
void decode_mapping(Reader& reader, const Node& node, const std::vector<Row<T>>& rows, const Table& table, Span place,
                    T& out) {
  if (!reader.is_mapping(node, table.doc, under_the_only_key(node, table))) return;
  std::vector<std::string> meant;
  for (const auto& [key, value] : node.entries) {
    const Row<T>* found = nullptr;
    for (const Row<T>& row : rows) {
      if (row.key.name == key.text) found = &row;
    }
    if (found == nullptr) {
      meant.push_back(reader.unknown_key(key, table));
      // Its value is decoded as that of the key that was likely meant.
      for (const Row<T>& row : rows) {
        if (row.key.name == meant.back() && node.find(meant.back()) == nullptr) found = &row;
      }
    }
    if (found != nullptr && reader.has_value(key, value)) {
      found->decode(reader, found->key, value, out);
    }
  }
  for (const Row<T>& row : rows) {
    bool misspelt = std::find(meant.begin(), meant.end(), row.key.name) != meant.end();
    if (row.key.required && !misspelt && node.find(row.key.name) == nullptr)
      reader.missing_key(place, row.key.name, table);
  }
}

}  // namespace pallasgen
