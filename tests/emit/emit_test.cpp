#include "emit/emit.h"

#include <doctest/doctest.h>

#include <functional>
#include <regex>

#include "emit/template.h"
#include "output/hash.h"
#include "sample_plans.h"
#include "template_folder.h"

using namespace pallasgen;

namespace {

Plan matmul_gelu() { return sample("matmul/matmul_gelu").plan; }

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Returns the first statement of a kind in a program.
template <class Node>
Node* find(program::Statements& statements) {
  for (program::Statement& statement : statements) {
    if (Node* node = std::get_if<Node>(&statement.node)) return node;
    Node* inner = std::visit(
        [](auto& node) -> Node* {
          if constexpr (requires { node.body; }) return find<Node>(node.body);
          return nullptr;
        },
        statement.node);
    if (inner) return inner;
  }
  return nullptr;
}

// Returns the lines of the function whose first line holds `name`.
std::vector<std::string> function_lines(const std::string& text, const std::string& name) {
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(text)) {
    if (!lines.empty() || holds(line, " " + name + "(")) lines.push_back(line);
    if (!lines.empty() && line == "}") break;
  }
  return lines;
}

}  // namespace

TEST_CASE("terms of a row that a reduction alone takes are in no fragment") {
  const std::string tokens = emitted(sample("rows/greedy_tokens").plan).cu;
  CHECK(holds(tokens, "auto sum = reduce_terms<Sum, 1, Rows>([&](int e) {\n"));
  CHECK_FALSE(holds(tokens, "sum_terms"));
  // With a computation on the best element's position.
  CHECK(holds(tokens, "auto largest = reduce<Maximum, 1>(x_block);"));
  CHECK(holds(tokens, "|| is_nan(x_block[e]) ? x_block.column(e) : V;"));
  // A value that is also stored keeps its fragment.
  CHECK(holds(emitted(sample("rows/softmax").plan).cu, "auto total = reduce<Sum, 1>(p);"));
}

TEST_CASE("a scalar that is set to another one alone is set to what that one is") {
  const std::string vector = emitted(sample("reductions/cumsum_long").plan).cu;
  CHECK(holds(vector, "before = picked[0];"));
  CHECK_FALSE(holds(vector, "const float last"));
}

TEST_CASE("sizes of what is read by slices have the names of the spec") {
  CHECK(holds(emitted(sample("rows/softmax_axis").plan).cu, "RowsLayout<kThreads, kRowLanes, 4, step, bb>;"));
  CHECK(holds(emitted(sample("rows/cross_entropy").plan).cu, "RowsLayout<kThreads, kRowLanes, 8, 1, bn>;"));
}

TEST_CASE("reductions across threads are called by the name of their strategy") {
  const auto text_of = [](const std::string& strategy) {
    return emitted(sample("reductions/sum_by_strategy", {{"schedule.reduction", strategy}}).plan).cu;
  };
  const std::string halves = text_of("halves"), neighbours = text_of("neighbours"), shuffle = text_of("shuffle");
  CHECK(holds(halves, "#include <pallasgen/reduce_shared.cuh>"));
  CHECK(holds(halves, "share_rows<Maximum, Halves>("));
  CHECK(holds(halves, "share_rows<Sum, Halves>("));
  CHECK(holds(neighbours, "share_rows<Maximum, Neighbours>("));
  CHECK(holds(neighbours, "share_rows<Sum, Neighbours>("));
  CHECK_FALSE(holds(shuffle, "reduce_shared.cuh"));
  CHECK(holds(shuffle, "share_rows<Maximum>("));
  CHECK(shuffle.substr(shuffle.find("__global__")) == [&] {
    const std::string chosen = text_of("auto");
    return chosen.substr(chosen.find("__global__"));
  }());
  // For values by elements: each warp has a line of a tile, and the threads share the tile of a single result.
  const std::string lanes = emitted(sample("elementwise/mandelbrot", {{"schedule.reduction", "halves"}}).plan).cu;
  CHECK(holds(lanes, "reduce_lanes<Any, Halves>(any, smem.lanes[thread / 32])"));
  const std::string total = emitted(sample("reductions/total", {{"schedule.reduction", "neighbours"}}).plan).cu;
  CHECK(holds(total, "reduce_tile<Sum, Neighbours>(smem.y_sum_parts, thread, kThreads);"));
}

