#include <algorithm>
#include <functional>

#include "element_bodies.h"
#include "program/program_walk.h"

using namespace pallasgen;
using namespace element_bodies;

TEST_CASE("element bodies: a reduction of few terms that is stored as it is takes no tile") {
  const Planned sum = of_rows("  - o[...] = sum(concatenate([x[:, 0:8], x[:, 8:16]], axis=1), axis=1)\n", kVector);
  REQUIRE_MESSAGE(sum.plan.has_value(), sum.errors());
  CHECK(tiles(*sum.plan).empty());
  CHECK(syncs(*sum.plan).empty());
  CHECK(count<program::ForElements>(*sum.plan) == 1);
  CHECK(count<program::ForRange>(*sum.plan) == 1);
}

TEST_CASE("element bodies: what many elements use is computed once, in a tile that is named for its statement") {
  const Planned scaled = of_rows("  - o[...] = x / sum(" + kTwice + ", axis=1)[:, None]\n", kMatrix);
  REQUIRE_MESSAGE(scaled.plan.has_value(), scaled.errors());
  CHECK(tiles(*scaled.plan) == std::vector<std::string>{"o_sum"});
  CHECK(scaled.plan->shared.fields[0].dims[0].value == 8);
  CHECK(syncs(*scaled.plan) == std::vector<std::string>{"o_sum is written"});
}

TEST_CASE("element bodies: loops over one whole tile need no sync between them") {
  const std::string turned = "x[:, (iota(i32, [64], 0) + 1) % 64]";
  const Planned own =
      of_rows("  - s = exp(" + turned + ")\n  - t = exp(s + " + turned + ")\n  - o[...] = t * t + s + " + turned + "\n",
              kMatrix);
  REQUIRE_MESSAGE(own.plan.has_value(), own.errors());
  CHECK(syncs(*own.plan).empty());
  const Planned rows =
      of_rows("  - p = exp(x)\n  - o[...] = p / sum(concatenate([p, x], axis=1), axis=1)[:, None]\n", kMatrix);
  REQUIRE_MESSAGE(rows.plan.has_value(), rows.errors());
  CHECK(syncs(*rows.plan) == std::vector<std::string>{"p is written", "o_sum is written"});
}

TEST_CASE("element bodies: the end of a loop meets its beginning") {
  const Planned loop = of_rows(
      "  - h = x\n  - for: i\n    range: \"3\"\n    do:\n      - h = h + sum(concatenate([h, h], axis=0), "
      "axis=0)[None, :]\n"
      "  - o[...] = h\n",
      kMatrix);
  REQUIRE_MESSAGE(loop.plan.has_value(), loop.errors());
  // The first also orders an iteration after the previous one; the last precedes the store of h from registers.
  CHECK(syncs(*loop.plan) == std::vector<std::string>{"h is written", "h_sum is written", "h is written"});
}

TEST_CASE("element bodies: a tile that is read elsewhere than it is written goes through a second one") {
  const Planned shifted = of_rows(
      "  - h = exp(x)\n  - for: i\n    range: \"2\"\n    do:\n      - h = concatenate([h[:, 1:64], h[:, 0:1]], "
      "axis=1)\n"
      "  - o[...] = h\n",
      kMatrix);
  REQUIRE_MESSAGE(shifted.plan.has_value(), shifted.errors());
  const std::vector<std::string> names = tiles(*shifted.plan);
  CHECK(std::find(names.begin(), names.end(), "h_next") != names.end());
}

TEST_CASE("element bodies: guards between other statements run without a step too") {
  const std::string spec =
      "pallasgen: 1\nkernel: f\ndims: {K: {}}\ngrid: [{axis: k, size: \"cdiv(K, 4)\", semantics: sequential}]\n"
      "inputs:\n  x: {type: \"f32[K]\", block: [4], index_map: [k], fill: 0}\n"
      "outputs:\n  o: {type: \"f32[4]\"}\nscratch:\n  acc: {type: \"f32[4]\", space: smem}\nbody:\n"
      "  - y = x * 2\n  - {when: k == 0, do: [\"acc[...] = 0\"]}\n  - acc[...] += y\n"
      "  - {when: k == num_programs(k) - 1, do: [\"o[...] = acc[...]\"]}\n";
  const Planned guarded(spec);
  REQUIRE_MESSAGE(guarded.plan.has_value(), guarded.errors());
  std::vector<std::string> conditions;
  visit(guarded.plan->roles[0].program, [&](const program::Statement& statement) {
    if (const auto* branch = std::get_if<program::If>(&statement.node))
      conditions.push_back(to_string(branch->condition));
  });
  CHECK(conditions.empty());  // they are before and after the loop
}

