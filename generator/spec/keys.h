#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pallasgen {

// The kinds of values of a key. Decoding, the JSON Schema and the printed documentation follow from them.
enum class ValueKind {
  version,  // the format version, 1
  text,     // the text as it is
  name,     // a name of the language
  names,    // a list of names; one string with commas, or one name, means the same
  choice,   // one of KeyInfo::choices
  choices,  // one of KeyInfo::choices, or a list of them
  expression,
  expressions,     // a list of expressions; one string with commas means the same
  value,           // an expression, or a list of values
  type,            // `dtype[dim, …]` or `dtype`
  statements,      // a list of statements
  expression_map,  // names to expressions
  text_map,        // names to texts
  name_map,        // names to names
  value_map,       // names to values
  values_map,      // names (or paths such as pipeline.stages) to lists of expressions
  type_map,        // names to types
  signature_map,   // `name(parameter, …)` to expressions
  table,           // the mapping of KeyInfo::table
  table_list,      // a list of such mappings
  table_map,       // names to such mappings
  value_or_table,  // an expression, such a mapping, or a list of values and such mappings
  reference,       // names to expressions, or a list of statements
  transforms,      // a list of mappings of one key each
  name_lists,      // a list of lists of names
};

struct KeyInfo {
  std::string_view name;
  ValueKind kind;
  std::string_view doc;
  bool required = false;
  std::string_view table = {};  // the Table that a nested mapping follows
  std::vector<std::string_view> choices = {};
};

// The keys of one kind of mapping.
struct Table {
  std::string_view name;
  std::string_view doc;
  std::vector<KeyInfo> keys;

  // The row of a key, or null.
  const KeyInfo* find(std::string_view key) const;
  std::vector<std::string> key_names() const;
};

// All tables, the top level first.
const std::vector<Table>& key_tables();
// The table of this name, which must exist (PALLASGEN_ASSERT).
const Table& key_table(std::string_view name);

}  // namespace pallasgen