TEST_CASE("every kind of plan: lines, unrolling, no assembly, the same bytes twice") {
  const std::regex fragment_loop(R"(for \(int \w+ = 0; \w+ < \w+\.size;)");
  for (const Sample* made : samples()) {
    CAPTURE(made->name);
    const EmittedFiles files = emitted(made->plan);
    const EmittedFiles again = emitted(made->plan);
    CHECK(files.cu == again.cu);
    CHECK(files.header == again.header);
    CHECK_FALSE(std::regex_search(files.cu, std::regex(R"(\basm\b)")));
    CHECK(files.cu.back() == '\n');
    for (const std::string& text : {files.cu, files.header}) {
      std::string before;
      for (const std::string& line : lines_of(text)) {
        CAPTURE(line);
        CHECK(line.size() <= size_t{kMaxColumns});
        CHECK((line.empty() || line.back() != ' '));
        CHECK_FALSE(holds(line, "\x1f"));
        CHECK_FALSE(holds(line, "${"));
        if (std::regex_search(line, fragment_loop)) CHECK(holds(before, "#pragma unroll"));
        CHECK_FALSE((line.empty() && before.empty()));  // no two blank lines in a row, none at the start
        before = line;
      }
    }
  }
}

TEST_CASE("provenance: the content hash is that of everything after line 3") {
  const EmittedFiles files = emitted(matmul_gelu());
  for (const std::string& text : {files.cu, files.header}) {
    const std::vector<std::string> lines = lines_of(text);
    CHECK(lines[0] == "// Code generated by pallasgen from specs/matmul/matmul_gelu.yaml. DO NOT EDIT.");
    CHECK(lines[1] == "// clang-format off");
    size_t content = 0;
    for (int i = 0; i < 3; ++i) content = text.find('\n', content) + 1;
    // A header changes only with its content: it has no hash of its spec.
    CHECK(lines[2] == "// format 1  content " + hash_text(content_hash(text.substr(content))) +
                          (text == files.cu ? "  spec 0123456789abcdef" : ""));
  }
  CHECK(lines_of(files.header)[3] == "#pragma once");
  CHECK(lines_of(files.cu).size() <= 180);
}

TEST_CASE("each role runs on its own warps, in any order of the roles") {
  Plan plan = sample("../tests/corners/dynamic_copied").plan;  // the first thread of the producer takes tiles
  const auto calls = [](int group) {
    return fmt::format("  if (warpgroup_index() == {})\n    producer(smem, ", group);
  };
  CHECK(holds(emitted(plan).cu, calls(0)));
  CHECK(holds(emitted(plan).cu, "threadIdx.x == 0 ? tile_counter"));
  std::swap(plan.roles[0], plan.roles[1]);
  plan.roles[0].first_warp = 0;
  plan.roles[1].first_warp = 4;
  CHECK(holds(emitted(plan).cu, calls(1)));
  CHECK(holds(emitted(plan).cu, "  else\n    consumer(smem, "));
  CHECK(holds(emitted(plan).cu, "threadIdx.x == 128 ? tile_counter"));
}

TEST_CASE("loop headers of producer and consumer match") {
  for (const Sample* made : samples()) {
    if (made->plan.roles.size() < 2) continue;
    CAPTURE(made->name);
    const std::string text = emitted(made->plan).cu;
    std::vector<std::string> loops[2];
    for (int role = 0; role < 2; ++role) {
      bool ring = false;
      for (const std::string& line : function_lines(text, made->plan.roles[role].name)) {
        const bool work = holds(line, "Ring<") || holds(line, "Tiles tile(") || holds(line, "ring.advance()") ||
                          holds(line, "const int s = ring.slot");
        if (work && !holds(line, "kStoreBuffers")) loops[role].push_back(line);
        ring = ring || holds(line, "ring.advance()");
      }
      CHECK(ring);
    }
    CHECK(loops[0] == loops[1]);
  }
}

TEST_CASE("each synchronisation says what becomes safe") {
  const std::regex synchronises(
      R"(\.wait\(|producer_acquire|wgmma_wait<1>|tma_store_wait_read|fence_async_shared\(\);)");
  for (const std::string& line : lines_of(emitted(matmul_gelu()).cu)) {
    CAPTURE(line);
    if (std::regex_search(line, synchronises)) CHECK(holds(line, ";  // "));
  }
}

