#include "tidy/element_fusion.h"

#include <algorithm>
#include <map>
#include <set>

#include "order/role_sync.h"
#include "program/memory.h"
#include "program/program_walk.h"

namespace pallasgen {

namespace {

using namespace program;

std::string text_of(const TypedPtr& expr) { return expr ? to_string(expr) : ""; }

class LoopFusion {
 public:
  explicit LoopFusion(Draft& draft) : draft_(draft), plan_(draft.plan) {}

  void merge(Statements& all) {
    std::set<int> gone;
    merge(all, uses_of(all), gone);
    remove_fields(draft_, all, gone);
  }

  // Replaces tiles that only one loop uses, each thread its own elements, by variables.
  void keep_in_registers(Statements& all) {
    std::map<int, int> uses = uses_of(all);
    std::set<int> gone;
    for_each_loop(all, [&](ForElements& loop) {
      for (const auto& [field, count] : uses_of(loop.body)) {
        if (count == uses[field] && is_local(field, loop) && become_variable(field, loop)) gone.insert(field);
      }
    });
    remove_fields(draft_, all, gone);
  }

 private:
  // `uses`: by tile, in the whole program. `gone`: receives the tiles that nothing uses after the merge.
  void merge(Statements& list, const std::map<int, int>& uses, std::set<int>& gone) {
    for (size_t i = 0; i < list.size(); ++i) {
      for (Statements* body : bodies_of(list[i])) merge(*body, uses, gone);
      while (i + 1 < list.size() && (join(list[i], list[i + 1]) || use_in_warp(list[i], list[i + 1], uses, gone)))
        list.erase(list.begin() + static_cast<ptrdiff_t>(i) + 1);
    }
  }

  bool same(const std::vector<TypedPtr>& a, const std::vector<TypedPtr>& b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const TypedPtr& x, const TypedPtr& y) { return text_of(x) == text_of(y); });
  }

  bool same(const Binding& a, const Binding& b) const {
    const auto name = [&](const Binding& binding) {
      return binding.scalar < 0 ? std::string() : plan_.scalars[static_cast<size_t>(binding.scalar)].name;
    };
    return a.kind == b.kind && a.fragment == b.fragment && name(a) == name(b) && a.dim == b.dim &&
           text_of(a.offset) == text_of(b.offset) && a.field == b.field && a.ring == b.ring && a.ref == b.ref &&
           same(a.index, b.index) && a.may_leave == b.may_leave && text_of(a.condition) == text_of(b.condition) &&
           text_of(a.outside) == text_of(b.outside) && a.order == b.order;
  }

  std::string name_of(const SetScalar& set) const { return plan_.scalars[static_cast<size_t>(set.scalar)].name; }

  // By name, the declaration at the top level of a loop's body; null for the old value of an atomic.
  std::map<std::string, const SetScalar*> declared(const Statements& body) const {
    std::map<std::string, const SetScalar*> names;
    for (const Statement& statement : body) {
      if (const auto* set = std::get_if<SetScalar>(&statement.node); set && set->declares) names[name_of(*set)] = set;
      const auto* store = std::get_if<StoreElement>(&statement.node);
      if (store && store->atomic && store->atomic->old_scalar >= 0)
        names[plan_.scalars[static_cast<size_t>(store->atomic->old_scalar)].name] = nullptr;
    }
    return names;
  }

  // True if the statement changes nothing that `set` reads.
  bool preserves_reads(const Statement& statement, const SetScalar& set) const {
    const auto* store = std::get_if<StoreElement>(&statement.node);
    const auto* other = std::get_if<SetScalar>(&statement.node);
    return std::none_of(set.bindings.begin(), set.bindings.end(), [&](const Binding& read) {
      if (store && read.ring < 0 && read.field >= 0 && store->field == read.field) return true;
      if (store && read.ref >= 0 && store->ref >= 0) return true;
      return other && !other->constant && read.scalar >= 0 &&
             name_of(*other) == plan_.scalars[static_cast<size_t>(read.scalar)].name;
    });
  }

  // True if `set`, in a loop with this body, would have the value of `first`, which is declared at its top level.
  bool repeats(const SetScalar& set, const SetScalar& first, const Statements& body) const {
    const DType dtype = plan_.scalars[static_cast<size_t>(set.scalar)].dtype;
    if (!set.constant || !first.constant || dtype != plan_.scalars[static_cast<size_t>(first.scalar)].dtype)
      return false;
    if (text_of(set.value) != text_of(first.value)) return false;
    if (!std::equal(set.bindings.begin(), set.bindings.end(), first.bindings.begin(), first.bindings.end(),
                    [&](const Binding& a, const Binding& b) { return same(a, b); }))
      return false;
    bool kept = true, given = false;
    for (const Statement& top : body) {
      if (given)
        for_each_statement({top}, [&](const Statement& statement) { kept = kept && preserves_reads(statement, set); });
      const auto* other = std::get_if<SetScalar>(&top.node);
      given = given || (other && other->declares && name_of(*other) == name_of(first));
    }
    return kept;
  }