TEST_CASE("element bodies: beside a producer elements are read in the slots of its ring") {
  const std::string head =
      "pallasgen: 1\nkernel: f\ndims: {M: {}, N: {multiple_of: 4}}\nconsts: {bm: 8, bn: 64}\ngrid:\n"
      "  - {axis: m, size: \"cdiv(M, bm)\"}\n  - {axis: n, size: \"cdiv(N, bn)\", semantics: sequential}\ninputs:\n"
      "  x: {type: \"f32[M, N]\", block: [bm, bn], index_map: [m, n], fill: 0}\noutputs:\n"
      "  o: {type: \"f32[M, N]\", block: [bm, bn], index_map: [m, n]}\n";
  const std::string scan = "body:\n  - o[...] = cumsum(x, axis=0) + x[0, 0]\n";
  const Planned piped(head + "pipeline: {stages: 2, warp_specialized: true}\n" + scan);
  REQUIRE_MESSAGE(piped.plan.has_value(), piped.errors());
  REQUIRE(piped.plan->roles.size() == 2);
  const program::Statements& consumer = piped.plan->roles[1].program;
  int in_slot = 0, waits = 0, releases = 0;
  visit(consumer, [&](const program::Statement& statement) {
    waits += std::holds_alternative<program::BarrierWait>(statement.node);
    releases += std::holds_alternative<program::Release>(statement.node);
    for_each_binding(statement, [&](const program::Binding& binding) {
      CHECK(binding.kind != program::SlotKind::global);
      if (binding.ring < 0) return;
      ++in_slot;
      CHECK(piped.plan->shared.fields[binding.field].name == "x");
      CHECK(binding.index.size() == 1);
    });
  });
  CHECK(in_slot == 2);
  CHECK(waits == 1);
  CHECK(releases == 1);
  SUBCASE("its stages leave the tiles their room") {
    const Planned open(head + "pipeline: {warp_specialized: true}\n" + scan, {{"bm", "64"}, {"bn", "256"}});
    REQUIRE_MESSAGE(open.plan.has_value(), open.errors());
    CHECK(open.plan->shared.total <= open.plan->shared.limit);
    // Each of the two stages has 64 KiB, and so has the tile of the scan.
    CHECK(open.plan->rings[0].slots.value == 2);
  }
  SUBCASE("a fill that a tensor copy does not give comes by copies that put it into the slot") {
    std::string filled = head;
    filled.replace(filled.find("fill: 0"), 7, "fill: 2");
    const Planned two(filled +
                      "pipeline: {stages: 2, warp_specialized: true}\nbody:\n  - o[...] = cumsum(x, axis=0) + x\n");
    REQUIRE_MESSAGE(two.plan.has_value(), two.errors());
    CHECK(piped.plan->rings[0].operands[0].path == CopyPath::tensor);
    CHECK(two.plan->rings[0].operands[0].path == CopyPath::async);
    bool fills = false;
    visit(two.plan->roles[0].program, [&](const program::Statement& statement) {
      const auto* copy = std::get_if<program::AsyncCopy>(&statement.node);
      fills = fills || (copy && copy->fill && to_string(copy->fill).find('2') != std::string::npos);
    });
    CHECK(fills);
  }
}

TEST_CASE("element bodies: tiles that do not fit are refused with their bytes") {
  const Planned large = Planned(
      "pallasgen: 1\nkernel: f\ninputs: {x: {type: \"f32[512, 512]\"}}\noutputs: {o: {type: \"f32[512, "
      "512]\"}}\nbody:\n"
      "  - o[...] = cumsum(x, axis=0)\n");
  CHECK_FALSE(large.plan.has_value());
  CHECK(large.has_rule("shared-memory"));
  CHECK(large.errors().find("1,048,576") != std::string::npos);
}

