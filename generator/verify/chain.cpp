#include "verify/chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "chain_case.h"
#include "gradients.h"
#include "tile_check.h"

namespace pallasgen {

namespace fs = std::filesystem;

namespace {

// Most runs on special values per spec: two for each of its first tests without an empty array.
constexpr size_t kSpecialRuns = 4;

std::vector<KernelTest> tests_of(const Kernel& kernel, const ChainOptions& options) {
  if (options.dims.empty() && options.programs > 0) {
    std::vector<KernelTest> small;
    bool runs = false;  // at least one of them has a program
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
    test.lists.clear();
    tests.push_back(std::move(test));
  }
  return tests;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The faults of the interpreter's programs, if the kernel is compiled with checks that find all of them; else none.
std::vector<FoundFault> checked_faults(const Kernel& kernel, std::vector<FoundFault> faults) {
  // In the kernel, the program that another waits for continues.
  std::erase_if(faults, [](const FoundFault& fault) { return fault.kind == FaultKind::waiting; });
  const bool all = std::all_of(faults.begin(), faults.end(), [&](const FoundFault& fault) {
    return (fault.kind == FaultKind::oob || fault.kind == FaultKind::nan) && kernel.checks_for(name_of(fault.kind));
  });
  return all ? std::move(faults) : std::vector<FoundFault>();
}

// Adds calls that the launcher must refuse, based on the first case without empty arrays.
std::vector<Misuse> add_misuses(const Plan& plan, const std::vector<Case>& cases, JobFolder& folder) {
  for (size_t base = 0; base < cases.size(); ++base) {
    if (cases[base].refused || !cases[base].faults.empty()) continue;
    const std::vector<Misuse> misuses = misuses_of(plan, cases[base].arguments);
    for (size_t i = 0; i < misuses.size(); ++i) folder.add_misuse(plan, base, fmt::format("misuse{}", i), misuses[i]);
    if (!misuses.empty()) return misuses;
  }
  return {};
}

// Additional SM counts to run a kernel with.
const std::map<std::string, int64_t> kOtherSms = {{"sms=1", 1}, {"sms=1000", 1000}};

// The policies of a mode, and two other SM counts: with them one CTA of a persistent kernel has all tiles, or each CTA
// has one at most; a kernel whose spec counts SMs gets another grid. Not used for runs kept for another machine, nor
// for cooperative launches, unless the spec derives the number of CTAs from that of SMs.
std::vector<std::string> policies_of(const Plan& plan, const ChainOptions& options, RunMode mode) {
  std::vector<std::string> policies = options.policies;
  const bool depends = plan.kernel->counts_sms || (plan.work.is_loop() && !plan.launch.cooperative);
  if (mode == RunMode::plain && options.dims.empty() && depends && !options.keep)
    for (const auto& [policy, sms] : kOtherSms) policies.push_back(policy);
  return policies;
}

std::string text_of(const Diagnostics& diagnostics) { return render(diagnostics, ErrorFormat::text, false); }

using AddRow = std::function<void(ChainRow)>;

// Runs interpreter, tile program and reference on the case's arguments. Returns false and adds a row if a rule is
// broken; `faults` receives the faults that ended the interpreter's programs.
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
  job.faults = checked_faults(kernel, faults);
  if (!job.faults.empty()) {
    add({job.text, "interpreter finds " + name_of(job.faults.front().kind), true, 0, 0, ""});
    return true;
  }
  if (running.has_errors() || !interpreted) {
    add({job.text, "interpreter", false, 0, 0, text_of(running)});
    return false;
  }
  job.interpreted = std::move(*interpreted);
  if (with_tile_program) {
    const std::string differs = tile_program_difference(*host.plan, job.arguments, job.interpreted, printed.str());
    if (!differs.empty()) add({job.text, "tile program", false, 0, 0, differs});
  }
  if (job.reference) add(compare_outputs(kernel, job, "interpreter", job.interpreted, *job.reference, true));
  return true;
}

// The cases of a kernel whose spec counts SMs, for a device with `sms` SMs, as far as they ran without a fault; a case
// that breaks a rule on this device adds a failed row.
std::vector<Case> on_device(const HostKernel& host, const std::vector<Case>& cases, int64_t sms, const AddRow& add) {
  std::vector<Case> others;
  for (const Case& job : cases) {
    if (job.refused || !job.faults.empty()) continue;
    Case other;
    other.name = job.name;
    other.text = fmt::format("{}, {} SMs", job.text, sms);
    other.test = job.test;
    other.arguments = job.arguments;
    other.arguments.num_sms = sms;
    Diagnostics running;
    std::vector<FoundFault> faults;
    if (evaluate(host, false, other, running, faults, add)) others.push_back(std::move(other));
  }
  return others;
}

// A test whose seeded inputs hold special values. Nothing if no array was seeded with one or an array is empty, or if
// an assert of the kernel excludes such values. If the extremes of integers break a rule of the interpreter (an input
// used as an index, say), only floats are special. The reference is not compared: it may reach the same finite numbers
// in another way.
std::optional<Case> special_case(const HostKernel& host, const KernelTest& test, size_t number, SpecialValues values,
                                 const AddRow& add) {
  const Kernel& kernel = *host.kernel;
  Case job;
  job.special = true;
  job.test = test;
  const std::string which = values == SpecialValues::finite ? "finite" : "special";
  job.name = fmt::format("{}{}", which, number);
  job.text = fmt::format("{}, {} values", dims_text(*host.kernel, test.dims), which);
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

std::string dims_text(const Kernel& kernel, const std::map<std::string, int64_t>& dims) {
  std::string text;
  for (const Dim& dim : kernel.dims) {
    const auto size = dims.find(dim.name);
    if (size != dims.end()) text += fmt::format("{}{}={}", text.empty() ? "" : " ", dim.name, size->second);
  }
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
  // Every mode needs the interpreter; the tile program is checked with the plain one only.
  const bool plain = std::find(options.modes.begin(), options.modes.end(), RunMode::plain) != options.modes.end();
  std::vector<Case> cases, special;
  const std::vector<KernelTest> tests = tests_of(kernel, options);
  for (size_t t = 0; t < tests.size(); ++t) {
    for (int seed = 0; seed < options.seeds; ++seed) {
      Case job;
      job.test = tests[t];
      job.test.seed += static_cast<uint64_t>(seed);
      job.name = fmt::format("test{}seed{}", t, seed);
      job.text = dims_text(kernel, job.test.dims) + (options.seeds > 1 ? fmt::format(", seed {}", job.test.seed) : "");
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
      if (!job.refused && job.faults.empty())
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
      const auto sms = kOtherSms.find(policy);
      const bool has_own_cases = kernel.counts_sms && sms != kOtherSms.end();
      const std::vector<Case> own = has_own_cases ? on_device(host, cases, sms->second, add) : std::vector<Case>();
      std::vector<const Case*> runs;
      // When a check of the kernel finds a fault, its threads leave, and others then race on unused data.
      for (const Case& job : has_own_cases ? own : cases)
        if (mode != RunMode::tsan || job.faults.empty()) runs.push_back(&job);
      // Arithmetic does not depend on the policy.
      if (mode == RunMode::plain && policy == options.policies.front())
        for (const Case& job : special) runs.push_back(&job);
      for (const Case* job : runs) folder.add(plan, job->name, job->arguments, job->refused ? kInvalidValue : 0);
      // The launcher's refusals do not depend on the policy; AddressSanitizer checks its own accesses.
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
