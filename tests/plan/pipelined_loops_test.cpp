#include "prepare/pipelined_loops.h"

#include "planned.h"

using namespace pallasgen;

namespace {

constexpr const char* kHead = R"yaml(pallasgen: 1
kernel: sums
dims: {K: {}, N: {multiple_of: 4}}
consts: {bn: 512}
grid: [{axis: n, size: "cdiv(N, bn)"}]
inputs:
  x: {type: "f32[K, N]", space: gmem}
outputs:
  o: {type: "f32[N]", block: [bn], index_map: [n]}
pipeline: {stages: 4, warp_specialized: true}
body:
)yaml";
constexpr const char* kLoop = R"yaml(  - total = zeros(f32, [bn])
  - {for: k, range: K, do: ["total = total + x[k, ds(n * bn, bn)]"]}
)yaml";

// Returns the kernel with the loop as an axis; null if it is unchanged.
std::shared_ptr<const Kernel> lowered(const std::string& body, const std::string& head = kHead) {
  const Planned planned(head + body);
  INFO(planned.errors());
  REQUIRE(planned.kernel);
  return with_loop_as_axis(*planned.kernel);
}

std::string without(std::string text, const std::string& part) {
  const size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.erase(at, part.size());
}

}  // namespace

TEST_CASE("a loop over slices of global memory becomes a sequential axis") {
  const std::shared_ptr<const Kernel> kernel = lowered(std::string(kLoop) + "  - o[...] = total\n");
  REQUIRE(kernel);
  REQUIRE(kernel->axes.size() == 2);
  CHECK(kernel->axes[1].name == "k");
  CHECK(kernel->axes[1].sequential);
  CHECK(to_string(kernel->axes[1].size) == "K");
  const Ref& x = *kernel->find_ref("x");
  CHECK(x.space == MemorySpace::smem);
  CHECK(x.shape == Shape{512});
  CHECK(x.block[0].kind == BlockKind::squeezed);
  CHECK(to_string(x.block[0].index) == "k");
  CHECK(x.block[1].kind == BlockKind::blocked);
  CHECK(to_string(x.block[1].index) == "n");
  CHECK(to_string(x.block[1].size_expr) == "bn");
  const Ref* total = kernel->find_ref("total");
  REQUIRE(total);
  CHECK(total->role == RefRole::scratch);
  CHECK(total->space == MemorySpace::reg);
  REQUIRE(kernel->body.size() == 3);
  CHECK(guard_kind(*kernel, std::get<WhenStmt>(kernel->body[0].node).condition) == GuardKind::first);
  CHECK(guard_kind(*kernel, std::get<WhenStmt>(kernel->body[2].node).condition) == GuardKind::last);
}

TEST_CASE("a loop with a stride takes as many steps as it has turns") {
  const std::shared_ptr<const Kernel> kernel = lowered(
      "  - total = zeros(f32, [bn])\n"
      "  - {for: k, range: \"n, K, num_sms\", do: [\"total = total + x[k, ds(n * bn, bn)]\"]}\n"
      "  - o[...] = total\n");
  REQUIRE(kernel);
  CHECK(to_string(kernel->axes[1].size) == "maximum(cdiv(K - n, num_sms), 0)");
  CHECK(to_string(kernel->find_ref("x")->block[0].index) == "k * num_sms + n");
}

TEST_CASE("a matmul by a loop over slices has the plan of one with a sequential axis") {
  const Planned loop = library("matmul/matmul_loop.yaml", {}), axis = library("matmul/matmul.yaml", {});
  INFO(loop.errors());
  REQUIRE(loop.plan);
  REQUIRE(axis.plan);
  REQUIRE(loop.plan->roles.size() == axis.plan->roles.size());
  CHECK(loop.plan->rings.size() == 1);
  CHECK(loop.plan->rings[0].operands.size() == 2);
  CHECK(loop.kernel->find_ref("acc") == nullptr);
}

