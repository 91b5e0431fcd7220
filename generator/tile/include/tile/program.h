#pragma once

#include <algorithm>
#include <compare>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "check/kernel.h"
#include "diagnostics/assert.h"
#include "tile/box.h"
#include "tile/choices.h"
#include "tile/products.h"

namespace pallasgen {
struct ValueLayout;  // layout/layout.h
}

namespace pallasgen::tile {

// An index into one list of a program, with a type per list so that indices into different lists cannot be mixed up.
template <class Tag>
struct Handle {
  int index = -1;
  explicit operator bool() const { return index >= 0; }
  auto operator<=>(const Handle&) const = default;
};
using ValueId = Handle<struct ValueTag>;      // of Program::values; LocalUse::id in expressions
using ChannelId = Handle<struct ChannelTag>;  // of Program::channels

// Where a value is kept. `open`: no pass has chosen yet. `scalar`: a value of one element, which is a variable of all
// threads and is computed element by element.
enum class Home : uint8_t { open, registers, shared, scalar };

// A whole value of a body: a block, a named value, scratch that is only ever assigned whole. A name may be defined
// again where the earlier definition is dead.
struct Value {
  std::string name;
  DType dtype = DType::f32;
  Shape shape;
  Home home = Home::open;
  std::shared_ptr<const ValueLayout> layout = {};  // over the threads of its role; null: not chosen, or in no register
  std::optional<Op> parts = {};  // sum, prod, max or min: how the parts in the layout's holders are combined
  bool inlined = false;  // of the home `shared`: no tile keeps it, its elements are computed where they are used
};

// One member of an entry of a channel. In one program of the grid, an entry is named by its coordinates along the loops
// that the channel moves on; a put and a get with equal coordinates mean the same entry.
struct Entry {
  ChannelId channel;
  int member = 0;
  std::vector<TypedPtr> at;
};

struct Statement;
using Block = std::vector<Statement>;

// value = expr; without an expression the value is undefined.
struct Assign {
  ValueId value;
  TypedPtr expr;
};
// The iteration of an enclosing loop that a statement belongs to where that is not the current one: `j = j - 1`.
struct OfTurn {
  Symbol loop;
  TypedPtr turn;
};
// value = the box's elements in global memory; elements past the end are the ref's `fill`.
struct Read {
  ValueId value;
  Box box;
  Path path = {};
  std::optional<OfTurn> of = {};
};
// value = start + dot(…) as one accumulation; without a start, the dot alone. `product` applies Op::dot.
struct Dot {
  ValueId value;
  TypedPtr start, product;
  const Product* by = product_of({});  // what multiplies it: a row of kProducts
  std::string family = {};             // the row of the target's table that was chosen; empty: loops
  TypedPtr accumulate = nullptr;       // without this condition, `start` is taken as 0 and not read; null: always read
  std::optional<int64_t> in_flight = {};  // iterations of its loop whose instructions may still run after it
};
// Writes the value to the box, combined with what is there if the ref has a reduction.
struct Write {
  Box box;
  ValueId value;
  Path path = {};
};
// Fills the entry from the box in global memory, with the ref's `fill` past the end, or from `value` if there is one.
struct Put {
  Entry entry;
  Box box = {};
  Path path = {};
  ValueId value = {};
  TypedPtr ahead = nullptr;  // this many entries after the one that the role comes to next; null: that one
};
// value = the entry's, once it is full. `rows`: only so many rows count (of a bounded slice); the others become 0.
struct Get {
  ValueId value;
  Entry entry;
  TypedPtr rows = nullptr;
};
// Hints that the L2 cache load the box, which a later put copies. Nothing waits for it.
struct Prefetch {
  Box box;
  Path path = {};
  int64_t ahead = 0;  // how many entries after the one that the role comes to next
};
// Makes one group, which may be empty, of the copies to entries that each thread has started since its last commit.
struct Commit {};
// Each thread waits until at most its last `pending` groups of copies run: entries of these channels have arrived then.
struct WaitCopies {
  int64_t pending = 0;
  std::vector<ChannelId> channels;
};
// What a sync or a fence orders, by the channels of the entries: threads have filled them before others read them
// (`filled`), or have read them before their slots are filled again (`read`). Without channels it orders all of them.
struct Orders {
  std::vector<ChannelId> filled = {}, read = {};
};
// A barrier of all threads of the role, or of those of each of its warpgroups or warps.
enum class SyncOf : uint8_t { role, warpgroup, warp };
struct Sync {
  SyncOf of = SyncOf::role;
  Orders orders = {};
};
// The role moves on to the next entry of the channel.
struct Advance {
  ChannelId channel;
};
// Between roles, the role that fills an entry waits until the slot is free. It announces the bytes of copies that
// report their own completion (Expect), or reports after other copies that the entry is full (Fill).
struct WaitFree {
  ChannelId channel;
};
struct Expect {
  ChannelId channel;
};
struct Fill {
  ChannelId channel;
};
// The role that uses an entry waits until it is full. Each of its warps frees it by itself: the current entry, the one
// before it (if this run of the loop has one), or after the loop the last one (if there was one).
struct WaitFull {
  ChannelId channel;
};
enum class Freed : uint8_t { entry, previous, last };
struct Release {
  ChannelId channel;
  Freed which = Freed::entry;
};
// Orders what each thread has done in shared memory before later accesses there through the async proxy.
struct FenceProxy {
  Orders orders = {};
};
// The role's threads zero the rows of the value, which was got from a slot, that do not count, fence that as FenceProxy
// does and meet at a barrier. Nothing happens if all rows count.
struct Clear {
  ValueId value;
};
// Waits until at most `pending` of the warpgroup's copies out of entries of the channel have still to read them.
struct WaitStores {
  ChannelId channel;
  int64_t pending = 0;
};
// Waits until at most `pending` groups of matrix instructions run; `values` are final then.
struct WaitMma {
  int64_t pending = 0;
  std::vector<ValueId> values;
};
// A warpgroup computes alone between the two: each of the role's warpgroups waits for its turn and passes it to the
// next one. Before the first turn the last warpgroup passes it to the first, and after the last turn the first takes
// what the last has passed, so that no named barrier ends half-way.
struct TakeTurn {
  bool last = false;
};
struct PassTurn {
  bool first = false;
};
// A block that the body does not only assign whole has a place in memory: Forget makes it undefined, ...
struct Forget {
  int ref;
};
// ... Fetch fills it from its box, ...
struct Fetch {
  Box box;
  Path path = {};
};
// ... and Flush writes it to its box.
struct Flush {
  Box box;
  Path path = {};
};
// How a CTA gets programs of the grid: it has one, takes those of a fixed share of the grid one by one, or takes one
// from a counter whenever it is free (dynamic).
enum class WorkKind : uint8_t { one_per_cta, static_persistent, dynamic };
// The kind that the schedule asks for; never `dynamic` without a parallel axis.
WorkKind work_kind(const Kernel& kernel);
struct Work {
  WorkKind kind = WorkKind::one_per_cta;
  TileOrder order = {};
};
// One iteration for each program of the grid, over the parallel axes.
struct ForTiles {
  Block body;
  std::optional<Work> work = {};  // not chosen yet
};
// A loop over the steps of a sequential axis, or a counted loop of the body. `carry`: values that an iteration takes
// from the one before it, or that are read after the loop.
struct For {
  Symbol variable;
  TypedPtr first, last, step;
  std::vector<ValueId> carry;
  Block body;
  std::optional<int64_t> unroll;
};
// `test`: statements that run each time before the condition is evaluated.
struct While {
  TypedPtr condition;
  std::vector<ValueId> carry;
  Block body, test;
};
struct If {
  TypedPtr condition;
  std::vector<ValueId> carry;
  Block then, otherwise;
};

// Effects of the spec language on views of global memory and on blocks with a place are statements here, too.
struct Statement {
  Span span;
  std::string origin;  // the words of the spec that the generated code quotes; empty: none of its own
  std::variant<Assign, Read, Dot, Write, Put, Get, Prefetch, Commit, WaitCopies, Sync, Advance, WaitFree, Expect, Fill,
               WaitFull, Release, FenceProxy, Clear, WaitStores, WaitMma, TakeTurn, PassTurn, Forget, Fetch, Flush,
               ForTiles, For, While, If, StoreStmt, AtomicStmt, GridSyncStmt, PrintStmt, AssertStmt>
      node;

