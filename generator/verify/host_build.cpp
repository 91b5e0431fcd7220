#include "verify/host_build.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include "output/hash.h"
#include "output/output.h"
#include "verify/installation.h"
#include "verify/process.h"
#include "verify/rules.h"
#include "verify/toolkit.h"

namespace pallasgen {

namespace fs = std::filesystem;

namespace {

// The sanitizers need clang, whose ThreadSanitizer makes fibers cheaply; plain runs accept any compiler.
std::string compiler_for(RunMode mode) {
  if (const std::string given = environment_value("PALLASGEN_HOST_CXX"); !given.empty()) return given;
  std::vector<std::string> names = {"clang++-19", "clang++"};
  if (mode == RunMode::plain) names = {"clang++-19", "g++", "c++", "clang++"};
  for (const std::string& name : names)
    if (const std::string found = find_program(name); !found.empty()) return found;
  return "";
}

// A program of several kernels takes longer to compile than to run, so plain runs do not optimize it. Large stack
// frames touch every page, so that none skips the guard page of its stack.
std::vector<std::string> flags_of(RunMode mode, size_t kernels) {
  switch (mode) {
    case RunMode::plain:
      return {kernels > 1 ? "-O0" : "-O1", "-g1", "-gdwarf-4", "-fstack-clash-protection"};
    case RunMode::asan:
      // Fields of shared memory are adjacent, so an index past the end of one is still a valid address.
      return {"-O1",
              "-g",
              "-gdwarf-4",
              "-fsanitize=address,bounds",
              "-fno-sanitize-recover=bounds",
              "-fstrict-flex-arrays=3"};
    case RunMode::tsan:
      // Promotion of memory to registers hoists loads out of branches, which then look like races of all threads.
      return {"-O1",       "-g",
              "-gdwarf-4", "-fsanitize=thread",
              "-mllvm",    "-tsan-instrument-func-entry-exit=0",
              "-mllvm",    "-disable-licm-promotion",
              "-mllvm",    "-tsan-distinguish-volatile"};
  }
  return {};
}

// A stamp that changes with the runtime's headers, the archives and the toolkit, so that programs are rebuilt.
std::string stamp_of(const Installation& tree, const std::string& toolkit) {
  std::string stamp;
  const auto add = [&](const fs::path& path) {
    stamp += fmt::format("{} {} {}\n", path.string(), fs::file_size(path),
                         fs::last_write_time(path).time_since_epoch().count());
  };
  std::vector<fs::path> headers;
  for (const std::string& folder : tree.host_includes)
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file() && entry.path().extension() != ".a") headers.push_back(entry.path());
  std::sort(headers.begin(), headers.end());
  for (const fs::path& path : headers) add(path);
  add(tree.emulator);
  add(tree.runner);
  add(toolkit + "/cuda_runtime.h");
  return stamp;
}

constexpr std::string_view kHeaders =
    "#include <pallasgen/device.cuh>\n#include <pallasgen/launch.h>\n#include <runner/runner.h>\n"
    "#include <runner/write_ahead.cuh>\n\n"
    "#include <cstring>\n";

// The headers of every program, precompiled in `work_dir` for programs with the same `command`, as they take most of a
// kernel's compile time. Empty if the compiler is not clang or fails: programs then read the headers themselves.
std::string precompiled_headers(std::vector<std::string> command, RunMode mode, const std::string& stamp,
                                const std::string& work_dir) {
  if (fs::path(command.front()).filename().string().find("clang") == std::string::npos) return "";
  const std::string hash = hash_text(content_hash(fmt::format("{}\n{}", fmt::join(command, " "), stamp)));
  const fs::path folder = fs::path(work_dir) / fmt::format("headers-{}-{}", name_of(mode), hash);
  const std::string made = (folder / "headers.pch").string();
  if (fs::exists(made)) return made;
  Diagnostics unsaid;
  // Several processes may do this at once: each compiles its own header to its own file, and the last to finish wins.
  // If they shared a header, the second to write it would make it newer than the precompiled file, which clang refuses.
  const std::string header = (folder / fmt::format("headers-{}.h", ::getpid())).string();
  const std::string fresh = fmt::format("{}.{}", made, ::getpid());
  if (!write_file(header, std::string(kHeaders), unsaid)) return "";
  command.insert(command.end(), {"-fpch-instantiate-templates", "-x", "c++-header", header, "-o", fresh});
  if (run_process(command).exit_code != 0) return "";
  fs::rename(fresh, made);
  return made;
}

}  // namespace

