#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tile/program.h"

namespace pallasgen {

// Values for which a role lacks registers.
struct RegisterShortage {
  tile::Shortage shortage;
  std::vector<std::pair<int64_t, tile::ValueId>> values;  // with their registers, the largest first
  tile::Program laid_out = {};                            // the program that has these values
};

// Makes an operand A that instructions take from registers go through shared memory: the passes run again without its
// ChoiceKind::register_operand. Takes the smallest operand whose registers are enough, else the largest if those of all
// are enough. `room`: bytes of shared memory that the rest leaves. False if no operand fits there.
bool spill_operand(const RegisterShortage& missing, int64_t room, tile::Program& program);
// "'p' goes through shared memory", for those operands.
std::string spilled_operands_text(const tile::Program& program);
// Moves the largest value that no instruction reads or writes to shared memory, where threads reach its elements one by
// one, and adds its name to `moved`. If threads add a dot's sums to it, or store it for a dot, the dot goes element by
// element; if no value can move, a product by threads gives up its blocks. False if nothing is found.
bool spill_largest(const RegisterShortage& missing, tile::Program& program, std::vector<std::string>& moved);
// Stores as many arrays directly from registers as the shortage of shared memory needs: the passes run again without
// their staging. `stores`: the channels through which arrays are stored. False if that would not be enough. `total`:
// bytes that the program needs.
bool store_from_registers(const std::set<int>& stores, int64_t total, int64_t limit, tile::Program& program);
// Makes consumers store outputs themselves, in chunks, if a storer takes them from entries for which shared memory has
// no space: the passes run again without the storer. False if there is none.
bool drop_storer(int64_t total, int64_t limit, tile::Program& program);
// Bytes that store_from_registers() could free.
int64_t bytes_of_store_buffers(const std::set<int>& stores, const tile::Program& program);
// Explains for the moved values how many registers were missing.
void warn_of_spills(const tile::Shortage& shortage, const std::vector<std::string>& moved, tile::Program& program);

}  // namespace pallasgen
