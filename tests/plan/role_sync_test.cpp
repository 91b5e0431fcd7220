#include "role_sync.h"

#include <filesystem>

#include "plan/passes.h"
#include "planned.h"
#include "program_walk.h"
#include "tile/walk.h"

using namespace pallasgen;

namespace {

int syncs_in(const program::Statements& statements) {
  int found = 0;
  for_each_statement(statements, [&](const program::Statement& statement) {
    found += std::holds_alternative<program::RoleSync>(statement.node);
  });
  return found;
}

// Takes away the RoleSync with this number, in the order of the text.
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
    // tests/verify/deletions_test.cpp has the meetings for copies.
    const tile::Program tiles = lower(planned.plan->kernel, *planned.plan->target, tile::kOrdered);
    bool copies = false;
    tile::for_each_statement(tiles.roles.back().body, [&](const tile::Statement& statement) {
      const auto* sync = statement.as<tile::Sync>();
      copies = copies || (sync && !sync->warpgroup);
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
