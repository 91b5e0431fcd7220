#include <fstream>
#include <sstream>

#include "checked.h"

using namespace pallasgen;

namespace {

std::string spec_file(const std::string& path) {
  std::ifstream file(std::string(PALLASGEN_SOURCE_DIR) + "/specs/" + path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A kernel of one ref over a grid, to test guards and effects. `grid` holds axes, `body` statements.
std::string one_output(const std::string& grid, const std::string& output, const std::string& body,
                       const std::string& more = "") {
  return "pallasgen: 1\nkernel: one\ndims: {M: {}, N: {}, K: {min: 1}}\ngrid: [" + grid + "]\noutputs: {z: " + output +
         "}\n" + more + "body:\n" + body;
}

const std::string kSteps =
    "{axis: i, size: 4}, {axis: j, size: \"cdiv(N, 8)\", semantics: sequential}, "
    "{axis: k, size: \"cdiv(K, 8)\", semantics: sequential}";

GuardKind kind_of(const std::string& grid, const std::string& condition) {
  const Checked checked(one_output(grid, "{type: \"f32[32]\", block: [8], index_map: [i]}",
                                   "  - when: " + condition + "\n    do:\n      - z[...] = 0\n"));
  CAPTURE(checked.errors());
  REQUIRE(checked.kernel);
  return guard_kind(*checked.kernel, std::get<WhenStmt>(checked.kernel->body[0].node).condition);
}

}  // namespace

TEST_CASE("an order of tiles is a list of axes and of groups along them") {
  const Checked checked(one_output("{axis: i, size: 4}, {axis: j, size: \"cdiv(N, 8)\"}",
                                   "{type: \"f32[32, N]\", block: [8, 8], index_map: [i, j]}", "  - z[...] = 0\n",
                                   "schedule: {tile_order: [{axis: j, width: 3}, -i, j]}\n"));
  CAPTURE(checked.errors());
  REQUIRE(checked.kernel);
  const TileOrder& order = checked.kernel->schedule.tile_order;
  CHECK(order.kind == TileOrderKind::listed);
  REQUIRE(order.parts.size() == 3);
  CHECK((order.parts[0].axis == 1 && order.parts[0].width == 3 && !order.parts[0].reversed));
  CHECK((order.parts[1].axis == 0 && order.parts[1].width == 0 && order.parts[1].reversed));
  CHECK((order.parts[2].axis == 1 && order.parts[2].width == 0 && !order.parts[2].reversed));
}

TEST_CASE("matmul_gelu is checked into what its spec says") {
  const Checked checked(spec_file("matmul/matmul_gelu.yaml"));
  CAPTURE(checked.errors());
  REQUIRE(checked.kernel);
  const Kernel& kernel = *checked.kernel;
  CHECK(kernel.name == "matmul_gelu");
  CHECK(kernel.targets == std::vector<std::string>{"sm_90a"});
  CHECK(kernel.sequential_axes() == 1);
  REQUIRE(kernel.refs.size() == 4);  // no bias
  const Ref* a = kernel.find_ref("a");
  REQUIRE(a);
  CHECK(a->dtype == DType::bf16);
  CHECK(a->shape == Shape{128, 64});
  CHECK(a->block[0].kind == BlockKind::blocked);
  CHECK(to_string(a->block[0].size_expr) == "bm");
  CHECK(to_string(a->block[1].index) == "k");
  CHECK(a->fill == Scalar(0.0));
  CHECK(kernel.find_ref("acc")->space == MemorySpace::acc);
  CHECK(kernel.pipeline.stages.value == 4);
  CHECK(kernel.pipeline.warp_specialized.value);
  CHECK(kernel.schedule.tile_order.kind == TileOrderKind::strips);
  CHECK(kernel.schedule.tile_order.axis == 0);
  CHECK(kernel.schedule.tile_order.width == 8);
  REQUIRE(kernel.functions.size() == 1);
  CHECK(kernel.functions[0].name == "gelu");
  REQUIRE(kernel.body.size() == 3);
  CHECK(guard_kind(kernel, std::get<WhenStmt>(kernel.body[0].node).condition) == GuardKind::first);
  CHECK(guard_kind(kernel, std::get<WhenStmt>(kernel.body[2].node).condition) == GuardKind::last);
  CHECK(std::get<StoreStmt>(kernel.body[1].node).op == Op::add);
}

TEST_CASE("constants choose refs, branches, dtypes and functions") {
  const Checked bias(spec_file("matmul/matmul_gelu.yaml"), {{"with_bias", "true"}, {"activation", "silu"}});
  CAPTURE(bias.errors());
  REQUIRE(bias.kernel);
  CHECK(bias.kernel->find_ref("bias"));
  CHECK(bias.kernel->functions[0].name == "silu");
  for (const char* a : {"true", "false"}) {
    for (const char* b : {"true", "false"}) {
      const Checked matmul(spec_file("matmul/matmul.yaml"),
                           {{"trans_a", a}, {"trans_b", b}, {"T", "f16"}, {"bm", "192"}});
      CAPTURE(matmul.errors());
      REQUIRE(matmul.kernel);
      const bool transposed = a == std::string("true");
      CHECK(matmul.kernel->find_ref("a")->shape == (transposed ? Shape{64, 192} : Shape{192, 64}));
      CHECK(matmul.kernel->find_ref("a")->dtype == DType::f16);
      CHECK(matmul.kernel->dims[0].multiple_of == (transposed ? 8 : 1));
    }
  }
}

TEST_CASE("a constant guard checks only the branch it takes") {
  const std::string z = "{type: \"f32[32]\", block: [8], index_map: [i]}";
  const auto body_of = [&](const std::string& flag) {
    const Checked checked(one_output(kSteps, z,
                                     "  - when: flag\n    do:\n      - z[...] = nothing\n    else:\n"
                                     "      - t = f32(1)\n      - z[...] = t\n",
                                     "consts: {flag: " + flag + "}\n"));
    return checked.kernel ? static_cast<int>(checked.kernel->body.size()) : -checked.diagnostics.errors();
  };
  CHECK(body_of("false") == 2);  // the statements of `else` replace the guard
  CHECK(body_of("true") == -1);
}

TEST_CASE("guards of the first and last step") {
  CHECK(kind_of(kSteps, "j == 0 and k == 0") == GuardKind::first);
  CHECK(kind_of(kSteps, "0 == k and j == 0") == GuardKind::first);
  CHECK(kind_of(kSteps, "j == num_programs(j) - 1 and k == num_programs(k) - 1") == GuardKind::last);
  CHECK(kind_of(kSteps, "j == cdiv(N, 8) - 1 and k + 1 == num_programs(k)") == GuardKind::last);
  CHECK(kind_of(kSteps, "k == 0") == GuardKind::none);
  CHECK(kind_of(kSteps, "j == 0 and k == num_programs(k) - 1") == GuardKind::none);
  CHECK(kind_of(kSteps, "j == 0 and k == 0 and i == 0") == GuardKind::none);
  CHECK(kind_of(kSteps, "j == 0 or k == 0") == GuardKind::none);
  const std::string one = "{axis: i, size: 4}, {axis: k, size: 5, semantics: sequential}";
  CHECK(kind_of(one, "k == 0") == GuardKind::first);
  CHECK(kind_of(one, "k == 4") == GuardKind::last);
  CHECK(kind_of(one, "k == 3") == GuardKind::none);
  CHECK(kind_of(one, "k < 1") == GuardKind::none);
  CHECK(kind_of(one, "i == 0") == GuardKind::none);
}

TEST_CASE("facts follow from dims and sizes") {
  const Checked checked(one_output("{axis: i, size: \"cdiv(M, 16)\"}, {axis: j, size: 3}",
                                   "{type: \"f32[M, 24]\", block: [16, 8], index_map: [i, j]}", "  - z[...] = 0\n"));
  CAPTURE(checked.errors());
  REQUIRE(checked.kernel);
  const SymbolFacts facts = checked.kernel->facts();
  CHECK(facts.minimum({SymbolKind::axis, 1, "j"}) == 0);
  CHECK(facts.maximum({SymbolKind::axis, 1, "j"}) == 2);
  CHECK(facts.minimum({SymbolKind::axis_size, 1, "j"}) == 3);
  CHECK(!facts.maximum({SymbolKind::axis, 0, "i"}));
  CHECK(facts.minimum({SymbolKind::dim, 2, "K"}) == 1);
}

TEST_CASE("a partial block needs fill only where facts do not make it whole") {
  const auto rules = [](const std::string& dims, const std::string& a, const std::string& left) {
    return Checked("pallasgen: 1\nkernel: d\ndims: {" + dims +
                   "}\ngrid: [{axis: m, size: \"cdiv(M, 16)\"}]\ninputs:\n  a: {type: \"f32[M, K]\", " + a +
                   "}\n  b: {type: \"f32[64, 32]\"}\noutputs: {c: {type: \"f32[M, 32]\", block: [16, 32], index_map: "
                   "[m, 0]}}\n"
                   "body:\n  - t = " +
                   left + "\n  - c[...] = dot(t, b)\n")
        .rules();
  };
  const std::string block = "block: [16, 64], index_map: [m, 0]";
  CHECK(rules("M: {}, K: {}", block, "a") == "dot-partial-contraction");
  CHECK(rules("M: {}, K: {multiple_of: 32}", block, "a") == "dot-partial-contraction");
  CHECK(rules("M: {}, K: {multiple_of: 64}", block, "a") == "");
  CHECK(rules("M: {}, K: {min: 64}", block, "a") == "");
  CHECK(rules("M: {}, K: {}", block + ", fill: 0", "a") == "");
  CHECK(rules("M: {}, K: {}", block + ", fill: 1", "a") == "dot-partial-contraction");
  CHECK(rules("M: {}, K: {}", block, "where(valid(a), a, 0)") == "");
  CHECK(rules("M: {}, K: {}", block, "a * 1") == "");  // computed: the author's responsibility
  CHECK(rules("M: {}, K: {}", block, "a.astype(bf16).astype(f32)") == "dot-partial-contraction");
  CHECK(rules("M: {}, K: {}", block, "a.T.T") == "dot-partial-contraction");
  CHECK(rules("M: {}, K: {}", block, "reshape(a, [16, 64])") == "dot-partial-contraction");
  CHECK(rules("M: {}, K: {}", "block: \"16, element(64)\", index_map: [m, 0]", "a") == "dot-partial-contraction");
  CHECK(rules("M: {}, K: {min: 64}", "block: \"16, element(64)\", index_map: [m, 0]", "a") == "");
}

TEST_CASE("reads of what is not written are found, others are not") {
  const std::string scratch = "scratch: {s: {type: \"f32[8]\"}}\n";
  const std::string z = "{type: \"f32[32]\", block: [8], index_map: [i]}";
  const auto rules = [&](const std::string& body) {
    return Checked(one_output(kSteps, z, body, scratch)).rules_of_errors();
  };
  CHECK(rules("  - z[...] = s\n") == "undefined-read");
  CHECK(rules("  - s[...] = 1\n  - z[...] = s\n") == "");
  CHECK(rules("  - s[...] += 1\n  - z[...] = s\n") == "undefined-read");
  CHECK(rules("  - when: j == 0 and k == 0\n    do:\n      - s[...] = 0\n  - z[...] = s\n") == "");
  CHECK(rules("  - when: k == 0\n    do:\n      - s[...] = 0\n  - z[...] = s\n") == "");
  CHECK(rules("  - when: k > 0\n    do:\n      - s[...] = 0\n  - z[...] = s\n") == "undefined-read");
  CHECK(rules("  - when: k > 0\n    do:\n      - z[...] = s\n  - s[...] = 1\n") == "");
  CHECK(rules("  - when: i == 2\n    do:\n      - s[...] = 0\n  - z[...] = s\n") == "");  // not decided
  CHECK(rules("  - s[0:4] = 0\n  - z[...] = s\n") == "");                                 // not decided
  CHECK(rules("  - z[...] = z + 1\n") == "undefined-read");
  CHECK(rules("  - z[...] = 0\n  - z[...] += 1\n") == "");
  CHECK(rules("  - z[...] = 1.0 if k > 0 else 2.0\n") == "");
}

TEST_CASE("outputs that every step overwrites are warned of, others are not") {
  const std::string scratch = "scratch: {s: {type: \"f32[8]\"}}\n", set = "  - s[...] = j\n";
  const std::string z = "type: \"f32[32]\", block: [8], index_map: [i]";
  const auto rules = [&](const std::string& body, const std::string& of_z = "", const std::string& grid = kSteps) {
    return Checked(one_output(grid, "{" + z + of_z + "}", set + body, scratch)).rules();
  };
  const std::string warned = "unguarded-output";
  CHECK(rules("  - z[...] = s\n") == warned);
  CHECK(rules("  - t = s * 2\n  - z[...] = t\n") == warned);
  CHECK(rules("  - z[...] = s\n", ", init: 0") == warned);
  CHECK(rules("  - for: n\n    range: 8\n    do: [\"z[n] = s[n]\"]\n", ", init: 0") == warned);
  CHECK(rules("  - when: i < 2\n    do: [\"z[...] = s\"]\n    else: [\"z[...] = 0\"]\n") == warned);
  CHECK(rules("  - z[...] = 1\n") == "");  // each step stores the same
  CHECK(rules("  - z[...] = i\n") == "");
  CHECK(rules("  - when: j == num_programs(j) - 1 and k == num_programs(k) - 1\n    do: [\"z[...] = s\"]\n") == "");
  CHECK(rules("  - z[...] = 0\n  - when: s[0] > 0\n    do: [\"z[...] = s\"]\n") == "");  // data choose the step
  CHECK(rules("  - z[...] = 0\n  - z[...] += s\n") == "");
  CHECK(rules("  - z[...] = 0\n  - z[...] = z + s\n") == "");
  CHECK(rules("  - z[k] = s[0]\n", ", init: 0") == "");
  CHECK(rules("  - n = j + k\n  - z[n] = s[0]\n", ", init: 0") == "");
  CHECK(rules("  - z[...] = s\n", ", reduce: add, init: 0") == "");
  CHECK(rules("  - z[...] = s\n", ", space: gmem") == "");
  const std::string one =
      "{axis: i, size: 4}, {axis: j, size: 1, semantics: sequential}, {axis: k, size: 1, semantics: sequential}";
  CHECK(rules("  - z[...] = s\n", "", one) == "");
}

TEST_CASE("writes of two programs to one block are found, others are not") {
  const auto rules = [](const std::string& grid, const std::string& type, const std::string& map,
                        const std::string& more = "") {
    return Checked(one_output(grid, "{type: \"" + type + "\", " + map + "}", "  - z[...] = 1\n", more)).rules();
  };
  const std::string two = "{axis: i, size: \"cdiv(M, 8)\"}, {axis: j, size: 4}";
  CHECK(rules(two, "f32[M, 32]", "block: [8, 8], index_map: [i, j]") == "");
  CHECK(rules(two, "f32[M, 32]", "block: [8, 32], index_map: [i, 0]") == "write-race");
  CHECK(rules(two, "f32[M]", "block: [8], index_map: [\"i * 4 + j\"]") == "");
  CHECK(rules(two, "f32[M]", "block: [8], index_map: [\"i * 3 + j\"]") == "write-race");
  CHECK(rules(two, "f32[M, 32]", "block: [8, 8], index_map: [\"i // 2\", j]") == "write-race");
  CHECK(rules(two, "f32[M, 32]", "block: [8, 8], index_map: [i, \"j ^ 1\"]") == "");
  CHECK(rules("{axis: i, size: 4}", "f32[64]", "block: \"element(8)\", index_map: [\"i * 8\"]") == "");
  CHECK(rules("{axis: i, size: 4}", "f32[64]", "block: \"element(9)\", index_map: [\"i * 8\"]") == "write-race");
  CHECK(rules("{axis: i, size: 1}", "f32[8]", "block: [8], index_map: [0]") == "");
  CHECK(rules("{axis: i, size: 4}", "f32[8]", "block: [8], index_map: [0], init: 0, reduce: add") == "");
  CHECK(rules("{axis: i, size: 4}", "f32[8]", "block: [8], index_map: [0]", "skip: i > 0\n") == "");
  // Far apart: beyond the range that is tried point by point.
  CHECK(rules("{axis: i, size: 5000}, {axis: j, size: 2}", "f32[M]", "block: [8], index_map: [\"i + 5000 * j\"]") ==
        "");
  CHECK(rules("{axis: i, size: 5001}, {axis: j, size: 2}", "f32[M]", "block: [8], index_map: [\"i + 5000 * j\"]") ==
        "write-race");
  // The steps of two programs collide.
  CHECK(rules("{axis: i, size: 4}, {axis: k, size: 4, semantics: sequential}", "f32[M]",
              "block: [8], index_map: [\"i + k\"]") == "write-race");
  CHECK(rules("{axis: i, size: 4}, {axis: k, size: 4, semantics: sequential}", "f32[M]",
              "block: [8], index_map: [\"i * 4 + k\"]") == "");
}

TEST_CASE("blocks wholly outside are found where every launch has them") {
  const auto rules = [](const std::string& grid, const std::string& type, const std::string& map) {
    return Checked("pallasgen: 1\nkernel: o\ndims: {M: {}}\ngrid: [" + grid + "]\ninputs: {x: {type: \"" + type +
                   "\", " + map +
                   "}}\noutputs: {z: {type: \"f32[M]\", block: [1], index_map: [i]}}\nbody:\n  - z[...] = sum(x)\n")
        .rules();
  };
  CHECK(rules("{axis: i, size: 4}", "f32[32]", "block: [8], index_map: [i]") == "");
  CHECK(rules("{axis: i, size: 4}", "f32[25]", "block: [8], index_map: [i]") == "");
  CHECK(rules("{axis: i, size: 4}", "f32[24]", "block: [8], index_map: [i]") == "block-outside");
  CHECK(rules("{axis: i, size: 100000}", "f32[799992]", "block: [8], index_map: [i]") == "block-outside");
  CHECK(rules("{axis: i, size: \"cdiv(M, 8)\"}", "f32[24]", "block: [8], index_map: [i]") ==
        "unreached-block");  // not decided
  CHECK(rules("{axis: i, size: 4}", "f32[M]", "block: [8], index_map: [\"i - 4\"]") == "block-outside");
  CHECK(rules("{axis: i, size: 4}", "f32[30]", "block: \"element(8, 2, 0)\", index_map: [\"i * 8\"]") == "");
  CHECK(rules("{axis: i, size: 4}", "f32[20]", "block: \"element(8, 2, 0)\", index_map: [\"i * 8\"]") ==
        "block-outside");
}

TEST_CASE("the reference is typed for the extents of a launch") {
  const Checked checked(spec_file("matmul/matmul_gelu.yaml"), {{"with_bias", "true"}});
  REQUIRE(checked.kernel);
  Diagnostics diagnostics;
  const std::optional<ReferenceProgram> program =
      type_reference(*checked.kernel, {{"M", 5}, {"N", 16}, {"K", 8}}, diagnostics);
  CAPTURE(render(diagnostics, ErrorFormat::text, false));
  REQUIRE(program);
  REQUIRE(program->outputs.size() == 1);
  CHECK(program->outputs[0].first == "c");
  REQUIRE(program->statements.size() == 1);
  const BindStmt& bind = std::get<BindStmt>(program->statements[0].node);
  CHECK(bind.local == program->outputs[0].second);
  CHECK(bind.value->shape == Shape{5, 16});
  CHECK(bind.value->dtype == DType::bf16);
  CHECK(to_string(bind.value) == "gelu(dot(a, b, trans_b=true) + bias[None, 0:16]).astype(bf16)");
  REQUIRE(program->functions.size() == 1);
  CHECK(program->functions[0].name == "gelu");
}

TEST_CASE("names that C++, CUDA, the runtime or the templates reserve") {
  for (const char* name : {"int", "threadIdx", "smem", "tile", "ring", "launch", "co_await", "kStages", "cudaError",
                           "a__b", "std", "pallasgen", "e", "printf", "xor"}) {
    CHECK(is_reserved(name, NamePlace::function));
  }
  for (const char* name : {"a", "acc", "bm", "m", "matmul_gelu", "key", "kernel", "Integer", "x_"})
    CHECK_FALSE(is_reserved(name, NamePlace::file));
}
