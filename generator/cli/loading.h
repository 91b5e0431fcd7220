#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/kernel.h"
#include "diagnostics/diagnostic.h"
#include "emit/emit.h"
#include "output/output.h"
#include "plan/plan.h"
#include "spec/spec.h"

namespace pallasgen {

enum ExitCode : int { kFine = 0, kSpecWrong = 1, kUsage = 2, kDifferences = 3, kFiles = 4 };

// Options that most commands take.
struct CommonOptions {
  std::vector<std::string> specs;            // files and folders
  std::string root;                          // --root
  std::string out;                           // --out
  std::vector<std::string> defines;          // -D
  std::vector<std::string> project_defines;  // from the project file; a const is for the specs that have it
  std::string target;                        // --target, in place of the spec's
  std::string from;                          // --from: a file with a tile program to go on with
  std::string template_dir;
  bool plan_json = false;
  std::string project;                   // --project, else the project file that was found
  bool no_project = false;               // --no-project
  bool whole_project = false;            // the specs are those of the project file
  bool frozen = false;                   // launchers keep the signatures that are recorded in the output root
  std::vector<std::string> bindings;     // --bindings: "ffi", "python"
  std::vector<std::string> extern_args;  // --extern-arg: a compiler's, for the headers of `extern`
  std::string compile_commands;          // --compile-commands
  std::string extern_cache;              // the folder of functions compiled for the CPU; empty: default_work_dir()
  DiagnosticStream* errors = nullptr;    // the stream of diagnostics; never null in a command
};

// A spec on disk and its place below the spec root.
struct SpecFile {
  std::string path;      // the path by which it is opened
  std::string relative;  // below the root: matmul/matmul.yaml
  std::string label;     // with the root's name: specs/matmul/matmul.yaml
};

// The result of one spec. Sources outlive the values that point into them; a result is neither copied nor moved.
struct SpecResult {
  SpecFile file;
  Sources sources;
  Diagnostics diagnostics;
  std::shared_ptr<const Spec> spec;
  std::vector<std::string> linked;  // files of the kernels that its `vjp` names, and of the header of `extern`
  std::optional<Kernel> kernel;
  std::optional<Plan> plan;
  std::vector<OutputFile> outputs;
};

// The place of a spec's outputs below the output root, without their extensions: matmul/matmul.
std::string stem_of(const SpecFile& file);

// True if the file name has the extension of a spec: .yaml, .yml or .json.
bool is_spec(const std::filesystem::path& path);

enum class Stage { read, check, plan, emit };

// The specs that the options name, each once, sorted; folders are searched for *.yaml, *.yml and *.json. The root is
// --root, else the nearest ancestor folder named `specs`, else a folder given as SPEC, else the spec's own folder.
std::optional<std::vector<SpecFile>> find_specs(const CommonOptions& options, Diagnostics& diagnostics);

// The place of each folder given as SPEC, beginning with its root's name, such as "specs/matmul".
std::vector<std::string> folder_labels(const CommonOptions& options);

// Takes every spec through the stages up to `last`, in parallel. Diagnostics stay with each result.
std::vector<std::unique_ptr<SpecResult>> load_specs(const std::vector<SpecFile>& files, const CommonOptions& options,
                                                    Stage last);

// The folder of this user in which programs for the CPU are kept between runs.
std::string default_work_dir();

// Prints diagnostics to the stream of the options.
void print(const Diagnostics& diagnostics, const CommonOptions& options);
// Prints the diagnostics of all results in order; true if none has errors.
bool print_all(const std::vector<std::unique_ptr<SpecResult>>& results, const CommonOptions& options);

// Runs `work(i)` for i in [0, count) on as many threads as the machine has cores.
void for_each_parallel(size_t count, const std::function<void(size_t)>& work);

// Splits `name=value` texts; nullopt with a diagnostic (rule command-line).
std::optional<std::vector<Define>> parse_defines(const std::vector<std::string>& texts, Diagnostics& diagnostics);

inline constexpr Rule kCommandLine{"command-line", "An argument of the command line is wrong."};
inline constexpr Rule kFileExists{"file-exists", "A file that is to be made exists."};
inline constexpr Rule kNoTests{"no-tests", "A spec that is to be tested says nothing of sizes to try."};
inline constexpr Rule kVetProgram{"vet-program", "The program that reads CUDA is not to be found."};

// The files of a plan of the spec, for the options; nullopt with diagnostics in the result.
std::optional<EmittedFiles> emit_files(const Plan& plan, SpecResult& result, const CommonOptions& options);

// Loads the specs of the options up to `last`. Nullopt after printing the errors, with the exit code in `code`.
std::optional<std::vector<std::unique_ptr<SpecResult>>> load_or_report(const CommonOptions& options, Stage last,
                                                                       int& code);

}  // namespace pallasgen