TEST_CASE("a number of the plan that changes is found in the text") {
  struct Change {
    const char* what;
    std::function<void(Plan&)> make;
    const char* found;
  };
  using program::Statements;
  const auto consumer = [](Plan& plan) -> Statements& { return plan.roles[1].program; };
  const Number marked{7777, "7777"};
  const std::vector<Change> changes = {
      {"registers of the producer", [&](Plan& p) { p.roles[0].registers = marked; }, "set_max_registers_down<7777>()"},
      {"registers of the consumers", [&](Plan& p) { p.roles[1].registers = marked; }, "set_max_registers_up<7777>()"},
      {"rows of a consumer", [&](Plan& p) { p.roles[1].rows_per_group = marked; }, "row0 = wg * 7777"},
      {"consumers", [&](Plan& p) { p.roles[1].groups = marked; }, "warpgroup_sync<7777>(wg)"},
      {"slots of the ring", [&](Plan& p) { p.rings[0].slots = marked; }, "Ring<7777> ring"},
      {"bytes of a stage", [&](Plan& p) { p.rings[0].bytes = marked; },
       "producer_acquire(smem.empty, smem.full, ring, 7777)"},
      {"slots of a barrier", [&](Plan& p) { p.shared.fields[p.barriers[0].field].dims[0] = marked; },
       "Barrier full[7777];"},
      {"arrivals of a barrier", [&](Plan& p) { p.barriers[1].count = marked; }, ".init(7777, \"empty\")"},
      {"buffers of the store", [&](Plan& p) { p.stores[0].buffers = marked; }, "Ring<7777> store"},
      {"a bound in shared memory", [&](Plan& p) { p.shared.fields[0].dims[0] = marked; }, "bf16 a[7777]["},
      {"alignment of shared memory", [&](Plan& p) { p.shared.alignment = 7777; }, "struct alignas(7777) Smem"},
      {"size of shared memory", [&](Plan& p) { p.shared.total = 7777; }, "sizeof(Smem) == 7777 &&"},
      {"the box of a map", [&](Plan& p) { p.maps[0].box[1] = marked; }, ", 7777}, Swizzle::k128B)"},
      {"the swizzle of a map", [&](Plan& p) { p.maps[0].swizzle = Swizzle::k32; }, "Swizzle::k32B)"},
      {"threads", [&](Plan& p) { p.launch.threads = marked; }, "__launch_bounds__(7777, 1)"},
      {"steps of an MMA", [&](Plan& p) { find<program::Mma>(consumer(p))->k_steps = marked; }, "kk < 7777; ++kk"},
      {"the shape of an MMA", [&](Plan& p) { find<program::Mma>(consumer(p))->function = "wgmma_m64n7777k16"; },
       "wgmma_m64n7777k16(acc"},
      {"rows of an MMA", [&](Plan& p) { find<program::Mma>(consumer(p))->row_tiles = marked; }, "i < 7777; ++i"},
      {"groups in flight", [&](Plan& p) { find<program::MmaWait>(consumer(p))->groups = marked; }, "wgmma_wait<7777>"},
      {"stores", [&](Plan& p) { find<program::ForStoreColumns>(consumer(p))->count = marked; }, "j < 7777; ++j"},
      {"pending stores", [&](Plan& p) { find<program::StoreAcquire>(consumer(p))->pending = marked; },
       "tma_store_wait_read<7777>"},
      {"chunks", [&](Plan& p) { find<program::ForChunks>(consumer(p))->count = marked; }, "i < 7777; ++i"},
      {"columns of a chunk", [&](Plan& p) { find<program::ForChunks>(consumer(p))->columns = marked; },
       "columns<7777>("},
      {"the layout of a fragment", [&](Plan& p) { p.fragments[0].layout_text = "WgmmaLayout<7777, bn>"; },
       "Fragment<float, WgmmaLayout<7777, bn>> acc"},
      {"slabs of an operand",
       [&](Plan& p) { p.rings[0].operands[0].column_boxes = p.rings[0].operands[0].column_box_width = marked; },
       ", 7777>(smem.a[s], map_a"},
      {"a coordinate", [&](Plan& p) { p.rings[0].operands[0].box_coordinates[0] = index_constant(7777); },
       "map_a, {7777, "},
  };
  const std::string base = emitted(matmul_gelu()).cu;
  for (const Change& change : changes) {
    CAPTURE(change.what);
    Plan plan = matmul_gelu();
    change.make(plan);
    CHECK_FALSE(holds(base, change.found));
    CHECK(holds(emitted(plan).cu, change.found));
  }
}