  template <class T>
  const T* as() const {
    return std::get_if<T>(&node);
  }
  template <class T>
  T* as() {
    return std::get_if<T>(&node);
  }
};

// The statement's dot if what multiplies it has the property, as in `dot_if(statement, &Product::runs_on)`; else null.
template <class S>
auto* dot_if(S& statement, bool (Product::*has)() const) {
  auto* dot = statement.template as<Dot>();
  return dot && (dot->by->*has)() ? dot : nullptr;
}

// What a role does in a program. A role that computes copies and stores for itself what no other role does for it.
struct Duties {
  bool copies = false;    // brings blocks from memory to other roles
  bool computes = false;  // computes the values of the body
  bool stores = false;    // takes to memory what other roles compute
};

// A group of warps with duties, and its program.
struct Role {
  std::string name;  // "all", "producer"
  Block body;
  int64_t warps = 0;      // of all its CTAs; 0: not chosen yet
  int64_t ctas = 1;       // the CTAs of a cluster that run the role together on one tile
  int64_t registers = 0;  // of each thread, set by setmaxnreg; 0: as at launch
  Duties duties = {};

  int64_t threads() const { return warps * kWarp; }
  int64_t warpgroups() const { return warps / kWarpsOfGroup; }  // whole ones
};

// A resource of which a program needs more than there is.
struct Shortage {
  const Rule* rule = nullptr;  // limit of a CTA or a thread that is exceeded
  std::string resource;        // "bytes of shared memory"
  int64_t needed = 0, limit = 0;
  std::vector<std::string> counted;  // the parts of `needed`, with what needs them
  std::string remedy;
  Span span = {};                       // the setting that asks for so much; none: the kernel
  std::vector<std::string> works = {};  // settings and sizes with which everything fits: "bm 64"
  int64_t stages = 0;  // slots of each channel with which this resource would suffice; 0: no number does
};

// A setting that a pass cannot honour, with the dependence that prevents it and what could be asked for instead.
struct Refusal {
  const Rule* rule = nullptr;
  Span span;
  std::string message;
  std::vector<std::string> notes;
};

// Values that one role passes to another, as a sequence of entries: one role puts them, the other gets them, each once
// and in the same order.
struct Channel {
  struct Member {
    std::string name;
    DType dtype = DType::f32;
    Shape shape;
  };
  std::string name;
  std::vector<Member> members;
  std::vector<std::string> moves;  // the loops that its entries move on inside a program of the grid, outermost first
  std::string from, to;            // roles; the same where the threads that fill it also use it
  bool formed = false;             // slots and delay are chosen
  std::optional<int64_t> slots = {};  // entries that it holds at a time; nothing: as many as fit and help
  int64_t delay = 0;                  // entries for which one is kept after its last use
};

// What a pass has chosen, and why; printed by `explain`, not part of the text.
struct Decision {
  std::string subject, choice, reason;
  bool by_elements = false;  // the subject is a value that is computed element by element
};

// The pass that orders roles, copies and instructions; in a program after it, all of them must be ordered.
inline constexpr std::string_view kOrdered = "protocol";

// A kernel between its spec and its plan. Dims, consts, axes, refs, functions and settings are those of `declarations`,
// whose body is not used.
struct Program {
  std::shared_ptr<const Kernel> declarations;
  std::string target, pass;             // "sm_90a"; the pass that was run last
  std::set<std::string> honoured = {};  // settings by their paths ("schedule.persistent") that passes have acted on
  std::vector<Value> values;
  std::vector<Channel> channels = {};
  std::vector<Role> roles;
  std::vector<Decision> decisions = {};
  std::optional<Shortage> shortage = {};  // set if the last pass could not make everything fit
  std::vector<Refusal> refusals = {};     // what the last pass could not do
  std::vector<Refusal> warnings = {};     // what works, but costs more than the spec's author will expect
  Choices choices = {};                   // what is given up for one thing or another
  Choices retry = {};  // what the last pass needs to be given up besides; the passes run again with it

