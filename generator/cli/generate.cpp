#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "commands.h"
#include "output/guard.h"

namespace pallasgen {

namespace {

// A path as Make and Ninja read it in a depfile.
std::string escaped(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (c == ' ' || c == '#' || c == '\\') text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

std::string depfile_text(const std::string& out, const std::vector<OutputFile>& outputs,
                         const std::set<std::string>& specs, const std::string& template_dir) {
  std::string text;
  for (const OutputFile& output : outputs) text += escaped((std::filesystem::path(out) / output.path).string()) + " ";
  text += ":";
  for (const std::string& spec : specs) text += " \\\n  " + escaped(spec);
  if (!template_dir.empty()) {
    std::vector<std::string> templates;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(template_dir))
      if (entry.is_regular_file()) templates.push_back(entry.path().string());
    std::sort(templates.begin(), templates.end());
    for (const std::string& path : templates) text += " \\\n  " + escaped(path);
  }
  return text + "\n";
}

struct Loaded {
  std::set<std::string> files;  // that the outputs depend on: the specs, and those that they link
  std::vector<OutputFile> outputs;
  std::vector<std::string> labels;
  std::vector<std::unique_ptr<SpecResult>> results;
};

// Everything that generate and check share: the outputs that the specs make; or the exit code.
int load_outputs(const CommonOptions& options, Loaded& loaded) {
  Diagnostics diagnostics;
  const bool fine = parse_defines(options.defines, diagnostics).has_value();
  const auto files = fine ? find_specs(options, diagnostics) : std::nullopt;
  print(diagnostics, options);
  if (!files) return kUsage;
  loaded.results = load_specs(*files, options, Stage::emit);
  if (!print_all(loaded.results, options)) return kSpecWrong;
  for (const auto& result : loaded.results) {
    loaded.labels.push_back(result->file.label);
    loaded.files.insert(result->file.path);
    loaded.files.insert(result->linked.begin(), result->linked.end());
    loaded.outputs.insert(loaded.outputs.end(), result->outputs.begin(), result->outputs.end());
  }
  return kFine;
}

std::vector<OutputReport> reports_of(const CommonOptions& options, const Loaded& loaded, const Lock& lock) {
  std::vector<OutputReport> reports = check_outputs(options.out, loaded.outputs, lock, loaded.labels, "");
  for (const std::string& folder : folder_labels(options)) {
    for (OutputReport& report : check_outputs(options.out, {}, lock, {}, folder)) {
      const bool known =
          std::any_of(reports.begin(), reports.end(), [&](const auto& r) { return r.path == report.path; });
      if (!known) reports.push_back(std::move(report));
    }
  }
  std::sort(reports.begin(), reports.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return reports;
}

}  // namespace

int run_generate(const GenerateOptions& options) {
  Loaded loaded;
  if (const int code = load_outputs(options, loaded)) return code;
  Diagnostics diagnostics;
  const OutputGuard guard(options.out);
  const std::optional<Lock> lock = read_lock(options.out, diagnostics);
  std::optional<WriteResult> result;
  if (lock) {
    std::vector<std::string> orphans;
    if (options.prune)
      for (const OutputReport& report : reports_of(options, loaded, *lock))
        if (report.state == OutputState::orphan) orphans.push_back(report.path);
    result = write_outputs(options.out, loaded.outputs, *lock, orphans, diagnostics);
  }
  if (result && !options.depfile.empty() &&
      !write_file(options.depfile, depfile_text(options.out, loaded.outputs, loaded.files, options.template_dir),
                  diagnostics))
    result.reset();
  print(diagnostics, options);
  if (!result) return kFiles;
  for (const std::string& path : result->written)
    fmt::print("wrote {}\n", (std::filesystem::path(options.out) / path).string());
  for (const std::string& path : result->pruned)
    fmt::print("removed {}\n", (std::filesystem::path(options.out) / path).string());
  if (result->written.empty() && result->pruned.empty())
    fmt::print("nothing to do: {} outputs are current\n", result->unchanged.size());
  return kFine;
}

int run_check(const CommonOptions& options) {
  Loaded loaded;
  if (const int code = load_outputs(options, loaded)) return code;
  Diagnostics diagnostics;
  const std::optional<Lock> lock = read_lock(options.out, diagnostics);
  print(diagnostics, options);
  if (!lock) return kFiles;
  size_t current = 0, other = 0;
  for (const OutputReport& report : reports_of(options, loaded, *lock)) {
    if (report.state == OutputState::current) {
      ++current;
      continue;
    }
    ++other;
    fmt::print("{}: {}\n{}", report.path, name_of(report.state), report.diff);
  }
  if (other == 0) {
    fmt::print("all {} outputs are current\n", current);
    return kFine;
  }
  fmt::print("{} of {} outputs differ; `pallasgen generate` writes them, `generate --prune` removes orphans\n", other,
             current + other);
  return kDifferences;
}

}  // namespace pallasgen
