#pragma once

#include <doctest/doctest.h>

#include <deque>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "emit/emit.h"
#include "plan/plan.h"
#include "spec/spec.h"

// A plan made from a spec of the library, with the objects that it points to.
struct Sample {
  pallasgen::Sources sources;
  pallasgen::Diagnostics diagnostics;
  std::string name;
  pallasgen::Plan plan;
};

// Returns the plan of specs/<path>.yaml with some of its constants and settings replaced.
inline Sample& sample(const std::string& path, const std::vector<pallasgen::Define>& defines = {}) {
  static std::deque<Sample> all;
  Sample& made = all.emplace_back();
  made.name = path;
  for (const pallasgen::Define& define : defines) made.name += " " + define.name + "=" + define.value;
  CAPTURE(made.name);
  const std::string file = std::string(PALLASGEN_SOURCE_DIR) + "/specs/" + path + ".yaml";
  std::ifstream stream(file, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  const pallasgen::SourceText& source = made.sources.add(file, text);
  auto spec = pallasgen::read_spec(source, defines, made.sources, made.diagnostics);
  REQUIRE(spec);
  auto kernel = pallasgen::check(std::make_shared<const pallasgen::Spec>(std::move(*spec)), made.diagnostics);
  REQUIRE(kernel);
  auto plan = pallasgen::make_plan(*kernel, kernel->targets.front(), made.diagnostics);
  REQUIRE(plan);
  made.plan = std::move(*plan);
  return made;
}

// Returns one plan of every kind that the planner makes.
inline const std::vector<Sample*>& samples() {
  static const std::vector<Sample*> all = {
      &sample("basics/iota8"),
      &sample("basics/show_program_ids"),
      &sample("elementwise/add_matrices"),
      &sample("elementwise/add_matrices", {{"bm", "128"}, {"bn", "256"}}),
      &sample("elementwise/add_matrices_pipelined"),
      &sample("elementwise/add_matrices_pipelined", {{"schedule.persistent", "true"}}),
      &sample("operands/every_other_row_pipelined"),
      &sample("operands/scale_in_place"),
      &sample("operands/sums_below"),
      &sample("reductions/sum_by_strategy"),
      &sample("reductions/sum_by_strategy", {{"schedule.reduction", "shuffle"}}),
      &sample("reductions/total", {{"schedule.reduction", "neighbours"}}),
      &sample("matmul/matmul"),
      &sample("matmul/matmul", {{"trans_a", "true"}, {"bk", "128"}, {"pipeline.stages", "auto"}}),
      &sample("matmul/matmul", {{"T", "f16"}, {"bn", "128"}, {"pipeline.compute_warpgroups", "1"}}),
      &sample("matmul/matmul", {{"pipeline.stages", "1"}, {"schedule.persistent", "false"}}),
      &sample("matmul/matmul_gelu"),
      &sample("matmul/matmul_gelu", {{"with_bias", "true"}, {"activation", "silu"}}),
  };
  return all;
}

inline pallasgen::EmitOptions options_of(const std::string& template_dir = {}) {
  return {
      "specs/matmul/matmul_gelu.yaml", "0123456789abcdef", "matmul_gelu", template_dir, /*ffi=*/true, /*python=*/true};
}

// Returns the files of a plan, which must emit.
inline pallasgen::EmittedFiles emitted(const pallasgen::Plan& plan) {
  pallasgen::Diagnostics diagnostics;
  auto files = pallasgen::emit(plan, options_of(), diagnostics);
  REQUIRE(files);
  return *files;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}
