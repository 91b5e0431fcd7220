#pragma once

#include <compare>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "check/kernel.h"
#include "tile/box.h"

namespace pallasgen {
struct ValueLayout;  // layout/layout.h
}

namespace pallasgen::tile {

// An index into one of a program's lists that does not mix with those into another.
template <class Tag>
struct Handle {
  int index = -1;
  explicit operator bool() const { return index >= 0; }
  auto operator<=>(const Handle&) const = default;
};
using ValueId = Handle<struct ValueTag>;      // of Program::values; LocalUse::id in expressions
using ChannelId = Handle<struct ChannelTag>;  // of Program::channels

// Where a value is kept. `open`: no pass has chosen yet. `scalar`: one variable that all threads hold, of a value of
// one element whose statement goes element by element.
enum class Home : uint8_t { open, registers, shared, scalar };

// A whole value of a body: a block, a named value, scratch that is only ever assigned whole. A name may be defined
// again where the earlier definition is dead.
struct Value {
  std::string name;
  DType dtype = DType::f32;
  Shape shape;
  Home home = Home::open;
  std::shared_ptr<const ValueLayout> layout = {};  // over the threads of its role; null: not chosen, or in no register
  std::optional<Op> parts = {};  // sum, prod, max or min: what reduces the parts of it that the layout's holders have
};

// One member of an entry of a channel. Inside one program of the grid the coordinates that the channel moves on name an
// entry; a put and a get with equal coordinates mean the same one.
struct Entry {
  ChannelId channel;
  int member = 0;
  std::vector<TypedPtr> at;
};

struct Statement;
using Block = std::vector<Statement>;

// value = expr; without an expression, the value is there and undefined.
struct Assign {
  ValueId value;
  TypedPtr expr;
};
// A turn of a loop, where a statement is not of the one that it stands in: `j = j - 1`.
struct OfTurn {
  Symbol loop;
  TypedPtr turn;
};
// value = the box's elements in global memory, past the end `fill` of the ref.
struct Read {
  ValueId value;
  Box box;
  Path path = {};
  std::optional<OfTurn> of = {};
};
// Who multiplies a dot: loops over elements, threads that have blocks of the result in their registers (FmaFamily), or
// a unit of its own, which runs on until it is waited for (MmaFamily).
enum class Multiplier : uint8_t { loops, threads, unit };
// value = start + dot(…) as one accumulation; without a start, the dot alone. `product` applies Op::dot.
struct Dot {
  ValueId value;
  TypedPtr start, product;
  Multiplier by = Multiplier::loops;
  std::string family = {};                // the row of the target's table that it goes by; empty: loops
  TypedPtr accumulate = nullptr;          // under this condition the start counts, else it is not read; null: always
  std::optional<int64_t> in_flight = {};  // of its turns of the loop around it, how many may run on behind it

