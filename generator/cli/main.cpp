#include <CLI/CLI.hpp>
#include <charconv>
#include <csignal>
#include <cstdio>

#include "commands.h"
#include "manual.h"
#include "plan/passes.h"
#include "project.h"
#include "terminal.h"
#include "usage.h"

namespace pallasgen {
namespace {

// A whole number of at least 1.
const CLI::Validator kCount(
    [](std::string& text) -> std::string {
      int value = 0;
      const char* end = text.data() + text.size();
      const auto [stop, error] = std::from_chars(text.data(), end, value);
      if (error == std::errc() && stop == end && value >= 1) return {};
      return "'" + text + "' is not a whole number of at least 1";
    },
    "COUNT");

// An empty value is likely an unset variable of a shell; as a path it would mean the working folder, or nothing.
const CLI::Validator kNotEmpty(
    [](std::string& text) -> std::string { return text.empty() ? "the value is empty" : std::string(); }, "");

// The word behind an option that lacks its value is likely the next option. Only compilers' arguments begin like one.
const CLI::Validator kNoOption(
    [](std::string& text) -> std::string {
      if (text.size() < 2 || text[0] != '-') return {};
      return "the value is missing, or begins with '-': '" + text + "'; write a path of that name as ./" + text;
    },
    "");

void check_values(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({}))
    for (CLI::Option* option : command->get_options()) {
      if (option->get_items_expected_max() == 0 || option->get_name() == "--help") continue;
      option->check(kNotEmpty);
      if (!option->get_positional() && option->get_type_name() != "ARG") option->check(kNoOption);
    }
}

void add_project(CLI::App& command, std::string& file, bool& none) {
  CLI::Option* project =
      command.add_option("--project", file, "The project file; by default that of this folder or the nearest above")
          ->type_name("FILE");
  command.add_flag("--no-project", none, "Read no project file")->excludes(project);
}

void add_common(CLI::App& command, CommonOptions& options, DiagnosticStream& errors, bool one_spec = false) {
  options.errors = &errors;
  add_project(command, options.project, options.no_project);
  command
      .add_option("spec", options.specs,
                  one_spec ? "A spec" : "Specs, and folders of specs; those of pallasgen.yaml where none are given")
      ->required(one_spec)
      ->type_name("SPEC");
  command.add_option("-D", options.defines, "Override a const, or a setting by path (pipeline.stages=3)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command.add_option("--root", options.root, "The folder that spec paths are relative to")->type_name("DIR");
  command
      .add_option_function<std::string>(
          "--error-format",
          [&errors](const std::string& name) {
            errors.set_format(name == "json"     ? ErrorFormat::json
                              : name == "github" ? ErrorFormat::github
                                                 : ErrorFormat::text);
          },
          "text, json or github")
      ->check(CLI::IsMember({"text", "json", "github"}));
  command
      .add_option("--extern-arg", options.extern_args,
                  "A compiler's argument for the headers of `extern`, such as -Ifolder")
      ->type_name("ARG")
      ->allow_extra_args(false);
  command
      .add_option("--compile-commands", options.compile_commands,
                  "A compilation database with the include paths and defines for these headers")
      ->type_name("FILE");
  command.add_option("--target", options.target, "Plan for this target instead of the spec's")->type_name("SM");
}

void add_output(CLI::App& command, CommonOptions& options) {
  command.add_option("--out", options.out, "The output root, that of pallasgen.yaml by default")->type_name("DIR");
  command
      .add_option("--template-dir", options.template_dir, "Templates here shadow the built-in ones by relative path")
      ->check(CLI::ExistingDirectory);
  command
      .add_option("--bindings", options.bindings,
                  "Also write exports for frameworks: ffi, <stem>.ffi.cpp over Apache TVM-FFI; python, that and "
                  "<stem>.py, a function for PyTorch, JAX, CuPy and NumPy")
      ->type_name("KIND")
      ->check(CLI::IsMember({"ffi", "python"}));
  command.add_flag("--plan-json", options.plan_json, "Also write the plan as <stem>.plan.json");
}

// Lets the command run with the defaults of the project file.
template <class Options, class Run>
void run_in_project(CLI::App& command, Options& options, const Wanted& wanted, int& code, Run run) {
  command.callback([&options, wanted, &code, run] { code = take_project(options, wanted) ? run(options) : kUsage; });
}

int run(int argc, char** argv) {
  CLI::App app{"pallasgen turns kernel specs into CUDA source that a person would be glad to review", "pallasgen"};
  app.set_version_flag("--version", "pallasgen " PALLASGEN_VERSION);
  app.require_subcommand(1);
  int code = kFine;
  DiagnosticStream errors(stderr, shows_colors(stderr));

  InitOptions init_options;
  init_options.errors = &errors;
  CLI::App* init = app.add_subcommand("init", "Write a commented spec to begin with, which has tests");
  init->add_option("form", init_options.form,
                   "attention, elementwise, matmul or reduction; project, a folder of its own")
      ->type_name("FORM");
  init->add_option("--from", init_options.from, "In place of FORM: a spec of the library, such as rows/rms_norm")
      ->type_name("SPEC");
  init->add_option("--name", init_options.name, "The kernel's name; by default that of the file, else FORM");
  init->add_option("--out", init_options.out, "Where it goes; NAME.yaml by default, of a project the folder NAME")
      ->type_name("FILE");
  init->add_flag("--force", init_options.force, "Write over a file that is there already");
  init->callback([&] { code = run_init(init_options); });

  GenerateOptions generate_options;
  CLI::App* generate = app.add_subcommand("generate", "Write what changed; nothing if any spec is wrong");
  add_common(*generate, generate_options, errors);
  add_output(*generate, generate_options);
  generate->add_option("--depfile", generate_options.depfile, "Write the dependencies for Ninja and Make")
      ->type_name("FILE");
  generate->add_flag("--prune", generate_options.prune, "Remove outputs whose spec is gone");
  generate->add_flag("--accept-interface", generate_options.accept_interface,
                     "Record signatures of launchers that `interface: frozen` of pallasgen.yaml would keep");
  run_in_project(*generate, generate_options, {.specs = true, .out = true}, code, run_generate);

  CommonOptions check_options;
  CLI::App* check =
      app.add_subcommand("check", "Compare with what is on disk: missing, stale, hand-edited, orphan; exit 3");
  add_common(*check, check_options, errors);
  add_output(*check, check_options);
  run_in_project(*check, check_options, {.specs = true, .out = true}, code, run_check);

  DiffOptions diff_options;
  CLI::App* diff = app.add_subcommand(
      "diff", "What changed in the plan, then in the text: of specs since a revision, of two generated files; exit 3");
  add_common(*diff, diff_options, errors);
  diff->add_option("--against", diff_options.against,
                   "The revision that specs are compared with: HEAD; with -D the spec as it is, without -D")
      ->type_name("REV");
  diff->add_flag("--git", diff_options.git, "Take the arguments of git's external diff drivers");
  run_in_project(*diff, diff_options, {.specs = true}, code, run_diff);

  BuildOptions build_options;
  CLI::App* build = app.add_subcommand("build", "Compile specs by nvcc, and keep what it makes and says");
  add_common(*build, build_options, errors);
  build->add_option("--to", build_options.to, "The folder of what is kept")->required()->type_name("DIR");
  build
      ->add_option(
          "--dump", build_options.dump,
          "What is kept beside source and cubin: ptx, sass, ptxas (what it says), plan; without sass by default")
      ->delimiter(',')
      ->check(CLI::IsMember({"ptx", "sass", "ptxas", "plan"}));
  run_in_project(*build, build_options, {.specs = true}, code, run_build);

  ExplainOptions explain_options;
  CLI::App* explain = app.add_subcommand("explain", "The plan in words, or in pictures");
  add_common(*explain, explain_options, errors);
  explain
      ->add_option("--program", explain_options.program,
                   "The slices of one grid point instead; in pictures its blocks are outlined")
      ->type_name("I,J");
  explain->add_option("--dim", explain_options.dims, "A size, for --program and for the blocks in pictures")
      ->type_name("NAME=SIZE")
      ->allow_extra_args(false);
  explain->add_flag("--svg", explain_options.svg,
                    "Draw where time and bytes go, the timeline, shared memory, blocks and the roofline; needs --to");
  explain->add_flag("--html", explain_options.html,
                    "Write a page of each spec with its pictures, and one of them all; needs --to");
  explain->add_option("--to", explain_options.to, "The folder of pictures and pages")->type_name("DIR");
  run_in_project(*explain, explain_options, {.specs = true}, code, run_explain);

  InterpretOptionsText interpret_options;
  CLI::App* interpret = app.add_subcommand("interpret", "Run a spec on the CPU, program by program");
  add_common(*interpret, interpret_options, errors, true);
  interpret->add_option("--dim", interpret_options.dims, "A size")->type_name("NAME=SIZE")->allow_extra_args(false);
  interpret->add_option("--in", interpret_options.in, "An input array (.npy), or a scalar")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  interpret
      ->add_option("--out", interpret_options.out,
                   "Where an array goes (.npy): an output, or an input as it was given or made")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  interpret->add_option("--order", interpret_options.order, "row_major, reversed or random")
      ->check(CLI::IsMember({"row_major", "reversed", "random"}));
  const std::vector<std::string_view> passes = pass_names();
  interpret->add_option("--at", interpret_options.at, "The tile program after this pass of the planner instead")
      ->check(CLI::IsMember(std::vector<std::string>(passes.begin(), passes.end())));
  const auto add_from = [](CLI::App& command, CommonOptions& options) {
    return command
        .add_option("--from", options.from,
                    "Go on with the tile program in this file: an edited text of `lower --to PASS`")
        ->check(CLI::ExistingFile)
        ->type_name("FILE");
  };
  add_from(*interpret, interpret_options)->needs("--at");
  interpret->add_option("--roles", interpret_options.roles, "With --at: which role goes on where several can")
      ->check(CLI::IsMember({"row_major", "reversed", "random"}));
  interpret->add_option("--seed", interpret_options.seed, "The seed of --order random and --roles random");
  interpret->add_option("--test", interpret_options.test, "Take the sizes and inputs of this entry of the spec's tests")
      ->check(kCount);
  interpret->add_option("--sms", interpret_options.sms, "What num_sms says: the SMs of a device; 132 by default")
      ->check(kCount);
  run_in_project(*interpret, interpret_options, {}, code, run_interpret);

  TestOptions test_options;
  CLI::App* test = app.add_subcommand("test", "Run a spec's tests: reference = interpreter = emulator");
  add_common(*test, test_options, errors);
  test->add_option("--modes", test_options.modes, "plain, asan, tsan")->delimiter(',');
  test->add_option("--policies", test_options.policies, "When asynchronous work completes: late, early, random")
      ->delimiter(',');
  test->add_option("--dims", test_options.dims, "Sizes in place of the spec's tests; may be repeated")
      ->type_name("NAME=SIZE,...")
      ->allow_extra_args(false);
  test->add_option("--seeds", test_options.seeds, "Seeds per test");
  test->add_option("--schedules", test_options.schedules, "How many random schedules policy random stands for");
  test->add_option("--programs", test_options.programs, "Only tests of at most so many programs, where there are some");
  test->add_option("--seconds", test_options.seconds, "How long a program may run before it counts as hanging");
  test->add_option("--keep", test_options.keep, "Keep programs and arrays in this folder")->type_name("DIR");
  test->add_option("--work-dir", test_options.work_dir, "Where compiled programs are cached")->type_name("DIR");
  test->add_flag("--batch", test_options.batch, "Compile all kernels, whose names differ, into one program");
  run_in_project(*test, test_options, {.specs = true}, code, run_test);

  CommonOptions lower_options;
  std::string lower_to = "ops";
  CLI::App* lower = app.add_subcommand(
      "lower", "Print a spec in a lower form: ops, every string as its tree; canonicalise, its tile program");
  add_common(*lower, lower_options, errors, true);
  bool lower_times = false;
  CLI::Option* to = lower->add_option("--to", lower_to, "The form: ops; a pass or a step; cu, the generated file");
  lower->add_flag("--times", lower_times, "Print how long each pass and step takes, in milliseconds")->excludes(to);
  add_from(*lower, lower_options);
  run_in_project(*lower, lower_options, {}, code, [&](const CommonOptions& options) {
    return run_lower(options, lower_times ? "cu" : lower_to, lower_times);
  });

  ListOptions list_options;
  CLI::App* list = app.add_subcommand("list", "One line per spec: place, kernel, what it computes; or the operations");
  add_common(*list, list_options, errors);
  list->get_option("spec")->required(false);
  list->add_flag("--ops", list_options.ops, "The operations of the language: signature, dtypes, meaning");
  list->callback(
      [&] { code = take_project(list_options, {.specs = !list_options.ops}) ? run_list(list_options) : kUsage; });

  CommonOptions project_options;
  project_options.errors = &errors;
  std::string project_key;
  CLI::App* project = app.add_subcommand("project", "What pallasgen.yaml says, for builds and scripts");
  add_project(*project, project_options.project, project_options.no_project);
  project->add_option("key", project_key, "Only the values of this key, a line each")
      ->check(CLI::IsMember(project_keys()));
  run_in_project(*project, project_options, {.specs = true, .project = true}, code,
                 [&](const CommonOptions& options) { return run_project(options, project_key); });

  std::string runtime_out;
  CLI::App* runtime = app.add_subcommand("runtime", "Copy the headers that generated code includes into a folder");
  runtime->add_option("--out", runtime_out, "The folder that gets pallasgen/")->required()->type_name("DIR");
  runtime->callback([&] { code = run_runtime(runtime_out, errors); });

  VetOptions vet_options;
  vet_options.errors = &errors;
  CLI::App* vet = app.add_subcommand("vet", "Check the protocol of generated, possibly edited kernel files");
  vet->add_option("file", vet_options.files, "Kernel files; those of pallasgen.yaml's output root where none are given")
      ->type_name("FILE.cu");
  add_project(*vet, vet_options.project, vet_options.no_project);
  vet->add_flag("--facts", vet_options.wants_facts, "Print roles, barriers and registers as JSON");
  vet->add_flag("--not-checked", vet_options.not_checked, "Say what of a file was not checked, and why");
  vet->add_option("--error-format", vet_options.format, "text, json or github")
      ->check(CLI::IsMember({"text", "json", "github"}));
  vet->add_option("--extra-arg", vet_options.extra, "An argument for Clang, such as -Ifolder")
      ->type_name("ARG")
      ->allow_extra_args(false);
  vet->callback([&] { code = run_vet(vet_options); });

  CLI::App* schema = app.add_subcommand("schema", "Print the JSON Schema of the language");
  schema->callback([&] { std::fputs(json_schema().c_str(), stdout); });

  std::string manual_form;
  CLI::App* manual_command = app.add_subcommand("manual", "The command table as a man page or a shell's completion");
  manual_command->group("");  // hidden: only the build uses it
  manual_command->add_option("--as", manual_form, "man, bash or zsh")
      ->required()
      ->check(CLI::IsMember({"man", "bash", "zsh"}));
  manual_command->callback([&] { std::fputs(manual(app, manual_form).c_str(), stdout); });

  check_values(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
    report_usage(app, error, argc, argv, errors);
    return kUsage;
  }
  errors.close();
  // Lost output (a full disk, a closed pipe) is a failure of files, not a success.
  if (std::fflush(stdout) != 0 && code == kFine) return kFiles;
  return code;
}

}  // namespace
}  // namespace pallasgen

int main(int argc, char** argv) {
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);  // write() reports a full disk or a size limit, which can be cleaned up after
#endif
  try {
    return pallasgen::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pallasgen: internal error: %s\n", error.what());
    return 70;
  }
}
