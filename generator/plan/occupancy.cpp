#include "occupancy.h"

#include <fmt/format.h>

#include <algorithm>

#include "example.h"
#include "layout/warps.h"
#include "live_registers.h"
#include "plan/words.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

constexpr int64_t kRegisterUnit = 8;  // registers of a thread are given out by so many

// Warps that an SM has registers for, so many of each thread.
int64_t warps_with(const Target& target, const Device& device, int64_t registers) {
  return device.partitions_of_sm * (target.registers / device.partitions_of_sm / (registers * kWarp));
}

// Whether what computes an element holds many values of its own: draws of random bits, functions that take large
// arguments apart, and those of C++ headers, of which that is not known.
bool holds_many(const TypedPtr& expr, const Kernel& kernel) {
  bool found = false;
  walk(expr, [&](const Typed& node) {
    if (const auto* call = node.as<CallFunction>()) {
      const Function& function = kernel.functions[static_cast<size_t>(call->function)];
      found = found || function.external || holds_many(function.body, kernel);
    }
    const Apply* apply = node.as<Apply>();
    if (!apply) return;
    for (const Op op : {Op::random_bits, Op::sin, Op::cos, Op::tan, Op::power, Op::atan2})
      found = found || apply->op == op;
  });
  return found;
}

// Whether a thread holds what no value of the program tells: blocks of products, or what functions compute with.
bool holds_more(const Kernel& kernel, const tile::Role& role) {
  bool found = false;
  tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
    found = found || statement.as<tile::Dot>();
    tile::for_each_expression(statement, [&](const TypedPtr& expr) { found = found || holds_many(expr, kernel); });
  });
  return found;
}

struct Resident {
  int64_t ctas, registers;  // of an SM; that a thread needs
};

// Nothing: the kernel does not say how many. `shared`: the bytes of shared memory that a CTA has.
std::optional<Resident> resident(const tile::Program& program, const Target& target, int64_t shared) {
  const Kernel& kernel = *program.declarations;
  const bool several =
      std::any_of(kernel.axes.begin(), kernel.axes.end(), [](const Axis& axis) { return !axis.sequential; });
  const tile::Role& role = program.roles.front();
  if (!several || program.roles.size() > 1 || holds_more(kernel, role)) return std::nullopt;
  const Device& device = device_of(target);
  const int64_t warps = (role.warps + role.ctas - 1) / role.ctas, needed = registers_needed(program, role);
  const int64_t registers =
      std::max(kUsualRegisters, (needed + kSpareRegisters + kRegisterUnit - 1) / kRegisterUnit * kRegisterUnit);
  const int64_t of_sm = target.shared_limit + device.reserved_bytes;
  const int64_t most = std::min({warps_with(target, device, registers) / warps, device.threads_of_sm / (kWarp * warps),
                                 int64_t{device.ctas_of_sm}, of_sm / (shared + device.reserved_bytes)});
  return Resident{std::max<int64_t>(1, most), needed};
}

}  // namespace

void choose_least_ctas(Draft& draft, const tile::Program& program) {
  if (draft.plan.work.is_loop()) return;
  const std::optional<Resident> of_sm = resident(program, *draft.target, draft.plan.shared.total);
  if (!of_sm) return;
  draft.plan.launch.least_ctas = of_sm->ctas;
  draft.decide("CTAs of an SM", fmt::format("{} at the least", of_sm->ctas),
               fmt::format("a thread needs about {} for values and addresses", counted(of_sm->registers, "register")));
}

bool leaves_memory_idle(const tile::Program& program, const Target& target, int64_t bytes) {
  const std::optional<Resident> of_sm = resident(program, target, bytes);
  return of_sm && of_sm->ctas * bytes < kBytesUnderWay;
}

}  // namespace pallasgen
