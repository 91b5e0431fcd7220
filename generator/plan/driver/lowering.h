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
#include "rings/crossed_stores.h"
#include "rings/role_channels.h"
#include "rings/staged_stores.h"

namespace pallasgen {

namespace planning {

// Not all of either: tile programs and the programs of plans have statements of the same names.
using program::Access, program::AtomicKind, program::Statements, program::StoreGlobal;
using tile::Advance, tile::Assign, tile::Block, tile::Box, tile::Commit, tile::For, tile::ForTiles, tile::Get, tile::If,
    tile::Path, tile::Program, tile::Put, tile::Read, tile::Role, tile::Statement, tile::Sync, tile::ValueId,
    tile::WaitCopies, tile::Write;

// The statements of a role of a tile program as those of a plan: names are variables, declared where they are defined
// first or where a loop or a branch takes them out of its block.
class Lowering {
 public:
  Lowering(Draft& draft, const Program& program, const Role& role, const Number& threads, const Number& groups,
           const RoleRings& between);

  Statements run(const Block& block);
  // Moved from and to global memory, each access once.
  std::vector<int> rings() const { return channels_.own_rings(); }
  std::vector<int> stores() const { return stores_.stores(); }
  // What the role's row0 counts in.
  Number declared_rows() { return values_.groups().declared_rows(); }
  // What the file says of the first dot by instructions; null: there is none.
  const std::optional<MmaNumbers>& multiplied() const { return multiplied_; }

 private:
  static void append(Statements& to, Statements from) { std::move(from.begin(), from.end(), std::back_inserter(to)); }

  bool constant(const Assign& assign) const { return definitions_.at(assign.value.index) == 1; }
  bool is_fragment(ValueId value) { return values_.form(value).kind != FormKind::scalar; }
  void declare(ValueId value, Statements& out);
  // A value that begins here, undefined: in a block that is around those which define it, or before them.
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
  // An entry of a ring, or a part of it.
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
  CrossedStores crossed_;
  RoleChannels channels_;
  std::set<int> declared_;  // values that have a variable here
  ElementLowering elements_;
  BlockProducts blocks_;
  TileMoves moves_through_tiles_;
  std::map<int, tile::Entry> got_;  // by value
  std::map<int, TypedPtr> rows_;    // by value, of those: how many count
  bool in_first_turns_ = false;
  const Statement* next_ = nullptr;            // behind the statement under way
  std::map<int, tile::Entry> last_got_;        // by channel
  bool behind_reads_ = false;                  // what awaits the readers of an entry stands before it
  bool waited_ = false;                        // a wait for instructions, of a fence for an entry, stands before it
  const tile::Release* freed_next_ = nullptr;  // what stands behind it
  const tile::Entry* next_entry_ = nullptr;    // that is got from it on
  std::optional<std::string> in_step_;         // the axis
  std::optional<MmaNumbers> multiplied_;
  std::map<int, std::string> dots_;  // by value, of those that instructions make: the words of the spec
  std::map<int, int> definitions_;   // by value: statements
  std::map<int, std::string> held_;  // by value, of those that others' fragments hold: the words of the spec
};

}  // namespace planning

}  // namespace pallasgen
