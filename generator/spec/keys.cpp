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

const std::vector<Table>& key_tables() {
  static const std::vector<Table> kTables = [] {
    std::vector<Table> all;
    for (auto tables : {spec_tables, ref_tables, setting_tables, statement_tables}) {
      for (Table& table : tables()) all.push_back(std::move(table));
    }
    return all;
  }();
  return kTables;
}

const Table& key_table(std::string_view name) {
  for (const Table& table : key_tables()) {
    if (table.name == name) return table;
  }
  PALLASGEN_ASSERT(false && "a table of keys that does not exist");
}

}  // namespace pallasgen
