#pragma once

#include "tile/program.h"

namespace pallasgen {

// The decision that a value is kept in shared memory, where statements reach it element by element.
tile::Decision by_elements(std::string value, std::string reason);

// Chooses where values are kept: in registers where plans have loops over fragments for the statements that define and
// use them in the layouts that they will have, else in tiles of shared memory (a number: in a variable of all threads),
// where statements reach them element by element. What such a statement reads of a value in registers goes to a tile
// first, or is read from its array.
// Expects a program whose roles have threads; then each statement goes by fragments or by elements as a whole
// (goes_by_elements), as far as plans have statements for it.
tile::Program choose_homes(const tile::Program& program);

// Has the first dot by instructions whose operands are made element by element go by threads, where tiles do not fit
// into `room` bytes of shared memory. False: they fit, or there is no such dot.
bool multiply_without_tiles(tile::Program& program, int64_t room);

}  // namespace pallasgen
