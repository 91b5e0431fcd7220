#pragma once

#include <functional>
#include <set>

#include "tile/program.h"

namespace pallasgen::tile {

// Whether two boxes are of the same elements, of whatever arrays.
bool same_place(const Box& a, const Box& b);

// Calls `visit` on each statement and those inside it, outer ones first, in the order of the text.
void for_each_statement(const Block& block, const std::function<void(const Statement&)>& visit);
// Calls `visit` on each expression of the statement itself, not of statements inside it.
void for_each_expression(const Statement& statement, const std::function<void(const TypedPtr&)>& visit);
// The same on expressions that may be changed; those inside blocks of the statement too.
void change_expressions(Statement& statement, const std::function<void(TypedPtr&)>& change);
// Those of the statement alone, not of what stands in it.
void change_own_expressions(Statement& statement, const std::function<void(TypedPtr&)>& change);
// Whether a CTA may run the statement's blocks more than once: a loop, but not one over tiles of which it takes one.
bool repeats(const Statement& statement);
// The blocks inside a statement.
std::vector<const Block*> blocks_of(const Statement& statement);
std::vector<Block*> blocks_of(Statement& statement);

// `start + dot(…)`, of one dtype and shape: a dot that goes on from there.
struct AddedDot {
  TypedPtr start, dot;
};
std::optional<AddedDot> added_dot(const TypedPtr& sum);

// The value that a statement itself defines, and those that it reads, without the statements inside it.
std::optional<ValueId> defined_by(const Statement& statement);
std::set<int> used_by(const Statement& statement);
// What a loop or a branch carries; null: the statement is neither.
const std::vector<ValueId>* carry_of(const Statement& statement);
// The value in shared memory that a statement loads into registers: as it is, or as a dtype that its elements become on
// the way (is_widened).
std::optional<ValueId> loaded_by(const Program& program, const Assign& assign);
// Whether each thread of the role takes by the statement, from the entry that `value` is, just what it has copied there
// itself: a block of the shape, `vector` elements at a time.
bool takes_own_copies(const Program& program, const Role& role, const Statement& statement, int value, int64_t vector,
                      const Shape& shape);
// Whether loads from shared memory make elements of `to` out of such of `from`, which are narrower.
bool is_widened(DType from, DType to);
// Whether copies of the box tell by themselves how many bytes they bring: all of the entry's, also past the end.
bool tells_its_bytes(const Put& put);
// Whether it only orders what others do: waits, arrivals, fences and the like.
bool is_protocol(const Statement& statement);

// What a statement touches, with the statements inside it.
struct Touched {
  std::set<int> reads, defines;  // values
  std::set<int> loads, stores;   // refs: arrays in global memory and places; stores include atomics
  std::set<int> axes;            // by their variables, those of `let` values and of sizes included
  bool ordered = false;          // with other programs or the outside: atomics, ordered accesses, prints, assertions

  void add(const Touched& other);
};
Touched touched(const Program& program, const Statement& statement);
Touched touched(const Program& program, const Block& block);
void touch(const Program& program, const TypedPtr& expr, Touched& out);

// Values that a block reads before it defines them, in some turn of its loops.
std::set<int> undefined_at_start(const Block& block);

// The point of a block at which the values that are still read need most words: before this statement, with those that
// `within` says that it takes itself.
struct Peak {
  int64_t words = 0;
  const Statement* before = nullptr;
  std::set<int> values;
};
Peak peak_of(const Block& body, const std::function<int64_t(int value)>& words,
             const std::function<int64_t(const Statement&)>& within = {});

// Finds what each loop and branch carries: values that a turn takes from the one before it, or that are read behind.
void find_carries(Program& program);

// What is wrong with a program: a value that is used and not defined above, a carry that find_carries would not give.
// Empty: nothing.
std::vector<std::string> verify(const Program& program);

}  // namespace pallasgen::tile