TEST_CASE("loops that stay loops") {
  const std::string end = "  - o[...] = total\n", whole = kLoop + end;
  CHECK(lowered(whole));
  SUBCASE("no copies ahead are asked for") {
    CHECK_FALSE(lowered(whole, without(kHead, "pipeline: {stages: 4, warp_specialized: true}\n")));
  }
  SUBCASE("two loops") {
    CHECK_FALSE(
        lowered(kLoop + std::string("  - {for: j, range: K, do: [\"total = total + x[j, ds(n * bn, bn)]\"]}\n") + end));
  }
  SUBCASE("the slice is read behind the loop too") {
    CHECK_FALSE(lowered(std::string(kLoop) + "  - o[...] = total + x[0, ds(n * bn, bn)]\n"));
  }
  SUBCASE("two slices of one array") {
    CHECK_FALSE(lowered(
        "  - total = zeros(f32, [bn])\n"
        "  - {for: k, range: K - 1, do: [\"total = total + x[k, ds(n * bn, bn)] * x[k + 1, ds(n * bn, bn)]\"]}\n" +
        end));
  }
  SUBCASE("steps of which nobody knows the sign, and backward ones") {
    for (const char* step : {"K - 2", "-1"})
      CHECK_FALSE(lowered("  - total = zeros(f32, [bn])\n  - {for: k, range: \"0, K, " + std::string(step) +
                          "\", do: [\"total = total + x[k, ds(n * bn, bn)]\"]}\n" + end));
  }
  SUBCASE("a name before the loop is what an earlier step has changed") {
    CHECK_FALSE(
        lowered("  - o[...] = 0\n  - before = o[...] + 1\n" + std::string(kLoop) + "  - o[...] = total + before\n"));
  }
}

TEST_CASE("guards bind what they read of inputs, as a program without a step does not run the steps' names") {
  const std::string head = kHead;
  const size_t at = head.find("outputs:");
  const std::string with_w = head.substr(0, at) + "  w: {type: \"f32[8]\"}\n" + head.substr(at);
  const std::shared_ptr<const Kernel> kernel =
      lowered("  - top = max(w)\n  - low = min(w)\n" + std::string(kLoop) + "  - o[...] = total + top * low\n", with_w);
  REQUIRE(kernel);
  const KernelStmts& after = std::get<WhenStmt>(kernel->body.back().node).then;
  REQUIRE(after.size() == 3);
  CHECK(after[0].text == "top = max(w)");
  CHECK(after[1].text == "low = min(w)");
  CHECK(std::holds_alternative<WhenStmt>(kernel->body.front().node));  // no step needs the names
}

TEST_CASE("a name that the loop reads too is bound in its steps and in the guard") {
  const std::string head = kHead;
  const size_t at = head.find("outputs:");
  const std::string with_w = head.substr(0, at) + "  w: {type: \"f32[8]\"}\n" + head.substr(at);
  const std::shared_ptr<const Kernel> kernel = lowered(
      "  - top = max(w)\n  - total = zeros(f32, [bn])\n"
      "  - {for: k, range: K, do: [\"total = total + x[k, ds(n * bn, bn)] * top\"]}\n"
      "  - o[...] = total + top\n",
      with_w);
  REQUIRE(kernel);
  const BindStmt& step = std::get<BindStmt>(kernel->body.front().node);
  const BindStmt& guard = std::get<BindStmt>(std::get<WhenStmt>(kernel->body.back().node).then.front().node);
  CHECK(step.name == "top");
  CHECK(guard.name == "top");
  CHECK(step.local != guard.local);
}

TEST_CASE("a name of an input that an output overwrites is not computed anew in each step") {
  const std::string head = kHead;
  const size_t at = head.find("outputs:");
  const std::string block = "{type: \"f32[N]\", space: gmem, block: [bn], index_map: [n]}\n";
  const size_t pipeline = head.find("pipeline:");
  const std::string aliased = head.substr(0, at) + "  w: " + block + head.substr(at, pipeline - at) + "  p: " + block +
                              "aliases: {p: w}\n" + head.substr(pipeline);
  const std::string body = "  - top = w[0:512]\n" + std::string(kLoop) + "  - p[0:512] = 1\n  - o[...] = total + top\n";
  CHECK(lowered(body, aliased) == nullptr);
}
