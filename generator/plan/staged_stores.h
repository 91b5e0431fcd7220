#pragma once

#include <map>
#include <optional>

#include "draft.h"
#include "fragment_values.h"
#include "tile/program.h"

namespace pallasgen {

// A value that is computed of an accumulator, written to an entry and copied from there to global memory, chunk by
// chunk of its columns, as it stands in a tile program.
struct StagedStore {
  const tile::For* loop;       // over the chunks
  TypedPtr guard;              // first column < extent; null: all chunks are inside the array
  const tile::Assign* assign;  // of the chunk
  std::string origin;          // the words of the spec
  const tile::Put* put;
  const tile::Write* write;
  int accumulator;  // the value whose columns are taken
  TypedPtr value;   // of the chunk, with the accumulator's columns as one use of the accumulator
};
// Null where the statement is none, or its value is made of more than one accumulator, numbers and elementwise
// operations.
std::optional<StagedStore> staged_store(const tile::Program& program, const tile::Statement& statement);

// The staged stores of a role as those of its plan.
class StagedStores {
 public:
  StagedStores(Draft& draft, const tile::Program& program, FragmentValues& values, Number consumers)
      : draft_(draft), program_(program), values_(values), consumers_(std::move(consumers)) {}

  // Columns that one turn of the loop inside a store of so many takes.
  static int64_t chunk_of(int64_t columns) { return columns % 16 == 0 ? 16 : 8; }

  program::Statement lower(const StagedStore& store);
  // Of all stores, where the role ends.
  program::Statement drained(const tile::WaitStores& wait) const;
  std::vector<int> stores() const;

 private:
  int add_store(const StagedStore& store, const Number& rows, const Number& columns);
  program::Statements chunk(const StagedStore& store, int index, const Number& rows, const Number& columns);
  std::string suffix(const StagedStore& store) const;

  Draft& draft_;
  const tile::Program& program_;
  FragmentValues& values_;
  const Number consumers_;
  std::map<int, int> store_of_;  // by channel
};

}  // namespace pallasgen