TEST_CASE("element bodies: an output that is combined into memory is updated atomically") {
  const Planned combined = of_rows("  - o[...] = cumsum(x, axis=0)[7, (iota(i32, [64], 0) + 1) % 64]\n",
                                   "outputs:\n  o: {type: \"f32[64]\", init: 0, reduce: add}\n");
  REQUIRE_MESSAGE(combined.plan.has_value(), combined.errors());
  bool atomic = false;
  visit(combined.plan->roles[0].program, [&](const program::Statement& statement) {
    const auto* store = std::get_if<program::StoreElement>(&statement.node);
    atomic = atomic || (store && store->ref >= 0 && store->atomic);
  });
  CHECK(atomic);
}

namespace {

Planned of_programs(const std::string& body) {
  return Planned(
      "pallasgen: 1\nkernel: f\ngrid: [{axis: i, size: 8}]\n"
      "inputs:\n  x: {type: \"f32[64]\", block: [8], index_map: [i]}\n"
      "outputs:\n  o: {type: \"f32[64]\", space: gmem, init: 0}\n"
      "workspace:\n  part: {type: \"f32[64]\", init: 0}\n  flag: {type: \"i32[8]\", init: 0}\nbody:\n" +
      body);
}

}  // namespace

TEST_CASE("element bodies: a release comes after what all threads did, an acquire before what they do") {
  const Planned released = of_programs(
      "  - part[ds(i * 8, 8)] = x\n  - store(flag, i, 1, order=release)\n  - n = load(flag, i, order=acquire)\n"
      "  - when: n == 1\n    do:\n      - o[ds(i * 8, 8)] = part[ds(i * 8, 8)]\n");
  REQUIRE_MESSAGE(released.plan.has_value(), released.errors());
  CHECK(syncs(*released.plan) ==
        std::vector<std::string>{"what all threads have written is released together", "n_cell is written"});
  const Planned relaxed =
      of_programs("  - o[ds(i * 8, 8)] = x\n  - part[ds(i * 8, 8)] = x\n  - store(flag, i, 1, order=relaxed)\n");
  REQUIRE_MESSAGE(relaxed.plan.has_value(), relaxed.errors());
  CHECK(syncs(*relaxed.plan).empty());
}

TEST_CASE("element bodies: an acquire by an atomic is handed to all threads") {
  const Planned acquired =
      of_programs("  - atomic_add(flag, i, 1, order=acquire)\n  - o[ds(i * 8, 8)] = part[ds(i * 8, 8)]\n");
  REQUIRE_MESSAGE(acquired.plan.has_value(), acquired.errors());
  CHECK(syncs(*acquired.plan) == std::vector<std::string>{"what was acquired is seen by all threads"});
}

