#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "commands.h"
#include "output/rules.h"
#include "verify/installation.h"

namespace pallasgen {

namespace {

namespace fs = std::filesystem;

// The places of the library's specs without their extensions, such as "rows/rms_norm".
std::vector<std::string> library_specs(const fs::path& library) {
  std::vector<std::string> places;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(library, ignored))
    if (entry.is_regular_file() && is_spec(entry.path()))
      places.push_back(entry.path().lexically_relative(library).replace_extension().generic_string());
  std::sort(places.begin(), places.end());
  return places;
}

void refuse_place(const std::string& place, const fs::path& library, Diagnostics& diagnostics) {
  Diagnostic& out = diagnostics.error(kCommandLine, {}, fmt::format("the library has no spec '{}'", place));
  std::vector<std::string> places = library_specs(library), same_name;
  for (const std::string& each : places)
    if (fs::path(each).filename() == fs::path(place).filename()) same_name.push_back(each);
  if (const std::string near = same_name.empty() ? nearest(place, places) : same_name.front(); !near.empty())
    out.note(fmt::format("did you mean '{}'?", near));
  out.note(fmt::format("`pallasgen list {}` says what there is", library.string()));
}

// The place, relative to the spec's folder, and the text of each file that a spec of the library consists of. The spec
// is first, with `name` as its kernel's name unless `name` is empty.
std::vector<OutputFile> files_of(const fs::path& path, const std::string& name, Diagnostics& diagnostics) {
  std::vector<OutputFile> files;
  std::set<fs::path> seen;
  const auto add = [&](const fs::path& file) -> const std::string* {
    if (!seen.insert(file).second) return nullptr;
    const std::optional<std::string> text = read_file(file.string(), diagnostics);
    if (!text) return nullptr;
    files.push_back({file.lexically_relative(path.parent_path()).generic_string(), *text, "", ""});
    return &files.back().content;
  };
  std::vector<fs::path> specs{path};
  for (size_t at = 0; at < specs.size(); ++at) {
    const fs::path folder = specs[at].parent_path();
    const std::string* const text = add(specs[at]);
    if (!text) continue;
    Sources sources;
    const std::optional<Spec> spec = read_spec(sources.add(specs[at].string(), *text), {}, sources, diagnostics);
    if (!spec) continue;
    if (at == 0 && !name.empty())
      files.front().content.replace(spec->kernel.span.begin, spec->kernel.span.end - spec->kernel.span.begin, name);
    for (const GradientSpec& kernel : spec->vjp) specs.push_back(folder / (kernel.name + path.extension().string()));
    if (!spec->extern_functions.empty()) add(folder / spec->extern_header.name);
    for (const TestSpec& test : spec->tests)
      for (const auto& [input, array] : test.inputs) add(folder / array);
  }
  return files;
}

}  // namespace

int copy_from_library(const InitOptions& options) {
  Diagnostics diagnostics;
  const fs::path library = installation().library;
  fs::path place = options.from;
  if (is_spec(place)) place.replace_extension();
  const fs::path path = library / (place.string() + ".yaml");
  const std::string stem = !options.name.empty() ? options.name : place.filename().string();
  const fs::path out = options.out.empty() ? stem + ".yaml" : options.out;
  int code = kUsage;
  std::vector<OutputFile> files;
  if (!options.form.empty()) {
    diagnostics.error(kCommandLine, {}, fmt::format("init takes a form, '{}', or --from, not both", options.form))
        .note("--from copies a spec of the library; a form is a commented spec to begin from");
  } else if (const auto known = library_specs(library);
             std::find(known.begin(), known.end(), place.generic_string()) == known.end()) {
    refuse_place(options.from, library, diagnostics);
  } else if (!options.name.empty() && !check_kernel_name(options.name, diagnostics)) {
    code = kUsage;
  } else if (!is_spec(out) || out.extension() == ".json") {
    diagnostics
        .error(kCommandLine, {},
               fmt::format("'{}' would be no spec in YAML: --out is the file that is to be made", out.string()))
        .note(fmt::format("write --out {}",
                          (is_spec(out) ? fs::path(out).replace_extension(".yaml") : out / (stem + ".yaml")).string()));
  } else {
    files = files_of(path, options.name, diagnostics);
    if (!files.empty()) files.front().path = out.filename().string();
    for (size_t at = 1; at < files.size(); ++at)
      if (files[at].path == files.front().path)
        diagnostics.error(kCommandLine, {}, fmt::format("the spec refers to a file '{}' of its own", files[at].path))
            .note("give the spec another name by --out");
    for (const OutputFile& file : files)
      if (!may_write(out.parent_path() / file.path, file.content, options.force, diagnostics)) code = kFiles;
    const std::string folder = out.has_parent_path() ? out.parent_path().string() : ".";
    if (!diagnostics.has_errors()) code = write_files(folder, files, diagnostics) ? kFine : kFiles;
  }
  options.errors->write(diagnostics);
  if (code != kFine) return code;
  for (const OutputFile& file : files) fmt::print("wrote {}\n", (out.parent_path() / file.path).string());
  fmt::print("`pallasgen test {}` tries it\n", out.string());
  return kFine;
}

}  // namespace pallasgen
