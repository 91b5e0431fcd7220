// Plans that are made from tile programs.
#include <algorithm>

#include "plan/passes.h"
#include "planned.h"
#include "program/program_walk.h"

using namespace pallasgen;
using namespace pallasgen::program;

namespace {

std::string spec_of(const std::string& rest) {
  return "pallasgen: 1\nkernel: f\ndims: {M: {}, N: {multiple_of: 4}, K: {}}\nconsts: {bm: 8, bn: 128}\n" + rest;
}

const std::string kRows =
    "grid: [{axis: m, size: \"cdiv(M, bm)\"}]\n"
    "inputs:\n"
    "  x: {type: \"f16[M, bn]\", block: [bm, bn], index_map: [m, 0], fill: 1}\n"
    "  b: {type: \"f32[bn]\"}\n"
    "outputs:\n"
    "  y: {type: \"f32[M, bn]\", block: [bm, bn], index_map: [m, 0]}\n"
    "  s: {type: \"f32[M]\", block: [bm], index_map: [m]}\n";

const Statements& tile_of(const Planned& planned) {
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  return std::get<ForTiles>(planned.plan->roles[0].program[0].node).body;
}

// Describes a role's statements: "declare y_block", "load x_block", "for k { ... }".
std::string words(const Plan& plan, const Statements& statements) {
  std::string out;
  const auto name = [&](int fragment) { return plan.fragments[static_cast<size_t>(fragment)].name; };
  for (const Statement& statement : statements) {
    if (const auto* node = std::get_if<DeclareFragment>(&statement.node)) out += "declare " + name(node->fragment);
    if (const auto* node = std::get_if<Load>(&statement.node)) out += "load " + name(node->fragment);
    if (const auto* node = std::get_if<StoreGlobal>(&statement.node)) out += "store " + name(node->fragment);
    if (const auto* node = std::get_if<ReduceFragment>(&statement.node)) out += "reduce " + name(node->target);
    if (const auto* node = std::get_if<SetScalar>(&statement.node))
      out += "set " + plan.scalars[static_cast<size_t>(node->scalar)].name;
    if (const auto* node = std::get_if<Elementwise>(&statement.node)) {
      for (const ElementwiseStatement& part : node->statements)
        out += (part.target == node->layout_of ? "" : "+") + name(part.target);
    }
    if (const auto* node = std::get_if<ForSteps>(&statement.node))
      out += "for " + plan.kernel->axes[static_cast<size_t>(node->axis)].name + " { " + words(plan, node->body) + "}";
    if (const auto* node = std::get_if<If>(&statement.node))
      out += "if { " + words(plan, node->then) + "} else { " + words(plan, node->otherwise) + "}";
    out += "; ";
  }
  return out;
}

std::string words(const Planned& planned) { return words(*planned.plan, tile_of(planned)); }

// Returns the kinds of the values that the last loop over elements reads.
std::vector<SlotKind> last_bindings(const Statements& statements) {
  std::vector<SlotKind> kinds;
  for_each_statement(statements, [&](const Statement& statement) {
    if (!std::holds_alternative<Elementwise>(statement.node)) return;
    kinds.clear();
    for_each_binding(statement, [&](const Binding& binding) { kinds.push_back(binding.kind); });
  });
  return kinds;
}

}  // namespace

TEST_CASE("loads come first, and stores as soon as there is what they store") {
  const Planned planned(
      spec_of(kRows + "body:\n  - t = x.astype(f32)\n  - y[...] = t + b[None, :]\n  - s[...] = max(t, axis=1)\n"));
  CHECK(words(planned) ==
        "declare x_block; load x_block; declare b_block; load b_block; declare t; t; declare y_block; y_block; "
        "store y_block; declare s_block; reduce s_block; store s_block; ");
  CHECK(last_bindings(tile_of(planned)) == std::vector{SlotKind::element, SlotKind::column});
}

TEST_CASE("a reduction inside an expression is a fragment of its own, in the dtype that it adds in") {
  const Planned planned(
      spec_of(kRows + "body:\n  - y[...] = x.astype(f32) - sum(x, axis=1)[:, None].astype(f32)\n  - s[...] = 0.5\n"));
  const std::string all = words(planned);
  INFO(all);
  CHECK(all.find("declare sum_terms; sum_terms; declare sum; reduce sum; declare y_block; y_block; ") !=
        std::string::npos);
  CHECK(last_bindings(tile_of(planned)).size() == 0);  // the loop of s reads nothing
  const auto& fragments = planned.plan->fragments;
  const auto sum = std::find_if(fragments.begin(), fragments.end(), [](const auto& of) { return of.name == "sum"; });
  REQUIRE(sum != fragments.end());
  CHECK(sum->dtype == DType::f32);
  CHECK(sum->layout_text == "RowSlice<Rows>");
}