namespace {

// The start of the command, common to all modes.
std::vector<std::string> common_command(const std::string& compiler) {
  return {compiler, "-std=c++20", "-w", "-ffp-contract=off"};
}

void add_includes(std::vector<std::string>& command, const Installation& tree, const std::string& toolkit) {
  for (const std::string& folder : tree.host_includes) command.push_back("-I" + folder);
  // libcu++ has a folder of its own since CUDA 13.
  command.insert(command.end(), {"-isystem", toolkit, "-isystem", toolkit + "/cccl"});
}

// The contents of the users' headers, with the arguments that they are compiled with.
std::string text_of_externs(const std::vector<std::string>& arguments, const std::vector<std::string>& files) {
  Diagnostics unsaid;
  std::string text = fmt::format("{}\n", fmt::join(arguments, " "));
  for (const std::string& path : files) text += fmt::format("{}\n{}\n", path, read_file(path, unsaid).value_or(""));
  return text;
}

}  // namespace

std::string_view name_of(RunMode mode) {
  return mode == RunMode::plain ? "plain" : mode == RunMode::asan ? "asan" : "tsan";
}

std::optional<RunMode> run_mode_named(std::string_view name) {
  for (const RunMode mode : {RunMode::plain, RunMode::asan, RunMode::tsan})
    if (name_of(mode) == name) return mode;
  return std::nullopt;
}

namespace {

// The launcher's arguments, as fields of a RunnerCall.
std::string call_arguments(const Plan& plan) {
  std::string arguments;
  int array = 0, dim = 0, scalar = 0;
  for (const Parameter& parameter : plan.launch.parameters) {
    if (!arguments.empty()) arguments += ", ";
    switch (parameter.kind) {
      case ParameterKind::ref:
        arguments += fmt::format("call.arrays[{}]", array++);
        break;
      case ParameterKind::dim:
        arguments += fmt::format("call.dims[{}]", dim++);
        break;
      case ParameterKind::workspace:
        arguments += "call.workspace";
        break;
      case ParameterKind::workspace_bytes:
        arguments += "call.workspace_bytes";
        break;
      case ParameterKind::scalar:
        arguments += plan.kernel->scalars[parameter.index].shape ? fmt::format("call.arrays[{}]", array++)
                                                                 : fmt::format("call.scalars[{}]", scalar++);
        break;
      default:
        arguments += "call.stream";
        break;
    }
  }
  return arguments;
}

// Includes of all kernels of a program. They precede the namespaces of the kernels, which must not enclose headers.
std::string headers_of(const std::vector<HostKernel>& kernels) {
  std::set<std::string> lines;
  for (const HostKernel& kernel : kernels) {
    std::istringstream text(kernel.files.cu);
    for (std::string line; std::getline(text, line);)
      if (line.rfind("#include <", 0) == 0) lines.insert(line + "\n");
    if (kernel.kernel->externs) lines.insert(fmt::format("#include \"{}\"\n", kernel.kernel->externs->include));
  }
  return fmt::format("{}", fmt::join(lines, ""));
}

// A lambda that returns the size of the call's workspace; nullptr for a kernel without one.
std::string workspace_function(const Plan& plan, const std::string& scope) {
  if (plan.launch.workspace.empty()) return "nullptr";
  std::string dims;
  for (size_t dim = 0; dim < plan.kernel->dims.size(); ++dim)
    dims += fmt::format("{}call.dims[{}]", dim == 0 ? "" : ", ", dim);
  return fmt::format("[](const RunnerCall& call) -> size_t {{ return {}{}_workspace_bytes({}); }}", scope,
                     plan.kernel->name, dims);
}

}  // namespace

bool is_launched_twice(const Plan& plan) {
  const auto in_place = [](const Ref& ref) { return ref.alias_of.has_value(); };
  const bool has_workspace = std::any_of(plan.launch.parameters.begin(), plan.launch.parameters.end(),
                                         [](const Parameter& each) { return each.kind == ParameterKind::workspace; });
  return (plan.launch.dependent || has_workspace) &&
         !std::any_of(plan.kernel->refs.begin(), plan.kernel->refs.end(), in_place);
}

