#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "elements/lowering.h"
#include "elements/tile_moves.h"
#include "fragments/fragment_values.h"
#include "fragments/packed_operands.h"
#include "questions/instructions.h"
#include "questions/ring_moves.h"
#include "rings/block_products.h"
#include "rings/delegated_stores.h"
#include "rings/role_channels.h"
#include "rings/staged_stores.h"

namespace pallasgen {

namespace planning {

// Only some names of each namespace: both have statements of the same names.
using program::Access, program::AtomicKind, program::Statements, program::StoreGlobal;
using tile::Advance, tile::Assign, tile::Block, tile::Box, tile::Commit, tile::For, tile::ForTiles, tile::Get, tile::If,
    tile::Path, tile::Program, tile::Put, tile::Read, tile::Role, tile::Statement, tile::Sync, tile::ValueId,
    tile::WaitCopies, tile::Write;

// Lowers the statements of a tile program's role to those of a plan. Names become variables, declared at their first
// definition or before the loop or branch that passes them on.
class Lowering {
 public:
  Lowering(Draft& draft, const Program& program, const Role& role, const Number& threads, const Number& groups,
           const RoleRings& between);

  Statements run(const Block& block);
  // The rings that only this role uses.
  std::vector<int> rings() const { return channels_.own_rings(); }
  std::vector<int> stores() const { return stores_.stores(); }
  // The number of rows per warpgroup by which the role computes its row0.
  Number declared_rows() { return values_.groups().declared_rows(); }
  // The block sizes of the first dot by instructions, which the role's purpose names; null if there is none.
  const std::optional<MmaNumbers>& multiplied() const { return multiplied_; }

 private:
  static void append(Statements& to, Statements from) { std::move(from.begin(), from.end(), std::back_inserter(to)); }

  bool constant(const Assign& assign) const { return definitions_.at(assign.value.index) == 1; }
  bool is_fragment(ValueId value) { return values_.form(value).kind != FormKind::scalar; }
  void declare(ValueId value, Statements& out);
  // Declares a value without defining it, in the block around its definitions or before them.
  void begin(ValueId value, Statements& out);
  std::vector<int> advancing(const Block& body);
  bool lower_between(const Statement& statement, const std::vector<TypedPtr>& checked_places, Statements& out);
  void lower(const Statement& statement, Statements& out);
  void loop_while(const tile::While& loop, Statements& out);
  void count(const For& loop, Statements& out);
  void loop_over(const For& loop, Statements& out);
  void multiply_add(const tile::Dot& dot, const std::string& origin, Statements& out);
  void multiply_blocks(const tile::Dot& dot, const std::string& origin, Statements& out);
  void wait_for(const tile::WaitMma& wait, Statements& out);
  std::string step_read(const tile::WaitMma& wait) const;
  // Loads an entry of a ring, or a part of it.
  void load_slot(const Assign& assign, const tile::Entry& entry, const Apply* part, Statements& out);
  void compute(const Assign& assign, const std::string& origin, Statements& out);
  void load(const Read& read, Statements& out);
  void store(const Write& write, const std::string& origin, Statements& out);

  Draft& draft_;
  const Program& program_;
  const Role& role_;
  const Number consumers_;
  FragmentValues values_;
  PackedOperands packed_;
  RingMoves moves_;
  StagedStores stores_;
  DelegatedStores delegated_;
  RoleChannels channels_;
  std::set<int> declared_;  // values that have a variable here
  ElementLowering elements_;
  BlockProducts blocks_;
  TileMoves moves_through_tiles_;
  std::map<int, tile::Entry> got_;  // by value
  std::map<int, TypedPtr> rows_;    // by value: how many rows of it are valid
  bool in_first_turns_ = false;
  const Statement* next_ = nullptr;            // the statement after the one being lowered
  std::map<int, tile::Entry> last_got_;        // by channel
  bool behind_reads_ = false;                  // a wait for the readers of an entry precedes the statement
  bool waited_ = false;                        // a wait for instructions precedes it
  const tile::Release* freed_next_ = nullptr;  // the release after the statement
  const tile::Entry* next_entry_ = nullptr;    // the next entry that the block gets
  std::optional<std::string> in_step_;         // the axis of the innermost loop over steps
  std::optional<MmaNumbers> multiplied_;
  std::map<int, std::string> dots_;  // by value that instructions make: the spec's text
  std::map<int, int> definitions_;   // by value: how many statements define it
  std::map<int, std::string> held_;  // by value that another value's fragment holds: the spec's text
};

}  // namespace planning

}  // namespace pallasgen