TEST_CASE("element bodies: run-time checks stand where nothing is proved") {
  const auto of = [](const std::string& body, const std::string& index, const std::string& block = "8") {
    return Planned(
        "pallasgen: 1\nkernel: f\nchecks: [oob, nan]\ngrid: [{axis: i, size: 8}]\nscalars: {n: i32}\n"
        "inputs:\n  x: {type: \"f32[64]\", block: \"" +
        block + "\", index_map: \"" + index +
        "\"}\n"
        "outputs:\n  o: {type: \"f32[64]\", block: [8], index_map: [i]}\n  p: {type: \"i32[64]\", block: [8], "
        "index_map: [i]}\nbody:\n  - p[...] = 1\n" +
        body);
  };
  const auto faults = [](const Planned& planned) {
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    return planned.plan->faults;
  };
  CHECK(faults(of("  - o[...] = x\n", "i")) == std::vector<std::string>{"nan: in 'o': o[...] = x"});
  CHECK(faults(of("  - o[...] = x[3]\n", "n"))[0] == "oob: the block of 'x' lies outside");
  // A bounded slice whose place and size are proved, and one of an unknown size.
  const auto sliced = [&](const std::string& size) {
    return of("  - o[...] = x\n", "ds(8 * i, " + size + ")", "bounded_slice(8)");
  };
  CHECK(faults(sliced("min(i + 1, 8)")) == std::vector<std::string>{"nan: in 'o': o[...] = x"});
  CHECK(faults(sliced("n"))[0] == "oob: the block of 'x' lies outside");
  const Planned indexed = of("  - o[...] = x[n]\n", "i");
  CHECK(faults(indexed)[0] == "oob: an index of 'x' is outside: o[...] = x[n]");
  CHECK(count<program::Check>(*indexed.plan) == 2);
  // An access in another statement's value, or a read of its block, is a fault of the value's statement.
  for (const std::string& fault : faults(library("checks/shared_top.yaml")))
    CHECK(fault == "oob: an index of 'x' is outside: picked = x[picks]");
  CHECK(indexed.plan->launch.workspace[0].name == "check_status");
  // The same for a value that is unused, or used only under a guard.
  const std::string bound = "  - v = x[n + iota(i32, [8], 0)]\n",
                    fault = "oob: an index of 'x' is outside: v = x[n + iota(i32, [8], 0)]";
  for (const char* rest :
       {"  - o[...] = 1\n", "  - o[...] = 1\n  - {when: i == 0, do: [\"o[...] = v\"]}\n", "  - o[...] = v\n"})
    CHECK(faults(of(bound + rest, "i"))[0] == fault);
  CHECK(Planned("pallasgen: 1\nkernel: f\noutputs: {o: {type: \"i32[4]\"}}\nchecks: [oob]\nbody:\n  - o[...] = 1\n")
            .plan->launch.workspace.empty());
}

TEST_CASE("element bodies: a fault keeps nobody waiting beside a producer or in grid_sync") {
  const Planned piped = library("checks/scaled_steps_pipelined.yaml");
  REQUIRE_MESSAGE(piped.plan.has_value(), piped.errors());
  int checks = 0, protocol = 0, leaves = 0;
  visit(piped.plan->roles[1].program, [&](const program::Statement& statement) {
    if (const auto* check = std::get_if<program::Check>(&statement.node)) checks += check->stays;
    leaves += std::holds_alternative<program::LeaveOnFault>(statement.node);
    const auto* loop = std::get_if<program::ForSteps>(&statement.node);
    for (size_t i = 0; loop && i < loop->body.size(); ++i) {
      const auto& node = loop->body[i].node;
      protocol += std::holds_alternative<program::BarrierWait>(node) || std::holds_alternative<program::Release>(node);
    }
  });
  CHECK(checks == 2);
  CHECK(leaves == 0);
  CHECK(protocol == 2);
  SUBCASE("a loop whose end depends on values ends for all threads together") {
    const std::string body =
        "  - n = i32(0)\n  - while: x[n] > 0\n    do:\n      - n = n + 1\n  - o[...] = x[0] + n.astype(f32)\n";
    for (const char* waits : {"pipeline: {stages: 2, warp_specialized: true}\n", ""}) {
      const bool beside = *waits != 0;
      const Planned loops(std::string("pallasgen: 1\nkernel: f\nchecks: [oob]\ngrid: [{axis: i, size: 8}]\n") + waits +
                          (beside ? "" : "schedule: {cooperative: true}\n") +
                          "inputs:\n  x: {type: \"f32[64]\", block: [8], index_map: [i]}\noutputs:\n"
                          "  o: {type: \"f32[64]\", block: [8], index_map: [i]}\nbody:\n" +
                          body + (beside ? "" : "  - grid_sync()\n"));
      REQUIRE_MESSAGE(loops.plan.has_value(), loops.errors());
      int asked = 0;
      visit(loops.plan->roles.back().program, [&](const program::Statement& statement) {
        const auto* loop = std::get_if<program::WhileLoop>(&statement.node);
        if (!loop) return;
        for (const program::Binding& binding : loop->bindings)
          asked += binding.field >= 0 && loops.plan->shared.fields[binding.field].name == "fault_seen";
      });
      CHECK(asked == 1);
    }
  }
}

