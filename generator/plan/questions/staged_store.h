#pragma once

#include <optional>
#include <vector>

#include "tile/program.h"

namespace pallasgen {

// A loop of a tile program that computes a value from accumulators, writes it to an entry and copies it from there to
// global memory, chunk by chunk of its columns.
struct StagedStore {
  // One statement that computes a chunk; the last part is stored.
  struct Part {
    const tile::Assign* assign;
    TypedPtr value;  // uses a whole value for a chunk of its columns
    std::string origin;
  };
  const tile::For* loop;                 // over the chunks
  TypedPtr guard;                        // first column < extent; null: all chunks are inside the array
  std::vector<const tile::Read*> reads;  // of the chunk, before the wait for the buffer
  std::vector<Part> parts;
  const tile::Put* put;
  const tile::Write* write;
  std::vector<int> accumulators;  // the values of whose columns chunks are taken
  bool crossed;                   // another role copies, and `write` belongs to it
};
// Null if the statement is no such loop, or no matrix from before the loop goes into its value, or the columns of one
// differ from those of the store.
std::optional<StagedStore> staged_store(const tile::Program& program, const tile::Statement& statement);
// True if it is a staged store, or stores to memory what another role has staged.
bool is_staged_store(const tile::Program& program, const tile::Statement& statement);

// Columns that one iteration of the loop inside a store takes: for 32-bit elements, as many as fill a row of the banks.
inline int64_t chunk_of(int64_t columns, DType stored) {
  if (columns % 32 == 0 && info(stored).bits == 32) return 32;
  return columns % 16 == 0 ? 16 : 8;
}

}  // namespace pallasgen