TEST_CASE("every constant of a plan is declared with its value or formula, and checked ones are asserted") {
  for (const Sample* made : samples()) {
    for (size_t i = 0; i < made->plan.constants.size(); ++i) {
      Plan plan = made->plan;
      PlanConstant& constant = plan.constants[i];
      CAPTURE(constant.name);
      constant.value = 7777;
      if (!constant.formula.empty()) constant.formula = "7777 + bm";
      const std::string text = emitted(plan).cu;
      CHECK(holds(text, constant.name + " = 7777"));
      CHECK(holds(text, "static_assert(" + constant.name + " == 7777);") == constant.checked);
    }
  }
}

TEST_CASE("facts of the registers, memory and barriers follow the plan") {
  Plan plan = matmul_gelu();
  plan.barriers[0].completes_after = "7777 arrivals";
  plan.barriers[1].means = "a marked meaning";
  const std::string text = emitted(plan).cu;
  CHECK(holds(text, "full[s]    7777 arrivals"));
  CHECK(holds(text, "a marked meaning\n"));
  for (const Fact& fact : facts(plan)) {
    for (const std::string& line : fact.lines) CHECK(holds(text, line));
  }
}

TEST_CASE("the launcher states what the plan requires, and the header what the launcher does") {
  Plan plan = matmul_gelu();
  plan.launch.requirements[0].message = "a \"quoted\" message";
  const EmittedFiles files = emitted(plan);
  CHECK(holds(files.cu, R"("matmul_gelu: a \"quoted\" message")"));
  CHECK(holds(files.header, "//   N  size, 0 to 2^31 - 1, a multiple of 8\n"));
  CHECK(holds(files.header, "//   a  in   bf16[M, K], aligned to 16 bytes\n"));
  CHECK(holds(files.header, "cudaError_t matmul_gelu(const __nv_bfloat16* a, "));
  CHECK(
      holds(emitted(sample("elementwise/add_matrices").plan).header, "//   x  in   f32[M, N], aligned to 16 bytes\n"));
  // Constants in extents, initial values, and the requirements of a cooperative launch.
  const std::string norm = emitted(sample("rows/layer_norm").plan).header;
  CHECK(holds(norm, "//   bn     768, a constant of this kernel\n"));
  CHECK_FALSE(holds(norm, "eps"));
  CHECK(holds(norm, "without a launch when M is 0.\n"));
  CHECK(
      holds(emitted(sample("reductions/total").plan).header, "when N is 0; initial values are stored all the same.\n"));
  CHECK(holds(emitted(sample("reductions/softmax_vector").plan).header, "// All its CTAs run at the same time"));
}

TEST_CASE("a header calls parameters as the spec does, and says what callers must know") {
  const EmittedFiles rope = emitted(sample("elementwise/rope").plan);
  CHECK(holds(rope.header, "const float* cosine, const float* sine,"));
  CHECK(holds(rope.header, "//   cosine  in   f32["));
  CHECK(holds(rope.cu, "const float* cosine,"));  // hides a function of the runtime that the file does not call
  CHECK(holds(emitted(sample("elementwise/rotate").plan).cu, "cosine_[e] = cosine("));  // calls it
  CHECK(holds(emitted(sample("elementwise/add_one_in_place").plan).header, "inout f32[N], "));
  const std::string line = "// Programs add to its sums as they come: the last bits of these may differ";
  CHECK(holds(emitted(sample("rows/layer_norm_bwd").plan).header, line));
  CHECK_FALSE(holds(emitted(sample("reductions/sum_by_ticket").plan).header, line));
  CHECK_FALSE(holds(emitted(sample("indexing/counts").plan).header, line));  // of integers
  CHECK(holds(emitted(sample("rows/softmax_rows").plan).header, "// Its math is approximate: "));
  CHECK(holds(emitted(sample("rows/layer_norm_bwd").plan).header, "programs  396, a constant of this kernel\n"));
}

TEST_CASE("a launcher writes nothing before it has looked at all arguments") {
  const std::string text = emitted(sample("reductions/total").plan).cu;
  REQUIRE(holds(text, "fill_arrays("));
  CHECK(text.find("is_array(x") < text.find("fill_arrays("));
  CHECK(text.rfind("PALLASGEN_REQUIRE") < text.find("fill_arrays("));
  CHECK(holds(text, "  if (N == 0) return cudaSuccess;\n"));
  const std::string mapped = emitted(sample("indexing/histogram").plan).cu;
  REQUIRE(holds(mapped, "fill_arrays("));
  CHECK(mapped.find("maps.ok()") < mapped.find("fill_arrays("));
}

TEST_CASE("names that C++ reserves get an underscore") {
  Plan plan = matmul_gelu();
  auto kernel = std::make_shared<Kernel>(*plan.kernel);
  kernel->dims[0].name = "float";
  kernel->identifiers = Identifiers(*kernel);
  plan.kernel = kernel;
  const std::string text = emitted(plan).cu;
  CHECK(holds(text, "ceil_div(float_, bm)"));
  CHECK_FALSE(holds(text, "ceil_div(float, bm)"));
}

TEST_CASE("a template that cannot be rendered is a diagnostic with its place") {
  TemplateFolder folder;
  folder.write("file/role.cu.in", "one\n${no.such_name}\n");
  Diagnostics diagnostics;
  CHECK_FALSE(emit(matmul_gelu(), options_of(folder.path()), diagnostics));
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].rule == "template");
  CHECK(diagnostics.all()[0].message == "file/role.cu.in:2: undefined name 'no.such_name'");
}

