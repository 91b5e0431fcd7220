#include "order/role_sync.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "order/touches.h"
#include "plan/exchanges.h"
#include "program/index_terms.h"
#include "program/program_walk.h"

namespace pallasgen {

namespace {

using namespace program;

// Numbers atomic updates of a kind whose order cannot be observed; 0 for an exchange, or if the old value is used.
int commuting(const StoreElement& store) {
  if (!store.atomic || store.atomic->old_scalar >= 0 || store.atomic->kind == AtomicKind::exchange ||
      store.atomic->kind == AtomicKind::compare_exchange)
    return 0;
  return 1 + static_cast<int>(store.atomic->kind);
}
constexpr int kOrderedLoads = -1;
// The owner of places of which each warp has its own part, in which its lanes wait for one another.
constexpr const char* kWarpsOwn = "warp";

class SyncInserter {
 public:
  // `is_warpgroup`: the role is one warpgroup, for all of which a WarpgroupSync waits.
  SyncInserter(const Plan& plan, bool is_warpgroup) : plan_(plan), is_warpgroup_(is_warpgroup) {}

  void run(Statements& statements) {
    for (size_t i = 0; i < statements.size(); ++i) {
      if (std::holds_alternative<RoleSync>(statements[i].node) ||
          std::holds_alternative<GridSync>(statements[i].node) ||
          std::holds_alternative<TakeTicket>(statements[i].node) ||
          (is_warpgroup_ && std::holds_alternative<WarpgroupSync>(statements[i].node))) {
        open_.clear();
        continue;
      }
      std::vector<TouchedPlace> accesses = touched(statements[i]);
      if (is_leaf(statements[i]) &&
          orders(statements[i], {program::MemoryOrder::release, program::MemoryOrder::acquire_release}))
        accesses.insert(accesses.begin(), {"", Touch::write, is_alone(statements[i]) ? kOneThread : "", true});
      std::optional<std::string> why = meets(accesses);
      if (!why) why = conflict_of_iterations(statements[i]);
      if (why && !joins_release(statements, i, *why)) {
        statements.insert(statements.begin() + static_cast<ptrdiff_t>(i), {*why, false, RoleSync{}});
        ++i;
      }
      if (why) open_.clear();
      enter(statements[i]);
    }
  }

  bool runs_as_one(const Statement& first, const Statement& second) {
    using enum program::MemoryOrder;
    if (orders(first, {acquire, release, acquire_release}) || orders(second, {acquire, release, acquire_release}))
      return false;
    // As one loop, they would keep two scopes alive at a time that could share memory.
    const std::set<int> one = scopes_of(first), other = scopes_of(second);
    const auto in_one = [&](int scope) { return one.count(scope) > 0; };
    if (!one.empty() && !other.empty() && std::none_of(other.begin(), other.end(), in_one)) return false;
    open_ = touched(first);
    return !meets(touched(second));
  }

  static bool is_alone(const Statement& statement) {
    const auto* loop = std::get_if<ForElements>(&statement.node);
    return loop && loop->by == Share::threads && loop->shape.empty();
  }

  // "element" if the index is the coordinates of a loop over the whole tile (none for dims of one element); else empty.
  std::string owner_in_tile(int field, const std::vector<TypedPtr>& index, const ForElements* loop) const {
    const std::vector<Number>& dims = plan_.shared.fields[field].dims;
    size_t next = 0;
    for (size_t d = 0; loop && d < index.size(); ++d) {
      if (dims[d].value == 1) continue;
      if (!is_coordinate(index[d], *loop, next) || loop->shape[next].value != dims[d].value) return {};
      ++next;
    }
    return loop && next == loop->shape.size() ? "element" : std::string();
  }

 private:
  std::set<int> scopes_of(const Statement& statement) const {
    std::set<int> scopes;
    for_each_statement(Statements{statement}, [&](const Statement& inner) {
      for_each_field(inner, [&](int field) { scopes.insert(plan_.shared.fields[field].scope); });
    });
    scopes.erase(-1);
    return scopes;
  }

  // True if a sync of the warp for a release, directly before the statement, was made one of the role.
  static bool joins_release(Statements& statements, size_t at, const std::string& why) {
    const auto passes = [](const Statement& statement) {
      return std::holds_alternative<Release>(statement.node) || std::holds_alternative<DeclareFragment>(statement.node);
    };
    while (at > 0 && passes(statements[at - 1])) --at;
    if (at == 0 || !std::holds_alternative<WarpSync>(statements[at - 1].node)) return false;
    Statement& sync = statements[at - 1];
    sync = {fmt::format("{}, and {}", why, sync.comment), false, RoleSync{}};
    return true;
  }

