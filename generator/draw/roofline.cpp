#include "roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "plan/words.h"
#include "scale.h"

namespace pallasgen {

namespace {

// The dtypes of operands of matrix instructions.
std::set<DType> multiplied(const Plan& plan) {
  std::set<DType> dtypes;
  const auto look = [&](const program::Statement& statement) {
    const auto* mma = std::get_if<program::Mma>(&statement.node);
    if (mma && mma->ring_b >= 0)
      dtypes.insert(plan.rings[static_cast<size_t>(mma->ring_b)].operands[static_cast<size_t>(mma->b)].dtype);
  };
  for (const RolePlan& role : plan.roles) for_each_statement(role.program, look);
  for (const PartPlan& part : plan.parts) for_each_statement(part.program, look);
  return dtypes;
}

}  // namespace

Roofline roofline_of(const Plan& plan) {
  Roofline roofline;
  const Device* device = find_device(plan.target->device);
  if (!device) return roofline;
  const CostModel& cost = plan.cost;
  roofline.memory = device->bytes_per_second;
  roofline.l2 = device->l2_bytes_per_clock * device->clock_hz * device->sms;
  for (const DType dtype : multiplied(plan)) {
    // Instructions take the same number of bytes of each dtype in the same time.
    constexpr Tone kTensorTones[] = {Tone::green, Tone::purple, Tone::teal};
    const std::string name = dtype == DType::f32 ? "tf32" : std::string(name_of(dtype));
    roofline.roofs.push_back(
        {name + " tensor cores", device->flops_16bit * 16 / info(dtype).bits, kTensorTones[roofline.roofs.size() % 3]});
  }
  std::stable_sort(roofline.roofs.begin(), roofline.roofs.end(),
                   [](const Roof& a, const Roof& b) { return a.peak > b.peak; });
  roofline.roofs.push_back({"ordinary cores", device->flops_f32, Tone::orange});
  const auto add = [&](size_t roof, double operations) {
    if (operations <= 0 || cost.memory_bytes <= 0 || cost.seconds <= 0) return;
    const double intensity = operations / cost.memory_bytes;
    roofline.points.push_back({roof, operations, intensity, operations / cost.seconds,
                               std::min(roofline.roofs[roof].peak, intensity * roofline.memory)});
  };
  if (roofline.roofs.size() > 1) add(0, cost.operations);
  add(roofline.roofs.size() - 1, 2 * cost.instructions);
  return roofline;
}

std::vector<std::string> roofline_words(const Plan& plan, const Roofline& roofline) {
  const CostModel& cost = plan.cost;
  if (roofline.points.empty()) return {"The example has no operations or moves no bytes: there is nothing to place."};
  std::vector<std::string> lines = {fmt::format("The cost model says {} on {}{}; nothing was measured.",
                                                microseconds(cost.seconds), cost.device,
                                                cost.dims.empty() ? "" : " for " + dims_text(cost))};
  for (const RoofPoint& point : roofline.points) {
    const Roof& roof = roofline.roofs[point.roof];
    lines.push_back(fmt::format("On the {}: {} at {} operations a byte, {:.0f} % of the {} that {} there.", roof.name,
                                rate_text(point.rate, "FLOP/s"), three_digits(point.intensity),
                                100 * point.rate / point.attainable, rate_text(point.attainable, "FLOP/s"),
                                point.attainable < roof.peak ? "device memory allows" : "they do"));
  }
  return lines;
}

}  // namespace pallasgen
