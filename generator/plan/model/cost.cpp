#include "model/cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "layout/warps.h"
#include "model/counts.h"
#include "plan/traffic.h"
#include "plan/words.h"
#include "program/index_terms.h"

namespace pallasgen {

namespace {

constexpr double kJitter = 1.5;
// Touched bytes per wanted byte from which accesses count as uncoalesced.
constexpr double kUncoalesced = 1.5;

// Seconds that one SM with `ctas` CTAs takes for the work of each of them.
struct Times {
  double matrix = 0, cores = 0, l2 = 0;
  double compute() const { return std::max(matrix, cores); }
};
Times times_of(const Counts& counts, const Device& device, double ctas) {
  return {counts.matrix * ctas * device.sms / device.flops_16bit,
          counts.slots * ctas * 2 * device.sms / device.flops_f32,
          counts.touched() * ctas / (device.l2_bytes_per_clock * device.clock_hz)};
}

// Returns the CTAs that share an SM: as the launch bounds ask, else as many as threads and shared memory allow.
double resident_ctas(const Plan& plan) {
  if (plan.launch.least_ctas) return static_cast<double>(*plan.launch.least_ctas);
  if (has_several_roles(plan)) return 1;
  const Device& device = device_of(*plan.target);
  int64_t ctas = device.threads_of_sm / std::max(kWarp, threads_of_cta(plan));
  if (plan.shared.total > 0) ctas = std::min(ctas, plan.target->shared_limit / plan.shared.total);
  return static_cast<double>(std::clamp<int64_t>(ctas, 1, device.ctas_of_sm));
}

// Returns the traffic of all tiles for each array.
std::vector<ArrayTraffic> traffic(const Plan& plan, const Example& example, const CountedTile& counted, double tiles) {
  std::map<int, ArrayTraffic> arrays;
  const auto add = [&](const Counts& counts, double times) {
    for (const auto& [ref, moved] : counts.moved) {
      arrays[ref].wanted += moved.wanted * times;
      arrays[ref].touched += moved.touched * times;
    }
  };
  add(counted.step, std::max(1.0, counted.steps) * tiles);
  add(counted.tile, tiles);
  std::vector<ArrayTraffic> made;
  for (auto& [index, moved] : arrays) {
    const Ref& ref = plan.kernel->refs[static_cast<size_t>(index)];
    double array = info(ref.dtype).bits / 8.0;
    for (const TypedPtr& extent : ref.array_shape) array *= static_cast<double>(example.value(extent).value_or(1));
    moved.ref = index;
    moved.memory = std::min(moved.wanted, array);
    made.push_back(moved);
  }
  return made;
}

double all_tiles(const Plan& plan, const Example& example) {
  double tiles = 1;
  for (const int axis : plan.work.axes) tiles *= static_cast<double>(example.size(axis));
  return tiles;
}

// Tiles at once. A CTA counts as a part of a tile in a cluster, and as several tiles if it has several programs.
struct Residence {
  double ctas_of_tile = 1, resident = 1;  // CTAs per tile; most tiles of an SM
  double workers = 1, ctas = 1;           // most tiles of the device; tiles that an SM has
};
Residence residence_of(const Plan& plan, double tiles) {
  const auto tiles_of_cta = static_cast<double>(plan.launch.programs.value);
  const double sms = device_of(*plan.target).sms;
  Residence at;
  at.ctas_of_tile = static_cast<double>(plan.launch.cluster.value) / tiles_of_cta;
  at.resident = resident_ctas(plan) / at.ctas_of_tile;
  at.workers = sms * at.resident;
  if (plan.launch.ctas > 0) at.workers = std::min(at.workers, static_cast<double>(plan.launch.ctas));
  const double of_sm = std::ceil(std::min(tiles, at.workers) / tiles_of_cta / sms) * tiles_of_cta;
  at.ctas = std::min(std::max(of_sm, 1.0), at.resident);
  return at;
}

// Says what would improve the time. `sms_at_work`: share of all SMs, 0 to 1.
std::string mover(const CostModel& cost, const Times& step, double memory, double wanted_in_flight,
                  double sms_at_work) {
  if (sms_at_work < 0.5 && cost.bubble_seconds > cost.seconds / 2)
    return fmt::format("more programs, or smaller ones: {} % of the SMs are at work",
                       std::max<int64_t>(std::llround(100 * sms_at_work), 1));
  switch (cost.bound) {
    case Bound::latency:
      return fmt::format(
          "more bytes under way at once, by more stages or larger blocks: an SM has {}, and {} hide the latency",
          grouped(std::llround(cost.bytes_in_flight)), grouped(std::llround(wanted_in_flight)));
    case Bound::bandwidth:
      if (step.l2 > memory && cost.touched_per_step > kUncoalesced * cost.bytes_per_step)
        return fmt::format(
            "neighbouring threads on neighbouring elements: a step touches {} bytes of sectors for {} bytes",
            grouped(std::llround(cost.touched_per_step)), grouped(std::llround(cost.bytes_per_step)));
      return step.l2 > memory ? "a larger tile: it moves fewer bytes per operation"
                              : "nothing but fewer bytes: device memory is the limit";
    case Bound::rate:
      if (cost.operations_per_step == 0 && cost.instructions_per_step == 0) return "nothing: the example has no work";
      if (step.cores > step.matrix) return "cheaper operations: the ordinary cores are the limit";
      return cost.waves < 4 && std::ceil(cost.waves) - cost.waves > 0.2
                 ? "a tile whose count divides by the SMs: the last round leaves some idle"
                 : "nothing in the schedule: the tensor cores are the limit";
  }
  return "";
}

}  // namespace

StepCost step_cost(const Target& target, double flops, double bytes) {
  const Device& device = device_of(target);
  return {device.latency_seconds, bytes / (device.l2_bytes_per_clock * device.clock_hz),
          flops * device.sms / device.flops_16bit};
}

double of_16_bits(double flops, DType operand) { return flops * info(operand).bits / 16; }

double of_tensor_cores(const Target& target, double flops, DType sum) {
  const Device& device = device_of(target);
  return flops * device.flops_16bit / device.flops_f32 * (sum == DType::f32 ? 1 : 2);
}

int64_t stages_to_hide_latency(const StepCost& step) {
  const double others = step.seconds() > 0 ? std::ceil(kJitter * step.latency / step.seconds()) : 1;
  return std::max<int64_t>(2, static_cast<int64_t>(std::min(1 + others, static_cast<double>(kMostStages))));
}

std::vector<ArrayTraffic> traffic_of(const Plan& plan) {
  const Example example(*plan.kernel, *plan.target);
  return traffic(plan, example, count_tile(plan, example), all_tiles(plan, example));
}

TilesOfSm tiles_of_sm(const Plan& plan) {
  const Residence at = residence_of(plan, plan.cost.tiles);
  return {at.resident, at.ctas};
}

CostModel model_cost(const Plan& plan) {
  const Device& device = device_of(*plan.target);
  const Example example(*plan.kernel, *plan.target);
  CountedTile counted = count_tile(plan, example);
  const bool has_steps = counted.steps > 0;
  if (!has_steps) counted.step = std::exchange(counted.tile, {}), counted.steps = 1;
  CostModel cost;
  cost.device = device.name;
  cost.dims = example.dims();
  cost.by_data = counted.by_data;
  cost.steps = counted.steps;
  cost.tiles = all_tiles(plan, example);
  const auto [ctas_of_tile, resident, workers, ctas] = residence_of(plan, cost.tiles);
  cost.waves = cost.tiles / workers;
  const double rounds = std::max(1.0, std::ceil(cost.waves));
  cost.bytes_per_step = counted.step.wanted();
  cost.touched_per_step = counted.step.touched();
  cost.operations_per_step = counted.step.operations;
  cost.instructions_per_step = counted.step.slots;
  cost.bytes_in_flight = counted.step.in_flight * ctas;

  const double in_steps = cost.bytes_per_step * cost.steps, in_tile = counted.tile.wanted();
  for (const ArrayTraffic& moved : traffic(plan, example, counted, cost.tiles)) cost.memory_bytes += moved.memory;
  cost.operations = (cost.operations_per_step * cost.steps + counted.tile.operations) * cost.tiles;
  cost.instructions = (cost.instructions_per_step * cost.steps + counted.tile.slots) * cost.tiles;
  const double memory = cost.memory_bytes / device.bytes_per_second / rounds / std::max(1.0, in_steps + in_tile);
  const Times step = times_of(counted.step, device, ctas), tile = times_of(counted.tile, device, ctas);
  cost.bandwidth_seconds = std::max(step.l2, memory * cost.bytes_per_step);
  cost.rate_seconds = step.compute();
  cost.latency_seconds =
      counted.step.in_flight > 0 ? device.latency_seconds * counted.step.read / counted.step.in_flight : 0;
  cost.tile_seconds = std::max({tile.compute(), tile.l2, memory * in_tile});
  const double bound = std::max(cost.rate_seconds, cost.bandwidth_seconds);
  cost.step_seconds = std::max(bound, cost.latency_seconds);
  cost.bound = cost.latency_seconds > bound                 ? Bound::latency
               : cost.bandwidth_seconds > cost.rate_seconds ? Bound::bandwidth
                                                            : Bound::rate;
  cost.fill_seconds = device.latency_seconds + (has_steps ? cost.bandwidth_seconds : 0);
  const double of_tile = cost.steps * cost.step_seconds + cost.tile_seconds;
  const double fills = (plan.work.is_loop() || resident > 1 ? 1 : rounds) * cost.fill_seconds;
  cost.seconds = rounds * of_tile + fills;
  const double busy_sms = std::min(1.0, std::min(cost.tiles, workers) * ctas_of_tile / device.sms);
  const double idle = busy_sms < 1 ? (1 - busy_sms) * rounds : ctas < resident ? 0 : rounds - cost.waves;
  cost.bubble_seconds = fills + idle * of_tile;
  // Bytes to have under way for the latency of a step to take no longer than its other bound.
  const double hiding = bound > 0 ? cost.bytes_in_flight * cost.latency_seconds / bound : 0;
  cost.moved_by = mover(cost, step, memory * cost.bytes_per_step, hiding, busy_sms);
  return cost;
}

}  // namespace pallasgen