  // Why a sync must come before the accesses, as text; null if they need none.
  std::optional<std::string> meets(const std::vector<TouchedPlace>& accesses) const {
    std::vector<std::string> names;
    std::optional<Touch> touch;  // of the first conflict, and of those that are named with it
    for (const TouchedPlace& now : accesses) {
      for (const TouchedPlace& before : open_) {
        if (!conflict(before, now)) continue;
        if (now.name.empty() && !touch) return "what all threads have written is released together";
        if (before.name.empty() && !touch) return "what was acquired is seen by all threads";
        if (now.name.empty() || before.name.empty() || before.touch != touch.value_or(before.touch)) continue;
        touch = before.touch;
        if (std::find(names.begin(), names.end(), before.name) == names.end()) names.push_back(before.name);
      }
    }
    if (!touch) return std::nullopt;
    return text_of_touched(names, *touch == Touch::read);
  }

  // What a loop's iterations conflict with before it, if a sync before the loop replaces one in each iteration.
  std::optional<std::string> conflict_of_iterations(const Statement& loop) const {
    if (open_.empty() || !is_loop(loop)) return std::nullopt;
    const auto syncs_in = [&](const std::vector<TouchedPlace>& open) {
      Statement copy = loop;
      SyncInserter attempt(plan_, is_warpgroup_);
      attempt.open_ = open;
      attempt.enter(copy);
      size_t count = 0;
      for_each_statement({copy},
                         [&](const Statement& inner) { count += std::holds_alternative<RoleSync>(inner.node); });
      return count;
    };
    if (syncs_in({}) >= syncs_in(open_)) return std::nullopt;
    std::optional<std::string> why;
    for_each_statement({loop}, [&](const Statement& inner) {
      if (!why) why = meets(touched(inner));
    });
    return why;
  }

  // Notes that the threads of each CTA have met; in a cluster, that does not order the CTAs' accesses to global memory.
  void meet_in_cta() {
    const bool one = plan_.launch.cluster.value == 1;
    std::erase_if(open_, [&](const TouchedPlace& place) { return one || !place.global; });
  }

  static bool is_loop(const Statement& statement) {
    return std::holds_alternative<ForTiles>(statement.node) || std::holds_alternative<ForSteps>(statement.node) ||
           std::holds_alternative<ForRange>(statement.node) || std::holds_alternative<WhileLoop>(statement.node);
  }

  void note(const std::vector<TouchedPlace>& accesses) {
    for (const TouchedPlace& access : accesses) {
      const bool known = std::any_of(open_.begin(), open_.end(), [&](const TouchedPlace& other) {
        return other.name == access.name && other.global == access.global && other.touch == access.touch &&
               other.owner == access.owner && other.commutes == access.commutes && other.ref == access.ref &&
               other.reaches == access.reaches;
      });
      if (!known) open_.push_back(access);
    }
  }

  // The places that the statement touches before its own blocks run; for a loop over elements, all that it touches.
  std::vector<TouchedPlace> touched(const Statement& statement) const {
    std::vector<TouchedPlace> accesses;
    if (const auto* loop = std::get_if<ForElements>(&statement.node)) {
      const ForElements* owned = loop->by == Share::threads ? loop : nullptr;
      for_each_statement(loop->body, [&](const Statement& inner) { add(inner, owned, accesses); });
    } else {
      add(statement, nullptr, accesses);
    }
    return accesses;
  }

  void add(const Statement& statement, const ForElements* loop, std::vector<TouchedPlace>& accesses) const {
    for_each_binding(statement, [&](const Binding& binding) {
      if (binding.kind == SlotKind::shared && binding.ring < 0)
        accesses.push_back(tile(binding.field, Touch::read, owner_in_tile(binding.field, binding.index, loop)));
      if (binding.kind != SlotKind::global || !is_written(*plan_.kernel, binding.ref)) return;
      accesses.push_back(element(binding.ref, binding.order ? Touch::atomic : Touch::read, binding.index, loop,
                                 binding.order ? kOrderedLoads : 0));
    });
    // A reduction through a tile writes it, synchronises and reads it; one in a warp does so in the warp's part. An
    // exchange of a cluster alternates between copies of its tile.
    const auto* reduce = std::get_if<ReduceFragment>(&statement.node);
    if (reduce && reduce->field >= 0 && !is_exchange(plan_.launch, *reduce))
      accesses.push_back(tile(reduce->field, Touch::write, reduce->in_warp() ? kWarpsOwn : ""));
    if (const auto* lanes = std::get_if<ReduceLanes>(&statement.node)) {
      for (const int field : {lanes->field, lanes->positions}) {
        if (field >= 0) accesses.push_back(tile(field, Touch::write, kWarpsOwn));
      }
    }
    if (const auto* all = std::get_if<ReduceTile>(&statement.node))
      accesses.push_back(tile(all->field, Touch::write, {}));
    if (const auto* to = std::get_if<StoreTile>(&statement.node)) accesses.push_back(tile(to->field, Touch::write, {}));
    if (const auto* from = std::get_if<LoadTile>(&statement.node))
      accesses.push_back(tile(from->field, Touch::read, {}));
    if (const auto* product = std::get_if<MultiplyAdd>(&statement.node)) {
      for (const SharedMatrix* matrix : {&product->a, &product->b}) {
        if (matrix->field >= 0) accesses.push_back(tile(matrix->field, Touch::read, {}));
      }
    }
    if (const auto* load = std::get_if<Load>(&statement.node)) add(load->access, load->fragment, Touch::read, accesses);
    if (const auto* to = std::get_if<StoreGlobal>(&statement.node))
      add(to->access, to->fragment, to->combine ? Touch::atomic : Touch::write, accesses,
          to->combine ? 1 + static_cast<int>(*to->combine) : 0);
    if (const auto* poll = std::get_if<PollFault>(&statement.node))
      accesses.push_back(tile(poll->field, Touch::write, {}));
    const auto* store = std::get_if<StoreElement>(&statement.node);
    if (!store) return;
    const Touch touch = store->atomic || store->order ? Touch::atomic : Touch::write;
    if (store->field >= 0)
      accesses.push_back(tile(store->field, touch, owner_in_tile(store->field, store->index, loop), commuting(*store)));
    else
      accesses.push_back(element(store->ref, touch, store->index, loop, commuting(*store)));
  }