TEST_CASE("element bodies: the words of grid_sync and ticket are zeroed parts of the workspace") {
  const Planned drawn = of_programs("  - o[ds(ticket(), 1)] = f32(1)\n");
  REQUIRE_MESSAGE(drawn.plan.has_value(), drawn.errors());
  REQUIRE_FALSE(drawn.plan->launch.workspace.empty());
  CHECK(drawn.plan->launch.workspace[0].name == "ticket_counter");
  CHECK(drawn.plan->launch.fills[0].part == 0);
  CHECK(count<program::TakeTicket>(*drawn.plan) == 1);
  CHECK(tiles(*drawn.plan) == std::vector<std::string>{"ticket_slot"});
  const Planned plain = of_programs("  - o[ds(i * 8, 8)] = x\n");
  REQUIRE_MESSAGE(plain.plan.has_value(), plain.errors());
  CHECK(plain.plan->launch.workspace.size() == 2);
}

TEST_CASE("element bodies: what ran before a loop is awaited before it, not in its turns") {
  // The threads read all of `inside` together for the condition.
  const Planned any = of_rows(
      "  - inside = x > 0.0\n  - while: any(inside)\n    do:\n      - inside = inside and x > 1.0\n"
      "  - o[...] = where(inside, 1.0, 0.0)\n",
      kMatrix);
  int in_reductions = 0;
  visit(any.plan->roles[0].program, [&](const program::Statement& statement) {
    const auto* loop = std::get_if<program::ForRange>(&statement.node);
    if (loop)
      in_reductions += static_cast<int>(std::count_if(loop->body.begin(), loop->body.end(), [](const auto& inner) {
        return std::holds_alternative<program::RoleSync>(inner.node);
      }));
  });
  CHECK(in_reductions == 0);
  CHECK(syncs(*any.plan) == std::vector<std::string>{"inside_tile is written", "condition_any_parts is written"});
}

TEST_CASE("element bodies: a value of a block's shape goes by the names of its sizes") {
  const Planned zeros = of_rows("  - a = zeros(f32, [bm, 64])\n  - o[...] = a + cumsum(x, axis=0)\n", kMatrix);
  for (const SharedField& field : zeros.plan->shared.fields) CHECK(field.dims[0].text == "bm");
  CHECK(!zeros.plan->shared.fields.empty());
}

TEST_CASE("element bodies: neighbouring loops become one, and what lives in it alone a variable") {
  const Planned own =
      of_rows("  - h = cumsum(x, axis=0)\n  - u = h * 2.0\n  - v = u * u + u\n  - o[...] = v * v + u\n", kMatrix);
  REQUIRE_MESSAGE(own.plan.has_value(), own.errors());
  // Values computed from the scan's tile stay in registers, in one loop.
  CHECK(tiles(*own.plan) == std::vector<std::string>{"h"});
  int elementwise = 0;
  visit(own.plan->roles[0].program, [&](const program::Statement& statement) {
    elementwise += std::holds_alternative<program::Elementwise>(statement.node);
  });
  CHECK(elementwise == 1);
}

TEST_CASE("element bodies: loops stay apart where one needs what another thread computes in the other") {
  const Planned shifted =
      of_rows("  - s = x * 2.0\n  - t = s * s\n  - o[...] = t[:, (iota(i32, [64], 0) + 1) % 64] + t\n", kMatrix);
  REQUIRE_MESSAGE(shifted.plan.has_value(), shifted.errors());
  CHECK(tiles(*shifted.plan) == std::vector<std::string>{"t"});
  CHECK(syncs(*shifted.plan) == std::vector<std::string>{"t is written"});
}

TEST_CASE("stores under one condition of dims and coordinates stand under it together") {
  const auto conditions = [](const std::string& path) {
    const Planned planned = library(path);
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    std::pair<int, int> found;  // conditions of several stores, and of single ones
    for_each_statement(planned.plan->roles.back().program, [&](const program::Statement& statement) {
      const auto* of = std::get_if<program::If>(&statement.node);
      const auto* store = std::get_if<program::StoreElement>(&statement.node);
      found.first += of && of->then.size() > 1 && std::holds_alternative<program::StoreElement>(of->then[0].node);
      found.second += store && store->condition;
    });
    return found;
  };
  CHECK(conditions("indexing/histogram.yaml") == std::pair{1, 0});
  CHECK(conditions("indexing/counts.yaml").first == 0);  // one store, which reads the element that it counts
}
