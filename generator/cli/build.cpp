#include <fmt/format.h>

#include <filesystem>
#include <mutex>
#include <set>

#include "commands.h"
#include "verify/device_build.h"

namespace pallasgen {

namespace fs = std::filesystem;

namespace {

// Writes the forms that `build` keeps of one kernel.
class KernelBuild {
 public:
  KernelBuild(const SpecResult& result, const BuildOptions& options, Diagnostics& diagnostics)
      : result_(result),
        wanted_(options.dump.begin(), options.dump.end()),
        stem_(fs::path(options.to) / fs::path(result.file.relative).replace_extension()),
        diagnostics_(diagnostics) {}

  // Returns the lines to print; failures are in the diagnostics.
  std::vector<std::string> run() {
    std::error_code ignored;
    fs::create_directories(stem_.parent_path(), ignored);
    for (const OutputFile& output : result_.outputs)
      if (!write_file(stem_.string() + fs::path(output.path).extension().string(), output.content, diagnostics_))
        return {};
    if (wanted_.contains("plan")) write_file(stem_.string() + ".plan.json", plan_json(*result_.plan), diagnostics_);
    const ExternHeader* externs = result_.kernel->externs.get();
    const auto build = build_for_device(stem_.string() + ".cu", std::string(result_.plan->target->name),
                                        externs ? externs->compile_args : std::vector<std::string>(), diagnostics_);
    if (!build) return {};
    if (wanted_.contains("ptxas")) write_file(stem_.string() + ".ptxas", build->ptxas, diagnostics_);
    if (wanted_.contains("sass")) {
      const auto text = disassembled(build->cubin, diagnostics_);
      if (text) write_file(stem_.string() + ".sass", *text, diagnostics_);
    }
    if (!wanted_.contains("ptx")) fs::remove(build->ptx, ignored);
    return resource_lines(resources_of(build->ptxas));
  }

 private:
  const SpecResult& result_;
  const std::set<std::string> wanted_;
  const fs::path stem_;
  Diagnostics& diagnostics_;
};

}  // namespace

int run_build(const BuildOptions& options) {
  Diagnostics arguments;
  const bool fine = parse_defines(options.defines, arguments).has_value();
  const auto files = fine ? find_specs(options, arguments) : std::nullopt;
  print(arguments, options);
  if (!files) return kUsage;
  const auto results = load_specs(*files, options, Stage::emit);
  if (!print_all(results, options)) return kSpecWrong;
  std::vector<Diagnostics> diagnostics(results.size());
  std::vector<std::vector<std::string>> lines(results.size());
  for_each_parallel(results.size(),
                    [&](size_t i) { lines[i] = KernelBuild(*results[i], options, diagnostics[i]).run(); });
  int code = kFine;
  for (size_t i = 0; i < results.size(); ++i) {
    print(diagnostics[i], options);
    if (diagnostics[i].has_errors()) code = kFiles;
    for (size_t line = 0; line < lines[i].size(); ++line)
      fmt::print("{}{}\n", line == 0 ? results[i]->kernel->name + ": " : "  ", lines[i][line]);
  }
  return code;
}

}  // namespace pallasgen
