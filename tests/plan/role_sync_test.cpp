#include "order/role_sync.h"

#include <filesystem>

#include "plan/passes.h"
#include "planned.h"
#include "program/program_walk.h"
#include "tile/walk.h"

using namespace pallasgen;

namespace {

std::string spec_of_syncs(const std::string& rest) { return "pallasgen: 1\nkernel: syncs\ntarget: sm_90a\n" + rest; }

int syncs_in(const program::Statements& statements) {
  int found = 0;
  for_each_statement(statements, [&](const program::Statement& statement) {
    found += std::holds_alternative<program::RoleSync>(statement.node);
  });
  return found;
}

// Removes the RoleSync with this number, in the order of the text.
bool take_away(program::Statements& statements, int& number) {
  for (size_t i = 0; i < statements.size(); ++i) {
    if (std::holds_alternative<program::RoleSync>(statements[i].node) && number-- == 0) {
      statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(i));
      return true;
    }
    for (program::Statements* inner : bodies_of(statements[i])) {
      if (take_away(*inner, number)) return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("each meeting of a role that is deleted from a plan is missed") {
  int deleted = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(PALLASGEN_SOURCE_DIR) + "/specs")) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string path = std::filesystem::relative(entry.path(), PALLASGEN_SOURCE_DIR).string();
    const Planned planned(text_of(path), {}, "", path);
    if (!planned.plan || !planned.plan->parts.empty()) continue;
    // tests/verify/deletions_test.cpp covers the synchronisations for copies and for cleared memory.
    const tile::Program& tiles = planned.plan->lowered->program;
    bool copies = false;
    tile::for_each_statement(tiles.roles.back().body, [&](const tile::Statement& statement) {
      const auto* sync = statement.as<tile::Sync>();
      copies = copies || (sync && sync->of == tile::SyncOf::role) || statement.as<tile::Clear>();
    });
    if (copies) continue;
    const RolePlan& role = planned.plan->roles.back();
    const auto again = [&](program::Statements body) {
      insert_role_syncs(*planned.plan, role.warps == 4, body);
      return syncs_in(body);
    };
    const int all = syncs_in(role.program);
    CAPTURE(path);
    CHECK(again(role.program) == all);
    for (int number = 0; number < all; ++number) {
      program::Statements less = role.program;
      int at = number;
      REQUIRE(take_away(less, at));
      CAPTURE(number);
      CHECK(again(less) >= all);
      ++deleted;
    }
  }
  CHECK(deleted > 30);
}

TEST_CASE("no meeting stands between stores to elements that an index keeps apart") {
  const auto syncs = [](const std::string& first, const std::string& second) {
    const Planned planned(
        spec_of_syncs("grid: [{axis: m, size: 4}]\ninputs: {x: {type: \"f32[4, 64]\", space: gmem}}\n"
                      "outputs: {y: {type: \"f32[4, 2, 64]\", space: gmem}}\nbody:\n  - v = x[m, 0:64]\n  - y[" +
                      first + "] = v\n  - y[" + second + "] = v + 1\n"));
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    return syncs_in(planned.plan->roles[0].program);
  };
  CHECK(syncs("m, 0, 0:64", "m, 1, 0:64") == 0);
  CHECK(syncs("m, 0, 0:64", "m, m % 2, 0:64") == 1);
}

TEST_CASE("one thread that stores and then releases needs no other") {
  const auto syncs = [](const std::string& stored) {
    const Planned planned(spec_of_syncs(
        "grid: [{axis: m, size: 4}]\ninputs: {x: {type: \"f32[4, 64]\", space: gmem}}\n"
        "outputs: {z: {type: \"f32[4, 64]\", space: gmem}}\nworkspace:\n  y: {type: \"f32[4, 64]\"}\n  part: "
        "{type: \"f32[4]\", init: 0}\n"
        "  done: {type: \"i32[1]\", init: 0}\nbody:\n  - v = x[m, 0:64]\n  - " +
        stored + "\n  - atomic_add(done, 0, 1, order=release)\n  - z[m, 0:64] = v\n"));
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    return syncs_in(planned.plan->roles[0].program);
  };
  const int alone = syncs("store(part, m, sum(v), order=relaxed)");
  CHECK(syncs("y[m, 0:64] = v") == 1);
  CHECK(alone == 0);
}
