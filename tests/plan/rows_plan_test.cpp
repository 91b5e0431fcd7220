#include "plan/exchanges.h"
#include "planned.h"

using namespace pallasgen;

namespace {

template <class T>
std::vector<T> all_of(const program::Statements& statements) {
  std::vector<T> found;
  const auto add = [&](const program::Statements& inner) {
    for (T& node : all_of<T>(inner)) found.push_back(std::move(node));
  };
  for (const program::Statement& statement : statements) {
    if (const T* node = std::get_if<T>(&statement.node)) found.push_back(*node);
    std::visit(
        [&](const auto& node) {
          if constexpr (requires { node.body; }) add(node.body);
          if constexpr (requires { node.otherwise; }) {
            add(node.then);
            add(node.otherwise);
          }
        },
        statement.node);
  }
  return found;
}

// A kernel of blocks of `rows` x `columns` of f32.
Planned of_block(int rows, int columns, const std::string& body, const std::string& more = "") {
  return Planned("pallasgen: 1\nkernel: f\ndims: {M: {}}\nconsts: {bm: " + std::to_string(rows) +
                 ", bn: " + std::to_string(columns) +
                 "}\ngrid: [{axis: m, size: \"cdiv(M, bm)\"}]\ninputs:\n"
                 "  x: {type: \"f32[M, bn]\", block: [bm, bn], index_map: [m, 0]}\noutputs:\n"
                 "  o: {type: \"f32[M]\", block: [bm], index_map: [m]}\n" +
                 more + "body:\n" + body);
}

std::string decision(const Plan& plan, const std::string& subject) {
  for (const Decision& decision : plan.decisions) {
    if (decision.subject == subject) return decision.choice + " (" + decision.reason + ")";
  }
  return {};
}

std::string rows_text(const Planned& planned) {
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  REQUIRE(planned.plan->layouts.size() == 1);
  std::string lanes;
  for (const PlanConstant& constant : planned.plan->constants) {
    if (constant.name == "kRowLanes") lanes = std::to_string(constant.value);
  }
  return lanes + " of " + std::to_string(planned.plan->launch.threads.value);
}

}  // namespace

TEST_CASE("rows: lanes by the length of a row, threads by the rows") {
  const std::string sum = "  - o[...] = sum(x, axis=1)\n";
  CHECK(rows_text(of_block(64, 16, sum)) == "4 of 64");
  CHECK(rows_text(of_block(64, 13, sum)) == "16 of 256");
  CHECK(rows_text(of_block(8, 96, sum)) == "8 of 64");
  CHECK(rows_text(of_block(8, 100, sum)) == "32 of 64");
  CHECK(rows_text(of_block(8, 99, sum)) == "32 of 256");
  CHECK(rows_text(of_block(8, 256, sum)) == "32 of 128");
  CHECK(rows_text(of_block(4, 1024, sum)) == "32 of 128");
  CHECK(rows_text(of_block(4, 2048, sum)) == "128 of 256");
  CHECK(rows_text(of_block(1, 1000, sum)) == "128 of 128");
  CHECK(rows_text(of_block(2, 16384, sum)) == "512 of 512");
}

TEST_CASE("rows: what the threads of one CTA have no registers for belongs to a cluster") {
  const std::string sum = "  - o[...] = sum(x, axis=1)\n";
  const auto text = [](const Planned& planned) {
    return rows_text(planned) + " x " + std::to_string(planned.plan->launch.cluster.value);
  };
  CHECK(text(of_block(1, 16384, sum)) == "512 of 512 x 1");
  CHECK(text(of_block(1, 32768, sum)) == "1024 of 1024 x 1");
  // With 512 threads each, the registers suffice for several rows.
  CHECK(text(of_block(2, 32768, "  - p = exp(x - max(x, axis=1)[:, None])\n  - o[...] = sum(p * x, axis=1)\n")) ==
        "1024 of 512 x 2");
  const Planned wide = of_block(1, 65536, sum);
  CHECK(text(wide) == "2048 of 512 x 4");
  CHECK(wide.plan->layouts[0].text == "OfCluster<kCluster, RowsLayout<kThreads * kCluster, kRowLanes, 4, 1, bn>>");
  CHECK(wide.plan->work.tiles_type == "RowMajorTiles<1, kCluster>");
  CHECK(all_of<program::OpenExchange>(wide.plan->roles[0].program).size() == 1);  // every CTA runs
  CHECK(all_of<program::RoleSync>(wide.plan->roles[0].program).empty());
  CHECK(text(of_block(1, 262144, sum)) == "8192 of 1024 x 8");
  // Scans, the orders of `reduction` and older devices allow threads of one CTA only.
  const auto ctas = [](const Planned& planned) { return planned.plan ? planned.plan->launch.cluster.value : 0; };
  CHECK(ctas(of_block(1, 32768, "  - o[...] = cumsum(x, axis=1)[:, bn - 1]\n")) == 1);
  CHECK(ctas(of_block(1, 32768, sum, "schedule: {reduction: halves}\n")) == 1);
  CHECK(ctas(of_block(1, 32768, sum, "target: sm_80\n")) == 1);
  // A row that then does not fit is reported.
  const Planned halves = of_block(1, 65536, "  - d = x - mean(x, axis=1)[:, None]\n  - o[...] = mean(d * d, axis=1)\n",
                                  "schedule: {reduction: halves}\n");
  const std::string why = "a cluster, whose CTAs have more together, cannot share a reduction in shared memory";
  CHECK_MESSAGE(halves.errors().find(why) != std::string::npos, halves.errors());
}

