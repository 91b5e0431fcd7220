#include "planned.h"

using namespace pallasgen;

namespace {

const PlanConstant& constant(const Plan& plan, const std::string& name) {
  for (const PlanConstant& constant : plan.constants) {
    if (constant.name == name) return constant;
  }
  FAIL("no constant " << name);
  return plan.constants.front();
}

const SharedField& field(const Plan& plan, const std::string& name) {
  for (const SharedField& field : plan.shared.fields) {
    if (field.name == name) return field;
  }
  FAIL("no field " << name);
  return plan.shared.fields.front();
}

std::vector<Define> settings(int64_t bm, int64_t bn, int64_t bk, const std::string& stages, int64_t warpgroups) {
  return {{"bm", std::to_string(bm)},
          {"bn", std::to_string(bn)},
          {"bk", std::to_string(bk)},
          {"pipeline.stages", stages},
          {"pipeline.compute_warpgroups", std::to_string(warpgroups)}};
}

}  // namespace

TEST_CASE("matmul_gelu has the numbers of the example") {
  const Planned planned = library("matmul/matmul_gelu.yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  const Plan& plan = *planned.plan;
  CHECK(constant(plan, "bm").value == 128);
  CHECK(constant(plan, "bn").value == 256);
  CHECK(constant(plan, "bk").value == 64);
  CHECK(constant(plan, "kStages").value == 4);
  CHECK(constant(plan, "kConsumers").value == 2);
  CHECK(constant(plan, "kThreads").value == 384);
  CHECK(constant(plan, "kThreads").formula == "128 * (1 + kConsumers)");
  CHECK(constant(plan, "kRowsPerConsumer").value == 64);
  CHECK(constant(plan, "kRowsPerConsumer").formula == "bm / kConsumers");
  CHECK(constant(plan, "kStripWidth").value == 8);
  CHECK(constant(plan, "kStoreColumns").value == 64);
  CHECK(constant(plan, "kStoreBuffers").value == 2);
  CHECK(constant(plan, "kStageBytes").value == 49152);
  CHECK(constant(plan, "kStageBytes").formula == "(bm * bk + bn * bk) * sizeof(bf16)");
  CHECK(plan.shared.total == 230400);
  CHECK(plan.shared.padding == 960);
  CHECK(plan.shared.limit == 232448);
  CHECK(field(plan, "a").bytes == 65536);
  CHECK(field(plan, "b").offset == 65536);
  CHECK(field(plan, "c").bytes == 32768);
  CHECK(field(plan, "full").offset == 229376);
  CHECK(field(plan, "empty").offset == 229408);
  REQUIRE(plan.rings.size() == 1);
  CHECK(plan.rings[0].bytes.value == 49152);
  CHECK(plan.rings[0].operands[0].swizzle == Swizzle::k128);
  CHECK(plan.rings[0].operands[0].major == Major::k);
  CHECK(plan.barriers[0].count.value == 1);
  CHECK(plan.barriers[1].count.value == 8);
  REQUIRE(plan.roles.size() == 2);
  CHECK(plan.roles[0].registers.value == 40);
  CHECK(plan.roles[0].change == RegisterChange::down);
  CHECK(plan.roles[1].registers.value == 232);
  CHECK(plan.roles[1].change == RegisterChange::up);
  CHECK(plan.roles[1].warps == 8);
  REQUIRE(plan.maps.size() == 3);
  CHECK(plan.maps[2].box[0].text == "kRowsPerConsumer");
  CHECK(plan.maps[2].box[1].text == "kStoreColumns");
  CHECK(plan.work.tiles_type == "StripTiles<kStripWidth>");
  CHECK(plan.launch.persistent);
  REQUIRE(plan.launch.requirements.size() == 3);
  CHECK(plan.launch.requirements[1].message == "N and K must be multiples of 8");
  CHECK(plan.launch.empty_when.size() == 2);
  CHECK(planned.diagnostics.all().empty());
}

TEST_CASE("each layout of the operands has its swizzle and major") {
  for (const bool trans_a : {false, true}) {
    for (const bool trans_b : {false, true}) {
      std::vector<Define> defines = settings(128, 96, 32, "4", 2);
      defines.push_back({"trans_a", trans_a ? "true" : "false"});
      defines.push_back({"trans_b", trans_b ? "true" : "false"});
      const Planned planned = library("matmul/matmul.yaml", defines);
      REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
      const RingOperand &a = planned.plan->rings[0].operands[0], &b = planned.plan->rings[0].operands[1];
      CHECK(a.major == (trans_a ? Major::mn : Major::k));
      CHECK(b.major == (trans_b ? Major::k : Major::mn));
      CHECK(swizzle_bytes(a.swizzle) == (trans_a ? 128 : 64));
      CHECK(a.column_boxes.value == (trans_a ? 2 : 1));
      CHECK(swizzle_bytes(b.swizzle) == 64);
      CHECK(b.column_boxes.value == (trans_b ? 1 : 3));
      CHECK(b.extent.text == (trans_b ? "bn" : "bk"));
      CHECK(planned.plan->rings[0].bytes.value == (128 + 96) * 32 * 2);
    }
  }
}

TEST_CASE("memory of every plan adds up") {
  for (const int64_t bm : {64, 128, 192, 256}) {
    for (const int64_t bn : {64, 96, 256}) {
      for (const char* stages : {"1", "2", "auto"}) {
        const Planned planned = library("matmul/matmul_gelu.yaml", settings(bm, bn, 64, stages,
                                                                            bm == 192     ? 3
                                                                            : bm / 64 > 1 ? 2
                                                                                          : 1));
        if (!planned.plan) {
          CHECK(planned.diagnostics.has_errors());
          continue;
        }
        const SharedMemory& shared = planned.plan->shared;
        int64_t end = 0;
        for (const SharedField& field : shared.fields) {
          CHECK(field.offset == end);
          CHECK(field.offset % field.alignment == 0);
          end = field.offset + field.bytes;
        }
        CHECK(end + shared.padding == shared.total);
        CHECK(shared.total % shared.alignment == 0);
        CHECK(shared.total <= shared.limit);
        int64_t stage = 0;
        for (const RingOperand& operand : planned.plan->rings[0].operands) stage += operand.bytes.value;
        CHECK(stage == planned.plan->rings[0].bytes.value);
      }
    }
  }
}

TEST_CASE("automatic stages fit and hide the latency where they can") {
  const Planned wide = library("matmul/matmul_gelu.yaml", settings(128, 256, 64, "auto", 2));
  REQUIRE_MESSAGE(wide.plan.has_value(), wide.errors());
  CHECK(wide.plan->rings[0].slots.value == 4);
  const Planned narrow = library("matmul/matmul_gelu.yaml", settings(64, 64, 32, "auto", 1));
  REQUIRE_MESSAGE(narrow.plan.has_value(), narrow.errors());
  CHECK(narrow.plan->rings[0].slots.value > 4);
  CHECK(narrow.plan->shared.total <= narrow.plan->shared.limit);
}

TEST_CASE("one stage leaves no wgmma group in flight") {
  const Planned planned = library("matmul/matmul_gelu.yaml", settings(128, 256, 64, "1", 2));
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  CHECK(planned.plan->rings[0].delay == 0);
  const Planned two = library("matmul/matmul_gelu.yaml", settings(128, 256, 64, "2", 2));
  REQUIRE(two.plan.has_value());
  CHECK(two.plan->rings[0].delay == 1);
}

TEST_CASE("registers of each number of consumers stay within the pool") {
  for (const Target& target : targets()) {
    if (!target.setmaxnreg) continue;
    for (int consumers = 1; consumers <= 3; ++consumers) {
      for (const bool copies : {false, true}) {
        const RegisterSplit* split = register_split(consumers, copies);
        REQUIRE(split);
        const int64_t threads = 128 * (1 + consumers);
        CHECK(split->entry <= target.registers / threads / 8 * 8);
        if (split->consumer == split->entry) continue;
        CHECK(split->producer % 8 == 0);
        CHECK(split->consumer % 8 == 0);
        CHECK(split->producer + consumers * split->consumer <= (consumers + 1) * split->entry);
        if (copies) CHECK(split->producer >= 40);  // registers of the runtime's copies, 8 runs at once
      }
    }
  }
  CHECK(register_split(4) == nullptr);
}

TEST_CASE("an output whose rows are not whole units is stored by masks, with a warning") {
  const Planned planned = library("matmul/matmul.yaml", {{"trans_b", "true"}});
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  CHECK(planned.plan->stores.empty());
  CHECK(planned.has_rule("slow-path"));
  CHECK(planned.plan->maps.size() == 2);
}

TEST_CASE("the orders of tiles") {
  const std::string persistent = "schedule.persistent", order = "schedule.tile_order";
  Planned rows = library("matmul/matmul.yaml", {{order, "row"}});
  REQUIRE_MESSAGE(rows.plan.has_value(), rows.errors());
  CHECK(rows.plan->work.tiles_type == "RowMajorTiles<2>");
  CHECK(rows.plan->work.axes == std::vector<int>{0, 1});
  Planned columns = library("matmul/matmul.yaml", {{order, "column"}, {persistent, "false"}});
  REQUIRE_MESSAGE(columns.plan.has_value(), columns.errors());
  CHECK(columns.plan->work.axes == std::vector<int>{1, 0});
  CHECK(!columns.plan->launch.persistent);
  Planned strips = library("matmul/matmul.yaml", {{persistent, "false"}});
  REQUIRE_MESSAGE(strips.plan.has_value(), strips.errors());
  CHECK(strips.plan->work.tiles_type == "OneTilePerCta<kStripWidth>");
  Planned listed = library("matmul/matmul.yaml", {{order, "[-n, m]"}});
  REQUIRE_MESSAGE(listed.plan.has_value(), listed.errors());
  CHECK(listed.plan->work.axes == std::vector<int>{0, 1});
  CHECK(listed.plan->work.tiles_type == "OrderedTiles<2, AxisReversed<1>, AxisInOrder<0>>");
  CHECK(listed.plan->work.order_words == "n from its end, m");
}

TEST_CASE("a bias is loaded by column, the other targets have no instructions for a dot") {
  const Planned planned = library("matmul/matmul_gelu.yaml", {{"with_bias", "true"}});
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  bool found = false;
  for (const FragmentPlan& fragment : planned.plan->fragments)
    found = found || fragment.layout_text == "ColumnSlice<WgmmaLayout<kRowsPerConsumer, kStoreColumns>>";
  CHECK(found);
  for (const char* target : {"sm_80", "sm_86", "sm_89", "sm_100a", "sm_103a", "sm_120a"}) {
    const Planned other = library("matmul/matmul_gelu.yaml", {}, target);
    INFO(other.errors());
    CHECK(other.has_rule(find_target(target)->tma ? "slow-path" : "setting-not-planned"));
  }
}

TEST_CASE("weights of 8-bit floats stay as they are up to the registers that A is taken from") {
  for (const char* weights : {"f8e4m3", "f8e5m2"}) {
    for (const char* other : {"bf16", "f16"}) {
      const Planned planned = library("matmul/matmul_wf8.yaml", {{"W", weights}, {"T", other}});
      REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
      CHECK(planned.errors().empty());
      CHECK(count<program::Mma>(planned.plan->roles[1].program) == 1);
      CHECK(count<program::LoadShared>(planned.plan->roles[1].program) == 1);
      CHECK(count<program::StoreOperand>(planned.plan->roles[1].program) == 0);
    }
  }
}

TEST_CASE("a dot of tf32 is one of instructions whoever brings its operands") {
  const Planned threads = library("matmul/matmul_tf32_multistage.yaml");
  REQUIRE_MESSAGE(threads.plan.has_value(), threads.errors());
  CHECK(count<program::Mma>(threads.plan->roles[0].program) == 1);
  CHECK(count<program::RoundCopied>(threads.plan->roles[0].program) == 2);
  std::string text = text_of("specs/matmul/matmul_tf32.yaml");
  const std::string dot = "dot(a, b, trans_b=true";
  text.replace(text.find(dot), dot.size(), "dot(relu(a), b, trans_b=true");
  const Planned made(text, {});
  REQUIRE_MESSAGE(made.plan.has_value(), made.errors());
  CHECK(made.errors().empty());
  CHECK(count<program::Mma>(made.plan->roles[1].program) == 1);
  bool rounds = false;
  for_each_statement(made.plan->roles[1].program, [&](const program::Statement& statement) {
    const auto* store = std::get_if<program::StoreOperand>(&statement.node);
    rounds = rounds || (store && store->tf32);
  });
  CHECK(rounds);
}

TEST_CASE("a dot that no MMA takes goes element by element beside the producer, and says what would be taken") {
  const Planned odd = library("matmul/matmul_odd.yaml");
  REQUIRE_MESSAGE(odd.plan.has_value(), odd.errors());
  CHECK(odd.plan->roles.size() == 2);
  CHECK(odd.errors().find("it has 20 rows, and instructions have a multiple of 64") != std::string::npos);
  CHECK(odd.errors().find("works") != std::string::npos);
  SUBCASE("f32 has no MMA that multiplies exactly: what rounds is told, and named where it is all that is missing") {
    const Planned pairs = library("matmul/pair_products.yaml");
    REQUIRE_MESSAGE(pairs.plan.has_value(), pairs.errors());
    CHECK(pairs.errors().find("precision=tf32 allows; besides, it has 12 rows") != std::string::npos);
    CHECK(pairs.errors().find("works") == std::string::npos);
    std::string text = text_of("specs/matmul/matmul_tf32.yaml");
    const std::string asked = ", precision=tf32";
    text.erase(text.find(asked), asked.size());
    const Planned exact(text, {});
    CHECK(exact.errors().find("`precision=tf32` works") != std::string::npos);
  }
  SUBCASE("run-time checks leave a dot its instructions") {
    std::string text = text_of("specs/matmul/matmul.yaml");
    text.replace(text.find("grid:"), 5, "checks: [nan]\ngrid:");
    const Planned checked(text,
                          {{"bm", "64"}, {"bn", "64"}, {"pipeline.stages", "2"}, {"pipeline.compute_warpgroups", "1"}});
    REQUIRE_MESSAGE(checked.plan.has_value(), checked.errors());
    CHECK(count<program::Mma>(checked.plan->roles[1].program) == 1);
    CHECK(checked.plan->faults.size() == 1);
  }
  SUBCASE("what does not fit either way says what would be taken, too") {
    const Planned large = library("matmul/matmul_odd.yaml", {{"bm", "250"}, {"bn", "260"}});
    CHECK_FALSE(large.plan.has_value());
    CHECK(large.has_rule("shared-memory"));
    CHECK(large.has_scalar_dot());
  }
}

TEST_CASE("the columns of one tensor copy are a constant that operands of one swizzle share") {
  const Planned planned = library("matmul/matmul.yaml", {{"trans_a", "true"}, {"bk", "128"}, {"pipeline.stages", "2"}});
  REQUIRE(planned.plan.has_value());
  for (const RingOperand& operand : planned.plan->rings[0].operands) {
    CHECK(operand.column_box_width == number(64, "kSlabColumns"));
    CHECK(operand.column_boxes.text.ends_with(" / kSlabColumns"));
  }
  const auto named = [](const PlanConstant& constant) { return constant.name.starts_with("kSlabColumns"); };
  CHECK(std::count_if(planned.plan->constants.begin(), planned.plan->constants.end(), named) == 1);
  const Planned narrow = library("matmul/matmul.yaml", {{"bn", "96"}, {"bk", "128"}, {"pipeline.stages", "2"}});
  REQUIRE(narrow.plan.has_value());
  const auto& constants = narrow.plan->constants;
  CHECK(std::count_if(constants.begin(), constants.end(), named) == 2);
}
