#include "keys.h"

#include "diagnostics/assert.h"
#include "tables.h"

namespace pallasgen {

const KeyInfo* Table::find(std::string_view key) const {
  for (const KeyInfo& row : keys) {
    if (row.name == key) return &row;
  }
  return nullptr;
}

std::vector<std::string> Table::key_names() const {
  std::vector<std::string> names;
  names.reserve(keys.size());
  for (const KeyInfo& row : keys) names.emplace_back(row.name);
  return names;
}

const std::vector<Table>& key_tables() {
  static const std::vector<Table> all_tables = [] {
    std::vector<Table> all;
    for (auto tables : {spec_tables, ref_tables, setting_tables, statement_tables}) {
      for (Table& table : tables()) all.push_back(std::move(table));
    }
    return all;
  }();
  return all_tables;
}

const Table& key_table(std::string_view name) {
  for (const Table& table : key_tables()) {
    if (table.name == name) return table;
  }
  PALLASGEN_ASSERT(false && "a table of keys that does not exist");
}

}  // namespace pallasgen
