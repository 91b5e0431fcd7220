#include "job.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace pallasgen;
namespace fs = std::filesystem;

namespace {

// A kernel y = f(x), x and y f32[N], as far as a job uses it.
Plan copy_plan() {
  auto kernel = std::make_shared<Kernel>();
  kernel->name = "copy";
  kernel->dims.push_back({"N", 1, 0, {}, "", {}});
  for (const char* name : {"x", "y"}) {
    Ref ref;
    ref.name = name;
    ref.role = ref.name == "x" ? RefRole::input : RefRole::output;
    ref.array_shape = {make_typed({}, DType::index, {}, Symbol{SymbolKind::dim, 0, "N"})};
    kernel->refs.push_back(ref);
  }
  Plan plan;
  plan.kernel = kernel;
  plan.launch.parameters = {{ParameterKind::ref, 0, "x"},
                            {ParameterKind::ref, 1, "y"},
                            {ParameterKind::dim, 0, "N"},
                            {ParameterKind::stream, -1, "stream"}};
  return plan;
}

Arguments arguments_of(int64_t size) {
  Arguments arguments;
  arguments.dims["N"] = size;
  arguments.arrays["x"] = Array::zeros(DType::f32, {size});
  for (int64_t i = 0; i < size; ++i) arguments.arrays["x"].set(i, static_cast<double>(i) + 0.5);
  return arguments;
}

// A shell script that replaces a host program; it gets the job file as $1.
struct Scratch {
  fs::path folder = fs::temp_directory_path() / ("pallasgen-job-" + std::to_string(getpid()));
  Scratch() { fs::create_directories(folder); }
  ~Scratch() { fs::remove_all(folder); }
  std::string program(const std::string& script) const {
    const std::string path = (folder / "program").string();
    std::ofstream(path) << "#!/bin/bash\n" << script;
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
};

std::vector<JobOutcome> run(const Scratch& scratch, const std::string& script,
                            std::initializer_list<const char*> names) {
  JobFolder job((scratch.folder / "job").string());
  for (const char* name : names) job.add(copy_plan(), name, arguments_of(5), 0);
  Diagnostics diagnostics;
  std::vector<JobOutcome> outcomes;
  CHECK(job.run({scratch.program(script)}, "late", 600, diagnostics, outcomes));
  return outcomes;
}

// Copies each case's input to its output as a right program would.
const char* const kCopy = R"(
while read -r word bytes path; do
  case $word in
    case) name=$bytes ;;
    in) from=$path ;;
    out) to=$path ;;
    end) if [ "$name" = "$CRASH" ]; then echo "boom" >&2; exit 81; fi; head -c 20 "$from" > "$to"; echo "done $name" ;;
  esac
done < "$1"
)";

}  // namespace

TEST_CASE("the driver passes the launcher's parameters in order") {
  const Plan plan = copy_plan();
  const std::string text = driver_text({{plan.kernel.get(), &plan, {}, "copy"}});
  CHECK(text.find("return copy(call.arrays[0], call.arrays[1], call.dims[0], call.stream);") != std::string::npos);
  CHECK(text.find("#include \"copy.h\"\n") != std::string::npos);
  Plan dependent = plan;
  dependent.launch.dependent = true;
  CHECK(is_launched_twice(dependent));
  Kernel in_place = *plan.kernel;
  in_place.refs[1].alias_of = 0;
  dependent.kernel = std::make_shared<Kernel>(in_place);
  CHECK_FALSE(is_launched_twice(dependent));
  const std::string both =
      driver_text({{plan.kernel.get(), &plan, {}, "copy"}, {plan.kernel.get(), &plan, {}, "copy"}});
  CHECK(both.find("return host_copy::copy(call.arrays[0]") != std::string::npos);
  CHECK(both.find("namespace host_copy {\n#include \"copy.cu\"\n}\n") != std::string::npos);
  // Headers of kernels that share a program precede their namespaces.
  const EmittedFiles narrow{"#include \"copy.h\"\n\n#include <pallasgen/narrow.cuh>\n", ""};
  CHECK(driver_text({{plan.kernel.get(), &plan, narrow, "copy"}, {plan.kernel.get(), &plan, narrow, "copy"}})
            .find("#include <pallasgen/narrow.cuh>\n\nnamespace host_copy {") != std::string::npos);
}