  static bool same_elements(const ForElements& a, const ForElements& b) {
    const auto same_size = [](const Number& x, const Number& y) { return x.value == y.value; };
    return a.coordinates == b.coordinates &&
           std::equal(a.shape.begin(), a.shape.end(), b.shape.begin(), b.shape.end(), same_size);
  }

  // Merges a loop by warps with the next loop, if only that one uses the results, each at its own place: the lane that
  // would store the result does the next loop's work on it.
  bool use_in_warp(Statement& first, Statement& second, const std::map<int, int>& uses, std::set<int>& gone) {
    auto* warps = std::get_if<ForElements>(&first.node);
    auto* next = std::get_if<ForElements>(&second.node);
    if (!warps || !next || warps->by != Share::warps || next->by != Share::threads || !same_elements(*warps, *next))
      return false;
    const auto* result = std::get_if<StoreElement>(&warps->body.back().node);
    if (!result || result->field < 0 || uses.at(result->field) != 1 + uses_of(next->body)[result->field]) return false;
    const int field = result->field;
    if (!shares_only_result(*next, *warps, *result)) return false;
    int scalar = scalar_of(*result);
    const TypedPtr lane_stores = result->condition;
    if (scalar < 0) {
      scalar = static_cast<int>(plan_.scalars.size());
      const SharedField& tile = plan_.shared.fields[static_cast<size_t>(field)];
      std::string name = draft_.names().of(tile.name);
      if (is_taken(name, *warps) || is_taken(name, *next)) return false;
      plan_.scalars.push_back({name, tile.dtype, nullptr});
      SetScalar value{scalar, result->value, result->bindings};
      warps->body.back().node = std::move(value);
    } else {
      warps->body.pop_back();
    }
    bool declared_by_warps = true;
    replace(next->body, field, scalar, true, declared_by_warps);
    move_comment(second, next->body);
    auto* only = next->body.size() == 1 ? std::get_if<StoreElement>(&next->body.front().node) : nullptr;
    if (only) {
      only->condition = only->condition ? apply({}, Op::logical_and, DType::boolean, {}, {lane_stores, only->condition})
                                        : lane_stores;
      warps->body.push_back(std::move(next->body.front()));
    } else {
      warps->body.push_back({"", false, If{lane_stores, std::move(next->body), {}}});
    }
    gone.insert(field);
    return true;
  }

  // True if the loop `next` shares nothing with `warps` except the elements of `result`, each at its own place.
  bool shares_only_result(const ForElements& next, const ForElements& warps, const StoreElement& result) const {
    std::set<int> arrays;
    for_each_statement(warps.body, [&](const Statement& inner) {
      for_each_binding(inner, [&](const Binding& binding) {
        if (binding.kind == SlotKind::global) arrays.insert(buffer_of(*draft_.kernel, binding.ref));
      });
    });
    const std::map<int, int> tiles = uses_of(warps.body);
    const auto names = declared(warps.body);
    bool own = true;
    for_each_statement(next.body, [&](const Statement& inner) {
      const auto* set = std::get_if<SetScalar>(&inner.node);
      const auto* store = std::get_if<StoreElement>(&inner.node);
      own = own && (set || store) && (!set || names.count(name_of(*set)) == 0);
      if (store) own = own && !store->atomic && !store->order && store->field != result.field;
      if (store && store->ref >= 0) own = own && arrays.count(buffer_of(*draft_.kernel, store->ref)) == 0;
      for_each_binding(inner, [&](const Binding& binding) {
        own = own && !binding.order;
        if (binding.field == result.field && binding.ring < 0)
          own = own && same(binding.index, result.index) && !binding.condition;
      });
      for_each_field(inner, [&](int used) { own = own && (used == result.field || tiles.count(used) == 0); });
    });
    return own;
  }

  // The scalar that is stored unchanged; -1 if the value is another expression.
  static int scalar_of(const StoreElement& store) {
    const LocalUse* use = store.value->as<LocalUse>();
    if (!use) return -1;
    const Binding& binding = store.bindings[static_cast<size_t>(use->id)];
    return binding.kind == SlotKind::scalar ? binding.scalar : -1;
  }

  // Appends the second loop's body to the first's.
  bool join(Statement& first, Statement& second) const {
    auto* a = std::get_if<ForElements>(&first.node);
    auto* b = std::get_if<ForElements>(&second.node);
    if (!a || !b || a->by != Share::threads || b->by != Share::threads || !same_elements(*a, *b)) return false;
    if (!runs_as_one(draft_.plan, first, second)) return false;
    const auto known = declared(a->body), fresh = declared(b->body);
    std::set<std::string> dropped;
    for (const auto& [name, set] : fresh) {
      const auto found = known.find(name);
      if (found == known.end()) continue;
      Statements together = a->body;
      together.insert(together.end(), b->body.begin(), b->body.end());
      if (!set || !found->second || !repeats(*set, *found->second, together)) return false;
      dropped.insert(name);
    }
    move_comment(first, a->body);
    std::erase_if(b->body, [&](const Statement& statement) {
      const auto* set = std::get_if<SetScalar>(&statement.node);
      return set && set->declares && dropped.count(name_of(*set)) > 0;
    });
    move_comment(second, b->body);
    std::move(b->body.begin(), b->body.end(), std::back_inserter(a->body));
    return true;
  }

