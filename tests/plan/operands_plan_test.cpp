#include "planned.h"
#include "program/program_walk.h"

using namespace pallasgen;

namespace {

std::string spec(const std::string& rest) { return "pallasgen: 1\nkernel: f\n" + rest; }

const program::ForTiles& tiles_of(const Plan& plan) {
  return std::get<program::ForTiles>(plan.roles.back().program.front().node);
}

bool has_requirement(const Plan& plan, RequirementKind kind) {
  for (const Requirement& requirement : plan.launch.requirements) {
    if (requirement.kind == kind) return true;
  }
  return false;
}

// Returns by dim the largest size that the launcher takes, if not all blocks are below 2^31.
std::map<int, int64_t> most(const std::string& consts, const std::string& block = "[bn, 2]",
                            const std::string& index = "[i, 0]", const std::string& dims = "{N: {multiple_of: 16}}") {
  const Planned planned("pallasgen: 1\nkernel: f\nconsts: " + consts + "\ndims: " + dims +
                        "\ngrid: [{axis: i, size: \"cdiv(N, bn)\"}]\ninputs: {x: {type: \"u8[N, 2]\", block: " + block +
                        ", index_map: " + index +
                        ", fill: 0}}\noutputs: {y: {type: \"u8[N, 2]\", block: [bn, 2], index_map: [i, 0]}}\n"
                        "body: [\"y[...] = x ^ 1\"]\n");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  return planned.plan->launch.most;
}

}  // namespace

