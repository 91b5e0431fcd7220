#include "size/occupancy.h"

#include <fmt/format.h>

#include <algorithm>

#include "layout/warps.h"
#include "model/example.h"
#include "plan/words.h"
#include "registers/live_registers.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

constexpr int64_t kRegisterUnit = 8;  // the unit in which threads get registers

// Warps for which an SM has registers, if each thread has `registers`.
int64_t warps_with(const Target& target, const Device& device, int64_t registers) {
  return device.partitions_of_sm * (target.registers / device.partitions_of_sm / (registers * kWarp));
}

// True if computing an element may hold many values: draws of random bits, functions that reduce large arguments, and
// functions of C++ headers, which are unknown.
bool may_hold_many_values(const TypedPtr& expr, const Kernel& kernel) {
  bool found = false;
  walk(expr, [&](const Typed& node) {
    if (const auto* call = node.as<CallFunction>()) {
      const Function& function = kernel.functions[static_cast<size_t>(call->function)];
      found = found || function.external || may_hold_many_values(function.body, kernel);
    }
    const Apply* apply = node.as<Apply>();
    if (!apply) return;
    for (const Op op : {Op::random_bits, Op::sin, Op::cos, Op::tan, Op::power, Op::atan2})
      found = found || (apply->op == op && !is_square(*apply));
  });
  return found;
}

// True if a thread holds more than the program's values: blocks of products, or intermediate results of functions.
bool holds_intermediate_values(const Kernel& kernel, const tile::Role& role) {
  bool found = false;
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    found = found || statement.as<tile::Dot>();
    tile::for_each_expression(statement,
                              [&](const TypedPtr& expr) { found = found || may_hold_many_values(expr, kernel); });
  });
  return found;
}

}  // namespace

void choose_least_ctas(Draft& draft, const tile::Program& program) {
  LaunchPlan& launch = draft.plan.launch;
  const std::vector<Axis>& axes = draft.kernel->axes;
  const bool several = std::any_of(axes.begin(), axes.end(), [](const Axis& axis) { return !axis.sequential; });
  if (!several || draft.plan.work.is_loop() || has_several_roles(program) ||
      holds_intermediate_values(*draft.kernel, computing_role(program)))
    return;
  const Target& target = *draft.target;
  const Device& device = device_of(target);
  const int64_t threads = threads_of_cta(draft.plan), warps = (threads + kWarp - 1) / kWarp;
  const int64_t needed = registers_needed(program, computing_role(program));
  const int64_t registers =
      std::max(kUsualRegisters, (needed + kSpareRegisters + kRegisterUnit - 1) / kRegisterUnit * kRegisterUnit);
  const int64_t shared = draft.plan.shared.total + device.reserved_bytes;
  const int64_t most = std::min({warps_with(target, device, registers) / warps, device.threads_of_sm / (kWarp * warps),
                                 int64_t{device.ctas_of_sm}, (target.shared_limit + device.reserved_bytes) / shared});
  launch.least_ctas = std::max<int64_t>(1, most);
  draft.decide("CTAs of an SM", fmt::format("{} at the least", *launch.least_ctas),
               fmt::format("a thread needs about {} for values and addresses", counted(needed, "register")));
}

}  // namespace pallasgen
