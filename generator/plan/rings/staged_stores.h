#pragma once

#include <map>
#include <optional>

#include "fragments/fragment_values.h"
#include "program/draft.h"
#include "questions/staged_store.h"
#include "rings/role_rings.h"
#include "tile/program.h"

namespace pallasgen {

// Lowers the staged stores of a role.
class StagedStores {
 public:
  StagedStores(Draft& draft, const tile::Program& program, FragmentValues& values, Number consumers,
               const RoleRings& between)
      : draft_(draft), program_(program), values_(values), consumers_(std::move(consumers)), between_(between) {}

  program::Statements lower(const StagedStore& store);
  // The wait for all stores, at the end of the role.
  program::Statement wait_for_all_stores(const tile::WaitStores& wait) const;
  std::vector<int> stores() const;

 private:
  int add_store(const StagedStore& store, const Number& rows, int64_t width);
  program::Statements read(const StagedStore& staged, const StorePlan& store);
  program::Statement chunks(const StagedStore& store, int index, const Number& rows, const Number& columns);
  program::Statements chunk(const StagedStore& store, int index, const std::string& layout);
  program::Statements read_blocks(const StagedStore& staged, const StorePlan& store, const std::string& layout);
  int chunk_fragment(std::string name, DType dtype, const std::string& layout, const Number& rows);
  ElementValue element(const TypedPtr& value, const StagedStore& staged);
  TypedPtr first_column_of_group(const StagedStore& staged) const;
  TypedPtr with_names(const TypedPtr& value, const StagedStore& staged) const;
  TypedPtr place_with_names(const TypedPtr& first, const StagedStore& staged) const;
  program::Statement fence_before(const StagedStore& staged) const;
  int writes(bool direct) const;
  std::string suffix(const StagedStore& store) const;
  std::string ring_name(const StagedStore& store) const;

  Draft& draft_;
  const tile::Program& program_;
  FragmentValues& values_;
  const Number consumers_;
  const RoleRings& between_;
  std::map<int, int> store_of_;  // by channel
  std::map<int, int> parts_;     // of the current chunk, by value: fragments of the columns of one iteration, or views
                                 // of accumulators
  std::map<int, int> vectors_;   // the same, with all columns of the chunk
  Number columns_, chunk_;       // of the current chunk, and of one iteration
};

}  // namespace pallasgen
