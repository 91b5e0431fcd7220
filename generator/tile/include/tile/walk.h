#pragma once

#include <array>
#include <functional>
#include <set>

#include "tile/program.h"

namespace pallasgen::tile {

// True if the boxes have the same places in their arrays, whichever these are; their limits are not compared.
bool same_place(const Box& a, const Box& b);

// Calls `visit` on each statement and those inside it, outer ones first, in the order of the text.
void for_each_statement(const Block& block, const std::function<void(const Statement&)>& visit);
// Calls `visit` on each expression of the statement itself, not of statements inside it.
void for_each_expression(const Statement& statement, const std::function<void(const TypedPtr&)>& visit);
// Calls `change` on each expression of the statement and of the statements inside it.
void change_expressions(Statement& statement, const std::function<void(TypedPtr&)>& change);
// Calls `change` on each expression of the statement itself.
void change_own_expressions(Statement& statement, const std::function<void(TypedPtr&)>& change);
// True if a CTA may run the statement's blocks more than once: loops, unless over tiles of which a CTA takes one.
bool repeats(const Statement& statement);
// The blocks inside a statement in the order in which they run: a loop has one, or two with a test; a branch has two.
template <class B>
class InnerBlocks {
 public:
  void push_back(B* block) { blocks_[size_++] = block; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  B* operator[](size_t i) const { return blocks_[i]; }
  B* front() const { return blocks_[0]; }
  B* back() const { return blocks_[size_ - 1]; }
  B* const* begin() const { return blocks_.data(); }
  B* const* end() const { return begin() + size_; }

 private:
  std::array<B*, 2> blocks_{};
  size_t size_ = 0;
};
InnerBlocks<const Block> blocks_of(const Statement& statement);
InnerBlocks<Block> blocks_of(Statement& statement);

// A sum `start + dot(…)` of equal dtypes and shapes, which a dot can accumulate.
struct AddedDot {
  TypedPtr start, dot;
};
std::optional<AddedDot> added_dot(const TypedPtr& sum);

// The value that the statement itself defines, and the values that it reads, without the statements inside it.
std::optional<ValueId> defined_by(const Statement& statement);
std::set<int> used_by(const Statement& statement);
// The values that a loop or a branch carries; null for other statements.
const std::vector<ValueId>* carry_of(const Statement& statement);
// The value in shared memory that a statement loads into registers, as it is or widened on the way (is_widened).
std::optional<ValueId> loaded_by(const Program& program, const Assign& assign);
// True if by this statement each thread of the role loads from the entry `value` just the elements that it copied there
// itself: a block of `shape`, copied `vector` elements at a time.
bool takes_own_copies(const Program& program, const Role& role, const Statement& statement, int value, int64_t vector,
                      const Shape& shape);
// True if loads from shared memory can convert elements of `from` to the wider `to` on the way.
bool is_widened(DType from, DType to);
// True if copies of the box report their completion with the bytes of the whole entry, also past the array's end.
bool reports_bytes(const Put& put);
// True if the statement only orders others: waits, arrivals, fences and the like.
bool is_protocol(const Statement& statement);

// What a statement and the statements inside it touch.
struct Touched {
  std::set<int> reads, defines;  // values
  std::set<int> loads, stores;   // refs: arrays in global memory and places; stores include atomics
  std::set<int> axes;            // ids of axes, also of those in `let` values and in sizes
  bool ordered = false;          // with other programs or the outside: atomics, ordered accesses, prints, assertions

  void add(const Touched& other);
};
Touched touched(const Program& program, const Statement& statement);
Touched touched(const Program& program, const Block& block);
void touch(const Program& program, const TypedPtr& expr, Touched& out);

// Values that a block may read before it defines them.
std::set<int> undefined_at_start(const Block& block);

// The point of a block at which live values need most words: before this statement, counting the words that `within`
// says it takes itself.
struct Peak {
  int64_t words = 0;
  const Statement* before = nullptr;
  std::set<int> values;
};
Peak peak_of(const Block& body, const std::function<int64_t(int value)>& words,
             const std::function<int64_t(const Statement&)>& within = {});

// Sets what each loop and branch carries: values that an iteration takes from the one before, or that are read after.
void find_carries(Program& program);

// Describes what is wrong with a program: values that are used before they are defined, carries other than those of
// find_carries, and what verify_channels finds. Empty if nothing is wrong.
std::vector<std::string> verify(const Program& program);

}  // namespace pallasgen::tile
