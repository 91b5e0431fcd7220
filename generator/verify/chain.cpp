#include "verify/chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <sstream>

#include "gradients.h"
#include "grid_point.h"
#include "job.h"
#include "printed.h"
#include "rounding.h"
#include "sensitivity.h"
#include "tile_check.h"

namespace pallasgen {

namespace fs = std::filesystem;

namespace {

// How many runs on special values a spec gets, two of each of its first tests that have no empty array.
constexpr size_t kSpecialRuns = 4;

// What an output of f32 may differ by where nothing but roundings of f32 is on the way, however long its sums are: a
// wrong fourth digit of a constant is more than that. Where addends cancel, room_of says what is allowed beyond it.
constexpr double kExactTolerance = 0x1p-18;

using Arrays = std::map<std::string, Array>;

// One test with one seed: its inputs and what reference and interpreter make of them.
struct Case {
  std::string name;  // of the job
  std::string text;
  KernelTest test;
  Arguments arguments;
  std::optional<Arrays> reference;
  Arrays interpreted;
  std::vector<std::string> printed;  // by the interpreter
  // What the interpreter found that the kernel's own run-time checks must find too: "oob", "nan"; with the operand.
  std::string fault, operand;
  std::vector<std::string> points;                                          // where: grid points
  bool special = false;                                                     // its inputs hold special values
  mutable std::optional<std::map<std::string, Sensitivity>> sensitivities;  // computed where they are asked for
  bool refused = false;  // the sizes break the facts of the dims: the launcher must say so
};

std::vector<KernelTest> tests_of(const Kernel& kernel, const ChainOptions& options) {
  if (options.dims.empty() && options.programs > 0) {
    std::vector<KernelTest> small;
    bool runs = false;  // at least one of them has programs at all
    for (const KernelTest& test : kernel.tests) {
      const int64_t programs = programs_of(kernel, test.dims);
      if (programs <= options.programs) small.push_back(test);
      runs = runs || (programs > 0 && programs <= options.programs);
    }
    if (runs) return small;
  }
  if (options.dims.empty()) return kernel.tests;
  std::vector<KernelTest> tests;
  for (const auto& dims : options.dims) {
    KernelTest test = kernel.tests.empty() ? KernelTest{} : kernel.tests.front();
    test.dims = dims;
    test.inputs.clear();
    tests.push_back(std::move(test));
  }
  return tests;
}

std::string value_text(const Array& array, int64_t i) {
  return info(array.dtype).is_float ? fmt::format("{:.9g}", array.at(i)) : fmt::format("{}", array.integer_at(i));
}

// The indices of element `i`, and the grid point that writes it.
std::string place_text(const Kernel& kernel, const Ref& ref, const Array& array, int64_t i,
                       const std::map<std::string, int64_t>& dims) {
  std::vector<int64_t> index(array.shape.size());
  for (size_t d = array.shape.size(); d-- > 0; i /= array.shape[d]) index[d] = i % array.shape[d];
  const std::string point = grid_point_of(kernel, ref, index, dims);
  return fmt::format("{}[{}]{}{}", ref.name, fmt::join(index, ", "), point.empty() ? "" : " of grid point ", point);
}

// What the kernel prints in all its launches.
std::vector<std::string> printed_lines(const Plan& plan, const Case& job) {
  std::vector<std::string> lines = job.printed;
  if (is_launched_twice(plan)) lines.insert(lines.end(), job.printed.begin(), job.printed.end());
  return lines;
}

double tolerance_of(const Kernel& kernel, const Ref& ref, const Case& job) {
  return job.test.tolerance ? *job.test.tolerance : default_tolerance(kernel, ref, job.arguments);
}

// The same for a comparison that has room where addends cancel.
double strict_tolerance_of(const Kernel& kernel, const Ref& ref, const Case& job) {
  const double tolerance = tolerance_of(kernel, ref, job);
  const bool exact = ref.dtype == DType::f32 && !job.test.tolerance && !job.special && is_computed_exactly(kernel);
  return exact ? std::min(tolerance, kExactTolerance) : tolerance;
}

// What the case must come to on another machine.
ExpectedCase expected_of(const HostKernel& host, const Case& job) {
  ExpectedCase expected{job.interpreted, {}, printed_lines(*host.plan, job), job.fault, job.operand};
  for (const Ref& ref : host.kernel->refs)
    if (ref.role == RefRole::output) expected.tolerances[ref.name] = tolerance_of(*host.kernel, ref, job);
  return expected;
}

// What an element of an output may differ by beyond its tolerance where addends cancel: so many times what their last
// places decide, but among ordinary inputs never more than addends of a size of 1 justify; that is what is allowed
// where nothing else is left of any element.
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

ChainRow compare_outputs(const Kernel& kernel, const Case& job, const std::string& evaluation, const Arrays& got,
                         const Arrays& want, bool against_reference) {
  ChainRow row{job.text, evaluation, true, 0, 0, ""};
  for (const Ref& ref : kernel.refs) {
    if (ref.role != RefRole::output || !row.passed) continue;
    const double tolerance = strict_tolerance_of(kernel, ref, job);
    // A factor that approximate math makes 0 where it is subnormal makes NaN of an infinity.
    const bool one_kind = job.special && kernel.approximate_math;
    Difference difference = compare(got.at(ref.name), want.at(ref.name), tolerance, one_kind);
    if (!difference.equal && info(ref.dtype).is_float) {
      const std::vector<double> room = room_of(kernel, ref, job);
      // A kernel that takes floats for their bits has no room that is known.
      const double allowed = room.empty() ? tolerance_of(kernel, ref, job) : tolerance;
      difference = compare(got.at(ref.name), want.at(ref.name), allowed, one_kind, room);
    }
    row.tolerance = std::max(row.tolerance, tolerance);
    row.max_error = std::max(row.max_error, difference.max_absolute);
    if (difference.equal) continue;
    row.passed = false;
    row.failure = fmt::format("{}: {} gives {}, {} gives {}",
                              place_text(kernel, ref, want.at(ref.name), difference.first, job.arguments.dims),
                              evaluation, value_text(got.at(ref.name), difference.first),
                              against_reference ? "the reference" : "the interpreter",
                              value_text(want.at(ref.name), difference.first));
    if (!against_reference && job.reference)
      row.failure += fmt::format(", the reference {}", value_text(job.reference->at(ref.name), difference.first));
  }
  return row;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The outputs of a run in the emulator, and what it printed, against the interpreter's.
ChainRow compare_outcome(const HostKernel& host, const Case& job, const std::string& evaluation,
                         const JobOutcome& outcome) {
  const Kernel& kernel = *host.kernel;
  ChainRow row = compare_outputs(kernel, job, evaluation, outcome.outputs, job.interpreted, false);
  for (const Ref& ref : kernel.refs) {
    // A test with a tolerance of its own has a narrow dtype between its operations too.
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

// The same where the launcher must refuse, or a check of the kernel must find what the interpreter found.
ChainRow outcome_row(const HostKernel& host, const Case& job, const std::string& evaluation,
                     const JobOutcome& outcome) {
  const std::string& failure = outcome.failure;
  if (!job.fault.empty()) {
    // Special values are in many places: which fault the first program or thread comes to is left open.
    const bool named = job.special || failure.find("'" + job.operand + "'") != std::string::npos;
    const auto ends_at = [&](const std::string& point) { return point.empty() || failure.ends_with(", at " + point); };
    const bool placed = job.special || std::any_of(job.points.begin(), job.points.end(), ends_at);
    const bool told = named && placed && failure.find(": " + job.fault + ": ") != std::string::npos;
    const std::string missed =
        fmt::format("the interpreter finds {} of '{}' at {}, the kernel {}", job.fault, job.operand,
                    fmt::join(job.points, "; "), failure.empty() ? "nothing" : "says: " + failure);
    return {job.text, fmt::format("{} finds {}", evaluation, job.fault), told, 0, 0, told ? "" : missed};
  }
  if (!failure.empty()) return {job.text, evaluation, false, 0, 0, failure};
  if (job.refused) return {job.text, evaluation + " refuses", true, 0, 0, ""};
  return compare_outcome(host, job, evaluation, outcome);
}

// What ended programs of the interpreter, where the kernel is compiled with checks that find the same: the first.
const FoundFault* checked_fault(const Kernel& kernel, const std::vector<FoundFault>& faults) {
  const auto has = [&](const char* check) {
    return std::find(kernel.checks.begin(), kernel.checks.end(), check) != kernel.checks.end();
  };
  const FoundFault* found = nullptr;
  for (const FoundFault& fault : faults) {
    if (fault.kind == FaultKind::waiting) continue;  // in the kernel, the program that is waited for goes on
    if (!(fault.kind == FaultKind::oob && has("oob")) && !(fault.kind == FaultKind::nan && has("nan"))) return nullptr;
    if (!found) found = &fault;
  }
  return found;
}

// Calls that the launcher must refuse, each like the first of the cases that has no empty array.
std::vector<Misuse> add_misuses(const Plan& plan, const std::vector<Case>& cases, JobFolder& folder) {
  for (size_t base = 0; base < cases.size(); ++base) {
    if (cases[base].refused || !cases[base].fault.empty()) continue;
    const std::vector<Misuse> misuses = misuses_of(plan, cases[base].arguments);
    for (size_t i = 0; i < misuses.size(); ++i) folder.add_misuse(plan, base, fmt::format("misuse{}", i), misuses[i]);
    if (!misuses.empty()) return misuses;
  }
  return {};
}

// The policies of a mode, and of persistent kernels two numbers of SMs: one CTA has all tiles, or each has one at most.
// Not for another machine, nor where CTAs wait for one another or the spec counts SMs, which the interpreter does too.
std::vector<std::string> policies_of(const Plan& plan, const ChainOptions& options, RunMode mode) {
  std::vector<std::string> policies = options.policies;
  const SourceText* source = plan.kernel->span.source;
  const bool alike = !source || source->text().find("num_sms") != std::string_view::npos || options.keep;
  if (mode == RunMode::plain && options.dims.empty() && plan.work.is_loop() && !plan.launch.cooperative && !alike)
    policies.insert(policies.end(), {"sms=1", "sms=1000"});
  return policies;
}

std::string text_of(const Diagnostics& diagnostics) { return render(diagnostics, ErrorFormat::text, false); }

using AddRow = std::function<void(ChainRow)>;

// What interpreter, tile program and reference make of the case's arguments. False, with a row, where a rule is broken;
// `faults` gets what ended the interpreter's programs.
bool evaluate(const HostKernel& host, bool with_tile_program, Case& job, Diagnostics& running,
              std::vector<FoundFault>& faults, const AddRow& add) {
  const Kernel& kernel = *host.kernel;
  std::optional<Arrays> interpreted;
  std::ostringstream printed;
  if (!running.has_errors())
    interpreted = interpret(kernel, job.arguments, {.print = &printed, .faults = &faults}, running);
  job.printed = lines_of(printed.str());
  if (interpreted && !job.special && kernel.spec->reference.present())
    job.reference = evaluate_reference(kernel, job.arguments, running);
  if (const FoundFault* fault = checked_fault(kernel, faults)) {
    job.fault = fault->kind == FaultKind::nan ? "nan" : "oob";
    job.operand = fault->operand;
    job.points = fault->points;
    add({job.text, fmt::format("interpreter finds {}", job.fault), true, 0, 0, ""});
    return true;
  }
  if (running.has_errors() || !interpreted) {
    add({job.text, "interpreter", false, 0, 0, text_of(running)});
    return false;
  }
  job.interpreted = std::move(*interpreted);
  if (with_tile_program) {
    const std::string differs =
        tile_program_difference(*host.plan->kernel, job.arguments, job.interpreted, printed.str());
    if (!differs.empty()) add({job.text, "tile program", false, 0, 0, differs});
  }
  if (job.reference) add(compare_outputs(kernel, job, "interpreter", job.interpreted, *job.reference, true));
  return true;
}

// A test whose seeded inputs hold special values. Nothing where no array is seeded with one, or one is empty; nor, with
// the extremes of integers, where the interpreter breaks a rule by them (an index, say, that an input gives), nor where
// an assert of the kernel says that such values are not for it. What a reference makes of such inputs is not asked: it
// may go another way to the same finite numbers.
std::optional<Case> special_case(const HostKernel& host, const KernelTest& test, size_t number, SpecialValues values,
                                 const AddRow& add) {
  const Kernel& kernel = *host.kernel;
  Case job;
  job.special = true;
  job.test = test;
  const std::string which = values == SpecialValues::finite ? "finite" : "special";
  job.name = fmt::format("{}{}", which, number);
  job.text = fmt::format("{}, {} values", dims_text(test.dims), which);
  Diagnostics running;
  const Arguments seeded = seeded_arguments(kernel, test, running);
  job.arguments = seeded_arguments(kernel, test, running, values);
  job.arguments.num_sms = kEmulatedSms;
  if (running.has_errors() || !complete_arguments(kernel, job.arguments, running)) return std::nullopt;
  bool has_special = false, has_empty = false;
  for (const auto& [name, array] : job.arguments.arrays) {
    has_special = has_special || array.bytes != seeded.arrays.at(name).bytes;
    has_empty = has_empty || array.size() == 0;
  }
  if (!has_special || has_empty) return std::nullopt;
  std::vector<ChainRow> rows;
  std::vector<FoundFault> faults;
  const bool defined =
      evaluate(host, true, job, running, faults, [&](ChainRow row) { rows.push_back(std::move(row)); });
  if (!defined && values == SpecialValues::all) return special_case(host, test, number, SpecialValues::floats, add);
  const bool is_refused = std::any_of(faults.begin(), faults.end(),
                                      [](const FoundFault& fault) { return fault.kind == FaultKind::assertion; });
  if (!defined && is_refused) return std::nullopt;
  for (ChainRow& row : rows) add(std::move(row));
  return defined ? std::optional(std::move(job)) : std::nullopt;
}

}  // namespace

std::string dims_text(const std::map<std::string, int64_t>& dims) {
  std::string text;
  for (const auto& [name, size] : dims) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, size);
  return text.empty() ? "(no dims)" : text;
}

ChainReport run_chain(const HostKernel& host, const ChainOptions& options, Diagnostics& diagnostics,
                      const std::function<void(const ChainRow&)>& progress) {
  const Plan& plan = *host.plan;
  const bool is_in_batch = std::any_of(options.batch.begin(), options.batch.end(),
                                       [&](const HostKernel& each) { return each.kernel == host.kernel; });
  const std::vector<HostKernel> batch = is_in_batch ? options.batch : std::vector{host};
  const Kernel& kernel = *host.kernel;
  ChainReport report;
  const auto add = [&](ChainRow row) {
    report.passed = report.passed && row.passed;
    report.rows.push_back(std::move(row));
    progress(report.rows.back());
  };

  for (const auto& dims : options.dims) report.passed = are_all_dims(kernel, dims, diagnostics) && report.passed;
  if (!report.passed) return report;
  if (options.stage) options.stage(kernel.name + ": reference and interpreter");
  // The interpreters are run once for each mode; the tile program need not be.
  const bool plain = std::find(options.modes.begin(), options.modes.end(), RunMode::plain) != options.modes.end();
  std::vector<Case> cases, special;
  const std::vector<KernelTest> tests = tests_of(kernel, options);
  for (size_t t = 0; t < tests.size(); ++t) {
    for (int seed = 0; seed < options.seeds; ++seed) {
      Case job;
      job.test = tests[t];
      job.test.seed += static_cast<uint64_t>(seed);
      job.name = fmt::format("test{}seed{}", t, seed);
      job.text = dims_text(job.test.dims) + (options.seeds > 1 ? fmt::format(", seed {}", job.test.seed) : "");
      Diagnostics running;
      job.arguments = seeded_arguments(kernel, job.test, running);
      job.arguments.num_sms = kEmulatedSms;
      if (!running.has_errors() && !complete_arguments(kernel, job.arguments, running) && !options.dims.empty()) {
        job.refused = true;
        cases.push_back(std::move(job));
        continue;
      }
      std::vector<FoundFault> faults;
      if (evaluate(host, plain, job, running, faults, add)) cases.push_back(std::move(job));
    }
    if (!plain || !options.dims.empty() || special.size() >= kSpecialRuns) continue;
    for (const SpecialValues values : {SpecialValues::all, SpecialValues::finite})
      if (std::optional<Case> job = special_case(host, tests[t], t, values, add)) special.push_back(std::move(*job));
  }
  if (plain && kernel.gradients) {
    std::vector<ForwardRun> runs;
    for (const Case& job : cases)
      if (!job.refused && job.fault.empty())
        runs.push_back({job.text, &job.arguments, &job.interpreted, job.test.seed});
    for (ChainRow& row : check_gradients(kernel, runs, options.dims.empty() && options.programs == 0))
      add(std::move(row));
  }

  for (const RunMode mode : options.modes) {
    if (options.stage) options.stage(fmt::format("{}: building for the CPU, {}", kernel.name, name_of(mode)));
    const std::optional<std::string> program = build_for_host(batch, mode, options.work_dir, diagnostics);
    if (!program) {
      report.passed = false;
      return report;
    }
    for (const std::string& policy : policies_of(plan, options, mode)) {
      const std::string evaluation = fmt::format("emulator {} {}", name_of(mode), policy);
      JobFolder folder((fs::path(*program).parent_path() / fmt::format("job-{}-{}", kernel.name, policy)).string());
      std::vector<JobOutcome> outcomes;
      if (options.stage) options.stage(fmt::format("{}: {}", kernel.name, evaluation));
      std::vector<const Case*> runs;
      // Behind a fault that a check of the kernel finds threads leave, and what others then read is of no use: a race.
      for (const Case& job : cases)
        if (mode != RunMode::tsan || job.fault.empty()) runs.push_back(&job);
      // No policy changes what arithmetic gives.
      if (mode == RunMode::plain && policy == options.policies.front())
        for (const Case& job : special) runs.push_back(&job);
      for (const Case* job : runs) folder.add(plan, job->name, job->arguments, job->refused ? kInvalidValue : 0);
      // A launcher refuses before anything that a policy could change; AddressSanitizer sees what it does itself.
      const bool is_first =
          (mode == options.modes.front() || mode == RunMode::asan) && policy == options.policies.front();
      const std::vector<Misuse> misuses =
          is_first && options.dims.empty() ? add_misuses(plan, cases, folder) : std::vector<Misuse>();
      if (!folder.run({*program, kernel.name}, policy, options.seconds, diagnostics, outcomes)) {
        report.passed = false;
        return report;
      }
      for (size_t i = 0; i < runs.size(); ++i) add(outcome_row(host, *runs[i], evaluation, outcomes[i]));
      for (size_t i = 0; i < misuses.size(); ++i) {
        const std::string& failure = outcomes[runs.size() + i].failure;
        add({misuses[i].text, evaluation + " refuses", failure.empty(), 0, 0,
             failure.empty() ? "" : "the launcher does not refuse the call: " + failure});
      }
      std::vector<ExpectedCase> expected;
      for (const Case* job : runs) expected.push_back(expected_of(host, *job));
      expected.resize(runs.size() + misuses.size());
      if (options.keep && !folder.expect(expected, diagnostics)) report.passed = false;
      if (!options.keep && report.passed) folder.remove();
    }
  }
  return report;
}

}  // namespace pallasgen
