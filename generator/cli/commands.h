#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "loading.h"
#include "tile/program.h"

namespace pallasgen {

struct GenerateOptions : CommonOptions {
  std::string depfile;
  bool prune = false;
  bool accept_interface = false;  // records signatures that the project would keep
};

// `specs` are specs or two generated files; with `git` they are the arguments that git gives an external diff driver.
struct DiffOptions : CommonOptions {
  std::string against;  // a revision; empty: HEAD, or with -D the spec without it
  bool git = false;
};

struct BuildOptions : CommonOptions {
  std::vector<std::string> dump = {"ptx", "ptxas", "plan"};  // the forms that are kept
  std::string to;                                            // the folder
};

struct ExplainOptions : CommonOptions {
  std::string program;            // 2,4
  std::vector<std::string> dims;  // M=256
  bool svg = false, html = false;
  std::string to;  // the folder of pictures and pages
};

struct InterpretOptionsText : CommonOptions {
  std::vector<std::string> dims, in, out;
  std::string order = "row_major", roles = "row_major";
  std::string at;  // a pass, whose tile program is run; empty: the kernel
  uint64_t seed = 0;
  int sms = 132;  // the value of num_sms
  int test = 0;   // 1 is the first entry of `tests`; 0: none
};

struct TestOptions : CommonOptions {
  std::vector<std::string> modes = {"plain"};
  std::vector<std::string> policies = {"late", "early", "random"};
  int seeds = 1, schedules = 1, seconds = 300, programs = 0;
  std::string keep, work_dir;
  std::vector<std::string> dims;  // M=200,N=136,K=104
  bool batch = false;             // all kernels in one host program
};

struct ListOptions : CommonOptions {
  bool ops = false;  // the words of the language in place of specs
};

struct InitOptions {
  std::string form;       // the kernel's form, a template of templates/init; or empty
  std::string from;       // a spec of the library by its place, such as rows/rms_norm; or empty
  std::string name, out;  // by default the stem of `out`, else the form; NAME.yaml
  bool force = false;     // overwrites an existing file
  DiagnosticStream* errors = nullptr;
};

struct VetOptions {
  std::vector<std::string> files, extra;  // without files: those of the project
  std::string project;                    // --project
  bool no_project = false;                // --no-project
  std::string format = "text";
  bool wants_facts = false, not_checked = false;
  DiagnosticStream* errors = nullptr;
};

// Sizes by name from `NAME=SIZE` texts; nullopt with a diagnostic.
std::optional<std::map<std::string, int64_t>> parse_dims(const std::vector<std::string>& texts,
                                                         Diagnostics& diagnostics);

// True if the kernel has every dim that `--dim` names; else a diagnostic for each that it lacks.
bool check_sizes(const Kernel& kernel, const std::map<std::string, int64_t>& dims, Diagnostics& diagnostics);

// The commands return the exit code. They check their arguments; the parser of the command line does not.
int run_generate(const GenerateOptions& options);
int run_check(const CommonOptions& options);
int run_build(const BuildOptions& options);
int run_diff(const DiffOptions& options);
int run_explain(const ExplainOptions& options);
// Writes the pictures and pages of `--svg` and `--html` for planned specs; `program` is empty if none was named.
int write_pictures(const ExplainOptions& options, const std::vector<std::unique_ptr<SpecResult>>& results,
                   const std::map<std::string, int64_t>& dims, const std::vector<int64_t>& program);
int run_interpret(const InterpretOptionsText& options);
// `times`: print how long each step takes in place of what it gives.
int run_lower(const CommonOptions& options, const std::string& to, bool times);
// The tile program after the pass, of the spec or, with --from, of a program in a file, for the target of the options;
// nullopt with diagnostics in the result.
// `for_plan`: the program in the file must have the declarations and roles of the spec's own program.
std::optional<tile::Program> lowered_to(const std::string& pass, SpecResult& result, const CommonOptions& options,
                                        bool for_plan = false);
int run_list(const ListOptions& options);
// Writes a commented spec to begin with, or a project.
int run_init(const InitOptions& options);
// True if the file may be written: it is absent, or has the text, or `force` is given. False with a diagnostic.
bool may_write(const std::filesystem::path& path, const std::string& text, bool force, Diagnostics& diagnostics);
// True if a launcher can have that name; false with a diagnostic.
bool check_kernel_name(const std::string& name, Diagnostics& diagnostics);
// Copies a spec of the library and its files: specs of gradients, headers of functions, arrays of tests.
int copy_from_library(const InitOptions& options);
int run_test(const TestOptions& options);
// Copies the runtime's headers that differ to `out`.
int run_runtime(const std::string& out, DiagnosticStream& errors);
// Runs the program that reads CUDA, and returns its exit code.
int run_vet(VetOptions options);

}  // namespace pallasgen
