#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "commands.h"
#include "output/guard.h"
#include "output/rules.h"
#include "project.h"
#include "terminal.h"

namespace pallasgen {

namespace {

// Escapes a path for Make and Ninja in a depfile.
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
  // Ninja wants outputs named here to be declared. Those of bindings are not, so only the kernel's are named.
  for (const OutputFile& output : outputs)
    if (output.path.ends_with(".cu") || output.path.ends_with(".h"))
      text += escaped((std::filesystem::path(out) / output.path).string()) + " ";
  text += ":";
  for (const std::string& spec : specs) text += " \\\n  " + escaped(spec);
  if (!template_dir.empty()) {
    // A folder changes when a file is added to it, which may replace a built-in template.
    std::vector<std::string> templates{template_dir};
    for (const auto& entry : std::filesystem::recursive_directory_iterator(template_dir))
      if (entry.is_regular_file() || entry.is_directory()) templates.push_back(entry.path().string());
    std::sort(templates.begin(), templates.end());
    for (const std::string& path : templates) text += " \\\n  " + escaped(path);
  }
  return text + "\n";
}

struct Loaded {
  std::set<std::string> files;  // dependencies of the outputs: the specs and their linked files
  std::vector<OutputFile> outputs;
  std::vector<std::string> labels;
  std::vector<std::unique_ptr<SpecResult>> results;
};

// Loads the outputs of the specs for generate and check. Returns the exit code.
int load_outputs(const CommonOptions& options, Loaded& loaded) {
  Diagnostics diagnostics;
  const bool fine = parse_defines(options.defines, diagnostics).has_value();
  const auto files = fine ? find_specs(options, diagnostics) : std::nullopt;
  print(diagnostics, options);
  if (!files) return kUsage;
  loaded.results = load_specs(*files, options, Stage::emit);
  if (!print_all(loaded.results, options)) return kSpecWrong;
  if (!options.project.empty()) loaded.files.insert(options.project);
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

// The first place where a file of the output root differs from `wanted`; no place if it cannot be read.
Span first_difference(const std::string& path, const std::string& wanted, Sources& sources) {
  Diagnostics ignored;
  const std::optional<std::string> text = read_file(path, ignored);
  if (!text) return {};
  const auto at = std::mismatch(text->begin(), text->end(), wanted.begin(), wanted.end()).first - text->begin();
  return {&sources.add(path, *text), static_cast<uint32_t>(at), static_cast<uint32_t>(at)};
}

// Adds the finding of `check` for one output to diagnostics for programs. A missing output is placed at its spec.
void add_finding(const OutputReport& report, const Loaded& loaded, const std::string& out, Sources& sources,
                 Diagnostics& diagnostics) {
  const std::string path = (std::filesystem::path(out) / report.path).string();
  const auto output = std::find_if(loaded.outputs.begin(), loaded.outputs.end(),
                                   [&](const OutputFile& each) { return each.path == report.path; });
  const char* const remedy = "`pallasgen generate` writes it";
  switch (report.state) {
    case OutputState::current:
      return;
    case OutputState::missing:
      diagnostics.error(kOutputMissing, {&sources.add(output->opened, ""), 0, 0}, fmt::format("'{}' is missing", path))
          .note(remedy);
      return;
    case OutputState::stale:
      diagnostics
          .error(kOutputStale, first_difference(path, output->content, sources),
                 fmt::format("'{}' is stale: the spec, an option or the tool has changed since it was written", path))
          .note(remedy);
      return;
    case OutputState::hand_edited:
      diagnostics
          .error(kOutputEdited, first_difference(path, output->content, sources),
                 fmt::format("'{}' is hand-edited: it is not as pallasgen wrote it", path))
          .note("`pallasgen generate` writes it again, without the edits; to keep them, change the spec");
      return;
    case OutputState::orphan:
      diagnostics
          .error(kOutputOrphan, first_difference(path, "", sources),
                 fmt::format("'{}' is an orphan: its spec no longer makes it", path))
          .note("`pallasgen generate --prune` removes it");
      return;
  }
}

}  // namespace

int run_generate(const GenerateOptions& options) {
  Loaded loaded;
  if (const int code = load_outputs(options, loaded)) return code;
  Diagnostics diagnostics;
  const OutputGuard guard(options.out);
  const std::optional<Lock> lock = read_lock(options.out, diagnostics);
  FrozenInterface interface;
  const bool readable = lock && (!options.frozen || interface.read(options.out, diagnostics));
  if (readable && options.frozen && !options.accept_interface) interface.compare(loaded.results, diagnostics);
  if (readable && diagnostics.has_errors()) {
    print(diagnostics, options);
    return kDifferences;
  }
  std::optional<WriteResult> result;
  if (readable) {
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
  if (result && options.frozen && !interface.write(options.out, loaded.results, result->pruned, diagnostics))
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
  FrozenInterface interface;
  const bool readable = lock && (!options.frozen || interface.read(options.out, diagnostics));
  if (readable && options.frozen) interface.compare(loaded.results, diagnostics);
  print(diagnostics, options);
  if (!readable) return kFiles;
  if (diagnostics.has_errors()) return kDifferences;
  size_t current = 0, other = 0;
  const Paint paint(shows_colors(stdout));
  Sources sources;
  Diagnostics findings;
  for (const OutputReport& report : reports_of(options, loaded, *lock)) {
    if (report.state == OutputState::current) {
      ++current;
      continue;
    }
    ++other;
    add_finding(report, loaded, options.out, sources, findings);
    fmt::print("{}: {}\n{}", paint.strong(report.path), paint.bad(name_of(report.state)), paint.diff(report.diff));
  }
  // The text form prints the findings on stdout as its result; other forms are for programs that read diagnostics.
  if (options.errors->format() != ErrorFormat::text) print(findings, options);
  if (other == 0) {
    fmt::print("all {} outputs are current\n", current);
    return kFine;
  }
  fmt::print("{} of {} outputs differ; `pallasgen generate` writes them, `generate --prune` removes orphans\n", other,
             current + other);
  return kDifferences;
}

}  // namespace pallasgen
