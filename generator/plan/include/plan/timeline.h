#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

namespace pallasgen {

// The simulated pipeline of one CTA: the simulation walks the role programs with the latencies of the cost model.
// Copies of one CTA share one port, in order of issue: a copy of X bytes starts when it is issued and the port is free,
// holds the port for X/b, and its data is there a latency later. The arithmetic of a step takes Y/F in all, on tensor
// cores in order of issue. The waits are those of the plan, the times those of the cost model.
struct TimelineCosts {
  double latency = 0;   // seconds from the port to the data
  double transfer = 0;  // for all bytes that one step moves: X/b
  double compute = 0;   // for one step: Y/F
  double tile = 0;      // for the consumers of a tile, outside of its steps
};

// One use of a slot: seconds from the start of the simulation.
struct SlotUse {
  int ring = 0, slot = 0;
  int64_t use = 0;      // counts the uses of the ring's slots from 0
  double issued = 0;    // the producer has found the slot free and issued the copies
  double arrived = 0;   // full
  double read = 0;      // the consumers begin with it
  double released = 0;  // empty again
};

// A kind of activity in pictures of the simulation.
enum class ActivityKind : uint8_t {
  copy_in,    // the port carries copies to a slot
  compute,    // arithmetic of a step
  epilogue,   // work of a tile outside of its steps
  copy_out,   // the port carries the stores of a step
  wait_data,  // a role waits until a slot is full
  wait_slot,  // a role waits until a slot is empty
  wait_mma,   // a role waits until matrix instructions have ended
};
struct Activity {
  ActivityKind kind = ActivityKind::compute;
  int role = 0;               // index in Plan::roles
  int ring = -1;              // index in Plan::rings, for copy_in, wait_data and wait_slot
  int64_t use = 0;            // for the same kinds: counts the uses of the ring's slots from 0
  int64_t step = 0;           // counts the role's steps from 0 over all tiles; epilogue: counts the tiles
  double begin = 0, end = 0;  // seconds from the start of the simulation
};

struct Timeline {
  std::vector<SlotUse> uses;         // in order of issue
  std::vector<Activity> activities;  // none is empty; those of one kind and role are in order of time
  double seconds = 0;                // until the last role has ended
  double fill = 0;                   // until the first data is there
  double stalled = 0;                // time for which the consumers waited for data, after the first
  double producer_waited = 0;        // time for which the producer waited for a free slot
  int64_t tiles = 0, steps = 0;
};

// Simulates `tiles` tiles one after the other, each with its steps for the sizes of Plan::cost, but at most 4,096 uses
// of a slot in all; Timeline::tiles says how many tiles were simulated. The result is empty if the plan has no ring,
// because nothing overlaps within a CTA then.
Timeline simulate(const Plan& plan, const TimelineCosts& costs, int64_t tiles);

// Returns the cost model's figures for one step.
TimelineCosts timeline_costs(const Plan& plan);

// Runs the simulation that explain shows: all tiles of a persistent CTA, else one tile.
Timeline explained_timeline(const Plan& plan);
// Returns its results in words: totals, and the difference to the verdict of the cost model. Lines that begin with
// spaces continue the one before.
std::vector<std::string> timeline_lines(const Plan& plan, const Timeline& timeline);

// Returns the timeline for explain: a chart of the first uses, a row for each slot, totals, and the difference to the
// verdict of the cost model.
std::string timeline_text(const Plan& plan);

// Returns the chart alone: `columns` characters for the time up to `seconds`.
std::string timeline_chart(const Plan& plan, const Timeline& timeline, double seconds, int columns);

}  // namespace pallasgen