std::string driver_text(const std::vector<HostKernel>& kernels) {
  const bool alone = kernels.size() == 1;
  std::string includes = alone ? "" : headers_of(kernels) + "\n", launchers;
  for (const HostKernel& kernel : kernels) {
    const std::string name = kernel.plan->kernel->name;
    const std::string scope = alone ? "" : fmt::format("host_{}::", name);
    includes += alone ? fmt::format("#include \"{}.h\"\n", kernel.stem)
                      : fmt::format("namespace host_{} {{\n#include \"{}.cu\"\n}}\n", name, kernel.stem);
    const std::string call = fmt::format("{}{}({})", scope, name, call_arguments(*kernel.plan));
    launchers += fmt::format(
        "    {{\"{}\", [](const RunnerCall& call) -> cudaError_t {{ return {}; }},\n     {},\n     {}}},\n", name, call,
        workspace_function(*kernel.plan, scope), kernel.plan->faults.empty() ? "nullptr" : scope + name + "_status");
  }
  return fmt::format(
      "{}\n{}\n"
      "using pallasgen::RunnerCall;\n\n"
      "static const struct {{\n  const char* name;\n  cudaError_t (*launch)(const RunnerCall&);\n  "
      "size_t (*workspace_bytes)(const RunnerCall&);\n  const char* (*status)(const void*);\n}} kernels[] = {{\n"
      "{}}};\n\n"
      "int main(int argc, char** argv) {{\n"
      "  for (const auto& kernel : kernels)\n"
      "    if (argc > 1 && std::strcmp(argv[1], kernel.name) == 0)\n"
      "      return pallasgen::run_job(argc - 1, argv + 1, kernel.launch, [] {{ return pallasgen::last_error(); }},\n"
      "                                kernel.workspace_bytes, kernel.status, pallasgen::write_ahead);\n"
      "  return 2;\n"
      "}}\n",
      kHeaders, includes, launchers);
}

std::optional<std::string> build_for_host(const std::vector<HostKernel>& kernels, RunMode mode,
                                          const std::string& work_dir, Diagnostics& diagnostics) {
  const Installation& tree = installation();
  const std::string toolkit = toolkit_include();
  if (toolkit.empty()) {
    diagnostics.error(kHostToolkit, {}, "the headers of the CUDA Toolkit (cuda.h, cuda_runtime.h) are not to be found")
        .note("install the toolkit, or set CUDAToolkit_ROOT to the folder that holds its include folder");
    return std::nullopt;
  }
  const std::string compiler = compiler_for(mode);
  if (compiler.empty()) {
    diagnostics.error(kHostCompiler, {}, fmt::format("mode '{}' needs clang++-19, which is not in PATH", name_of(mode)))
        .note("install clang-19 and libclang-rt-19-dev, or set PALLASGEN_HOST_CXX");
    return std::nullopt;
  }
  std::vector<std::string> command = common_command(compiler);
  command.push_back("-ftrivial-auto-var-init=pattern");
  for (const std::string& flag : flags_of(mode, kernels.size())) command.push_back(flag);
  add_includes(command, tree, toolkit);

  const std::string driver = driver_text(kernels);
  const std::string stamp = stamp_of(tree, toolkit);
  std::string content = fmt::format("{}\n{}\n{}", fmt::join(command, " "), stamp, driver);
  std::vector<std::string> extern_arguments;
  for (const HostKernel& kernel : kernels) {
    content += kernel.files.cu + kernel.files.header;
    const ExternHeader* externs = kernel.kernel->externs.get();
    if (!externs) continue;
    content += text_of_externs(externs->compile_args, externs->files);
    extern_arguments.insert(extern_arguments.end(), externs->compile_args.begin(), externs->compile_args.end());
  }
  // The user's defines must match those with which the headers were precompiled.
  const bool has_defines = std::any_of(extern_arguments.begin(), extern_arguments.end(),
                                       [](const std::string& argument) { return !argument.starts_with("-I"); });
  const std::string stem = kernels.size() == 1 ? kernels.front().stem : fmt::format("{}-kernels", kernels.size());
  const fs::path folder =
      fs::path(work_dir) / fmt::format("{}-{}-{}", stem, name_of(mode), hash_text(content_hash(content)));
  const std::string program = (folder / "run").string();
  if (fs::exists(program)) return program;

  for (const HostKernel& kernel : kernels)
    if (!write_file((folder / (kernel.stem + ".cu")).string(), kernel.files.cu, diagnostics) ||
        !write_file((folder / (kernel.stem + ".h")).string(), kernel.files.header, diagnostics))
      return std::nullopt;
  if (!write_file((folder / "driver.cpp").string(), driver, diagnostics)) return std::nullopt;
  const std::string headers = has_defines ? "" : precompiled_headers(command, mode, stamp, work_dir);
  if (!headers.empty()) command.insert(command.end(), {"-include-pch", headers});
  command.insert(command.end(), extern_arguments.begin(), extern_arguments.end());
  const std::string fresh = fmt::format("{}.{}-{}", program, ::getpid(), reinterpret_cast<uintptr_t>(&kernels));
  command.insert(command.end(), {"-I" + folder.string(), (folder / "driver.cpp").string()});
  if (kernels.size() == 1)
    command.insert(command.end(), {"-x", "c++", (folder / (stem + ".cu")).string(), "-x", "none"});
  command.insert(command.end(), {tree.runner, tree.emulator, "-o", fresh});
  const ProcessResult result = run_process(command);
  if (result.exit_code != 0) {
    diagnostics
        .error(kHostCompile, kernels.front().plan->kernel->span,
               fmt::format("the generated source of '{}'{} did not compile for the CPU",
                           kernels.front().plan->kernel->name,
                           kernels.size() == 1 ? "" : fmt::format(" or of {} others", kernels.size() - 1)))
        .note(result.output.substr(0, 6000))
        .note(fmt::format("{}", fmt::join(command, " ")));
    return std::nullopt;
  }
  fs::rename(fresh, program);
  return program;
}