TEST_CASE("rows: what one CTA of a cluster has whole is no exchange, and goes through a tile of its own") {
  const Planned planned(R"(
pallasgen: 1
kernel: f
dims: {M: {}}
grid: [{axis: m, size: M}]
inputs:
  x: {type: "f32[M, 65536]", block: [1, 65536], index_map: [m, 0]}
  z: {type: "f32[M, 8, 4096]", block: [squeezed, 8, 4096], index_map: [m, 0, 0]}
outputs:
  y: {type: "f32[M]", block: [1], index_map: [m]}
  w: {type: "f32[M, 8]", block: [squeezed, 8], index_map: [m, 0]}
body:
  - top = max(x, axis=1)
  - w[...] = sum(z, axis=1)
  - y[...] = sum(exp(x - top[:, None]), axis=1)
)");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const Plan& plan = *planned.plan;
  REQUIRE(plan.launch.cluster.value > 1);
  std::vector<size_t> dims;  // dims of the tiles: an exchange has two copies of its tile
  for (const auto& reduce : all_of<program::ReduceFragment>(plan.roles[0].program)) {
    REQUIRE(reduce.field >= 0);
    dims.push_back(plan.shared.fields[static_cast<size_t>(reduce.field)].dims.size());
    CHECK(is_exchange(plan.launch, reduce) == (dims.back() == 3));
  }
  CHECK(dims == std::vector<size_t>{3, 2, 3});
}

TEST_CASE("rows: a CTA has several programs where nothing of it is shared") {
  const std::string sum = "  - o[...] = sum(x, axis=1)\n", four = "schedule: {programs_per_cta: 4}\n";
  const Planned planned = of_block(1, 64, sum, four);
  REQUIRE(planned.plan);
  CHECK(planned.plan->launch.programs.value == 4);
  CHECK(planned.plan->launch.threads.value == 32);
  CHECK(planned.plan->work.tiles_type == "RowMajorTiles<1, 1, kPrograms>");
  CHECK(planned.plan->launch.least_ctas == 8);     // CTAs of 128 threads
  CHECK_FALSE(of_block(1, 1024, sum, four).plan);  // its warps share sums
  CHECK_FALSE(of_block(1, 64, sum, "schedule: {programs_per_cta: 4, persistent: true}\n").plan);
}

TEST_CASE("rows: what several warps share goes through tiles in turn, with no sync but the reductions' own") {
  const Planned three = of_block(4, 2048,
                                 "  - a = max(x, axis=1)\n  - b = min(x, axis=1)\n"
                                 "  - o[...] = a + b + sum(x, axis=1)\n");
  REQUIRE_MESSAGE(three.plan.has_value(), three.errors());
  const auto reductions = all_of<program::ReduceFragment>(three.plan->roles[0].program);
  REQUIRE(reductions.size() == 3);
  CHECK(reductions[0].field >= 0);
  CHECK(reductions[0].field != reductions[1].field);
  CHECK(reductions[0].field == reductions[2].field);
  CHECK(three.plan->shared.fields.size() == 2);
  CHECK(all_of<program::RoleSync>(three.plan->roles[0].program).empty());
  // In a loop the parts of a sum stay with their threads; they are combined after it.
  const Planned steps = Planned(
      "pallasgen: 1\nkernel: f\ndims: {N: {}}\ngrid: [{axis: k, size: \"cdiv(N, 1000)\", semantics: sequential}]\n"
      "inputs:\n  x: {type: \"f32[N]\", block: [1000], index_map: [k], fill: 0}\noutputs:\n  s: {type: \"f32[]\"}\n"
      "body:\n  - {when: k == 0, do: [\"s[...] = 0\"]}\n  - s[...] += sum(x)\n");
  REQUIRE_MESSAGE(steps.plan.has_value(), steps.errors());
  CHECK(all_of<program::RoleSync>(steps.plan->roles[0].program).empty());
  CHECK(all_of<program::ReduceFragment>(steps.plan->roles[0].program).size() == 2);
  const Planned warps = of_block(8, 256, "  - o[...] = sum(x, axis=1)\n");
  REQUIRE_MESSAGE(warps.plan.has_value(), warps.errors());
  CHECK(warps.plan->shared.fields.empty());
}

