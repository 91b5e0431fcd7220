// Properties of every embedded template.
#include <doctest/doctest.h>

#include <regex>

#include "element_program.h"
#include "emit/template.h"
#include "sample_plans.h"
#include "template_folder.h"

using namespace pallasgen;

namespace {

// Statements that no spec of the library needs yet, in a plan.
Plan with_other_statements() {
  Plan plan = sample("elementwise/add_matrices").plan;
  program::Statements& statements = plan.roles[0].program;
  const TypedPtr zero = make_typed({}, DType::f32, {}, Constant{0.0, ""});
  plan.scalars.push_back({"scale", DType::f32, zero});
  program::If branch{make_typed({}, DType::boolean, {}, Constant{true, ""}), {}, {}};
  branch.then.push_back({"", false, program::BindScalar{0}});
  statements.push_back({"", false, program::DeclareFragment{0}});
  statements.push_back({"", false, std::move(branch)});
  statements.push_back({"", false, program::ScanLanes{0, 0, Op::sum}});
  return plan;
}

Plan with_poll() {
  Plan plan = sample("checks/scaled_steps_pipelined").plan;
  plan.roles[1].program.push_back({"", false, program::PollFault{0}});
  return plan;
}

// Threads read an operand of instructions.
Plan with_operand_load() {
  Plan plan = sample("matmul/matmul").plan;
  plan.roles[1].program.push_back({"", false, program::LoadShared{0, 0, 0, nullptr, {1, "1"}}});
  return plan;
}

// Bytes are expected in a stage for which no thread has waited.
Plan with_bytes_alone() {
  Plan plan = sample("matmul/matmul").plan;
  plan.roles[0].program.push_back({"", false, program::ExpectBytes{plan.rings[0].full, 0}});
  return plan;
}

const std::vector<Plan>& all_plans() {
  static const std::vector<Plan> plans = [] {
    std::vector<Plan> list;
    for (const Sample* made : samples()) list.push_back(made->plan);
    list.push_back(with_other_statements());
    list.push_back(sample("pipeline/add_ahead").plan);
    list.push_back(sample("checks/scaled_steps_pipelined").plan);
    list.push_back(with_poll());
    list.push_back(with_operand_load());
    list.push_back(with_bytes_alone());
    list.push_back(sample("pipeline/add_any_rows").plan);
    list.push_back(sample("pipeline/labelled_sums").plan);
    list.push_back(sample("reductions/group_norm").plan);
    list.push_back(sample("indexing/counts").plan);
    list.push_back(sample("rows/layer_norm").plan);
    list.push_back(sample("rows/softmax_wide").plan);
    list.push_back(sample("rows/layer_norm_wide", {{"pipeline.prefetch", "1"}}).plan);
    list.push_back(sample("elementwise/activation_forward", {{"schedule.programs_per_cta", "4"}}).plan);
    list.push_back(sample("matmul/matmul_any").plan);
    list.push_back(sample("pipeline/running_sums").plan);
    list.push_back(sample("attention/attention_fwd").plan);
    list.push_back(sample("attention/attention_paged").plan);
    list.push_back(sample("matmul/matmul_w4").plan);
    list.push_back(sample("matmul/matmul_tf32_multistage").plan);
    list.push_back(sample("attention/attention_bwd").plan);
    list.push_back(element_program::plan());
    return list;
  }();
  return plans;
}

// Templates of generated files; initial specs and projects have templates too.
std::vector<std::string> templates_of_code() {
  std::vector<std::string> paths = embedded_template_paths();
  std::erase_if(paths,
                [](const std::string& path) { return path.starts_with("init/") || path.starts_with("project/"); });
  REQUIRE(paths.size() > 50);
  return paths;
}

}  // namespace

TEST_CASE("every template is used, and a name that it does not find is an error at its line") {
  for (const std::string& path : templates_of_code()) {
    CAPTURE(path);
    TemplateFolder folder;
    folder.write(path, "$# broken\n${nothing.of_this_name}\n");
    const std::string expected = path + ":2: undefined name 'nothing.of_this_name'";
    bool used = false;
    for (const Plan& plan : all_plans()) {
      Diagnostics diagnostics;
      if (emit(plan, options_of(folder.path()), diagnostics) && emit_statements(plan, folder.path(), diagnostics))
        continue;
      REQUIRE(diagnostics.all().size() == 1);
      CHECK(diagnostics.all()[0].message == expected);
      used = true;
      break;
    }
    CHECK(used);
  }
}

TEST_CASE("no template holds a number of a plan") {
  // Tile sizes, stages, registers, threads and bytes are over 1; 0 and 1 are phases and bounds.
  const std::regex digits(R"((^|[^A-Za-z0-9_])([0-9]+))");
  for (const std::string& path : templates_of_code()) {
    const std::string text = *Templates().find(path);
    for (std::sregex_iterator it(text.begin(), text.end(), digits), end; it != end; ++it) {
      CAPTURE(path);
      const std::string number = (*it)[2];
      CHECK((number == "0" || number == "1"));
    }
  }
}

TEST_CASE("templates hold no assembly and no line that is too long") {
  for (const std::string& path : embedded_template_paths()) {
    CAPTURE(path);
    const std::string text = *Templates().find(path);
    CHECK_FALSE(std::regex_search(text, std::regex(R"(\basm\b)")));
    for (const std::string& line : lines_of(text)) CHECK(line.size() <= size_t{kMaxColumns});
  }
}

TEST_CASE("every loop over a fragment in a template is unrolled") {
  for (const std::string& path : templates_of_code()) {
    std::string before;
    for (const std::string& line : lines_of(*Templates().find(path))) {
      CAPTURE(path);
      const bool loop = line.find("for (int") != std::string::npos;
      const bool steps =
          path == "statement/for_steps.cu.in" || path == "statement/for_elements.cu.in" || path == "file/kernel.cu.in";
      if (loop && !steps) CHECK((before.find("#pragma unroll") != std::string::npos || before.starts_with("$")));
      before = line;
    }
  }
}