std::string build_library_for_host(const std::string& text, const std::vector<std::string>& arguments,
                                   const std::vector<std::string>& files, const std::string& work_dir,
                                   std::string& refusal, std::string& said) {
  const Installation& tree = installation();
  const std::string toolkit = toolkit_include(), compiler = compiler_for(RunMode::plain);
  if (toolkit.empty() || compiler.empty()) {
    refusal = toolkit.empty() ? "the headers of the CUDA Toolkit are not to be found; CUDAToolkit_ROOT names its folder"
                              : "there is no C++ compiler in PATH; install one, or set PALLASGEN_HOST_CXX";
    return "";
  }
  std::vector<std::string> command = common_command(compiler);
  command.insert(command.end(), {"-O1", "-fPIC", "-shared"});
  add_includes(command, tree, toolkit);
  command.insert(command.end(), arguments.begin(), arguments.end());
  const std::string content =
      fmt::format("{}\n{}\n{}\n{}", fmt::join(command, " "), stamp_of(tree, toolkit), text, text_of_externs({}, files));
  const fs::path folder = fs::path(work_dir) / fmt::format("extern-{}", hash_text(content_hash(content)));
  const std::string library = (folder / "loops.so").string();
  Diagnostics unsaid;
  const std::string source = (folder / fmt::format("loops-{}.cpp", ::getpid())).string();
  if (!fs::exists(library) && !write_file(source, text, unsaid)) {
    refusal = fmt::format("the folder '{}' cannot be written to", folder.string());
    return "";
  }
  struct stat owned = {};
  if (::stat(folder.c_str(), &owned) != 0 || owned.st_uid != ::geteuid()) {
    refusal = fmt::format("the folder '{}' belongs to another user, whose code is not run", folder.string());
    return "";
  }
  if (fs::exists(library)) return library;
  const std::string fresh = fmt::format("{}.{}", library, ::getpid());
  command.insert(command.end(), {source, "-o", fresh});
  const ProcessResult result = run_process(command);
  std::error_code ignored;
  fs::remove(source, ignored);
  if (result.exit_code != 0) {
    refusal = "a compiler for the CPU does not take it";
    said = result.output;
    return "";
  }
  fs::rename(fresh, library);
  return library;
}

}  // namespace pallasgen
