#include <nlohmann/json.hpp>

#include "plan/words.h"
#include "planned.h"

using namespace pallasgen;

namespace {

// The example of Pallas' documentation: array (100, 100), block (10, 20), grid (10, 5).
const char* const kSlices = R"yaml(pallasgen: 1
kernel: slices
dims: {M: {}, N: {}}
grid: [{axis: i, size: "cdiv(M, 10)"}, {axis: j, size: "cdiv(N, 20)"}]
inputs: {x: {type: "f32[M, N]", block: [10, 20], index_map: [i, j]}}
outputs: {o: {type: "f32[M, N]", block: [10, 20], index_map: [i, j]}}
body: ["o[...] = x"]
)yaml";

}  // namespace

TEST_CASE("explain_program gives the slices of one grid point") {
  Planned planned(kSlices);
  REQUIRE_MESSAGE(planned.kernel.has_value(), planned.errors());
  const auto text = explain_program(*planned.kernel, {2, 4}, {{"M", 100}, {"N", 100}}, planned.diagnostics);
  REQUIRE(text.has_value());
  CHECK(*text == "program (i, j) = (2, 4)\n  x[20:30, 80:100]\n  o[20:30, 80:100]\n");
  const auto ragged = explain_program(*planned.kernel, {9, 4}, {{"M", 97}, {"N", 85}}, planned.diagnostics);
  REQUIRE(ragged.has_value());
  CHECK(ragged->find("x[90:100, 80:100]  (3 of dim 0 past its end at 97; 15 of dim 1 past its end at 85)") !=
        std::string::npos);
}

TEST_CASE("explain_program refuses points outside and missing sizes") {
  for (const auto& [point, dims] :
       {std::pair(std::vector<int64_t>{10, 0}, std::map<std::string, int64_t>{{"M", 100}, {"N", 100}}),
        {{0}, {{"M", 100}, {"N", 100}}},
        {{0, -1}, {{"M", 100}, {"N", 100}}},
        {{0, 0}, {{"M", 100}}},
        {{0, 0}, {{"M", 0}, {"N", 100}}}}) {
    Planned planned(kSlices);
    CHECK(!explain_program(*planned.kernel, point, dims, planned.diagnostics).has_value());
    CHECK(planned.has_rule("program-point"));
  }
}

TEST_CASE("facts are the head of the example") {
  const Planned planned = library("matmul/matmul_gelu.yaml");
  REQUIRE(planned.plan.has_value());
  const std::vector<Fact> list = facts(*planned.plan);
  REQUIRE(list.size() == 4);
  CHECK(list[0].label == "tile");
  CHECK(list[0].lines ==
        std::vector<std::string>{"128 x 256 x 64 per CTA; (m, n) persistent in strips of 8 tiles along "
                                 "m; k sequential"});
  CHECK(list[1].lines ==
        std::vector<std::string>{"a, b: 4 stages of 49,152 bytes (a 16,384, b 32,768); one wgmma group in "
                                 "flight"});
  CHECK(list[2].lines[0] == "warpgroup 0     producer    40 registers, one thread issues the copies");
  CHECK(list[2].lines[1] ==
        "warpgroups 1-2  consumers  232 registers, 64 x 256 of the tile each; their epilogue is not "
        "overlapped");
  CHECK(list[3].lines ==
        std::vector<std::string>{"a 65,536 | b 131,072 | c staging 32,768 | barriers 64 | padding 960 = "
                                 "230,400 of 232,448 bytes"});
}

TEST_CASE("facts follow the numbers of the plan") {
  const Planned planned = library("matmul/matmul_gelu.yaml");
  Plan changed = *planned.plan;
  changed.rings[0].slots = number(7);
  changed.roles[1].registers = number(208);
  const std::vector<Fact> list = facts(changed);
  CHECK(list[1].lines[0].find("7 stages") != std::string::npos);
  CHECK(list[2].lines[1].find("208 registers") != std::string::npos);
}

TEST_CASE("explain tells roles, memory, barriers, decisions and the model") {
  const Planned planned = library("matmul/matmul_gelu.yaml");
  const std::string text = explain(*planned.plan);
  for (const char* part :
       {"producer (warpgroup 0): one thread issues the copies; 40 registers", "230,400 of 232,448 bytes",
        "full[4] completes after 1 arrival + 49,152 bytes", "a model, nothing was measured", "verdict: compute-bound",
        "what would move it", "swizzle of a: 128 bytes, K-major"}) {
    CHECK_MESSAGE(text.find(part) != std::string::npos, part);
  }
  const std::string streaming = explain(*library("elementwise/add_matrices_pipelined.yaml").plan);
  CHECK(streaming.find("verdict: bandwidth-bound") != std::string::npos);
}

TEST_CASE("the projection is versioned JSON and the same every time") {
  const std::string text = plan_json(*library("matmul/matmul_gelu.yaml").plan);
  CHECK(text == plan_json(*library("matmul/matmul_gelu.yaml").plan));
  const nlohmann::json json = nlohmann::json::parse(text);
  CHECK(json.at("pallasgen_plan") == 1);
  CHECK(json.at("shared_memory").at("total") == 230400);
  CHECK(json.at("rings")[0].at("slots").at("text") == "kStages");
  CHECK(json.at("roles")[1].at("setmaxnreg") == 232);
  CHECK(json.at("roles")[1].at("program")[0].at("do") == "for_tiles");
  CHECK(text.back() == '\n');
}

TEST_CASE("a role that takes what others write to memory is told with its warp, its ring and why there is one") {
  const Planned planned = library("attention/attention_bwd.yaml");
  REQUIRE_MESSAGE(planned.plan, planned.errors());
  const std::string text = explain(*planned.plan);
  for (const char* part :
       {"producer (warp 0): one thread issues the copies; 40 registers",
        "storer (warp 1): one thread adds dq to memory; 40 registers",
        "dq: 1 stage of 32,768 bytes; written by the threads that compute it, taken to memory by the storer",
        "full_dq[1] completes after 2 arrivals; each consumer arrive, storer wait: stage s_dq holds dq of this step",
        "empty_dq[1] completes after 1 arrival; storer arrive, consumers wait",
        "stores of dq: by a warp beside the producer (they move in each step", "ring_dq 0 |"}) {
    CHECK_MESSAGE(text.find(part) != std::string::npos, part);
  }
  CHECK(text.find("stores of dk:") == std::string::npos);
  CHECK(text.find("for these: they agree") != std::string::npos);  // the timeline and the cost model
  const nlohmann::json json = nlohmann::json::parse(plan_json(*planned.plan));
  CHECK(json.at("roles").size() == 3);
  CHECK(json.at("roles")[1].at("name") == "storer");
  CHECK(json.at("roles")[1].at("first_warp") == 1);
  CHECK(json.at("stores")[0].at("ring") == "ring_dq");
}

TEST_CASE("the tile is the largest block of which each program has its own") {
  // For an output; for an input if all programs share the outputs.
  for (const auto& [path, tile] : {std::pair("rows/softmax_rows.yaml", "1"), {"indexing/histogram.yaml", "2048"}}) {
    Planned planned = library(path);
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    CHECK(tile_text(*planned.plan) == tile);
  }
}
