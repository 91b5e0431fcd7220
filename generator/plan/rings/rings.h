#pragma once

#include "program/draft.h"
#include "questions/instructions.h"
#include "tile/program.h"

namespace pallasgen {

// The ring of `operands`, all moved by the same axes, with one full and one empty barrier per slot: fields, tensor
// maps, bytes, barriers. `consumers` warpgroups release a slot. Returns its index, -1 after a refusal.
struct RingRequest {
  struct Operand {
    std::string name;  // of the channel's member
    tile::Box box;     // of an entry, at the steps that it is for
    SlotLayout lies = {};
    bool is_run = false;  // one run of memory, which a bulk copy takes (bulk_copies.h)
  };
  std::vector<Operand> operands;
  std::vector<int> axes;  // sequential, outermost first; none: moves with the tile
  Number slots;
  Number consumers;
  int delay = 0;
  bool refilled = false;  // some of its slots are filled more than once: who fills it waits until one is free
  // Whether threads of the producer copy; else tensor and bulk copies.
  bool by_threads = false;
  // one_thread: tensor and bulk copies of whole blocks, or blocks that threads copy by one access each; one_warp: bulk
  // copies of blocks of which a part may lie outside the array; all: copies by the producer's threads.
  Hands filled_by = Hands::one_thread;
  std::string suffix = {};  // of the names of the ring, its barriers and constants, where there are several: "_x"
  std::optional<std::string> cursor = {};  // the same of variables that it shares with others (cursors.h)
};
int plan_ring(Draft& draft, const RingRequest& request);
// The names of a ring and of its variables, by the ends of these.
void name_ring(const Draft& draft, const std::string& suffix, const std::optional<std::string>& cursor, RingPlan& ring);

// The ring of a channel whose entries threads of `from` write and a role of one thread takes to memory: its slots have
// no field yet. `from`: warpgroups that write parts of an entry.
int plan_staged_ring(Draft& draft, const tile::Program& program, tile::ChannelId channel, const Number& from,
                     std::vector<int> axes, const std::optional<std::string>& cursor);

// Of its operands, in their order.
std::vector<std::string> operand_names(const RingPlan& ring);

// The arrivals of the threads that fill a slot of the ring, behind their copies.
program::Statements filled(const Draft& draft, int ring);

// Adds the field of that name for the slots of an array's blocks, each aligned to `alignment` bytes. `elements`: of a
// slot.
int add_slots(Draft& draft, const std::string& name, int ref, const Number& slots, Number elements, int64_t alignment);

}  // namespace pallasgen