TEST_CASE("a template of the folder takes the place of the embedded one") {
  TemplateFolder folder;
  folder.write("statement/fence_async.cu.in", "my_fence();\n");
  Diagnostics diagnostics;
  const auto files = emit(matmul_gelu(), options_of(folder.path()), diagnostics);
  REQUIRE(files);
  CHECK(holds(files->cu, "      my_fence();\n"));
  CHECK_FALSE(holds(files->cu, "fence_async_shared"));
}

TEST_CASE("a place that scalars decide is computed in 64 bits, and as a coordinate is one that is outside") {
  const std::string text = emitted(sample("pipeline/sum_of_slices").plan).cu;
  CHECK(holds(text, "{tma_coordinate(k + first), tile[0] * bn"));
  CHECK(holds(emitted(sample("checks/scaled_steps").plan).cu, "{(int64_t(first) + k) * bs}"));
  CHECK(holds(emitted(sample("matmul/matmul").plan).cu, "{tile.m * bm"));
}

TEST_CASE("a store asks for elements of its array where a launch may have none") {
  const std::string matmul = emitted(sample("matmul/matmul").plan).cu;
  CHECK(!holds(matmul, ".empty()"));
  CHECK(holds(matmul, "prefetch(map_a, map_b, map_c);"));
  const std::string sums =
      emitted(sample("attention/attention_bwd").plan).cu;  // no rows of dq, and blocks of dk and dv
  CHECK(holds(sums, "if (map_dq.has_elements()) prefetch(map_dq);"));
  CHECK(std::regex_search(sums, std::regex(R"(if \(map_dq\.has_elements\(\)\)\s+tma_reduce_add\(map_dq)")));
  CHECK(!holds(sums, "map_dk.has_elements()"));
}

TEST_CASE("run-time checks ask nothing that never holds") {
  // Indices of an unsigned dtype, and elements whose condition never holds, so that they are not read.
  const std::string body = emitted(sample("../tests/corners/checked_table_in_body").plan).cu;
  CHECK(!holds(body, "entry < 0"));
  CHECK(!holds(body, "if (tile[0] < -1"));
  // Blocks at 0 of a dim that has elements, and the iterations before the loop.
  const Plan pages = sample("../tests/corners/checked_table_of_pages").plan;
  CHECK(pages.faults.size() == 2);
  const std::string text = emitted(pages).cu;
  CHECK(holds(text, "if (tile[0] >= B || ahead >= N) report_fault("));
  CHECK(holds(text, "if (P > 0 && (entry < 0 || entry >= P)) report_fault("));
  CHECK(holds(emitted(sample("../tests/corners/checks_of_copies_ahead").plan).cu, "if (N > 0 && ahead * 128 >= N)"));
}

TEST_CASE("elements of which no thread has two are no loop") {
  const std::string sums = emitted(sample("reductions/cumsum_columns").plan).cu;  // fewer results than threads
  CHECK(holds(sums, "if (const int i = thread; i < bn) smem.carry[i] = 0.0f;"));
  const std::string vector = emitted(sample("reductions/softmax_vector").plan).cu;  // a part of the row for each warp
  CHECK(holds(vector, "const int part = thread / 32, lane = thread % 32;"));
  const std::string counts = emitted(sample("indexing/counts").plan).cu;  // one for each thread
  CHECK(std::regex_search(counts, std::regex(R"(\n( *)\{\n +const int \w+ = thread)")));
}