  bool by_threads() const { return by == Multiplier::threads; }
  bool by_unit() const { return by == Multiplier::unit; }
};
// The box gets the value, combined with what is there where the ref has a reduction.
struct Write {
  Box box;
  ValueId value;
  Path path = {};
};
// The entry gets the box's elements in global memory, past the end `fill` of the ref, or a value where there is one.
struct Put {
  Entry entry;
  Box box = {};
  Path path = {};
  ValueId value = {};
  TypedPtr ahead = nullptr;  // so many entries behind the one that the role comes to next; null: that one
};
// value = the entry's, once it is there. `rows`: of a bounded slice, so many of its rows count, and the others are 0.
struct Get {
  ValueId value;
  Entry entry;
  TypedPtr rows = nullptr;
};
// Asks for what a later put copies from memory to come into the L2 cache: a hint, which nothing awaits.
struct Prefetch {
  Box box;
  Path path = {};
  int64_t ahead = 0;  // of so many entries behind the one that the role comes to next
};
// What each thread has copied to entries since it last did so is one group, which may be empty.
struct Commit {};
// Each thread waits until all but its last `pending` groups of copies have arrived: an entry of these channels has.
struct WaitCopies {
  int64_t pending = 0;
  std::vector<ChannelId> channels;
};
// All threads of the role come together, or those of each of its warpgroups or warps.
enum class SyncOf : uint8_t { role, warpgroup, warp };
struct Sync {
  SyncOf of = SyncOf::role;
};
// The role is done with an entry of the channel.
struct Advance {
  ChannelId channel;
};
// Between roles, whoever fills an entry waits until it is free, says that bytes are to come where copies tell of their
// own end, and otherwise, behind the copies, that it has filled it.
struct WaitFree {
  ChannelId channel;
};
struct Expect {
  ChannelId channel;
};
struct Fill {
  ChannelId channel;
};
// Whoever uses it waits until it has arrived, and frees it, each of its warps by itself: the one that it is at, the one
// before, if there is one in this run of the loop, or behind the loop its last one, if there was one.
struct WaitFull {
  ChannelId channel;
};
enum class Freed : uint8_t { entry, previous, last };
struct Release {
  ChannelId channel;
  Freed which = Freed::entry;
};
// What each thread has done in shared memory comes before what units do there that are started later (the async proxy).
struct FenceProxy {};
// Of the value, which was got from a slot, the threads of the role make the rows 0 there that do not count, fence that
// as FenceProxy does and come together; nothing happens where all rows count.
struct Clear {
  ValueId value;
};
// At most so many of the copies out of entries of the channel that a warpgroup has started have still to read them.
struct WaitStores {
  ChannelId channel;
  int64_t pending = 0;
};
// At most so many groups of matrix instructions still run; without any, these accumulators are final.
struct WaitMma {
  int64_t pending = 0;
  std::vector<ValueId> values;
};
// Between the two a warpgroup has the turn, which goes round among those of the role: each waits for it and passes it
// to the next one. Before the first turn the last warpgroup passes one to the first, and behind the last the first
// takes the one that the last has passed, so that no barrier ends half-way.
struct TakeTurn {
  bool last = false;
};
struct PassTurn {
  bool first = false;
};
// A block that the body does not only assign whole has a place of its own: it is undefined from here on, ...
struct Forget {
  int ref;
};
// ... filled from its box, ...
struct Fetch {
  Box box;
  Path path = {};
};
// ... or written to its box.
struct Flush {
  Box box;
  Path path = {};
};
// Where a CTA's next program comes from: it has one, or takes those of a fixed share of the grid one by one.
// dynamic: CTAs take tiles from a counter as they get free.
enum class WorkKind : uint8_t { one_per_cta, static_persistent, dynamic };
// The one that the schedule asks for. A kernel of one program has nothing to give out.
WorkKind work_kind(const Kernel& kernel);
struct Work {
  WorkKind kind = WorkKind::one_per_cta;
  TileOrder order = {};
};
// One turn for each program of the grid, over the parallel axes.
struct ForTiles {
  Block body;
  std::optional<Work> work = {};  // not chosen yet
};
// Over the steps of a sequential axis, or of a counted loop of the body (`variable`). `carry` names what a turn takes
// from the one before, or leaves behind the loop.
struct For {
  Symbol variable;
  TypedPtr first, last, step;
  std::vector<ValueId> carry;
  Block body;
  std::optional<int64_t> unroll;
};
struct While {
  TypedPtr condition;
  std::vector<ValueId> carry;
  Block body;
};
struct If {
  TypedPtr condition;
  std::vector<ValueId> carry;
  Block then, otherwise;
};

// Effects that are the language's own, on views of global memory and on blocks with a place, are its statements.
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

// Warps with a purpose, and what they do together.
struct Role {
  std::string name;  // "all", "producer"
  Block body;
  int64_t warps = 0;      // 0: not chosen yet; of all its CTAs
  int64_t ctas = 1;       // that run it together, on one tile: those of a cluster
  int64_t registers = 0;  // of each thread, as setmaxnreg gives them; 0: as at launch

  int64_t threads() const { return warps * 32; }
};

// A resource of which a program needs more than there is.
struct Shortage {
  const Rule* rule = nullptr;  // of what a CTA or a thread may have
  std::string resource;        // "bytes of shared memory"
  int64_t needed = 0, limit = 0;
  std::vector<std::string> counted;  // the parts, with what needs them
  std::string remedy;
  Span span = {};                       // of the setting that asks for so much; none: the kernel
  std::vector<std::string> works = {};  // settings and sizes with which all fits: "bm 64"
  int64_t stages = 0;                   // so many slots of each channel would fit this resource; 0: of no number
};

// A setting that a pass cannot honour, with the dependence that stands in its way and what could be asked for instead.
struct Refusal {
  const Rule* rule = nullptr;
  Span span;
  std::string message;
  std::vector<std::string> notes;
};

// Values that one role gives and another takes: a sequence of entries, which the one puts and the other gets in the
// same order, each once.
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
  bool formed = false;             // the two below are chosen
  std::optional<int64_t> slots = {};  // entries that it holds at a time; nothing: as many as fit and help
  int64_t delay = 0;                  // entries that one is kept beyond its last use
};

