#pragma once

#include <map>

#include "program/index_terms.h"

namespace pallasgen {

// Slots of the ordinary cores per access to memory, for which an SM has a quarter of their lanes.
inline constexpr double kSlotsOfAccess = 4;

// Bytes of one array that a CTA wants to read or write, and bytes of the 32-byte sectors that its warps touch for them.
struct Moved {
  double wanted = 0, touched = 0;
};

// Work of one CTA, all its threads together.
struct Counts {
  std::map<int, Moved> moved;       // global memory, by ref
  double read = 0;                  // wanted bytes that threads wait for
  double in_flight = 0;             // bytes of these under way at once
  double operations = 0;            // multiplications and additions of matrix instructions
  double matrix = 0;                // the same, as operations on 16 bits that take as long
  double slots = 0;                 // instructions of the ordinary cores, of one lane each
  std::map<int, double> of_fields;  // slots of these for accesses to shared memory, by field

  double wanted() const;
  double touched() const;
  // Adds `from` `times` times, except in_flight.
  void add(const Counts& from, double times);
  void move(int ref, const Moved& bytes);
  void move_shared(int field, double slots_of_it);
};

}  // namespace pallasgen
