#include "project.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "plan/interface.h"
#include "spec/project.h"

namespace pallasgen {

namespace fs = std::filesystem;

namespace {

constexpr const char* kInterfaceName = "pallasgen.interface";

// The project file of the working folder, or of the nearest folder above that has one; else empty.
fs::path project_file() {
  std::error_code none, ignored;
  for (fs::path folder = fs::current_path(none); !none; folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / kProjectName, ignored)) return folder / kProjectName;
    if (folder == folder.parent_path()) break;
  }
  return {};
}

// A path of the file relative to the working folder.
std::string seen_from_here(const fs::path& folder, const std::string& path) {
  if (path.empty() || fs::path(path).is_absolute()) return path;
  const fs::path relative = (folder / path).lexically_normal().lexically_relative(fs::current_path());
  const std::string text = relative.generic_string();
  return text.size() > 1 && text.back() == '/' ? text.substr(0, text.size() - 1) : text;
}

// Fills in what the arguments leave out. `here` converts a path of the file into one that this command opens.
template <class Here>
void fill_in(const Project& project, Here here, const Wanted& wanted, CommonOptions& options) {
  options.whole_project = options.specs.empty() && wanted.specs;
  if (options.whole_project)
    for (const std::string& spec : project.specs) options.specs.push_back(here(spec));
  if (options.out.empty()) options.out = here(project.out);
  if (options.target.empty()) options.target = project.target;
  if (options.template_dir.empty()) options.template_dir = here(project.template_dir);
  if (options.bindings.empty()) options.bindings = project.bindings;
  options.plan_json = options.plan_json || project.plan_json;
  options.project_defines = project.defines;
  std::vector<std::string> arguments;
  for (const std::string& argument : project.extern_args)
    arguments.push_back(argument.starts_with("-I") ? "-I" + here(argument.substr(2)) : argument);
  options.extern_args.insert(options.extern_args.begin(), arguments.begin(), arguments.end());
  options.frozen = project.frozen;
}

// The signature in words: "add(x: in f32[N], z: out f32[N], N: size, stream)".
std::string signature_of(const Plan& plan) {
  std::vector<std::string> parts;
  for (const Argument& argument : interface_of(plan)) {
    std::string text = name_of(argument.role);
    if (argument.is_array || argument.role == ArgumentRole::scalar) text += fmt::format(" {}", name_of(argument.dtype));
    if (argument.is_array) {
      std::vector<std::string> extents;
      for (const TypedPtr& extent : argument.shape) extents.push_back(to_string(extent));
      text += fmt::format("[{}]", fmt::join(extents, ", "));
    }
    const bool says_itself = argument.name.empty() || argument.name == text;
    parts.push_back(says_itself ? text : fmt::format("{}: {}", argument.name, text));
  }
  return fmt::format("{}({})", plan.kernel->name, fmt::join(parts, ", "));
}

}  // namespace

bool take_project(CommonOptions& options, const Wanted& wanted) {
  Diagnostics diagnostics;
  Sources sources;
  const bool is_given = !options.project.empty();
  const fs::path found = is_given ? fs::path(options.project) : options.no_project ? fs::path() : project_file();
  if (const fs::path& file = found; !file.empty()) {
    // If the file was given by an absolute path, as by a build, its paths become absolute too.
    const auto here = [&](const std::string& path) {
      return is_given && file.is_absolute() && !path.empty() ? (file.parent_path() / path).lexically_normal().string()
                                                             : seen_from_here(fs::absolute(file).parent_path(), path);
    };
    if (!is_given) options.project = here(kProjectName);
    const std::optional<std::string> text = read_file(options.project, diagnostics);
    const auto project = text ? read_project(sources.add(options.project, *text), sources, diagnostics) : std::nullopt;
    if (project) {
      const bool has_templates = !project->template_dir.empty() && options.template_dir.empty();
      fill_in(*project, here, wanted, options);
      if (has_templates && !fs::is_directory(options.template_dir))
        diagnostics
            .error(kCommandLine, {},
                   fmt::format("'{}', the template_dir of {}, is no folder", options.template_dir, options.project))
            .note("templates in it replace the built-in ones of the same relative path");
    }
  }
  if (!diagnostics.has_errors()) {
    const char* const remedy = "give it, or write a project file, pallasgen.yaml, that says it (docs/command-line.md)";
    if (wanted.project && options.project.empty())
      diagnostics
          .error(kCommandLine, {},
                 fmt::format("there is no {} in the working folder, nor in a folder above it", kProjectName))
          .note("--project names one that lies elsewhere; `pallasgen init project` writes a folder that has one");
    else if (wanted.specs && options.specs.empty())
      diagnostics.error(kCommandLine, {}, "specs are required: files, or folders of them").note(remedy);
    if (wanted.out && options.out.empty())
      diagnostics.error(kCommandLine, {}, "--out is required: the output root").note(remedy);
  }
  print(diagnostics, options);
  return !diagnostics.has_errors();
}