// What a pass has chosen, and why: what `explain` prints. Not part of the text.
struct Decision {
  std::string subject, choice, reason;
  bool by_elements = false;  // the subject is a value that goes element by element
};

// A dot of matrices that goes element by element, and what keeps it from the target's instructions.
struct ScalarDot {
  Span span;  // in the spec
  DType dtype;
  std::string why;
  std::vector<std::string> works = {};  // settings and sizes with which they would: "bm 64"
  std::string precision = {};           // one that the dot does not ask for, at which they may take it
  std::string in_loops = {};            // what keeps threads from multiplying it by blocks; empty: they may
};

// An operand A that threads make and that instructions could take from registers, which do not hold it: it goes through
// shared memory.
struct StoredOperand {
  Span dot;          // in the spec: the dot that reads it
  std::string name;  // of its value
  std::string why;
};

// The pass that puts in what orders roles, copies and instructions; of a program behind it all must be ordered.
inline constexpr std::string_view kOrdered = "protocol";

// A kernel between its spec and its plan. `declarations` has dims, consts, axes, refs, functions and settings; its
// body is not looked at.
struct Program {
  std::shared_ptr<const Kernel> declarations;
  std::string target, pass;             // "sm_90a"; the last pass that it went through
  std::set<std::string> honoured = {};  // settings by their paths ("schedule.persistent") that passes have acted on
  std::vector<Value> values;
  std::vector<Channel> channels = {};
  std::vector<Role> roles;
  std::vector<Decision> decisions = {};
  std::optional<Shortage> shortage = {};  // the last pass could not choose what fits
  std::vector<Refusal> refusals = {};     // what the last pass could not do
  std::vector<Refusal> warnings = {};     // what works, and costs more than the spec's author will expect
  std::vector<ScalarDot> scalar_dots = {};
  std::vector<StoredOperand> stored_operands = {};
  std::map<int, std::string> unstaged = {};  // outputs that threads store from their registers, by ref: why
  std::map<int, std::string> uncopied = {};  // inputs that no producer copies, by ref: why
  std::map<int, std::string> unmoved = {};   // outputs that no storer takes to memory, by ref: why
  bool again = false;        // the last pass has added to one of these five: the passes begin anew, knowing it
  std::string one_cta = {};  // why no cluster shares a tile; empty: one may
  int64_t bytes_beside = 0;  // of shared memory, which a plan's statements took and no pass counts; 0: unknown

  // Of this program: the same number may be another value in one that a pass has made of it, or none.
  const Value& value(ValueId id) const;
  const Channel& channel(ChannelId id) const;
  const Ref& ref(int id) const { return declarations->refs[static_cast<size_t>(id)]; }
};

// Roles of whole warpgroups begin with one; others share a warpgroup, one behind the other, while it has warps left.
// The first warp of the role, which is one of the program's, among those of the CTA; behind the last role, how many
// warps there are: whole warpgroups, where there are several roles.
int64_t first_warp(const Program& program, const Role& role);
int64_t warps_in_all(const Program& program);

// Whether threads put values into the channel which another role takes to global memory.
bool is_staged_between(const Program& program, ChannelId channel);

// Where the dot is among the program's scalar ones, to which the other adds it; null: nowhere.
const ScalarDot* scalar_dot(const Program& program, const Dot& dot);
void add_scalar_dot(Program& program, const Dot& dot, std::string why, std::vector<std::string> works = {},
                    std::string precision = {});

// The same of operands A that go through shared memory.
const StoredOperand* stored_operand(const Program& program, const Dot& dot);
void add_stored_operand(Program& program, const Dot& dot, std::string name, std::string why);

// A scalar dot that threads do not multiply by blocks either.
void add_loop_dot(Program& program, const Dot& dot, const std::string& why);

// The name, with a trailing `_` as often as the spec or the program has it already; a new value gets such a name.
std::string free_name(const Program& program, std::string name);
ValueId add_value(Program& program, Value value);
// The use of a value in an expression.
TypedPtr use(const Program& program, ValueId id, Span span = {});

}  // namespace pallasgen::tile