TEST_CASE("rows: a tile that warps share is read by all before the next turn takes it") {
  const auto syncs = [](const std::string& more, const std::string& body) {
    const Planned planned = of_block(1, 2048, body, more);
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    CHECK(all_of<program::ReduceFragment>(planned.plan->roles[0].program).size() >= 1);
    return all_of<program::RoleSync>(planned.plan->roles[0].program).size();
  };
  const std::string one = "  - o[...] = sum(x, axis=1)\n", two = "  - o[...] = sum(x, axis=1) * max(x, axis=1)\n";
  CHECK(syncs("", one) == 0);
  CHECK(syncs("schedule: {persistent: true}\n", one) == 1);
  CHECK(syncs("schedule: {persistent: true}\n", two) == 0);  // each is read before the other is full
}

TEST_CASE("rows: the same lanes under every pipeline") {
  const std::string spec =
      "pallasgen: 1\nkernel: f\ndims: {M: {}, N: {multiple_of: 4}}\nconsts: {bm: 16, bn: 64}\ngrid:\n"
      "  - {axis: m, size: \"cdiv(M, bm)\"}\n  - {axis: k, size: \"cdiv(N, bn)\", semantics: sequential}\ninputs:\n"
      "  x: {type: \"f32[M, N]\", block: [bm, bn], index_map: [m, k], fill: 0}\noutputs:\n"
      "  o: {type: \"f32[M]\", block: [bm], index_map: [m]}\n";
  const std::string body = "body:\n  - {when: k == 0, do: [\"o[...] = 0\"]}\n  - o[...] += sum(x, axis=1)\n";
  const Planned straight(spec + body);
  CHECK(rows_text(straight).starts_with("16 of "));
  for (const char* groups : {"1", "2"}) {
    const Planned piped(spec + "pipeline: {stages: 2, warp_specialized: true, compute_warpgroups: " + groups + "}\n" +
                        body);
    CHECK(rows_text(piped).starts_with("16 of "));
    CHECK(piped.plan->layouts[0].text.starts_with("RowsLayout<128"));
    CHECK(piped.plan->layouts[0].text.find(", kRowLanes, 4, ") != std::string::npos);
  }
}

TEST_CASE("rows: a scan stays where its operand is, and one column of it goes to all who share the row") {
  const auto statements = [](const Planned& planned) {
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    std::string out;
    for (const auto& each : all_of<program::ReduceFragment>(planned.plan->roles[0].program)) {
      const auto layout = [&](int id) { return planned.plan->fragments[static_cast<size_t>(id)].layout_text; };
      out += each.part == program::ReducePart::running  ? "scan to " + layout(each.target)
             : each.part == program::ReducePart::picked ? "column " + each.column.text
                                                        : "reduce";
      if (each.field >= 0) out += " through a tile";
      out += "; ";
    }
    return out;
  };
  const std::string body = "  - s = cumsum(x, axis=1)\n  - o[...] = s[:, 7]\n";
  const Planned in_warp = of_block(8, 256, body), in_warps = of_block(4, 2048, body);
  CHECK(statements(in_warp) == "scan to Rows; column 7; ");
  CHECK(in_warp.plan->shared.fields.empty());
  // The results of the two runs of a thread in each of the eight warps; an element of each row from one.
  CHECK(statements(in_warps) == "scan to Rows through a tile; column 7 through a tile; ");
  std::string dims;
  for (const SharedField& field : in_warps.plan->shared.fields)
    dims += std::to_string(field.dims[0].value) + "x" + std::to_string(field.dims[1].value) + " ";
  CHECK(dims == "8x8 2x8 ");
  CHECK(all_of<program::RoleSync>(in_warps.plan->roles[0].program).empty());
  // A sum of bf16 is rounded once, after the scan.
  const Planned halves(
      "pallasgen: 1\nkernel: f\ninputs:\n  x: {type: \"bf16[8, 256]\"}\noutputs:\n  o: {type: \"bf16[8, 256]\"}\n"
      "body:\n  - o[...] = cumsum(x, axis=1)\n");
  CHECK(statements(halves) == "scan to Rows; ");
  for (const auto& each : all_of<program::ReduceFragment>(halves.plan->roles[0].program))
    CHECK(halves.plan->fragments[static_cast<size_t>(each.target)].dtype == DType::f32);
}