TEST_CASE("what a loop or a branch leaves behind is declared in front of it") {
  const Planned planned(
      spec_of("grid: [{axis: n, size: \"cdiv(N, bn)\"}, {axis: k, size: K, semantics: sequential}]\n"
              "inputs: {x: {type: \"f32[K, N]\", block: [squeezed, bn], index_map: [k, n], fill: 0}}\n"
              "outputs: {o: {type: \"f32[N]\", block: [bn], index_map: [n]}}\n"
              "scratch: {acc: {type: \"f32[bn]\"}}\n"
              "body:\n"
              "  - {when: k == 0, do: [\"acc[...] = 0\"]}\n"
              "  - when: n > 1\n"
              "    do: [\"acc[...] += x\"]\n"
              "    else: [\"acc[...] = acc[...] * 2.0\"]\n"
              "  - {when: k == num_programs(k) - 1, do: [\"o[...] = acc[...]\"]}\n"));
  const std::string all = words(planned);
  INFO(all);
  CHECK(all.find("declare acc; acc; for k { ") == 0);
  CHECK(all.find("if { ") != std::string::npos);
  CHECK(all.find("acc; } else { acc; }") != std::string::npos);
  CHECK(std::count(all.begin(), all.end(), '{') == 3);
  CHECK(all.find("declare acc", 1) == std::string::npos);
}

TEST_CASE("neighbouring statements of one layout share a loop, but where rows are reduced each is a paragraph") {
  const std::string flat =
      "grid: [{axis: n, size: \"cdiv(N, bn)\"}]\n"
      "inputs: {x: {type: \"f32[N]\", block: [bn], index_map: [n]}}\n"
      "outputs: {o: {type: \"f32[N]\", block: [bn], index_map: [n]}}\n";
  CHECK(words(Planned(spec_of(flat + "body:\n  - a = x * 2.0\n  - o[...] = a + 1.0\n"))) ==
        "declare x_block; load x_block; declare o_block; +ao_block; store o_block; ");
  const std::string rows = words(
      Planned(spec_of(kRows + "body:\n  - a = x.astype(f32)\n  - y[...] = a + 1.0\n  - s[...] = sum(a, axis=1)\n")));
  CHECK(rows.find("declare a; a; declare y_block; y_block; ") != std::string::npos);
}

TEST_CASE("a number of the body is a scalar, and warps that share a row meet in a tile") {
  const Planned planned(
      spec_of("grid: [{axis: m, size: M}]\nscalars: {scale: f32}\n"
              "inputs: {x: {type: \"f32[M, 16384]\", block: [squeezed, 16384], index_map: [m, 0]}}\n"
              "outputs: {y: {type: \"f32[M, 16384]\", block: [squeezed, 16384], index_map: [m, 0]}}\n"
              "body:\n  - c = scale * 2.0\n  - y[...] = x * c / sum(x)\n"));
  const std::string all = words(planned);
  INFO(all);
  int with_field = 0;
  for_each_statement(tile_of(planned), [&](const Statement& statement) {
    const auto* reduce = std::get_if<ReduceFragment>(&statement.node);
    with_field += reduce && reduce->field >= 0 ? 1 : 0;
  });
  CHECK(with_field == 1);
  CHECK(planned.plan->shared.fields.size() == 1);
}