TEST_CASE("an output that is the buffer of an input has the input's parameter") {
  const Planned planned = library("operands/scale_in_place.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  std::vector<std::string> names;
  for (const Parameter& parameter : planned.plan->launch.parameters) names.push_back(parameter.name);
  CHECK(names == std::vector<std::string>{"x", "y", "M", "N", "alpha", "stream"});
  CHECK(buffer_of(*planned.kernel, 2) == 0);
  CHECK(is_written(*planned.kernel, 0));
  CHECK(!is_written(*planned.kernel, 1));
}

TEST_CASE("strides: the launcher checks those of outputs, and vectors need whole units") {
  const Planned planned = library("operands/add_strided.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  CHECK(has_requirement(*planned.plan, RequirementKind::distinct));
  for (const Requirement& aligned : pointers_of(*planned.plan)) CHECK(aligned.bytes.value == 16);
  const Planned odd = Planned(spec(R"(dims: {M: {}, X: {multiple_of: 2}}
grid: [{axis: m, size: M}]
inputs: {x: {type: "f32[M, 8]", strides: [X, _], block: [squeezed, 8], index_map: [m, 0]}}
outputs: {o: {type: "f32[M, 8]", block: [squeezed, 8], index_map: [m, 0]}}
body:
  - o[...] = x
)"));
  REQUIRE_MESSAGE(odd.plan.has_value(), odd.errors());
  CHECK(!has_requirement(*odd.plan, RequirementKind::distinct));
  for (const Requirement& aligned : pointers_of(*odd.plan)) CHECK(aligned.bytes.value == (aligned.ref == 0 ? 4 : 16));
}

TEST_CASE("what has an init is filled, and its pointer checked before a grid is found empty") {
  const Planned planned = library("operands/every_other_row.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  REQUIRE(planned.plan->launch.fills.size() == 1);
  CHECK(planned.plan->launch.fills[0].ref == 1);
  CHECK(has_requirement(*planned.plan, RequirementKind::aligned));
  CHECK(planned.plan->work.skip != nullptr);
}

TEST_CASE("a size that depends on an axis is declared where that axis is known") {
  const Planned planned = library("operands/sums_below.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  CHECK(std::holds_alternative<program::DeclareSteps>(tiles_of(*planned.plan).body.front().node));
  for (const Parameter& argument : planned.plan->launch.arguments) CHECK(argument.name != "steps_j");
  const Planned nested = Planned(spec(R"(grid:
  - {axis: i, size: 3}
  - {axis: j, size: i + 1, semantics: sequential}
  - {axis: k, size: j, semantics: sequential}
outputs: {o: {type: "i32[3]", block: [1], index_map: [i]}}
scratch: {n: {type: "i32[1]", space: reg}}
body:
  - when: j == 0 and k == 0
    do: ["n[...] = 0"]
  - n[...] += k
  - when: j == num_programs(j) - 1 and k == num_programs(k) - 1
    do: ["o[...] = n"]
)"));
  REQUIRE_MESSAGE(nested.plan.has_value(), nested.errors());
  const program::Statements& body = tiles_of(*nested.plan).body;
  const auto* outer = std::get_if<program::DeclareSteps>(&body.front().node);
  REQUIRE(outer);
  CHECK(outer->axis == 1);
  for (const program::Statement& statement : body) {
    const auto* steps = std::get_if<program::ForSteps>(&statement.node);
    if (!steps) continue;
    const auto* inner = std::get_if<program::DeclareSteps>(&steps->body.front().node);
    REQUIRE(inner);
    CHECK(inner->axis == 2);
  }
}

TEST_CASE("blocks that may begin before their array, or end early, are told to loads") {
  const Planned window = library("operands/window_sum.yaml");
  REQUIRE_MESSAGE(window.plan.has_value(), window.errors());
  int early = 0, late = 0;
  for_each_statement(tiles_of(*window.plan).body, [&](const program::Statement& statement) {
    const auto* load = std::get_if<program::Load>(&statement.node);
    early += load && load->access.dims[0].may_be_below;
    late += load && load->access.dims[0].may_pass_end;
  });
  CHECK(early == 1);  // x[0:] of a block that is one element early
  CHECK(late == 3);   // x[0:], x[1:] and x[2:]
}

TEST_CASE("one ring for several sequential axes, from an array with strides") {
  const Planned planned = library("pipeline/sum_of_planes.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  REQUIRE(planned.plan->rings.size() == 1);
  CHECK(planned.plan->rings[0].moves_on == std::vector<int>{1, 2});
  CHECK(planned.plan->maps[0].strides.size() == 3);
  // The ring advances with the innermost of them.
  const auto& producer = std::get<program::ForTiles>(planned.plan->roles.front().program.front().node);
  const auto& outer = std::get<program::ForSteps>(producer.body.front().node);
  CHECK(outer.rings.empty());
  CHECK(std::get<program::ForSteps>(outer.body.front().node).rings == std::vector<int>{0});
}

TEST_CASE("the launcher takes no dim with which the last block ends beyond an int") {
  CHECK(most("{bn: 128}").empty());  // 2^24 blocks end at 2^31 - 1
  CHECK(most("{bn: 131072}").empty());
  // 11,184 blocks of 192,000 are the most that end below 2^31.
  CHECK(most("{bn: 192000}") == std::map<int, int64_t>{{0, 11184 * INT64_C(192000)}});
  CHECK(most("{bn: 96}") == std::map<int, int64_t>{{0, (INT64_C(1) << 31) / 96 * 96}});
  CHECK(most("{bn: 96}", "[bn, 2]", "[i, 0]", "{N: {multiple_of: 16, max: 2147483520}}").empty());
  // The last block of x begins beyond an int, so that its start is computed in 64 bits.
  CHECK(most("{bn: 128}", "[bn, 2]", "[i + 1, 0]").empty());
}

TEST_CASE("operands: results of broadcasts are stored 16 bytes at a time, whatever their rank") {
  for (int rank = 1; rank <= 8; ++rank) {
    for (const std::string kernel : {"expand", "where"}) {
      const std::string path = "tests/oracle/cases/" + kernel + "_rank_" + std::to_string(rank) + "/spec.yaml";
      CAPTURE(path);
      const Planned planned(text_of(path), {}, "", path);
      REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
      std::string access;
      for (const Decision& decision : planned.plan->decisions) {
        if (decision.subject == "access to y") access = decision.choice;
      }
      CHECK(access == "16 bytes at a time, masked");
      CHECK_FALSE(planned.has_rule("slow-path"));
    }
  }
}

TEST_CASE("the launcher takes no dim by 0 of which a size is divided, unless a condition keeps it from that") {
  const auto messages = [](const std::string& size) {
    const Planned planned(spec("dims: {M: {}, K: {}, L: {min: 1}}\ngrid: [{axis: m, size: \"" + size +
                               "\"}]\ninputs: {x: {type: \"f32[M]\", space: gmem}}\n"
                               "outputs: {o: {type: \"f32[M]\", space: gmem}}\nbody:\n  - o[m] = x[m]\n"));
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    std::vector<std::string> found;
    for (const Requirement& requirement : planned.plan->launch.requirements) found.push_back(requirement.message);
    return found;
  };
  const auto position = [](const std::vector<std::string>& list, const std::string& text) {
    return std::find(list.begin(), list.end(), text) - list.begin();
  };
  const auto of_k = messages("cdiv(M, K)");
  CHECK(position(of_k, "K must not be 0") < position(of_k, "the size of m must be below 2^31"));
  const auto of_both = messages("cdiv(M, M // K)");
  CHECK(position(of_both, "K must not be 0") < position(of_both, "M // K must not be 0"));
  CHECK(position(of_both, "M // K must not be 0") < position(of_both, "the size of m must be below 2^31"));
  for (const char* size : {"cdiv(M, L)", "cdiv(M, max(K, 1))", "where(K > 0, cdiv(M, max(K, 1)), 0)", "cdiv(M, 4)"})
    for (const std::string& message : messages(size)) CHECK(message.find("must not be 0") == std::string::npos);
}

TEST_CASE("stores ask whether their array is empty only where it may be") {
  const auto may_be_empty = [](const std::string& path) {
    const Planned planned(text_of(path), {}, "", path);
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    std::vector<std::string> names;
    for (const TensorMapPlan& map : planned.plan->maps)
      if (map.may_be_empty) names.push_back(map.name);
    return names;
  };
  CHECK(may_be_empty("specs/matmul/matmul.yaml").empty());            // no tiles where M or N is 0
  CHECK(may_be_empty("specs/matmul/matmul_f8_blocks.yaml").empty());  // N // bn is 0 where N is: whole blocks
  CHECK(may_be_empty("specs/attention/attention_fwd.yaml").empty());
  CHECK(may_be_empty("tests/corners/no_elements_of_maps.yaml") == std::vector<std::string>{"map_c"});
  CHECK(may_be_empty("specs/attention/attention_bwd.yaml") == std::vector<std::string>{"map_dq"});
}

TEST_CASE("messages of the launcher call arguments by their names in the spec, not by identifiers") {
  const Planned planned = library("matmul/ragged_dot.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const auto& requirements = planned.plan->launch.requirements;
  CHECK(std::any_of(requirements.begin(), requirements.end(), [](const Requirement& requirement) {
    return requirement.message == "tiles must be a pointer to device memory, a multiple of 4 bytes";
  }));
}