  // Moves a loop's comment to the first statement of its body.
  static void move_comment(Statement& loop, Statements& body) {
    if (body.empty() || loop.comment.empty() || !body.front().comment.empty()) return;
    body.front().comment = std::exchange(loop.comment, {});
    body.front().quotes = loop.quotes;
  }

  static std::map<int, int> uses_of(const Statements& statements) {
    std::map<int, int> uses;
    for_each_statement(
        statements, [&](const Statement& statement) { for_each_field(statement, [&](int field) { ++uses[field]; }); });
    return uses;
  }

  template <class Visit>
  static void for_each_loop(Statements& statements, const Visit& visit) {
    for (Statement& statement : statements) {
      if (auto* loop = std::get_if<ForElements>(&statement.node)) {
        if (loop->by == Share::threads) visit(*loop);
        continue;
      }
      for (Statements* body : bodies_of(statement)) for_each_loop(*body, visit);
    }
  }

  // True if each access is to the element of the loop's current iteration, and the first one stores it unconditionally.
  bool is_local(int field, const ForElements& loop) const {
    const SharedField& tile = plan_.shared.fields[static_cast<size_t>(field)];
    if (tile.is_barrier || info(tile.dtype).bits < 8) return false;
    bool local = true, begun = false;
    for (const Statement& statement : loop.body) {
      bool touched = false;
      for_each_statement({statement}, [&](const Statement& inner) {
        for_each_field(inner, [&](int used) { touched = touched || used == field; });
        for_each_binding(inner, [&](const Binding& binding) {
          if (binding.field != field || binding.ring >= 0) return;
          local = local && begun && is_own_element(draft_.plan, field, binding.index, loop) && !binding.condition;
        });
        const auto* store = std::get_if<StoreElement>(&inner.node);
        if (!store || store->field != field) return;
        local = local && is_own_element(draft_.plan, field, store->index, loop) && !store->atomic && !store->condition;
      });
      const auto* store = std::get_if<StoreElement>(&statement.node);
      if (touched && !begun && !(store && store->field == field)) return false;
      begun = begun || touched;
    }
    return local;
  }

  bool is_taken(const std::string& name, const ForElements& loop) const {
    const Kernel& kernel = *draft_.kernel;
    const auto among = [&](const auto& list) {
      return std::any_of(list.begin(), list.end(),
                         [&](const auto& entry) { return draft_.names().of(entry.name) == name; });
    };
    if (among(kernel.refs) || among(kernel.dims) || among(kernel.consts) || among(kernel.scalars) ||
        among(kernel.axes) || among(kernel.functions) || among(kernel.lets) || among(plan_.scalars))
      return true;
    bool taken = std::count(loop.coordinates.begin(), loop.coordinates.end(), name) > 0;
    for_each_statement(loop.body, [&](const Statement& statement) {
      const auto* range = std::get_if<ForRange>(&statement.node);
      taken = taken || (range && range->variable == name);
    });
    return taken;
  }

  bool become_variable(int field, ForElements& loop) {
    const SharedField& tile = plan_.shared.fields[static_cast<size_t>(field)];
    std::string name = draft_.names().of(tile.name);
    if (is_taken(name, loop)) name += "_value";
    if (is_taken(name, loop)) return false;
    int stores = 0;
    for_each_statement(loop.body, [&](const Statement& statement) {
      const auto* store = std::get_if<StoreElement>(&statement.node);
      stores += store && store->field == field;
    });
    const int scalar = static_cast<int>(plan_.scalars.size());
    plan_.scalars.push_back({name, tile.dtype, nullptr});
    bool declared = false;
    replace(loop.body, field, scalar, stores == 1, declared);
    return true;
  }

  static void replace(Statements& statements, int field, int scalar, bool constant, bool& declared) {
    for (Statement& statement : statements) {
      for_each_binding(statement, [&](Binding& binding) {
        if (binding.field != field || binding.ring >= 0) return;
        binding = Binding{.kind = SlotKind::scalar, .scalar = scalar, .offset = nullptr};
      });
      if (auto* store = std::get_if<StoreElement>(&statement.node); store && store->field == field) {
        SetScalar set{scalar, store->value, std::move(store->bindings), !std::exchange(declared, true), constant};
        if (statement.comment.empty() && !store->quoted.empty()) {
          statement.comment = store->quoted;
          statement.quotes = true;
        }
        statement.node = std::move(set);
      }
      for (Statements* body : bodies_of(statement)) replace(*body, field, scalar, constant, declared);
    }
  }

  Draft& draft_;
  Plan& plan_;
};

}  // namespace

void fuse_element_loops(Draft& draft, Statements& statements) {
  LoopFusion fusion(draft);
  fusion.merge(statements);
  fusion.keep_in_registers(statements);
}

}  // namespace pallasgen
