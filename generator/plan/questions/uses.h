#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tile/program.h"

namespace pallasgen {

// Where a value or a block with a place is, for statements that reach its elements one by one.
enum class ElementHome : uint8_t {
  memory,   // an array in global memory
  box,      // elements of an array, read where they are used
  tile,     // shared memory
  slot,     // the current slot of a ring
  scalar,   // a variable of all threads
  inlined,  // computed where it is used
};
struct ElementSource {
  ElementHome home = ElementHome::memory;
  int id = -1;              // tile: field; scalar: of Plan::scalars; slot: the ring
  int member = -1;          // slot
  tile::Box box = {};       // box, and memory where it is a block that is stored at once
  TypedPtr value;           // inlined
  std::string name;         // of the tile or scalar; inlined: of the value
  std::string quoted = {};  // inlined: the statement that it comes from
};

// What the statements of a role do with values and refs.
struct ElementUses {
  ElementUses(const tile::Program& program, const tile::Role& role);

  std::map<int, int> definitions;        // of values: statements
  std::map<int, int> uses;               // of values; one in a loop that does not define it counts for two
  std::set<int> carried;                 // values that a loop or a branch carries
  std::set<int> loaded;                  // values in shared memory that are taken to registers
  std::set<int> sure;                    // values of which all elements are used wherever they are computed
  std::set<int> got;                     // values that are entries of channels
  std::set<int> read, written, updated;  // refs that statements index; updated: by atomics
  std::set<int> loads;                   // inputs of which boxes are read or copied
  std::set<int> arrays_written;          // refs whose arrays in global memory change
  std::map<int, std::vector<tile::Box>> flushed, fetched;  // by ref: where its place is written, and filled from

 private:
  void note_array(const tile::Program& program, const tile::Statement& statement);
};

// Whether the value is put into an entry of a channel as it is computed, chunk by chunk.
bool is_put(const tile::Program& program, tile::ValueId value);
// Whether the loop puts such values.
bool puts_values(const tile::Statement& loop);
// Whether one variable of all threads holds the value.
bool is_number(const tile::Value& value);
// Whether the statement's result is computed element by element, or its effect takes place so, in this program whose
// values have homes.
bool goes_by_elements(const tile::Program& program, const tile::Statement& statement);
// True if the statement has a condition or a bound that all threads evaluate.
bool is_control(const tile::Statement& statement);

}  // namespace pallasgen