  // Of this program only: in a program that a pass made of it, the same id may be another value or none.
  const Value& value(ValueId id) const;
  const Channel& channel(ChannelId id) const;
  const Ref& ref(int id) const { return declarations->refs[static_cast<size_t>(id)]; }
};

// True if several groups of threads run beside one another: warps have to be shared out, and roles wait for others.
// `Of` is a Program or a Plan, here and below.
template <class Of>
bool has_several_roles(const Of& of) {
  return of.roles.size() > 1;
}
// The first role with the duty, as in `role_with(program, &Duties::copies)`; null: no role has it.
template <class Of>
auto* role_with(Of& of, bool Duties::* duty) {
  const auto found =
      std::find_if(of.roles.begin(), of.roles.end(), [&](const auto& role) { return role.duties.*duty; });
  return found == of.roles.end() ? nullptr : &*found;
}
// The role that computes; there must be one.
template <class Of>
auto& computing_role(Of& of) {
  auto* found = role_with(of, &Duties::computes);
  PALLASGEN_ASSERT(found);
  return *found;
}
// The role with this name; null: there is none.
const Role* role_named(const Program& program, std::string_view name);
// What the channels say of the role's duties; a role of which they say nothing computes.
Duties duties_by_channels(const Program& program, const Role& role);

// The first warp of the role, one of the program's, in the CTA: a role of whole warpgroups starts a warpgroup, smaller
// ones share one, in order, while it has warps left. `total_warps` has the warps of all roles, rounded up to whole
// warpgroups if there are several roles.
int64_t first_warp(const Program& program, const Role& role);
int64_t total_warps(const Program& program);

// True if threads put values into the channel that another role takes to global memory.
bool is_staged_between(const Program& program, ChannelId channel);

// The name, or the name with `_`, `_2`, ... if the spec or the program has it already; add_value names a value so.
std::string free_name(const Program& program, std::string name);
ValueId add_value(Program& program, Value value);
// The use of a value in an expression.
TypedPtr use(const Program& program, ValueId id, Span span = {});

}  // namespace pallasgen::tile
