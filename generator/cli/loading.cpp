#include "loading.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "allowed.h"
#include "check/gradients.h"
#include "check/rules.h"
#include "externs/externs.h"
#include "externs/rules.h"
#include "output/hash.h"
#include "spec/project.h"
#include "spec/rules.h"
#include "terminal.h"

namespace pallasgen {

namespace fs = std::filesystem;

bool is_spec(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".yaml" || extension == ".yml" || extension == ".json";
}

std::string stem_of(const SpecFile& file) { return fs::path(file.relative).replace_extension().generic_string(); }

namespace {

fs::path absolute_of(const std::string& path) { return fs::absolute(path).lexically_normal(); }

// The root of a spec: see find_specs.
fs::path root_of(const fs::path& spec, const std::string& given_root, const fs::path& given_folder) {
  if (!given_root.empty()) {
    fs::path root = absolute_of(given_root);
    return root.has_filename() ? root : root.parent_path();
  }
  for (fs::path folder = spec.parent_path(); folder != folder.root_path(); folder = folder.parent_path())
    if (folder.filename() == "specs") return folder;
  if (!given_folder.empty()) return given_folder;
  return spec.parent_path();
}

std::optional<SpecFile> place(const std::string& path, const CommonOptions& options, const fs::path& folder,
                              Diagnostics& diagnostics) {
  const fs::path absolute = absolute_of(path);
  const fs::path root = root_of(absolute, options.root, folder);
  const fs::path relative = absolute.lexically_relative(root);
  if (relative.empty() || *relative.begin() == "..") {
    diagnostics.error(kCommandLine, {}, fmt::format("'{}' is not below the spec root '{}'", path, options.root))
        .note("give a root that holds every spec, or none");
    return std::nullopt;
  }
  return SpecFile{path, relative.generic_string(), root.filename().generic_string() + "/" + relative.generic_string()};
}

fs::path without_slash(const std::string& folder) {
  const fs::path absolute = absolute_of(folder);
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

// The hash of a spec's meaning, without comments, YAML's order of keys, tests, tuning, references, gradients and
// allowed warnings.
std::string spec_hash(const Spec& spec) {
  Spec meaning = spec;
  meaning.tests.clear();
  meaning.reference = {};
  meaning.vjp.clear();
  meaning.tune.reset();
  meaning.allow.clear();
  return hash_text(content_hash(to_ops_json(meaning)));
}

// True if a compiler accepts the generated file with the header of `extern`, and the names in it keep their meaning.
bool goes_with_header(const Kernel& kernel, SpecResult& result, const std::string& stem, const EmittedFiles& files) {
  std::set<std::string> functions;
  for (const Function& function : kernel.functions)
    if (function.external) functions.insert(function.external->name);
  if (functions.empty()) return true;
  const std::vector<Note> misfits = kernel.externs->misfits(stem, files.cu, files.header, functions);
  if (misfits.empty()) return true;
  Diagnostic& out = result.diagnostics.error(
      kExternHeader, result.spec->extern_header.span,
      fmt::format("\"{}\" does not go with the file that is generated", kernel.externs->include));
  for (const Note& misfit : misfits) out.note(misfit.span, misfit.message);
  out.note(
      "names that generated files have, or the runtime, need a namespace in the header, and macros another name; a "
      "function must be declared where __CUDA_ARCH__ is not defined too; the header cannot be called like a file of "
      "the "
      "runtime's or the output's");
  return false;
}

}  // namespace

std::optional<EmittedFiles> emit_files(const Plan& plan, SpecResult& result, const CommonOptions& options) {
  EmitOptions emit_options;
  emit_options.spec_path = result.file.label;
  emit_options.spec_hash = spec_hash(*result.spec);
  emit_options.stem = fs::path(stem_of(result.file)).filename().string();
  emit_options.template_dir = options.template_dir;
  emit_options.ffi = !options.bindings.empty();  // Python calls it as well
  emit_options.python = std::count(options.bindings.begin(), options.bindings.end(), "python") > 0;
  std::optional<EmittedFiles> files = emit(plan, emit_options, result.diagnostics);
  return files && goes_with_header(*plan.kernel, result, emit_options.stem, *files) ? std::move(files) : std::nullopt;
}

namespace {

void make_outputs(SpecResult& result, const CommonOptions& options) {
  const std::optional<EmittedFiles> files = emit_files(*result.plan, result, options);
  if (!files) return;
  const std::string stem = stem_of(result.file), &hash = files->spec_hash;
  result.outputs.push_back({stem + ".cu", files->cu, result.file.label, hash, result.file.path});
  result.outputs.push_back({stem + ".h", files->header, result.file.label, hash, result.file.path});
  if (!files->ffi.empty())
    result.outputs.push_back({stem + ".ffi.cpp", files->ffi, result.file.label, hash, result.file.path});
  if (!files->python.empty())
    result.outputs.push_back({stem + ".py", files->python, result.file.label, hash, result.file.path});
  if (options.plan_json)
    result.outputs.push_back({stem + ".plan.json", plan_json(*result.plan), result.file.label, hash, result.file.path});
}

// The names of the specs that a `vjp` may name: those in the spec's folder.
std::vector<std::string> kernels_beside(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator walk(folder, error); !error && walk != fs::directory_iterator(); walk.increment(error))
    if (is_spec(walk->path())) names.push_back(walk->path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

bool has_const(const Spec& spec, const std::string& name) {
  return std::any_of(spec.consts.begin(), spec.consts.end(),
                     [&](const ConstSpec& constant) { return constant.name == name; });
}

// True for a path such as pipeline.stages.
bool is_setting(const Define& define) { return define.name.find('.') != std::string::npos; }

// Reads the spec that an entry of `vjp` names, from the folder of `result`'s spec. It gets the command line's consts
// that it has and that are in `shared`.
std::shared_ptr<const Spec> spec_beside(SpecResult& result, const std::vector<Define>& defines, const Named& kernel,
                                        const std::vector<std::string>& shared) {
  const fs::path folder = fs::path(result.file.path).parent_path();
  fs::path path;
  for (const char* extension : {".yaml", ".yml", ".json"})
    if (path.empty() && fs::exists(folder / (kernel.name + extension))) path = folder / (kernel.name + extension);
  if (path.empty()) {
    const std::string near = nearest(kernel.name, kernels_beside(folder));
    result.diagnostics
        .error(kVjpKernel, kernel.span,
               fmt::format("the gradient kernel '{0}' has no spec beside this one: neither {0}.yaml nor {0}.json",
                           kernel.name))
        .note(near.empty() ? "it must be in the same folder" : fmt::format("did you mean '{}'?", near));
    return nullptr;
  }
  Diagnostics own;
  const std::optional<std::string> text = read_file(path.string(), own);
  std::optional<Spec> spec;
  if (text) {
    const SourceText& source = result.sources.add(path.string(), *text);
    spec = read_spec(source, {}, result.sources, own);
    std::vector<Define> applied;
    for (const Define& define : defines) {
      if (spec && has_const(*spec, define.name) && std::find(shared.begin(), shared.end(), define.name) != shared.end())
        applied.push_back(define);
    }
    if (!applied.empty()) spec = read_spec(source, applied, result.sources, own);
  }
  if (!spec) {
    Diagnostic& out = result.diagnostics.error(
        kVjpKernel, kernel.span, fmt::format("the spec of the gradient kernel '{}' cannot be read", kernel.name));
    if (!own.all().empty()) out.note(own.all().front().span, own.all().front().message);
    return nullptr;
  }
  result.linked.push_back(path.string());
  return std::make_shared<const Spec>(std::move(*spec));
}

// The reader of the header of the spec's `extern`, with the arguments of the command line.
OpenExtern reader_of(SpecResult& result, const CommonOptions& options, const HeaderPrograms& programs) {
  return [&result, &options, &programs](const Spec& spec,
                                        Diagnostics& diagnostics) -> std::shared_ptr<const ExternHeader> {
    std::vector<std::string> arguments = options.extern_args;
    if (const std::string other = other_than_includes(arguments); !other.empty()) {
      diagnostics.error(kCommandLine, {}, fmt::format("--extern-arg is for include paths and defines, not '{}'", other))
          .note("--extern-arg=-Ifolder and --extern-arg=-DNAME=1 are; headers are read as C++20");
      return nullptr;
    }
    if (!options.compile_commands.empty()) {
      const std::string output = fs::path(result.file.relative).replace_extension(".cu").generic_string();
      const auto more = arguments_of_database(options.compile_commands, output, diagnostics);
      if (!more) return nullptr;
      arguments.insert(arguments.end(), more->begin(), more->end());
    }
    const std::string cache = options.extern_cache.empty() ? default_work_dir() : options.extern_cache;
    const auto header = extern_reader(programs, arguments, cache, result.sources)(spec, diagnostics);
    if (header) result.linked.insert(result.linked.end(), header->files.begin(), header->files.end());
    return header;
  };
}

// The defines of the project file for consts that the spec has, and for settings; then those of the command line.
std::vector<Define> defines_for(const SourceText& source, SpecResult& result, const std::vector<Define>& of_project,
                                const std::vector<Define>& given) {
  std::vector<Define> applied;
  Diagnostics unsaid;
  const std::optional<Spec> spec =
      of_project.empty() ? std::nullopt : read_spec(source, {}, result.sources, unsaid, AfterErrors::what_is_left);
  for (const Define& define : of_project) {
    if (is_setting(define) || (spec && has_const(*spec, define.name))) applied.push_back(define);
  }
  applied.insert(applied.end(), given.begin(), given.end());
  return applied;
}

void run_stages(SpecResult& result, const CommonOptions& options, const std::vector<Define>& of_project,
                const std::vector<Define>& given, const HeaderPrograms& programs, Stage last) {
  const std::optional<std::string> text = read_file(result.file.path, result.diagnostics);
  if (!text) return;
  const SourceText& source = result.sources.add(result.file.path, *text);
  const std::vector<Define> defines = defines_for(source, result, of_project, given);
  std::optional<Spec> spec = read_spec(source, defines, result.sources, result.diagnostics, AfterErrors::what_is_left);
  if (!spec) return;
  result.spec = std::make_shared<const Spec>(std::move(*spec));
  if (last == Stage::read) return;
  const OpenExtern open_extern = reader_of(result, options, programs);
  result.kernel = check(result.spec, result.diagnostics, open_extern);
  if (!result.kernel || result.diagnostics.has_errors()) return;
  const FindSpec find = [&](const Named& kernel, const std::vector<std::string>& shared) {
    return spec_beside(result, defines, kernel, shared);
  };
  if (!link_gradients(*result.kernel, find, result.diagnostics, open_extern) || last == Stage::check) return;
  const std::string& target = options.target.empty() ? result.kernel->targets.front() : options.target;
  result.plan = make_plan(*result.kernel, target, result.diagnostics);
  if (!result.plan || last == Stage::plan) return;
  make_outputs(result, options);
}

// Whatever the last stage is, the spec's `allow` applies to the warnings of the stages that ran.
void load(SpecResult& result, const CommonOptions& options, const std::vector<Define>& of_project,
          const std::vector<Define>& given, const HeaderPrograms& programs, Stage last) {
  run_stages(result, options, of_project, given, programs, last);
  if (result.spec) result.diagnostics = without_allowed(*result.spec, result.diagnostics, result.plan.has_value());
}

// Reports each const that the project file defines and none of its specs has.
void refuse_unused_defines(const std::vector<Define>& of_project, const CommonOptions& options,
                           const std::vector<std::unique_ptr<SpecResult>>& results) {
  if (!options.whole_project || results.empty()) return;
  if (std::any_of(results.begin(), results.end(), [](const auto& result) { return !result->spec; })) return;
  for (const Define& define : of_project) {
    std::vector<std::string> known;
    for (const auto& result : results)
      for (const ConstSpec& constant : result->spec->consts) known.push_back(constant.name);
    if (is_setting(define) || std::find(known.begin(), known.end(), define.name) != known.end()) continue;
    Diagnostic& out = results.front()->diagnostics.error(
        kDefineUnknown, {},
        fmt::format("`define` of {} gives '{}' a value, and no spec has such a const", options.project, define.name));
    if (const std::string near = nearest(define.name, known); !near.empty())
      out.note(fmt::format("did you mean '{}'?", near));
  }
}

}  // namespace

std::optional<std::vector<Define>> parse_defines(const std::vector<std::string>& texts, Diagnostics& diagnostics) {
  std::vector<Define> defines;
  for (const std::string& text : texts) {
    const size_t equals = std::min(text.find('='), text.size());
    const std::string name = text.substr(0, equals), value = text.substr(std::min(equals + 1, text.size()));
    if (name.empty() || value.empty()) {
      diagnostics.error(kCommandLine, {}, fmt::format("-D '{}' is not of the form name=value", text))
          .note(fmt::format("write -D {}={}", name.empty() ? "NAME" : name, value.empty() ? "VALUE" : value));
      return std::nullopt;
    }
    defines.push_back({name, value});
  }
  return defines;
}

std::optional<std::vector<SpecFile>> find_specs(const CommonOptions& options, Diagnostics& diagnostics) {
  std::vector<SpecFile> files;
  for (const std::string& spec : options.specs) {
    std::error_code error;
    if (!fs::is_directory(spec, error)) {
      if (auto file = place(spec, options, {}, diagnostics)) files.push_back(std::move(*file));
      continue;
    }
    const size_t before = files.size();
    fs::recursive_directory_iterator walk(spec, error);
    for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
      if (!walk->is_regular_file() || !is_spec(walk->path()) || walk->path().filename() == kProjectName) continue;
      if (auto file = place(walk->path().string(), options, without_slash(spec), diagnostics))
        files.push_back(std::move(*file));
    }
    if (error) {
      diagnostics.error(kCommandLine, {}, fmt::format("cannot list the folder '{}': {}", spec, error.message()));
    } else if (files.size() == before && !diagnostics.has_errors()) {
      diagnostics.error(kCommandLine, {}, fmt::format("the folder '{}' holds no spec (*.yaml, *.yml, *.json)", spec));
    }
  }
  if (diagnostics.has_errors()) return std::nullopt;
  std::sort(files.begin(), files.end(),
            [](const SpecFile& a, const SpecFile& b) { return std::tie(a.label, a.path) < std::tie(b.label, b.path); });
  const auto same = [](const SpecFile& a, const SpecFile& b) { return absolute_of(a.path) == absolute_of(b.path); };
  files.erase(std::unique(files.begin(), files.end(), same), files.end());
  return files;
}

std::vector<std::string> folder_labels(const CommonOptions& options) {
  std::vector<std::string> labels;
  for (const std::string& spec : options.specs) {
    if (!fs::is_directory(spec)) continue;
    const fs::path folder = without_slash(spec);
    const fs::path root = root_of(folder / "spec", options.root, folder);
    const fs::path relative = folder.lexically_relative(root);
    labels.push_back(relative == "." ? root.filename().generic_string()
                                     : root.filename().generic_string() + "/" + relative.generic_string());
  }
  return labels;
}

std::vector<std::unique_ptr<SpecResult>> load_specs(const std::vector<SpecFile>& files, const CommonOptions& options,
                                                    Stage last) {
  Diagnostics defines_checked;  // the command and the reader of the project file checked them: nothing can fail here
  const auto parsed = [&](const std::vector<std::string>& texts) {
    return parse_defines(texts, defines_checked).value_or(std::vector<Define>{});
  };
  const std::vector<Define> of_project = parsed(options.project_defines), given = parsed(options.defines);
  std::vector<std::unique_ptr<SpecResult>> results;
  for (const SpecFile& file : files) {
    results.push_back(std::make_unique<SpecResult>());
    results.back()->file = file;
  }
  Progress progress(std::chrono::milliseconds(500));
  std::atomic<size_t> loaded = 0;
  const HeaderPrograms programs;
  for_each_parallel(results.size(), [&](size_t i) {
    load(*results[i], options, of_project, given, programs, last);
    progress.show(fmt::format("{} of {} specs", ++loaded, results.size()));
  });
  refuse_unused_defines(of_project, options, results);
  return results;
}

std::string default_work_dir() { return (fs::temp_directory_path() / fmt::format("pallasgen-{}", getuid())).string(); }

void print(const Diagnostics& diagnostics, const CommonOptions& options) { options.errors->write(diagnostics); }

bool print_all(const std::vector<std::unique_ptr<SpecResult>>& results, const CommonOptions& options) {
  bool fine = true;
  for (const auto& result : results) {
    print(result->diagnostics, options);
    fine = fine && !result->diagnostics.has_errors();
  }
  return fine;
}

void for_each_parallel(size_t count, const std::function<void(size_t)>& work) {
  const size_t threads = std::min<size_t>(count, std::max(1u, std::thread::hardware_concurrency()));
  if (threads <= 1) {
    for (size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<size_t> next = 0;
  std::vector<std::jthread> pool;
  for (size_t t = 0; t < threads; ++t)
    pool.emplace_back([&] {
      for (size_t i = next++; i < count; i = next++) work(i);
    });
}

std::optional<std::vector<std::unique_ptr<SpecResult>>> load_or_report(const CommonOptions& options, Stage last,
                                                                       int& code) {
  Diagnostics diagnostics;
  const bool fine = parse_defines(options.defines, diagnostics).has_value();
  const auto files = fine ? find_specs(options, diagnostics) : std::nullopt;
  print(diagnostics, options);
  code = kUsage;
  if (!files) return std::nullopt;
  auto results = load_specs(*files, options, last);
  code = kSpecWrong;
  if (!print_all(results, options)) return std::nullopt;
  code = kFine;
  return results;
}

}  // namespace pallasgen
