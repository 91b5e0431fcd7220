#pragma once

#include <optional>
#include <utility>

#include "tile/program.h"

namespace pallasgen {

// The decision to keep a value in shared memory, where statements reach it element by element.
tile::Decision by_elements(std::string value, std::string reason);

// Chooses where values are kept: in registers, if plans have loops over fragments for the statements that define and
// use them in the layouts that they will have; otherwise in tiles of shared memory (a number: in a variable of all
// threads), where statements reach them element by element. A value in registers that such a statement reads goes to a
// tile first, or is read from its array. What such statements compute once and keep is a value too (materialise.h).
// Expects roles that have threads. Each statement of the result goes by fragments or by elements as a whole
// (goes_by_elements), as far as plans have statements for it.
tile::Program choose_homes(const tile::Program& program);

// A program with the homes and layouts of its values, which are computed on first use.
class PlacedProgram {
 public:
  explicit PlacedProgram(tile::Program program) : program_(std::move(program)) {}

  const tile::Program& program() const { return program_; }
  // choose_homes() of the program.
  const tile::Program& homes() const;
  // assign_layouts() of homes(); null if the homes ask for other choices first.
  const tile::Program* laid_out() const;

  // Adds a decision to the program, and to what is known of it.
  void decide(const tile::Decision& decision);

 private:
  tile::Program program_;
  mutable std::optional<tile::Program> homes_, laid_out_;
};

// Makes the first dot by instructions whose operands are made element by element go by threads, if tiles do not fit
// into `room` bytes of shared memory. False if they fit or there is no such dot.
bool give_up_tensor_cores(const PlacedProgram& placed, int64_t room, tile::Program& program);

}  // namespace pallasgen
