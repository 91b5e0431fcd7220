#pragma once

#include <map>

#include "access.h"
#include "draft.h"
#include "rows.h"
#include "values.h"

namespace pallasgen {

// What comes through a ring: which one, and which of its operands.
struct InRing {
  int ring, operand;
};

// How the threads of a role share blocks that go through registers.
struct BlockFrame {
  Number threads;                       // of a group, which holds a block (or its rows) together
  int64_t vector = 1;                   // elements that a thread holds in a row
  Number groups = number(1);            // warpgroups that split the first dim
  Number slabs = number(1), part_rows;  // parts of a group's rows that are done in turn; rows of one
  std::optional<RowsFrame> rows;        // where the body reduces rows
  std::map<int, InRing> in_rings;       // by ref: what comes through a ring
  bool splits() const { return groups.value > 1 || slabs.value > 1; }
};

// Statements of one place, in this order; loads are declared where they stand.
struct Section {
  program::Statements shared_loads, loads, declarations, body;
  bool declares_at_use = false;  // declarations stand where `body` uses them first
};
program::Statements in_order(Section section);

// The body of a kernel without MMA as statements: what runs before the steps, in each, after them.
struct PlannedBody {
  Section before, step, after;
  int64_t registers = 0;    // 32-bit registers of one thread that the fragments take
  bool persistent = false;  // fragments live from step to step
  double bytes = 0;         // moved from and to global memory per step
};
std::optional<PlannedBody> plan_body(Draft& draft, const BlockFrame& frame);

// The largest vector that any access of the body may use by the spec's facts, for blocks of `width` per row at most.
int64_t widest_vector(const Draft& draft);

// Sizes of the largest block that is stored.
std::vector<Number> stored_tile(const Kernel& kernel);
// The largest block that is stored: its elements.
int64_t largest_block(const Kernel& kernel);

}  // namespace pallasgen
