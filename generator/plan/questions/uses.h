#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tile/program.h"

namespace pallasgen {

// Where statements that reach elements one by one find a value or a block.
enum class ElementHome : uint8_t {
  memory,   // an array in global memory
  box,      // elements of an array, read where they are used
  tile,     // a tile of shared memory
  slot,     // the current slot of a ring
  scalar,   // a variable of all threads
  inlined,  // computed where it is used
};
struct ElementSource {
  ElementHome home = ElementHome::memory;
  int id = -1;              // tile: field; scalar: of Plan::scalars; slot: the ring
  int member = -1;          // slot
  tile::Box box = {};       // box; memory if a block is stored at once
  TypedPtr value;           // inlined
  std::string name;         // of the tile, scalar or slot
  std::string quoted = {};  // inlined: the statement that defines it
};

// How the statements of a role use values and refs.
struct ElementUses {
  ElementUses(const tile::Program& program, const tile::Role& role);

  std::map<int, int> definitions;        // by value: how many statements define it
  std::map<int, int> uses;               // by value; one in a loop that does not define it counts as two
  std::set<int> carried;                 // values that a loop or a branch carries
  std::set<int> sure;                    // values whose elements are all used wherever they are computed
  std::set<int> got;                     // values that are entries of channels
  std::set<int> read, written, updated;  // refs that statements index; updated: by atomics
  std::set<int> loads;                   // inputs whose boxes are read or copied
  std::set<int> arrays_written;          // refs whose arrays in global memory change
  std::map<int, std::vector<tile::Box>> flushed, fetched;  // by ref: boxes of its place

 private:
  void note_array(const tile::Program& program, const tile::Statement& statement);
};

// True if the value is put into an entry of a channel, chunk by chunk as it is computed.
bool is_put(const tile::Program& program, tile::ValueId value);
// True if the loop puts such values.
bool puts_values(const tile::Statement& loop);
// True if the value has one element, so that one variable of all threads can hold it.
bool is_number(const tile::Value& value);
// True if the statement computes its result, or has its effect, element by element. Expects values that have homes.
bool goes_by_elements(const tile::Program& program, const tile::Statement& statement);
// True if the statement has a condition or a bound that all threads evaluate.
bool is_control(const tile::Statement& statement);

}  // namespace pallasgen
