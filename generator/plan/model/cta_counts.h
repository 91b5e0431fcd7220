#pragma once

#include <map>

#include "program/index_terms.h"

namespace pallasgen {

// Passes of the ordinary cores: a warp's access to memory has a quarter of their lanes.
inline constexpr double kSlotsOfAccess = 4;

// Bytes of one array that a CTA reads or writes: those that it wants, and those of the 32-byte sectors that its warps
// touch.
struct Moved {
  double wanted = 0, touched = 0;
};

// What one CTA does, all its threads together.
struct Counts {
  std::map<int, Moved> moved;       // global memory, by ref
  double read = 0;                  // of the bytes wanted, those that are waited for
  double in_flight = 0;             // of them, what is under way at once
  double operations = 0;            // multiplications and additions of matrix instructions
  double matrix = 0;                // the same in operations on 16 bits, which take as long
  double slots = 0;                 // instructions of the ordinary cores, of one lane each
  std::map<int, double> of_fields;  // of them accesses to shared memory, by field

  double wanted() const;
  double touched() const;
  // What is done so many times, but for what is under way at once.
  void add(const Counts& from, double times);
  void move(int ref, const Moved& bytes);
  void move_shared(int field, double slots_of_it);
};

}  // namespace pallasgen
