#pragma once

#include "program/draft.h"
#include "questions/instructions.h"
#include "tile/program.h"

namespace pallasgen {

// The arguments of plan_ring(), which adds the ring of a channel that one role fills by copies for another: its fields,
// tensor maps, bytes, and one full and one empty barrier per slot. `consumers` warpgroups release a slot. Returns the
// ring's index.
struct RingRequest {
  struct Operand {
    std::string name;  // of the channel's member
    tile::Box box;     // of an entry, at the steps for which it is copied
    SlotLayout lies = {};
    bool is_run = false;  // one run of memory, which a bulk copy moves (bulk_copies.h)
  };
  std::vector<Operand> operands;
  std::vector<int> axes;  // sequential, outermost first; none if it moves with the tile
  Number slots;
  Number consumers;
  int delay = 0;
  bool refilled = false;  // slots are filled more than once, so the producer waits until one is free
  // True if threads of the producer copy; false for tensor and bulk copies.
  bool by_threads = false;
  // one_thread: tensor copies, bulk copies of whole blocks, or blocks that a thread copies by one access; one_warp:
  // bulk copies of blocks of which a part may lie outside the array; all: copies by the producer's threads.
  Issuer filled_by = Issuer::one_thread;
  int64_t threads = 0;      // of the role that fills the slots
  std::string suffix = {};  // of the names of the ring, its barriers and constants if there are several rings: "_x"
  std::optional<std::string> cursor = {};  // of the variables that it shares with other rings (cursors.h)
};
int plan_ring(Draft& draft, const tile::Program& program, tile::ChannelId channel, const RingRequest& request);
// Names a ring and its variables; the names end in `suffix` and `cursor`.
void name_ring(const Draft& draft, const std::string& suffix, const std::optional<std::string>& cursor, RingPlan& ring);

// Adds the ring of a channel whose entries `from` warpgroups write, each a part, and a role of one thread stores to
// memory. Its slots have no field yet. Returns its index.
int plan_staged_ring(Draft& draft, const tile::Program& program, tile::ChannelId channel, const Number& from,
                     std::vector<int> axes, const std::optional<std::string>& cursor);

// The names of the ring's operands, in order.
std::vector<std::string> operand_names(const RingPlan& ring);

// The arrivals of the threads that fill a slot of the ring, after their copies.
program::Statements filled(const Draft& draft, int ring);

// Adds the field of that name for `slots` blocks of the array `ref`, `elements` each, aligned to `alignment` bytes.
int add_slots(Draft& draft, const std::string& name, int ref, const Number& slots, Number elements, int64_t alignment);

}  // namespace pallasgen
