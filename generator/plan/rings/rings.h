#pragma once

#include "program/draft.h"
#include "questions/instructions.h"
#include "tile/program.h"

namespace pallasgen {

// The ring of a channel, without operands: its name and variables, which end in `suffix` or are shared with other rings
// (cursors.h), its number of slots, which becomes a constant of the file, and the axes that move it on.
RingPlan ring_of_channel(Draft& draft, const tile::Program& program, tile::ChannelId channel,
                         const std::string& suffix);
// Adds the ring to the plan and returns its index.
int append_ring(Draft& draft, RingPlan ring);

// How one role fills a channel for another by copies.
struct CopiedRing {
  struct Operand {
    std::string name;  // of the channel's member
    tile::Box box;     // of an entry, at the steps for which it is copied
    SlotLayout lies = {};
    bool is_run = false;  // one run of memory, which a bulk copy moves (bulk_copies.h)
  };
  std::vector<Operand> operands;
  // True if threads of the producer copy; false for tensor and bulk copies.
  bool by_threads = false;
  // one_thread: tensor copies, bulk copies of whole blocks, or blocks that a thread copies by one access; one_warp:
  // bulk copies of blocks of which a part may lie outside the array; all: copies by the producer's threads.
  Issuer filled_by = Issuer::one_thread;
};
// Adds the ring of such a channel: its fields, tensor maps, bytes, a full barrier for each slot, and an empty one where
// slots are filled more than once. `consumers` warpgroups release a slot. Returns its index.
int plan_copied_ring(Draft& draft, const tile::Program& program, tile::ChannelId channel, const CopiedRing& copied,
                     const Number& consumers);

// Adds the ring of a channel whose entries `from` warpgroups write, each a part, and a role of one thread stores to
// memory. Its slots have no field yet. Returns its index.
int plan_staged_ring(Draft& draft, const tile::Program& program, tile::ChannelId channel, const Number& from);

// The names of the ring's operands, in order.
std::vector<std::string> operand_names(const RingPlan& ring);

// The arrivals of the threads that fill a slot of the ring, after their copies.
program::Statements filled(const Draft& draft, int ring);

// Adds the field of that name for `slots` blocks of the array `ref`, `elements` each, aligned to `alignment` bytes.
int add_slots(Draft& draft, const std::string& name, int ref, const Number& slots, Number elements, int64_t alignment);

}  // namespace pallasgen
