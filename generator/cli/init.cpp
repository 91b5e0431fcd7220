#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "check/identifiers.h"
#include "check/rules.h"
#include "commands.h"
#include "diagnostics/assert.h"
#include "emit/emit.h"
#include "emit/template.h"

namespace pallasgen {

namespace {

const std::string kFolder = "init/", kEnd = ".yaml.in";

// The forms, each of which has a template below templates/init.
std::vector<std::string> forms() {
  std::vector<std::string> names;
  for (const std::string& path : embedded_template_paths())
    if (path.starts_with(kFolder))
      names.push_back(path.substr(kFolder.size(), path.size() - kFolder.size() - kEnd.size()));
  return names;
}

void refuse_form(const std::string& form, Diagnostics& diagnostics) {
  const std::string what =
      form.empty() ? "init wants a form" : fmt::format("'{}' is none of the forms that init writes", form);
  Diagnostic& out = diagnostics.error(kCommandLine, {}, fmt::format("{}: {}", what, fmt::join(forms(), ", ")));
  if (form.empty()) {
    out.note("or a spec of the library: --from rows/rms_norm; `project` makes a folder for a package of kernels");
  } else if (form == "mesh") {
    out.note(
        "kernels that say what each warpgroup does (`mesh`) are not generated yet; what comes near is matmul, whose "
        "pipeline setting `warp_specialized: true` makes a role that copies and others that compute");
  } else if (const std::string near = nearest(form, forms()); !near.empty()) {
    out.note(fmt::format("did you mean '{}'?", near));
  }
}

bool is_name(const std::string& text) {
  const auto word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0 &&
         std::all_of(text.begin(), text.end(), word);
}

// The files of a project, and the templates that they are made of.
struct ProjectFile {
  const char *path, *made_of;
};
constexpr ProjectFile kProjectFiles[] = {{"pallasgen.yaml", "project/pallasgen.yaml.in"},
                                         {"CMakeLists.txt", "project/CMakeLists.txt.in"},
                                         {"pyproject.toml", "project/pyproject.toml.in"},
                                         {"specs/axpy.yaml", "init/elementwise.yaml.in"},
                                         {"tests/test_kernels.py", "project/test_kernels.py.in"}};

// Writes a folder with a project file, a spec, and the files of a Python package and its test.
int init_project(const InitOptions& options) {
  Diagnostics diagnostics;
  const std::string name = options.name.empty() ? "my_kernels" : options.name;
  const std::filesystem::path folder = options.out.empty() ? name : options.out;
  int code = kUsage;
  std::vector<OutputFile> files;
  // Packages that modules of kernels import, or whose arrays they take.
  static const std::set<std::string> kTaken = {"torch", "jax", "numpy", "cupy", "tvm_ffi", "pallasgen"};
  if (kTaken.count(name) > 0 || !is_python_module(name)) {
    diagnostics.error(kCommandLine, {}, fmt::format("'{}' is no name of a package of kernels", name))
        .note(
            fmt::format("--name takes a letter, then letters, digits and '_', but no keyword of Python, and none of {}",
                        fmt::join(kTaken, ", ")));
  } else {
    for (const ProjectFile& file : kProjectFiles) {
      TemplateError error;
      const nlohmann::ordered_json view{{"name", name}, {"kernel", "axpy"}};
      files.push_back({file.path, *render_template(Templates(), file.made_of, view, error), "", ""});
      if (!may_write(folder / file.path, files.back().content, options.force, diagnostics)) code = kFiles;
    }
    if (!diagnostics.has_errors()) code = write_files(folder.string(), files, diagnostics) ? kFine : kFiles;
  }
  options.errors->write(diagnostics);
  if (code != kFine) return code;
  for (const ProjectFile& file : kProjectFiles) fmt::print("wrote {}\n", (folder / file.path).string());
  fmt::print("`cd {}`, `pallasgen generate` and `pip wheel .` make the package\n", folder.string());
  return kFine;
}

// The text of the spec, which is checked like any other: a name that C++ reserves is an error before a file is made.
std::optional<std::string> spec_text(const InitOptions& options, const std::string& kernel, const std::string& place,
                                     Diagnostics& diagnostics, Sources& sources) {
  TemplateError error;
  const nlohmann::ordered_json view{{"kernel", kernel}};
  const std::optional<std::string> text = render_template(Templates(), kFolder + options.form + kEnd, view, error);
  PALLASGEN_ASSERT(text.has_value());
  const SourceText& source = sources.add(place, *text);
  std::optional<Spec> spec = read_spec(source, {}, sources, diagnostics);
  if (!spec || !check(std::make_shared<const Spec>(std::move(*spec)), diagnostics)) return std::nullopt;
  return diagnostics.has_errors() ? std::nullopt : text;
}

}  // namespace

bool may_write(const std::filesystem::path& path, const std::string& text, bool force, Diagnostics& diagnostics) {
  std::error_code ignored;
  Diagnostics unread;
  if (force || !std::filesystem::exists(path, ignored) || read_file(path.string(), unread) == text) return true;
  diagnostics.error(kFileExists, {}, fmt::format("'{}' is there already, and stays as it is", path.string()))
      .note("give another place by --out, or --force to write over it");
  return false;
}

bool check_kernel_name(const std::string& name, Diagnostics& diagnostics) {
  const bool is_free = !is_reserved(name, NamePlace::program);
  if (is_name(name) && is_free) return true;
  Diagnostic& out = diagnostics.error(
      is_free ? kCommandLine : kReservedKernelName, {},
      is_free ? fmt::format("'{}' is no name of a kernel: a letter, then letters, digits and '_'", name)
              : fmt::format("the kernel cannot be called '{}': C, C++, CUDA or the runtime reserve that name", name));
  if (!is_free) out.note(fmt::format("'{}_kernel' is free", name));
  out.note("--name gives the kernel another name than that of the file");
  return false;
}

int run_init(const InitOptions& options) {
  if (!options.from.empty()) return copy_from_library(options);
  if (options.form == "project") return init_project(options);
  const std::vector<std::string> known = forms();
  Diagnostics diagnostics;
  Sources sources;
  const std::string kernel = !options.name.empty() ? options.name
                             : options.out.empty() ? options.form
                                                   : std::filesystem::path(options.out).stem().string();
  const std::string place = options.out.empty() ? kernel + ".yaml" : options.out;
  int code = kUsage;
  std::error_code ignored;
  if (std::find(known.begin(), known.end(), options.form) == known.end()) {
    refuse_form(options.form, diagnostics);
  } else if (std::filesystem::is_directory(place, ignored)) {
    diagnostics.error(kCommandLine, {}, fmt::format("'{}' is a folder", place))
        .note("--out is the file that is to be made");
  } else if (!is_spec(place)) {
    diagnostics
        .error(kCommandLine, {},
               fmt::format("'{}' would be no spec: of a folder those that end in .yaml, .yml or "
                           ".json are read",
                           place))
        .note(fmt::format("write --out {}.yaml", place));
  } else if (!check_kernel_name(kernel, diagnostics)) {
    code = kUsage;
  } else if (const auto text = spec_text(options, kernel, place, diagnostics, sources)) {
    const bool written = may_write(place, *text, options.force, diagnostics) && write_file(place, *text, diagnostics);
    code = written ? kFine : kFiles;
  }
  options.errors->write(diagnostics);
  if (code == kFine) fmt::print("wrote {}; `pallasgen test {}` tries it\n", place, place);
  return code;
}

}  // namespace pallasgen
