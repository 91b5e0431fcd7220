#include "cost.h"

#include <algorithm>
#include <cmath>

namespace pallasgen {

namespace {

constexpr int64_t kExampleExtent = 4096;
constexpr double kJitter = 1.5;

// A size of each dim that its facts allow: the model's example.
std::vector<std::pair<std::string, int64_t>> example_dims(const Kernel& kernel) {
  std::vector<std::pair<std::string, int64_t>> dims;
  for (const Dim& dim : kernel.dims) {
    int64_t value = (kExampleExtent + dim.multiple_of - 1) / dim.multiple_of * dim.multiple_of;
    if (dim.max) value = std::min(value, *dim.max / dim.multiple_of * dim.multiple_of);
    dims.emplace_back(dim.name, std::max(value, dim.min));
  }
  return dims;
}

double value_of(const Kernel& kernel, const Device& device, const std::vector<std::pair<std::string, int64_t>>& dims,
                const TypedPtr& expr) {
  const auto value = evaluate_index(expr, [&](const Symbol& symbol) -> std::optional<int64_t> {
    if (symbol.kind == SymbolKind::dim) return dims[symbol.id].second;
    if (symbol.kind == SymbolKind::axis) return 0;
    if (symbol.kind == SymbolKind::num_sms) return device.sms;
    if (symbol.kind == SymbolKind::axis_size)
      return static_cast<int64_t>(value_of(kernel, device, dims, kernel.axes[symbol.id].size));
    return std::nullopt;
  });
  return static_cast<double>(value.value_or(1));
}

const Device& device_of(const Target& target) {
  const Device* device = find_device(target.device);
  static const Device kNone{"unknown", 1, 1e9, 1e12, 1e12, 1e12, 64, 1e-6};
  return device ? *device : kNone;
}

// Fills in the verdict from the three times of a step.
void judge(CostModel& cost, bool persistent, int64_t stages) {
  const double bound = std::max(cost.rate_seconds, cost.bandwidth_seconds);
  cost.step_seconds = std::max(bound, cost.latency_seconds);
  cost.bound = cost.latency_seconds > bound                 ? Bound::latency
               : cost.bandwidth_seconds > cost.rate_seconds ? Bound::bandwidth
                                                            : Bound::rate;
  const double rounds = std::ceil(cost.waves);
  const double fill = cost.latency_seconds * static_cast<double>(std::max<int64_t>(stages, 1)) + cost.bandwidth_seconds;
  const double idle = (rounds - cost.waves) * cost.steps * cost.step_seconds;
  const double fills = persistent ? 1 : rounds;
  cost.seconds = rounds * cost.steps * cost.step_seconds + fills * fill;
  cost.bubble_seconds = fills * fill + idle;
}

}  // namespace

StepCost step_cost(const Target& target, double flops, double bytes) {
  const Device& device = device_of(target);
  return {device.latency_seconds, bytes / (device.l2_bytes_per_clock * device.clock_hz),
          flops * device.sms / device.flops_16bit};
}

double of_16_bits(double flops, DType operand) { return flops * info(operand).bits / 16; }

int64_t stages_to_hide_latency(const StepCost& step) {
  const double others = step.seconds() > 0 ? std::ceil(kJitter * step.latency / step.seconds()) : 1;
  return std::max<int64_t>(2, static_cast<int64_t>(std::min(1 + others, static_cast<double>(kMostStages))));
}

CostModel matmul_cost(const Draft& draft, const MatmulCostInput& input) {
  const Kernel& kernel = *draft.kernel;
  const Device& device = device_of(*draft.target);
  CostModel cost;
  cost.device = device.name;
  cost.dims = example_dims(kernel);
  cost.flops_per_step = 2.0 * static_cast<double>(input.bm * input.bn * input.bk);
  cost.bytes_per_step = static_cast<double>((input.bm + input.bn) * input.bk) * info(input.dtype).bits / 8;
  if (input.bytes > 0) cost.bytes_per_step = static_cast<double>(input.bytes);
  const StepCost step = step_cost(*draft.target, of_16_bits(cost.flops_per_step, input.dtype), cost.bytes_per_step);
  cost.steps = input.axis < 0 ? 1 : value_of(kernel, device, cost.dims, kernel.axes[input.axis].size);
  cost.tiles = 1;
  for (int axis : draft.plan.work.axes) cost.tiles *= value_of(kernel, device, cost.dims, kernel.axes[axis].size);
  cost.waves = cost.tiles / device.sms;
  // Each operand comes from device memory once, all other reads of it from the L2 cache.
  double unique = 0;
  for (const Ref& ref : kernel.refs) {
    if (ref.role != RefRole::input && ref.role != RefRole::output) continue;
    double bytes = info(ref.dtype).bits / 8.0;
    for (const TypedPtr& extent : ref.array_shape) bytes *= value_of(kernel, device, cost.dims, extent);
    unique += bytes;
  }
  const double memory = unique / device.bytes_per_second / std::max(1.0, std::ceil(cost.waves) * cost.steps);
  cost.bandwidth_seconds = std::max(step.transfer, memory);
  cost.rate_seconds = step.compute;
  cost.latency_seconds = step.latency / static_cast<double>(input.stages);
  judge(cost, draft.plan.work.kind == WorkKind::static_persistent, input.stages);
  switch (cost.bound) {
    case Bound::latency:
      cost.moved_by = "more stages, or a deeper k block";
      break;
    case Bound::bandwidth:
      cost.moved_by = "a larger tile: it moves fewer bytes per operation";
      break;
    case Bound::rate:
      cost.moved_by = cost.waves < 4 && std::ceil(cost.waves) - cost.waves > 0.2
                          ? "a tile whose count divides by the SMs: the last round leaves some idle"
                          : "nothing in the schedule: the tensor cores are the limit";
  }
  return cost;
}

CostModel streaming_cost(const Draft& draft, double bytes, double flops, int64_t stages) {
  const Kernel& kernel = *draft.kernel;
  const Device& device = device_of(*draft.target);
  CostModel cost;
  cost.device = device.name;
  cost.dims = example_dims(kernel);
  cost.bytes_per_step = bytes;
  cost.flops_per_step = flops;
  cost.steps = cost.tiles = 1;
  for (const Axis& axis : kernel.axes)
    (axis.sequential ? cost.steps : cost.tiles) *= value_of(kernel, device, cost.dims, axis.size);
  // Several small CTAs share an SM; the model takes the threads that one SM can hold, and its shared memory.
  int64_t resident_ctas = 2048 / std::max<int64_t>(32, draft.plan.launch.threads.value);
  if (draft.plan.shared.total > 0)
    resident_ctas = std::min(resident_ctas, draft.target->shared_limit / draft.plan.shared.total);
  if (draft.plan.roles.size() > 1) resident_ctas = 1;
  const double resident = static_cast<double>(std::max<int64_t>(1, resident_ctas));
  cost.waves = cost.tiles / (device.sms * resident);
  cost.bandwidth_seconds = bytes * device.sms * resident / device.bytes_per_second;
  cost.rate_seconds = flops * device.sms * resident / device.flops_f32;
  cost.latency_seconds = device.latency_seconds / static_cast<double>(std::max<int64_t>(stages, 1));
  judge(cost, draft.plan.work.kind == WorkKind::static_persistent, stages);
  switch (cost.bound) {
    case Bound::latency:
      cost.moved_by = "larger blocks or more stages: more bytes under way at once";
      break;
    case Bound::bandwidth:
      cost.moved_by = "nothing but fewer bytes: device memory is the limit";
      break;
    case Bound::rate:
      cost.moved_by = "cheaper operations: the arithmetic is the limit";
      break;
  }
  return cost;
}

}  // namespace pallasgen
