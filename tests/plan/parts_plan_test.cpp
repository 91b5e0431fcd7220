#include <algorithm>

#include "planned.h"

using namespace pallasgen;

namespace {

// Accesses of a spec's plan, over all roles.
struct Moves {
  int by_elements = 0;                                      // loops over elements
  int64_t least_load = INT64_MAX, least_store = INT64_MAX;  // bytes at once
  int loads = 0, stores = 0, parts = 0, tensor_copies = 0;  // parts: of slots
};

Moves moves_of(const std::string& corner) {
  const Planned planned(text_of("tests/corners/" + corner + ".yaml"), {}, "sm_90a",
                        "tests/corners/" + corner + ".yaml");
  REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
  Moves moves;
  const auto bytes = [&](const program::Access& access) {
    return access.vector.value * info(planned.kernel->refs[static_cast<size_t>(access.ref)].dtype).bits / 8;
  };
  for (const RolePlan& role : planned.plan->roles) {
    for_each_statement(role.program, [&](const program::Statement& statement) {
      moves.by_elements += std::holds_alternative<program::ForElements>(statement.node);
      moves.parts += std::holds_alternative<program::LoadShared>(statement.node);
      moves.tensor_copies += std::holds_alternative<program::TensorLoad>(statement.node);
      if (const auto* load = std::get_if<program::Load>(&statement.node)) {
        ++moves.loads;
        moves.least_load = std::min(moves.least_load, bytes(load->access));
      }
      if (const auto* store = std::get_if<program::StoreGlobal>(&statement.node)) {
        ++moves.stores;
        moves.least_store = std::min(moves.least_store, bytes(store->access));
      }
    });
  }
  return moves;
}

}  // namespace

TEST_CASE("parts of blocks, and slices of an array in place, move 16 bytes at once") {
  for (const char* corner : {"halves_of_a_block", "row_of_a_block", "windows_of_a_name", "parts_past_the_end",
                             "slices_in_place", "parts_moved_in_place"}) {
    CAPTURE(corner);
    const Moves moves = moves_of(corner);
    CHECK(moves.by_elements == 0);
    CHECK(moves.loads > 0);
    CHECK(moves.stores > 0);
    CHECK(moves.least_load == 16);
    CHECK(moves.least_store == 16);
  }
}

TEST_CASE("rows of entries are loaded as they are used, and a state that a scan carries stays in registers") {
  const Moves moves = moves_of("rows_of_entries_in_a_loop");
  CHECK(moves.by_elements == 0);
  CHECK(moves.parts == 5);  // parts of x, dt, z, bm and cm
}

TEST_CASE("a producer copies what a block decides about ahead of the decision") {
  CHECK(moves_of("copies_beside_a_condition").tensor_copies == 2);
}
