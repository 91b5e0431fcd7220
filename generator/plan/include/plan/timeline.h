#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// The pipeline of one CTA, simulated: the role programs are walked with the latencies of the cost model. Copies of one
// CTA share one port, in order of issue: a copy of X bytes starts when it is issued and the port is free, holds the
// port for X/b, and its data is there a latency later. Arithmetic of a step takes Y/F in all, on tensor cores in order
// of issue. A model of the protocol: what waits for what is the plan's, the times are the cost model's.
struct TimelineCosts {
  double latency = 0;   // seconds from the port to the data
  double transfer = 0;  // of one step, all that it moves: X/b
  double compute = 0;   // of one step: Y/F
  double tile = 0;      // of a tile's consumers, outside of its steps
};

// One use of a slot: seconds from the start of the simulation.
struct SlotUse {
  int ring = 0, slot = 0;
  int64_t use = 0;      // of the ring's slots, counted from 0
  double issued = 0;    // the producer has found the slot free and issued the copies
  double arrived = 0;   // full
  double read = 0;      // the consumers begin with it
  double released = 0;  // empty again
};

// What something does for a while, for pictures of the simulation.
enum class ActivityKind : uint8_t {
  copy_in,    // the port carries copies to a slot
  compute,    // arithmetic of a step
  epilogue,   // what a tile does outside of its steps
  copy_out,   // the port carries what a step stores
  wait_data,  // a role waits until a slot is full
  wait_slot,  // until it is empty
  wait_mma,   // until matrix instructions have ended
};
struct Activity {
  ActivityKind kind = ActivityKind::compute;
  int role = 0;               // of Plan::roles
  int ring = -1;              // copy_in, wait_data, wait_slot: of Plan::rings
  int64_t use = 0;            // and of the ring's slots, counted from 0
  int64_t step = 0;           // of the role, counted from 0 over all tiles; epilogue: the tile
  double begin = 0, end = 0;  // seconds from the start of the simulation
};

struct Timeline {
  std::vector<SlotUse> uses;         // in order of issue
  std::vector<Activity> activities;  // none is empty; those of one kind and role in order of time
  double seconds = 0;                // until the last role has ended
  double fill = 0;                   // until the first data is there
  double stalled = 0;                // the consumers waited for data, after the first
  double producer_waited = 0;        // the producer waited for a free slot
  int64_t tiles = 0, steps = 0;
};

// Simulates `tiles` tiles one after the other, each with its steps for the sizes of Plan::cost; at most 4,096 uses of a
// slot in all, Timeline::tiles says how many tiles they are. Empty where the plan has no ring: then nothing overlaps
// within a CTA.
Timeline simulate(const Plan& plan, const TimelineCosts& costs, int64_t tiles);

// The costs of one step as the cost model has them.
TimelineCosts timeline_costs(const Plan& plan);

// The simulation that explain shows: of a persistent CTA's tiles, else of one.
Timeline explained_timeline(const Plan& plan);
// What it comes to, in words: totals, and the difference to the verdict of the cost model. Lines that begin with spaces
// go on with the one before.
std::vector<std::string> timeline_lines(const Plan& plan, const Timeline& timeline);

// The timeline for explain: a chart of the first uses, a row for each slot, totals, and the difference to the verdict
// of the cost model.
std::string timeline_text(const Plan& plan);

// The chart alone: `columns` characters of the time up to `seconds`.
std::string timeline_chart(const Plan& plan, const Timeline& timeline, double seconds, int columns);

}  // namespace pallasgen
