#include "chain_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "grid_point.h"
#include "printed.h"
#include "rounding.h"

namespace pallasgen {

namespace {

// Tolerance of an f32 output that is rounded only to f32 on the way, however long its sums are: a wrong fourth digit of
// a constant exceeds it. room_of adds an allowance where addends cancel.
constexpr double kExactTolerance = 0x1p-18;

std::string value_text(const Array& array, int64_t i) {
  return info(array.dtype).is_float ? fmt::format("{:.9g}", array.at(i)) : fmt::format("{}", array.integer_at(i));
}

// The name and indices of element `i`, and the grid point that writes it.
std::string place_text(const Kernel& kernel, const Ref& ref, const Array& array, int64_t i,
                       const Arguments& arguments) {
  std::vector<int64_t> index(array.shape.size());
  for (size_t d = array.shape.size(); d-- > 0; i /= array.shape[d]) index[d] = i % array.shape[d];
  const std::string point = grid_point_of(kernel, ref, index, arguments);
  return fmt::format("{}[{}]{}{}", ref.name, fmt::join(index, ", "), point.empty() ? "" : " of grid point ", point);
}

// The lines that the kernel prints in all its launches.
std::vector<std::string> printed_lines(const Plan& plan, const Case& job) {
  std::vector<std::string> lines = job.printed;
  if (is_launched_twice(plan)) lines.insert(lines.end(), job.printed.begin(), job.printed.end());
  return lines;
}

// A test's own tolerance applies to its inputs. Special values may be far larger, so they get at least the default for
// the arguments.
double tolerance_of(const Kernel& kernel, const Ref& ref, const Case& job) {
  const std::optional<double>& given = job.test.tolerance;
  if (given && !job.special) return *given;
  return std::max(given.value_or(0), default_tolerance(kernel, ref, job.arguments));
}

// The tolerance for a comparison that allows for cancellation separately, by room_of.
double strict_tolerance_of(const Kernel& kernel, const Ref& ref, const Case& job) {
  const double tolerance = tolerance_of(kernel, ref, job);
  const bool exact = ref.dtype == DType::f32 && !job.test.tolerance && !job.special && is_computed_exactly(kernel);
  return exact ? std::min(tolerance, kExactTolerance) : tolerance;
}

// Per element, the allowed error beyond the tolerance where addends cancel: a multiple of the effect of the inputs'
// last places. For ordinary inputs it is at most the tolerance, which addends of size 1 justify, and exactly the
// tolerance if the whole output is rounding noise.
std::vector<double> room_of(const Kernel& kernel, const Ref& ref, const Case& job) {
  constexpr double kRoundings = 16;
  if (!job.sensitivities) job.sensitivities = sensitivities(kernel, job.arguments, job.interpreted);
  Sensitivity sensitivity = (*job.sensitivities)[ref.name];
  const auto own = job.interpreted.find(ref.name);
  const bool is_noise = own != job.interpreted.end() && sensitivity.rounding * kRoundings > scale_of(own->second);
  const double most = job.special ? std::numeric_limits<double>::infinity() : tolerance_of(kernel, ref, job);
  const double least = is_noise ? tolerance_of(kernel, ref, job) : 0;
  for (double& each : sensitivity.moves) each = std::max(std::min(each * kRoundings, most), least);
  return std::move(sensitivity.moves);
}

}  // namespace

std::string name_of(FaultKind kind) { return kind == FaultKind::nan ? "nan" : "oob"; }

ExpectedCase expected_of(const HostKernel& host, const Case& job) {
  ExpectedCase expected{job.interpreted, {}, printed_lines(*host.plan, job), {}};
  for (const FoundFault& fault : job.faults) expected.faults.emplace_back(name_of(fault.kind), fault.operand);
  for (const Ref& ref : host.kernel->refs)
    if (ref.role == RefRole::output) expected.tolerances[ref.name] = tolerance_of(*host.kernel, ref, job);
  return expected;
}

ChainRow compare_outputs(const Kernel& kernel, const Case& job, const std::string& evaluation, const Arrays& got,
                         const Arrays& want, bool against_reference) {
  ChainRow row{job.text, evaluation, true, 0, 0, ""};
  for (const Ref& ref : kernel.refs) {
    if (ref.role != RefRole::output || !row.passed) continue;
    const double tolerance = strict_tolerance_of(kernel, ref, job);
    // Approximate math flushes a subnormal factor to 0, which turns an infinity into NaN.
    const bool one_kind = job.special && kernel.approximate_math;
    Difference difference = compare(got.at(ref.name), want.at(ref.name), tolerance, one_kind);
    if (!difference.equal && info(ref.dtype).is_float) {
      const std::vector<double> room = room_of(kernel, ref, job);
      // No allowance is known for a kernel that reinterprets the bits of floats.
      const double allowed = room.empty() ? tolerance_of(kernel, ref, job) : tolerance;
      difference = compare(got.at(ref.name), want.at(ref.name), allowed, one_kind, room);
    }
    row.tolerance = std::max(row.tolerance, tolerance);
    row.max_error = std::max(row.max_error, difference.max_absolute);
    row.of_allowed = std::max(row.of_allowed, difference.of_allowed);
    if (difference.equal) continue;
    row.passed = false;
    row.failure = fmt::format(
        "{}: {} gives {}, {} gives {}", place_text(kernel, ref, want.at(ref.name), difference.first, job.arguments),
        evaluation, value_text(got.at(ref.name), difference.first),
        against_reference ? "the reference" : "the interpreter", value_text(want.at(ref.name), difference.first));
    if (!against_reference && job.reference)
      row.failure += fmt::format(", the reference {}", value_text(job.reference->at(ref.name), difference.first));
  }
  return row;
}

namespace {

// Compares the outputs and printed lines of a run in the emulator with the interpreter's.
ChainRow compare_outcome(const HostKernel& host, const Case& job, const std::string& evaluation,
                         const JobOutcome& outcome) {
  const Kernel& kernel = *host.kernel;
  ChainRow row = compare_outputs(kernel, job, evaluation, outcome.outputs, job.interpreted, false);
  for (const Ref& ref : kernel.refs) {
    // A test has its own tolerance if the kernel also rounds to a narrow dtype between operations.
    if (ref.role != RefRole::output || !row.passed || job.test.tolerance || kernel.approximate_math) continue;
    const std::string bias = rounding_bias(outcome.outputs.at(ref.name), job.interpreted.at(ref.name));
    row.passed = bias.empty();
    if (!row.passed) row.failure = fmt::format("{}: {} than the interpreter's", ref.name, bias);
  }
  if (!row.passed || !has_print(kernel)) return row;
  row.failure =
      compare_printed(outcome.printed, printed_lines(*host.plan, job), row.tolerance, evaluation, "the interpreter");
  row.passed = row.failure.empty();
  return row;
}

}  // namespace

ChainRow outcome_row(const HostKernel& host, const Case& job, const std::string& evaluation,
                     const JobOutcome& outcome) {
  const std::string& failure = outcome.failure;
  if (!job.faults.empty()) {
    // Any of the faults may be reported first, and special values are in many places.
    const bool told = std::any_of(job.faults.begin(), job.faults.end(), [&](const FoundFault& fault) {
      const auto ends_at = [&](const std::string& at) { return at.empty() || failure.ends_with(", at " + at); };
      const bool named = failure.find("'" + fault.operand + "'") != std::string::npos &&
                         std::any_of(fault.points.begin(), fault.points.end(), ends_at);
      return (job.special || named) && failure.find(": " + name_of(fault.kind) + ": ") != std::string::npos;
    });
    std::vector<std::string> found;
    for (const FoundFault& fault : job.faults)
      found.push_back(
          fmt::format("{} of '{}' at {}", name_of(fault.kind), fault.operand, fmt::join(fault.points, "; ")));
    const std::string missed = fmt::format("the interpreter finds {}, the kernel {}", fmt::join(found, ", "),
                                           failure.empty() ? "nothing" : "says: " + failure);
    return {job.text,          fmt::format("{} finds {}", evaluation, name_of(job.faults.front().kind)), told, 0, 0,
            told ? "" : missed};
  }
  if (!failure.empty()) return {job.text, evaluation, false, 0, 0, failure};
  if (job.refused) return {job.text, evaluation + " refuses", true, 0, 0, ""};
  return compare_outcome(host, job, evaluation, outcome);
}

}  // namespace pallasgen