TEST_CASE("a launch on a workspace follows one with other inputs, a dependent one one that is the same") {
  const Scratch scratch;
  const auto lines_of = [&](const Plan& plan, DType dtype) {
    JobFolder job((scratch.folder / "job").string());
    Arguments arguments = arguments_of(3);
    arguments.arrays["x"] = Array::zeros(dtype, {3});
    for (int64_t i = 0; i < 3; ++i) arguments.arrays["x"].set(i, static_cast<double>(i) + 1);
    job.add(plan, "one", arguments, 0);
    job.add(plan, "refused", arguments, kInvalidValue);
    Diagnostics diagnostics;
    std::vector<JobOutcome> outcomes;
    const std::string seen =
        "grep -E '^twice|^expect' \"$1\"; first=$(sed -n 's/^first //p' \"$1\")\n"
        "[ -z \"$first\" ] || od -An -tf4 \"$first\" | xargs\n";
    REQUIRE(job.run({scratch.program(seen + kCopy)}, "late", 600, diagnostics, outcomes));
    return outcomes[0].printed;
  };
  Plan plan = copy_plan();
  CHECK(lines_of(plan, DType::f32) == std::vector<std::string>{"expect 1"});
  plan.launch.parameters.push_back({ParameterKind::workspace, -1, "workspace"});
  CHECK(lines_of(plan, DType::f32) == std::vector<std::string>{"expect 1", "3 2 1"});
  CHECK(lines_of(plan, DType::i32) == std::vector<std::string>{"twice", "expect 1"});
  plan.launch.dependent = true;
  CHECK(lines_of(plan, DType::f32) == std::vector<std::string>{"twice", "expect 1"});
}

TEST_CASE("a launch of more CTAs than the grid has programs is a failure") {
  const Scratch scratch;
  const auto with = [&](const std::string& line) {
    return run(scratch, "echo 'pallasgen emulator: " + line + "; in all 1 launches' >&2" + kCopy, {"one"})[0].failure;
  };
  CHECK(with("copy_kernel: 2 CTAs") == "2 CTAs were launched, the grid has work for 1");
  CHECK(with("copy_kernel: 1 CTAs") == "");
  CHECK(with("fill_arrays_kernel: 9 CTAs") == "");
}

TEST_CASE("what a kernel prints belongs to its case") {
  const Scratch scratch;
  const std::string script =
      "echo 'pallasgen emulator: copy_kernel: 1 CTAs; in all 1 launches' >&2\n"
      "echo 'x is 3'; echo 'x is 4'; echo 'done one'; echo 'x is 5'; echo 'done two'";
  const auto outcomes = run(scratch, script, {"one", "two"});
  CHECK(outcomes[0].printed == std::vector<std::string>{"x is 3", "x is 4"});
  CHECK(outcomes[1].printed == std::vector<std::string>{"x is 5"});
}

TEST_CASE("outputs come back with their shapes") {
  const Scratch scratch;
  const auto outcomes = run(scratch, kCopy, {"one", "two"});
  REQUIRE(outcomes.size() == 2);
  for (const JobOutcome& outcome : outcomes) {
    CHECK(outcome.failure == "");
    REQUIRE(outcome.outputs.contains("y"));
    CHECK(outcome.outputs.at("y").shape == Shape{5});
    CHECK(outcome.outputs.at("y").at(3) == 3.5);
  }
}

TEST_CASE("of an array whose elements lie far apart the files have the elements alone") {
  const Scratch scratch;
  Plan plan = copy_plan();
  Kernel kernel = *plan.kernel;
  for (Ref& ref : kernel.refs) ref.strides = {make_typed({}, DType::index, {}, Constant{int64_t{1} << 31, {}})};
  plan.kernel = std::make_shared<Kernel>(kernel);
  JobFolder job((scratch.folder / "job").string());
  job.add(plan, "one", arguments_of(5), 0);
  Diagnostics diagnostics;
  std::vector<JobOutcome> outcomes;
  const std::string seen = "grep -c '^places 4 1 5 2147483648$' \"$1\"; grep -c ' 34359738372 ' \"$1\"\n";
  REQUIRE(job.run({scratch.program(seen + kCopy)}, "late", 600, diagnostics, outcomes));
  CHECK(outcomes[0].failure == "");
  CHECK(outcomes[0].printed == std::vector<std::string>{"2", "2"});
  CHECK(outcomes[0].outputs.at("y").at(3) == 3.5);
}

TEST_CASE("a case that ends the program fails alone; the cases behind it run") {
  const Scratch scratch;
  const auto outcomes = run(scratch, "CRASH=two\n" + std::string(kCopy), {"one", "two", "three"});
  REQUIRE(outcomes.size() == 3);
  CHECK(outcomes[0].failure == "");
  CHECK(outcomes[1].failure.find("exit code 81\n") == 0);
  CHECK(outcomes[1].failure.find("boom") != std::string::npos);
  CHECK(outcomes[2].failure == "");
}