TEST_CASE("flash attention: a run of its own for the mask, scores and probabilities in registers alone") {
  const Planned planned = library("attention/attention_fwd.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  std::vector<std::string> fields;
  for (const SharedField& field : planned.plan->shared.fields) {
    if (field.dtype != DType::boolean && !field.name.starts_with("full") && !field.name.starts_with("empty"))
      fields.push_back(field.name);
  }
  CHECK(fields == std::vector<std::string>{"q", "k", "v_", "o"});
  CHECK(planned.plan->rings.size() == 3);
  CHECK(planned.plan->rings[0].slots.value == 1);  // q, once for each tile
  int loops = 0, parts = 0, scores = 0, by_registers = 0, folds = 0, shares = 0;
  for_each_statement(planned.plan->roles[1].program, [&](const program::Statement& statement) {
    const auto* steps = std::get_if<program::ForSteps>(&statement.node);
    const auto* mma = std::get_if<program::Mma>(&statement.node);
    const auto* reduce = std::get_if<program::ReduceFragment>(&statement.node);
    loops += steps ? 1 : 0;
    parts += steps && (steps->first || steps->last) ? 1 : 0;
    scores += mma && mma->accumulate == program::Accumulate::not_first_mma ? 1 : 0;
    by_registers += mma && mma->ring_a < 0 ? 1 : 0;
    shares += reduce && reduce->part == program::ReducePart::lanes ? 1 : 0;
  });
  REQUIRE(planned.plan->parts.size() == 1);
  for (const program::Statement& statement : planned.plan->parts[0].program) {
    const auto* reduce = std::get_if<program::ReduceFragment>(&statement.node);
    folds += reduce && reduce->part == program::ReducePart::own ? planned.plan->parts[0].places : 0;
  }
  CHECK(loops == 1);
  CHECK(parts == 1);
  CHECK(scores == 2);        // those of step 0 precede the loop
  CHECK(by_registers == 2);  // those of the last step follow it
  CHECK(folds == 2);         // the row sums, in parts
  CHECK(shares == 1);        // after the loop
}

TEST_CASE("a gather, a scan, an atomic update and a print beside a dot keep it on matrix instructions") {
  const std::string path = "tests/corners/elements_beside_dot.yaml";
  const Planned planned(text_of(path), {}, "", path);
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  int dots = 0, columns = 0, in_registers = 0, scans = 0, atomics = 0, prints = 0, tiles = 0, in_steps = 0;
  for_each_statement(planned.plan->roles[1].program, [&](const program::Statement& statement) {
    const auto* store = std::get_if<program::StoreElement>(&statement.node);
    dots += std::holds_alternative<program::Mma>(statement.node);
    columns += std::holds_alternative<program::ForStoreColumns>(statement.node);
    in_registers += std::holds_alternative<program::ReduceFragment>(statement.node);
    scans += std::holds_alternative<program::ScanLanes>(statement.node);
    atomics += store && store->atomic;
    prints += std::holds_alternative<program::Print>(statement.node);
    tiles += std::holds_alternative<program::StoreTile>(statement.node);
    const auto* steps = std::get_if<program::ForSteps>(&statement.node);
    if (!steps) return;
    for_each_statement(steps->body, [&](const program::Statement& inner) {
      in_steps += std::holds_alternative<program::StoreTile>(inner.node);
    });
  });
  CHECK(dots == 1);
  CHECK(columns == 1);
  CHECK(in_registers == 1);
  CHECK(scans == 1);
  CHECK(atomics == 1);
  CHECK(prints == 1);
  CHECK(tiles == 1);     // the maxima of the rows, for the scan
  CHECK(in_steps == 0);  // no step of the dot waits for it
}

TEST_CASE("a store takes the value itself where a copy would be made for it alone") {
  const std::string path = "specs/operands/group_sums.yaml";
  const Planned planned(text_of(path), {}, "", path);
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  int stores = 0;
  for_each_statement(planned.plan->roles[0].program, [&](const program::Statement& statement) {
    const auto* store = std::get_if<program::StoreGlobal>(&statement.node);
    if (!store) return;
    ++stores;
    CHECK(planned.plan->fragments[static_cast<size_t>(store->fragment)].name == "acc");
    CHECK(store->quoted == "o[...] = acc[...]");
  });
  CHECK(stores == 1);
}

TEST_CASE("one warpgroup stores the vector that all hold") {
  const std::string path = "tests/corners/vector_of_all_warpgroups.yaml";
  const Planned planned(text_of(path), {}, "", path);
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  int tiles = 0, guarded = 0, to_tile = 0, to_memory = 0;
  for_each_statement(planned.plan->roles[1].program, [&](const program::Statement& statement) {
    tiles += std::holds_alternative<program::StoreTile>(statement.node);
    const auto* branch = std::get_if<program::If>(&statement.node);
    if (!branch || to_string(branch->condition) != "wg == 0") return;
    guarded += branch->then.size() == 1;
    to_tile += std::holds_alternative<program::StoreTile>(branch->then[0].node);
    to_memory += std::holds_alternative<program::StoreGlobal>(branch->then[0].node);
  });
  CHECK(tiles == 1);
  CHECK(guarded == 2);
  CHECK(to_tile == 1);
  CHECK(to_memory == 1);
}

TEST_CASE("what is made of accumulators and operands leaves every dot its matrix instructions") {
  const std::pair<const char*, int> kernels[] = {{"accumulator_rows", 1},    {"accumulator_columns", 1},
                                                 {"scaled_operand", 1},      {"dots_in_a_row", 2},
                                                 {"softmax_of_products", 1}, {"checked_matmul", 1}};
  for (const auto& [name, dots] : kernels) {
    const std::string path = std::string("tests/corners/") + name + ".yaml";
    const Planned planned(text_of(path), {}, "", path);
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    INFO(path);
    CHECK(!planned.has_scalar_dot());
    int found = 0, by_elements = 0;
    for_each_statement(planned.plan->roles[1].program, [&](const program::Statement& statement) {
      found += std::holds_alternative<program::Mma>(statement.node);
      by_elements += std::holds_alternative<program::ForElements>(statement.node);
    });
    CHECK(found == dots);
    CHECK(by_elements == 0);
  }
}
