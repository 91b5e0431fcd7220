#include "draw/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "commands.h"

namespace pallasgen {

namespace fs = std::filesystem;

namespace {

// The path from a page to the page of all specs, which lies at the root.
std::string home_from(const std::string& stem) {
  std::string home;
  for (const char c : stem) home += c == '/' ? "../" : "";
  return home + "index.html";
}

}  // namespace

bool check_sizes(const Kernel& kernel, const std::map<std::string, int64_t>& dims, Diagnostics& diagnostics) {
  bool fine = true;
  for (const auto& [name, size] : dims) {
    const bool known =
        std::any_of(kernel.dims.begin(), kernel.dims.end(), [&](const Dim& dim) { return dim.name == name; });
    if (known) continue;
    std::vector<std::string> names;
    for (const Dim& dim : kernel.dims) names.push_back(dim.name);
    Diagnostic& unknown =
        diagnostics.error(kCommandLine, kernel.span, fmt::format("--dim {}: the kernel has no dim of that name", name));
    if (!names.empty()) unknown.note(fmt::format("its dims are {}", fmt::join(names, ", ")));
    fine = false;
  }
  return fine;
}

int write_pictures(const ExplainOptions& options, const std::vector<std::unique_ptr<SpecResult>>& results,
                   const std::map<std::string, int64_t>& dims, const std::vector<int64_t>& program) {
  std::vector<std::vector<OutputFile>> made(results.size());
  const bool several = results.size() > 1;
  bool fine = true;
  for (const auto& result : results) {
    Diagnostics own;
    fine = check_sizes(*result->kernel, dims, own) && fine;
    // The point must lie in the grid of the pictures' sizes.
    if (fine && !options.program.empty())
      fine = explain_program(*result->kernel, program, picture_dims(*result->plan, {dims, {}}), own).has_value();
    print(own, options);
  }
  if (!fine) return kUsage;
  for_each_parallel(results.size(), [&](size_t i) {
    const SpecResult& result = *results[i];
    const std::string stem = stem_of(result.file);
    PictureSizes sizes{dims, {}};
    if (!options.program.empty()) sizes.program = program;
    const auto add = [&](const std::string& path, std::string content) {
      made[i].push_back({path, std::move(content), result.file.label, "", result.file.path});
    };
    if (options.svg)
      for (const Picture& picture : pictures(*result.plan, sizes))
        add(fmt::format("{}.{}.svg", stem, picture.name), picture.svg);
    if (options.html) {
      const SourceText* source = result.kernel->span.source;
      add(stem + ".html", page(*result.plan, sizes,
                               {result.file.label, source ? std::string(source->text()) : "", options.defines,
                                several ? home_from(stem) : ""}));
    }
  });
  std::vector<OutputFile> files;
  std::vector<GalleryEntry> entries;
  for (size_t i = 0; i < results.size(); ++i) {
    const SpecFile& file = results[i]->file;
    files.insert(files.end(), made[i].begin(), made[i].end());
    entries.push_back({&*results[i]->plan, file.label, stem_of(file) + ".html"});
  }
  if (options.html && several) files.push_back({"index.html", gallery(entries), "", "", "the page of all specs"});
  Diagnostics diagnostics;
  const std::optional<WriteResult> written = write_files(options.to, files, diagnostics);
  print(diagnostics, options);
  if (!written) return kFiles;
  for (const std::string& path : written->written) fmt::print("wrote {}\n", (fs::path(options.to) / path).string());
  if (written->written.empty()) fmt::print("nothing to do: {} files are current\n", written->unchanged.size());
  return kFine;
}

}  // namespace pallasgen