TEST_CASE("what the runner refuses, and what it does not write, are failures") {
  const Scratch scratch;
  CHECK(run(scratch, "echo 'failed one: null pointer'; exit 1\n", {"one"})[0].failure == "null pointer");
  CHECK(run(scratch, "echo 'done one'\n", {"one"})[0].failure.find("was not written") != std::string::npos);
  CHECK(run(scratch, "exit 0\n", {"one"})[0].failure.find("exit code 0") == 0);
  CHECK(run(scratch, std::string(kCopy) + "exit 87\n", {"one"})[0].failure.find("exit code 87") == 0);
}

TEST_CASE("what a job must come to lies beside it") {
  const Scratch scratch;
  const std::string folder = (scratch.folder / "job").string();
  fs::create_directories(folder);
  JobFolder job(folder);
  job.add(copy_plan(), "fine", arguments_of(2), 0);
  job.add(copy_plan(), "stopped", arguments_of(2), 0);
  job.add(copy_plan(), "refused", arguments_of(2), 1);
  ExpectedCase fine, stopped;
  fine.outputs["y"] = arguments_of(2).arrays["x"];
  fine.tolerances["y"] = 0.25;
  fine.printed = {"a line", "another"};
  stopped.faults = {{"oob", "x"}, {"nan", "y"}};
  Diagnostics diagnostics;
  REQUIRE(job.expect({fine, stopped, {}}, diagnostics));
  std::stringstream text, bytes;
  text << std::ifstream(folder + "/expected").rdbuf();
  CHECK(text.str() ==
        "case fine\nprinted a line\nprinted another\nout f32 0.25 fine.y\nend\n"
        "case stopped\nfault oob x\nfault nan y\nend\ncase refused\nrefused\nend\n");
  bytes << std::ifstream(folder + "/fine.y.want").rdbuf();
  const float want[] = {0.5f, 1.5f};
  CHECK(bytes.str() == std::string(reinterpret_cast<const char*>(want), sizeof want));
}

TEST_CASE("every fact that a launcher checks is broken once") {
  Plan plan = copy_plan();
  Kernel kernel = *plan.kernel;
  kernel.dims[0].multiple_of = 4;
  kernel.dims[0].min = 4;
  plan.kernel = std::make_shared<Kernel>(kernel);
  plan.launch.parameters.push_back({ParameterKind::workspace, -1, "workspace"});
  CHECK(misuses_of(plan, arguments_of(8)).size() == 8);  // x and y have no requirements
  plan.launch.arguments = {{ParameterKind::ref, 0, "x"}, {ParameterKind::ref, 1, "y"}};
  std::vector<std::string> texts;
  const std::vector<Misuse> misuses = misuses_of(plan, arguments_of(8));
  for (const Misuse& misuse : misuses) texts.push_back(misuse.text);
  CHECK(texts == std::vector<std::string>{"x is null", "x is misaligned", "x is 2 bytes too far", "y is null",
                                          "y is misaligned", "y is 2 bytes too far", "N=-4", "N=9", "N=0",
                                          "N=2147483648", "the workspace is null", "the workspace is misaligned",
                                          "the workspace is 128 bytes too far", "the workspace is small"});
  CHECK(misuses_of(plan, arguments_of(0)).empty());

  const Scratch scratch;
  JobFolder job((scratch.folder / "job").string());
  job.add(plan, "fine", arguments_of(8), 0);
  job.add_misuse(plan, 0, "shifted", misuses[4]);
  job.add_misuse(plan, 0, "negative", misuses[6]);
  Diagnostics diagnostics;
  std::vector<JobOutcome> outcomes;
  REQUIRE(job.run({scratch.program("cp \"$1\" " + (scratch.folder / "seen").string())}, "late", 600, diagnostics,
                  outcomes));
  std::stringstream seen;
  seen << std::ifstream(scratch.folder / "seen").rdbuf();
  const std::string path = (scratch.folder / "job").string();
  CHECK(seen.str().find("case negative\nexpect 1\nin 32 " + path + "/fine.x\nout 32 " + path + "/fine.y\ndim -4\n") !=
        std::string::npos);
}

TEST_CASE("outputs start as NaN, 0 and large numbers in turn") {
  const Scratch scratch;
  const auto fill = [&](const std::string& policy) {
    JobFolder job((scratch.folder / "job").string());
    job.add(copy_plan(), "one", arguments_of(5), 0);
    Diagnostics diagnostics;
    std::vector<JobOutcome> outcomes;
    CHECK(job.run({scratch.program("grep ^fill \"$1\"\necho 'done one'")}, policy, 600, diagnostics, outcomes));
    return outcomes[0].printed;
  };
  const std::vector<std::string> nan = {"fill 255"}, zero = {"fill 0"}, large = {"fill 127"};
  CHECK(fill("late") == nan);
  CHECK(fill("early") == zero);
  CHECK(fill("random") == large);
  CHECK(fill("random:3") == nan);
  CHECK(fill("random:4") == zero);
  CHECK(fill("random:5") == large);
}