  // Adds the access to a block in registers. Each element belongs to the same thread in all accesses of one form; if
  // threads share elements, several load one, and one of them stores it.
  void add(const program::Access& access, int fragment, Touch touch, std::vector<TouchedPlace>& accesses,
           int commutes = 0) const {
    if (!is_written(*plan_.kernel, access.ref)) return;
    const FragmentPlan& block = plan_.fragments[fragment];
    std::string owner = block.layout_text;
    for (const AccessDim& dim : access.dims) owner += fmt::format("; {} {}", to_string(dim.offset), dim.fragment_dim);
    if (touch == Touch::read && threads_share_elements(block.layout)) owner.clear();
    TouchedPlace block_touched{array(access.ref), touch, std::move(owner), true, commutes, -1, access.ref};
    for (size_t d = 0; d < access.dims.size(); ++d) {
      const AccessDim& dim = access.dims[d];
      if (dim.each) continue;
      note_reach(block_touched, dtype(access.ref), d, dim.offset,
                 dim.fragment_dim < 0 ? 1 : block.layout.shape[dim.fragment_dim]);
    }
    accesses.push_back(std::move(block_touched));
  }
  DType dtype(int ref) const { return plan_.kernel->refs[ref].dtype; }
  TouchedPlace element(int ref, Touch touch, const std::vector<TypedPtr>& index, const ForElements* loop,
                       int commutes) const {
    TouchedPlace one{array(ref), touch, owner_in_array(index, loop), true, commutes, -1, ref};
    for (size_t d = 0; d < index.size(); ++d) note_reach(one, dtype(ref), d, index[d], 1);
    return one;
  }

  // True if the statement, or one in it, has an access with one of the orders.
  static bool orders(const Statement& statement, std::initializer_list<program::MemoryOrder> orders) {
    const auto is_one = [&](const std::optional<program::MemoryOrder>& order) {
      return order && std::find(orders.begin(), orders.end(), *order) != orders.end();
    };
    bool found = false;
    for_each_statement(Statements{statement}, [&](const Statement& inner) {
      for_each_binding(inner, [&](const Binding& binding) { found = found || is_one(binding.order); });
      const auto* store = std::get_if<StoreElement>(&inner.node);
      if (!store) return;
      found = found || is_one(store->order);
      if (store->atomic) found = found || is_one(store->atomic->order);
    });
    return found;
  }

  TouchedPlace tile(int field, Touch touch, std::string owner, int commutes = 0) const {
    const SharedField& tile = plan_.shared.fields[field];
    return {tile.name, touch, std::move(owner), false, commutes, tile.overlay};
  }
  // A buffer has the name of its input.
  std::string array(int ref) const {
    return plan_.kernel->refs[static_cast<size_t>(buffer_of(*plan_.kernel, ref))].name;
  }

  static bool is_coordinate(const TypedPtr& index, const ForElements& loop, size_t dim) {
    const Symbol* symbol = index->as<Symbol>();
    return dim < loop.shape.size() && symbol && symbol->kind == SymbolKind::loop &&
           symbol->name == loop.coordinates[dim];
  }

