#pragma once

#include <optional>
#include <vector>

#include "tile/program.h"

namespace pallasgen {

// A value that is computed of accumulators, written to an entry and copied from there to global memory, chunk by
// chunk of its columns, as it stands in a tile program.
struct StagedStore {
  // What is computed of a chunk: the last part is what is stored.
  struct Part {
    const tile::Assign* assign;
    TypedPtr value;  // with the accumulators' columns, and those of vectors, as uses of the whole
    std::string origin;
  };
  const tile::For* loop;                 // over the chunks
  TypedPtr guard;                        // first column < extent; null: all chunks are inside the array
  std::vector<const tile::Read*> reads;  // of the chunk, before the buffer is waited for
  std::vector<Part> parts;
  const tile::Put* put;
  const tile::Write* write;
  std::vector<int> accumulators;  // the values whose columns are taken
  bool crossed;                   // another role copies: the write is its own
};
// Null where the statement is none, or its value is made of no matrix that stands before the loop, or of one whose
// columns are not those of the store.
std::optional<StagedStore> staged_store(const tile::Program& program, const tile::Statement& statement);
// Whether it is one, or takes to memory what another role has staged.
bool is_staged_store(const tile::Program& program, const tile::Statement& statement);

// Columns that one turn of the loop inside a store of so many takes; of 32 bits as many as fill a row of the banks.
inline int64_t chunk_of(int64_t columns, DType stored) {
  if (columns % 32 == 0 && info(stored).bits == 32) return 32;
  return columns % 16 == 0 ? 16 : 8;
}

}  // namespace pallasgen
