#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <sstream>

#include "commands.h"
#include "terminal.h"
#include "verify/chain.h"

namespace pallasgen {

namespace {

// True for a value of `--policies`: when asynchronous work completes, or an emulator setting such as `per_thread=1`.
bool is_policy(const std::string& text) {
  return text == "late" || text == "early" || text == "random" || text.starts_with("random:") ||
         text.find('=') != std::string::npos;
}

// `progress` outlives the options.
std::optional<ChainOptions> chain_options(const TestOptions& options, Progress& progress, Diagnostics& diagnostics) {
  ChainOptions chain;
  chain.modes.clear();
  for (const std::string& name : options.modes) {
    const std::optional<RunMode> mode = run_mode_named(name);
    if (!mode) {
      diagnostics.error(kCommandLine, {}, fmt::format("--modes: '{}' is not one of plain, asan, tsan", name));
      return std::nullopt;
    }
    chain.modes.push_back(*mode);
  }
  if (options.seeds < 1) {
    diagnostics.error(kCommandLine, {}, fmt::format("--seeds {}: at least 1 is needed", options.seeds));
    return std::nullopt;
  }
  if (options.schedules < 1 || options.seconds < 1) {
    diagnostics.error(
        kCommandLine, {},
        fmt::format("--schedules {}, --seconds {}: at least 1 is needed", options.schedules, options.seconds));
    return std::nullopt;
  }
  for (const std::string& text : options.dims) {
    std::vector<std::string> parts;
    std::istringstream words(text);
    for (std::string part; std::getline(words, part, ',');) parts.push_back(part);
    const auto dims = parse_dims(parts, diagnostics);
    if (!dims) return std::nullopt;
    chain.dims.push_back(*dims);
  }
  chain.policies.clear();
  for (const std::string& policy : options.policies) {
    if (!is_policy(policy)) {
      const std::string near = nearest(policy, {"late", "early", "random"});
      diagnostics
          .error(kCommandLine, {},
                 fmt::format("--policies: '{}' is none of late, early, random, random:SEED, and no setting of the "
                             "emulator",
                             policy))
          .note(near.empty() ? "a setting has a value: per_thread=1" : fmt::format("did you mean '{}'?", near));
      return std::nullopt;
    }
    for (int schedule = 1; schedule <= (policy == "random" ? options.schedules : 1); ++schedule)
      chain.policies.push_back(options.schedules > 1 && policy == "random" ? fmt::format("random:{}", schedule)
                                                                           : policy);
  }
  chain.seconds = options.seconds;
  chain.programs = options.programs;
  chain.stage = [&progress](const std::string& what) { progress.show(what); };
  chain.seeds = options.seeds;
  chain.keep = !options.keep.empty();
  chain.work_dir = chain.keep ? options.keep : !options.work_dir.empty() ? options.work_dir : default_work_dir();
  chain.work_dir = std::filesystem::absolute(chain.work_dir).string();
  return chain;
}

// "max error 1, 29 % of what tolerance 0.01 allows": a tolerance allows larger errors of larger elements.
std::string error_text(const ChainRow& row) {
  if (row.max_error == 0 || !std::isfinite(row.of_allowed))
    return fmt::format("max error {:.3g}, tolerance {:.3g}", row.max_error, row.tolerance);
  const double percent = 100 * row.of_allowed;
  return fmt::format("max error {:.3g}, {:.0f} % of what tolerance {:.3g} allows", row.max_error,
                     percent > 100 ? std::ceil(percent) : std::floor(percent), row.tolerance);
}

void print_row(const ChainRow& row, const Paint& paint) {
  fmt::print("  {}  {:<30}  {:<24}  {}\n", row.passed ? paint.good("ok    ") : paint.bad("FAILED"), row.test,
             row.evaluation, error_text(row));
  if (!row.passed) fmt::print("          {}\n", row.failure);
  std::fflush(stdout);
}

// Reports the rule no-tests, with an entry of `tests` that the spec could have.
void report_no_tests(const SpecResult& result, Diagnostics& diagnostics) {
  std::vector<std::string> dims;
  for (const DimSpec& dim : result.spec->dims) dims.push_back(dim.name + ": 128");
  diagnostics
      .error(kNoTests, result.spec->kernel.span,
             fmt::format("'{}' has no tests: nothing was run", result.spec->kernel.name))
      .note(fmt::format("add what to try to the spec, `tests: [{{dims: {{{}}}}}]`, and under `reference:` what each "
                        "output must be; or give sizes here, by --dims",
                        fmt::join(dims, ", ")));
}

}  // namespace

int run_test(const TestOptions& options) {
  Diagnostics diagnostics;
  Progress progress(std::chrono::milliseconds(0));  // compiling takes seconds
  std::optional<ChainOptions> chain = chain_options(options, progress, diagnostics);
  const bool fine = chain && parse_defines(options.defines, diagnostics).has_value();
  const auto files = fine ? find_specs(options, diagnostics) : std::nullopt;
  print(diagnostics, options);
  if (!files) return kUsage;
  CommonOptions loading = options;
  loading.extern_cache = chain->work_dir;
  const auto results = load_specs(*files, loading, Stage::emit);
  if (!print_all(results, options)) return kSpecWrong;

  const auto host_kernel = [](const SpecResult& result) {
    return HostKernel{&*result.kernel,
                      &*result.plan,
                      {result.outputs[0].content, result.outputs[1].content},
                      std::filesystem::path(result.file.relative).stem().string()};
  };
  // The kernels of one program share one header of the user's, since another header may give its names another meaning.
  const ExternHeader* shared = nullptr;
  const auto joins_batch = [&](const SpecResult& result) {
    const ExternHeader* own = result.kernel->externs.get();
    if (own && !shared) shared = own;
    return !own || (own->files == shared->files && own->compile_args == shared->compile_args);
  };
  if (options.batch)
    for (const auto& result : results)
      if (joins_batch(*result)) chain->batch.push_back(host_kernel(*result));
  const Paint paint(shows_colors(stdout));
  const auto show_row = [&](const ChainRow& row) {
    progress.clear();
    print_row(row, paint);
  };
  int passed = 0, failed = 0;
  for (const auto& result : results) {
    fmt::print("{}\n", paint.strong(result->file.label));
    std::fflush(stdout);
    if (result->kernel->tests.empty() && chain->dims.empty()) {
      Diagnostics none;
      report_no_tests(*result, none);
      print(none, options);
      ++failed;
      continue;
    }
    Diagnostics running;
    const ChainReport report = run_chain(host_kernel(*result), *chain, running, show_row);
    progress.clear();
    print(running, options);
    if (running.has_errors()) ++failed;
    for (const ChainRow& row : report.rows) ++(row.passed ? passed : failed);
  }
  fmt::print("{} passed, {}\n", passed, failed == 0 ? "0 failed" : paint.bad(fmt::format("{} failed", failed)));
  return failed == 0 ? kFine : kSpecWrong;
}

}  // namespace pallasgen