namespace {

// A key that `pallasgen project` prints, in the order of a project file.
struct ProjectKey {
  const char* name;
  std::vector<std::string> (*values)(const CommonOptions&);
};

std::vector<std::string> unless_empty(const std::string& text) {
  return text.empty() ? std::vector<std::string>() : std::vector{text};
}

const ProjectKey kProjectKeys[] = {
    {"file", [](const CommonOptions& options) { return unless_empty(options.project); }},
    {"specs", [](const CommonOptions& options) { return options.specs; }},
    {"out", [](const CommonOptions& options) { return unless_empty(options.out); }},
    {"target", [](const CommonOptions& options) { return unless_empty(options.target); }},
    {"define", [](const CommonOptions& options) { return options.project_defines; }},
    {"bindings", [](const CommonOptions& options) { return options.bindings; }},
    {"plan_json",
     [](const CommonOptions& options) { return std::vector<std::string>{options.plan_json ? "true" : "false"}; }},
    {"template_dir", [](const CommonOptions& options) { return unless_empty(options.template_dir); }},
    {"extern_args", [](const CommonOptions& options) { return options.extern_args; }},
    {"interface",
     [](const CommonOptions& options) { return std::vector<std::string>{options.frozen ? "frozen" : "free"}; }},
};

}  // namespace

std::vector<std::string> project_keys() {
  std::vector<std::string> names;
  for (const ProjectKey& key : kProjectKeys) names.push_back(key.name);
  return names;
}

int run_project(const CommonOptions& options, const std::string& key) {
  for (const ProjectKey& each : kProjectKeys) {
    const std::vector<std::string> values = each.values(options);
    if (key.empty()) fmt::print("{}: {}\n", each.name, fmt::join(values, " "));
    if (key == each.name)
      for (const std::string& value : values) fmt::print("{}\n", value);
  }
  return kFine;
}

bool FrozenInterface::read(const std::string& out_root, Diagnostics& diagnostics) {
  const fs::path path = fs::path(out_root) / kInterfaceName;
  std::error_code error;
  if (!fs::exists(path, error)) return true;
  const std::optional<std::string> text = read_file(path.string(), diagnostics);
  if (!text) return false;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    const size_t blank = line.find(' ');
    if (blank != std::string::npos) signatures_[line.substr(0, blank)] = line.substr(blank + 1);
  }
  return true;
}

void FrozenInterface::compare(const std::vector<std::unique_ptr<SpecResult>>& results, Diagnostics& diagnostics) const {
  for (const auto& result : results) {
    const auto recorded = signatures_.find(stem_of(result->file));
    if (recorded == signatures_.end() || !result->plan) continue;
    const std::string signature = signature_of(*result->plan);
    if (signature == recorded->second) continue;
    diagnostics
        .error(kInterfaceFrozen, result->spec->kernel.span,
               fmt::format("the launcher would be {}; recorded is {}", signature, recorded->second))
        .note(
            fmt::format("`interface: frozen` of {} keeps it: change the spec back, or record the new one by `pallasgen "
                        "generate --accept-interface`",
                        kProjectName));
  }
}

bool FrozenInterface::write(const std::string& out_root, const std::vector<std::unique_ptr<SpecResult>>& results,
                            const std::vector<std::string>& pruned, Diagnostics& diagnostics) {
  for (const std::string& output : pruned) signatures_.erase(fs::path(output).replace_extension().generic_string());
  for (const auto& result : results) signatures_[stem_of(result->file)] = signature_of(*result->plan);
  std::string text;
  for (const auto& [stem, signature] : signatures_) text += fmt::format("{} {}\n", stem, signature);
  const std::string path = (fs::path(out_root) / kInterfaceName).string();
  Diagnostics ignored;
  if (fs::exists(path) && read_file(path, ignored) == text) return true;
  return write_file(path, text, diagnostics);
}

}  // namespace pallasgen