TEST_CASE("rows: the number that a scan of a vector carries is in the registers of all threads") {
  const Planned vector(
      "pallasgen: 1\nkernel: f\ndims: {N: {multiple_of: 4}}\n"
      "grid: [{axis: n, size: \"cdiv(N, 1024)\", semantics: sequential}]\n"
      "inputs:\n  x: {type: \"f32[N]\", block: [1024], index_map: [n], fill: 0}\n"
      "outputs:\n  o: {type: \"f32[N]\", block: [1024], index_map: [n]}\nscratch:\n  c: {type: \"f32[1]\", space: "
      "smem}\n"
      "body:\n  - {when: n == 0, do: [\"c[...] = 0\"]}\n  - s = cumsum(x, axis=0) + c[0]\n  - o[...] = s\n"
      "  - c[0] = s[1023]\n");
  REQUIRE_MESSAGE(vector.plan.has_value(), vector.errors());
  const program::Statements& all = vector.plan->roles[0].program;
  CHECK(all_of<program::ReduceFragment>(all).size() == 2);
  CHECK(all_of<program::ForElements>(all).empty());
}

TEST_CASE("rows: what does not fit goes element by element, and explain names the statement") {
  const Planned position = of_block(8, 64, "  - p = exp(x)\n  - o[...] = sum(cumsum(p, axis=0), axis=1)\n");
  REQUIRE_MESSAGE(position.plan.has_value(), position.errors());
  CHECK(decision(*position.plan, "scanned") ==
        "in shared memory, element by element (no loop over registers has 'cumsum')");
}

TEST_CASE("rows: square blocks tell rows from columns by their use") {
  const Planned both(
      "pallasgen: 1\nkernel: f\ninputs:\n  x: {type: \"f32[32, 32]\"}\n  w: {type: \"f32[32]\"}\n"
      "  t: {type: \"f32[32]\"}\noutputs:\n  o: {type: \"f32[32]\"}\nbody:\n"
      "  - o[...] = sum(x * w + t[:, None], axis=1)\n");
  REQUIRE_MESSAGE(both.plan.has_value(), both.errors());
  std::string held;
  for (const FragmentPlan& fragment : both.plan->fragments) {
    if (fragment.name == "w_block" || fragment.name == "t_block") held += fragment.layout_text + " ";
  }
  CHECK(held == "ColumnSlice<Rows> RowSlice<Rows> ");
}

TEST_CASE("rows: the warps of all compute warpgroups share a long row") {
  const Planned long_row(
      "pallasgen: 1\nkernel: f\ndims: {N: {multiple_of: 4}}\n"
      "grid: [{axis: k, size: \"cdiv(N, 8192)\", semantics: sequential}]\n"
      "inputs:\n  x: {type: \"f32[N]\", block: [8192], index_map: [k], fill: 0}\noutputs:\n  s: {type: \"f32[1]\"}\n"
      "pipeline: {stages: 2, warp_specialized: true}\n"
      "body:\n  - {when: k == 0, do: [\"s[...] = 0\"]}\n  - s[...] += sum(x)\n");
  REQUIRE_MESSAGE(long_row.plan.has_value(), long_row.errors());
  CHECK(long_row.plan->roles[1].groups.value == 2);
  const auto reductions = all_of<program::ReduceFragment>(long_row.plan->roles[1].program);
  REQUIRE(reductions.size() == 1);
  CHECK(reductions[0].field >= 0);
}

TEST_CASE("rows: valid of a block is a condition on the element's place") {
  const Planned masked = of_block(8, 64, "  - o[...] = max(where(valid(x), x, -inf), axis=1)\n");
  REQUIRE_MESSAGE(masked.plan.has_value(), masked.errors());
  REQUIRE(masked.plan->layouts.size() == 1);
  const auto loops = all_of<program::Elementwise>(masked.plan->roles[0].program);
  REQUIRE(loops.size() == 1);
  // Its columns are whole and no row lies before the array.
  const std::string value = to_string(loops[0].statements[0].value);
  CHECK(value.find("< M") != std::string::npos);
  CHECK(value.find(">=") == std::string::npos);
  CHECK(value.find("bn") == std::string::npos);
  CHECK(loops[0].statements[0].bindings.size() == 2);
}