  // The loop's coordinates, in order and each once, plus terms that do not depend on them; else empty.
  std::string owner_in_array(const std::vector<TypedPtr>& index, const ForElements* loop) const {
    if (!loop) return {};
    if (loop->shape.empty()) return kOneThread;
    std::string owner;
    size_t next = 0;
    for (const TypedPtr& expr : index) {
      bool depends = false;
      walk(expr, [&](const Typed& node) {
        const Symbol* symbol = node.as<Symbol>();
        depends = depends || (symbol && symbol->kind == SymbolKind::loop && symbol->id < 0) || node.as<LocalUse>();
      });
      const Apply* sum = expr->applies(Op::add);
      if (depends) {
        if (!is_coordinate(sum ? sum->args[1] : expr, *loop, next)) return {};
        owner += loop->shape[next++].text + " from ";
      }
      owner += to_string(expr) + "; ";
    }
    return next == loop->shape.size() ? owner : std::string();
  }

  void turns(Statements& body) {
    const std::vector<TouchedPlace> before = open_;
    for (int turn = 0; turn < 2; ++turn) run(body);
    note(before);  // the loop may have no iteration
  }

  // Walks each iteration of a loop that is wholly unrolled with its number, which branches compare.
  void turns_of(ForRange& loop) {
    const auto first = constant_value(loop.start), end = constant_value(loop.stop);
    if (!first || !end || constant_value(loop.step) != 1 || *end - *first != loop.unroll) return turns(loop.body);
    for (int64_t number = *first; number < *end; ++number) {
      numbers_[loop.variable] = number;
      run(loop.body);
    }
    numbers_.erase(loop.variable);
  }

  // True if the condition holds in the present iteration; null if it is not about its number.
  std::optional<bool> holds(const TypedPtr& condition) const {
    const Apply* asks = condition->applies(Op::equal);
    const Symbol* variable = asks ? asks->args[0]->as<Symbol>() : nullptr;
    const auto number = variable ? numbers_.find(variable->name) : numbers_.end();
    const std::optional<int64_t> asked = asks ? constant_value(asks->args[1]) : std::nullopt;
    return number == numbers_.end() || !asked ? std::nullopt : std::optional(number->second == *asked);
  }

  // True for loops over elements and single statements: all that they touch is noted at once.
  static bool is_leaf(const Statement& statement) {
    return std::holds_alternative<ForElements>(statement.node) ||
           std::holds_alternative<StoreElement>(statement.node) || std::holds_alternative<SetScalar>(statement.node);
  }

  void enter(Statement& statement) {
    if (meets_in_tile(statement)) {
      meet_in_cta();
      const auto* reduce = std::get_if<ReduceFragment>(&statement.node);
      if (reduce && !is_exchange(plan_.launch, *reduce)) note({tile(reduce->field, Touch::read, {})});
      return;
    }
    note(touched(statement));
    if (is_leaf(statement) && orders(statement, {program::MemoryOrder::acquire, program::MemoryOrder::acquire_release}))
      note({{"", Touch::write, "", true}});
    if (auto* node = std::get_if<ForTiles>(&statement.node)) {
      if (plan_.work.is_loop())
        turns(node->body);
      else
        run(node->body);
    }
    if (auto* node = std::get_if<ForSteps>(&statement.node)) turns(node->body);
    if (auto* node = std::get_if<ForRange>(&statement.node)) turns_of(*node);
    if (auto* node = std::get_if<WhileLoop>(&statement.node)) {
      // The condition is read again at the end of each iteration.
      const std::vector<TouchedPlace> condition = touched(statement), before = open_;
      for (int turn = 0; turn < 2; ++turn) {
        run(node->body);
        if (const auto why = meets(condition)) {
          node->body.push_back({*why, false, RoleSync{}});
          open_.clear();
        }
        note(condition);
      }
      note(before);
    }
    if (auto* node = std::get_if<If>(&statement.node)) {
      if (const auto known = holds(node->condition)) return run(*known ? node->then : node->otherwise);
      const std::vector<TouchedPlace> before = open_;
      run(node->then);
      const std::vector<TouchedPlace> then = std::exchange(open_, before);
      run(node->otherwise);
      note(then);
    }
  }

  const Plan& plan_;
  bool is_warpgroup_;
  std::vector<TouchedPlace> open_;          // since the last sync, on some path through the program
  std::map<std::string, int64_t> numbers_;  // of the present iterations, by variable
};

}  // namespace

void insert_role_syncs(const Plan& plan, bool is_warpgroup, Statements& statements) {
  SyncInserter(plan, is_warpgroup).run(statements);
}

bool runs_as_one(const Plan& plan, const Statement& first, const Statement& second) {
  return SyncInserter(plan, false).runs_as_one(first, second);
}

bool is_own_element(const Plan& plan, int field, const std::vector<TypedPtr>& index, const ForElements& loop) {
  return !SyncInserter(plan, false).owner_in_tile(field, index, &loop).empty();
}

}  // namespace pallasgen
