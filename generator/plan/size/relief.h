#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tile/program.h"

namespace pallasgen {

// Values that a role has no registers for.
struct RegisterShortage {
  tile::Shortage shortage;
  std::vector<std::pair<int64_t, tile::ValueId>> values;  // with their registers, those that have most of them first
  tile::Program laid_out = {};                            // which they are of
};

// Has an operand A that instructions take from registers go through shared memory instead: the passes
// run again without ChoiceKind::register_operand: the smallest one whose registers are enough, else the largest, if
// those of all are enough. `room`: bytes of shared memory that the rest leaves. False where there is none that has
// room.
bool store_operand(const RegisterShortage& missing, int64_t room, tile::Program& program);
// "'p' goes through shared memory": those operands.
std::string stored_text(const tile::Program& program);
// Moves the largest of the values to shared memory, whose elements threads then reach one by one: none that
// instructions read or write; `moved` gets its name. Where threads add a dot's sums to it, part by part, the dot goes
// element by element. False where there is none.
bool relieve(const RegisterShortage& missing, tile::Program& program, std::vector<std::string>& moved);
// Where all that is missing of shared memory is room for these channels, which hold what is copied to global memory: as
// much of that as the rest leaves no room for goes there from the registers: the passes run again without its staging.
// False where that would not do. `total`: bytes that the program needs.
bool unstage(const std::set<int>& stores, int64_t total, int64_t limit, tile::Program& program);
// Where a storer takes outputs to memory out of entries that shared memory has no room for: their consumers store them
// themselves, in chunks: the passes run again without the storer. False where there is none.
bool keep_stores(int64_t total, int64_t limit, tile::Program& program);
// Bytes that would be free then.
int64_t bytes_unstaged(const std::set<int>& stores, const tile::Program& program);
// Says of the values that were moved why, where so much was missing.
void tell_moved(const tile::Shortage& shortage, const std::vector<std::string>& moved, tile::Program& program);

}  // namespace pallasgen
