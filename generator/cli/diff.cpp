#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>

#include "commands.h"
#include "points.h"
#include "revision.h"
#include "terminal.h"

namespace pallasgen {

namespace fs = std::filesystem;

namespace {

using Results = std::vector<std::unique_ptr<SpecResult>>;

// The points of the plan, and its warnings.
std::vector<PlanPoint> points_of(const SpecResult& result) {
  std::vector<PlanPoint> points = plan_points(*result.plan);
  for (const Diagnostic& diagnostic : result.diagnostics.all())
    if (diagnostic.severity == Severity::warning) points.push_back({"warning", diagnostic.message});
  return points;
}

std::string text_of(const SpecResult* result, const std::string& path) {
  if (result)
    for (const OutputFile& output : result->outputs)
      if (output.path == path) return output.content;
  return "";
}

// Prints how the outputs of the spec differ; false if they do not.
bool print_change(const SpecResult* before, const SpecResult& after) {
  std::string text;
  bool interface = false;
  for (const OutputFile& output : after.outputs) {
    const std::string was = text_of(before, output.path);
    if (was == output.content) continue;
    interface = interface || output.path.ends_with(".h");
    text += unified_diff(before ? "a/" + output.path : "/dev/null", was, "b/" + output.path, output.content);
  }
  if (text.empty()) return false;
  const Paint paint(shows_colors(stdout));
  fmt::print("{} ({})\n", paint.strong(after.kernel->name), after.file.label);
  if (!before) {
    fmt::print("  a new kernel\n");
  } else {
    std::vector<std::string> lines = changed_points(points_of(*before), points_of(after));
    if (lines.empty()) {
      lines.push_back("  the plan is the same");
    } else {
      const std::vector<std::string> costs = changed_costs(before->plan->cost, after.plan->cost);
      lines.insert(lines.end(), costs.begin(), costs.end());
    }
    for (const std::string& line : lines) fmt::print("{}\n", line);
    fmt::print("  the header {}\n", interface ? "changes: what includes it is compiled again" : "is the same");
  }
  fmt::print("{}", paint.diff(text));
  return true;
}

// The options with the specs' places in the revision, without specs that it does not have, and without -D.
CommonOptions options_before(const CommonOptions& options, const Revision& was) {
  CommonOptions before = options;
  before.specs.clear();
  before.defines.clear();
  for (const std::string& spec : options.specs) {
    const fs::path place = was.place_of(spec);
    if (fs::exists(place)) before.specs.push_back(place.string());
  }
  if (!options.root.empty()) before.root = was.place_of(options.root).string();
  return before;
}

fs::path spec_root(const SpecFile& file) {
  const fs::path relative = file.relative;
  fs::path root = fs::weakly_canonical(file.path);
  for (auto depth = std::distance(relative.begin(), relative.end()); depth > 0; --depth) root = root.parent_path();
  return root;
}

// Loads the specs as they were. Returns the exit code, with a diagnostic if it is not kFine. `was` holds their files.
int load_before(const DiffOptions& options, const std::vector<SpecFile>& files, std::unique_ptr<Revision>& was,
                Results& results) {
  Diagnostics diagnostics;
  CommonOptions before = options;
  before.defines.clear();
  if (options.defines.empty() || !options.against.empty()) {
    std::set<fs::path> roots;
    for (const SpecFile& file : files) roots.insert(spec_root(file));
    was = Revision::take(roots, options.against.empty() ? "HEAD" : options.against, diagnostics);
    if (was) before = options_before(options, *was);
  }
  if (!diagnostics.has_errors() && !before.specs.empty()) {
    const auto old_files = find_specs(before, diagnostics);
    if (old_files) results = load_specs(*old_files, before, Stage::emit);
  }
  print(diagnostics, options);
  if (diagnostics.has_errors()) return kUsage;
  int code = kFine;
  for (const auto& result : results) {
    if (!result->diagnostics.has_errors()) continue;
    print(result->diagnostics, options);
    code = kSpecWrong;
  }
  return code;
}

int diff_specs(const DiffOptions& options) {
  Diagnostics diagnostics;
  const bool fine = parse_defines(options.defines, diagnostics).has_value();
  const auto files = fine ? find_specs(options, diagnostics) : std::nullopt;
  print(diagnostics, options);
  if (!files || files->empty()) return kUsage;
  const Results results = load_specs(*files, options, Stage::emit);
  for (const auto& result : results)
    if (result->diagnostics.has_errors()) {
      print_all(results, options);
      return kSpecWrong;
    }
  std::unique_ptr<Revision> was;
  Results old;
  if (const int code = load_before(options, *files, was, old)) return code;
  std::map<std::string, const SpecResult*> by_label;
  for (const auto& result : old) by_label[result->file.label] = result.get();
  bool differ = false;
  for (const auto& result : results) {
    const auto before = by_label.find(result->file.label);
    const bool changed = print_change(before == by_label.end() ? nullptr : before->second, *result);
    differ = differ || changed;
    if (before != by_label.end()) by_label.erase(before);
  }
  for (const auto& [label, result] : by_label) fmt::print("{} ({})\n  its spec is gone\n", result->kernel->name, label);
  return differ || !by_label.empty() ? kDifferences : kFine;
}

// Prints how two generated files, or versions of one, differ. False if a file cannot be read.
bool print_files(const std::string& from, const std::string& to, const std::string& name, const std::string& new_name,
                 const DiffOptions& options, bool& differ) {
  Diagnostics diagnostics;
  const auto before = from == "/dev/null" ? std::string() : read_file(from, diagnostics);
  const auto after = to == "/dev/null" ? std::string() : read_file(to, diagnostics);
  print(diagnostics, options);
  if (!before || !after) return false;
  differ = *before != *after;
  if (!differ) return true;
  const std::vector<PlanPoint> old_points = points_of_file(*before), new_points = points_of_file(*after);
  if (!old_points.empty() && !new_points.empty()) {
    fmt::print("{}\n", new_name);
    const std::vector<std::string> lines = changed_points(old_points, new_points);
    for (const std::string& line : lines) fmt::print("{}\n", line);
    if (lines.empty()) fmt::print("  its facts and constants are the same\n");
  }
  fmt::print("{}", Paint(shows_colors(stdout))
                       .diff(unified_diff(from == "/dev/null" ? from : "a/" + name, *before,
                                          to == "/dev/null" ? to : "b/" + new_name, *after)));
  return true;
}

int usage(const DiffOptions& options, const std::string& message, const char* note) {
  Diagnostics diagnostics;
  diagnostics.error(kCommandLine, {}, message).note(note);
  print(diagnostics, options);
  return kUsage;
}

// Takes git's arguments of an external diff driver: PATH OLD-FILE OLD-HEX OLD-MODE NEW-FILE NEW-HEX NEW-MODE, for a
// renamed file also the new path and the similarity; PATH alone for an unmerged one. To git a code but 0 is a failure.
int diff_for_git(const DiffOptions& options) {
  const std::vector<std::string>& words = options.specs;
  if (words.size() == 1) {
    fmt::print("* Unmerged path {}\n", words[0]);
    return kFine;
  }
  if (words.size() != 7 && words.size() != 9)
    return usage(options,
                 fmt::format("--git takes the 7 or 9 arguments of git's external diff drivers, not {}", words.size()),
                 "`git config diff.pallasgen.command 'pallasgen diff --git'` has git call it");
  bool differ = false;
  return print_files(words[1], words[4], words[0], words.size() == 9 ? words[7] : words[0], options, differ) ? kFine
                                                                                                             : kFiles;
}

}  // namespace

int run_diff(const DiffOptions& options) {
  if (options.git) return diff_for_git(options);
  size_t generated = 0;
  for (const std::string& path : options.specs) {
    const std::string extension = fs::path(path).extension().string();
    generated += extension == ".cu" || extension == ".h" ? 1 : 0;
  }
  if (generated == 0) return diff_specs(options);
  if (generated != 2 || options.specs.size() != 2)
    return usage(options, "generated files are compared in pairs: OLD.cu NEW.cu",
                 "specs are compared with what they were: `pallasgen diff SPEC --against REV`");
  if (!options.against.empty())
    return usage(
        options, "--against is for specs, and these are generated files",
        "`pallasgen diff OLD.cu NEW.cu` compares the two, `pallasgen diff SPEC --against REV` with a revision");
  bool differ = false;
  if (!print_files(options.specs[0], options.specs[1], options.specs[0], options.specs[1], options, differ))
    return kFiles;
  return differ ? kDifferences : kFine;
}

}  // namespace pallasgen
