#include "elements/scalar_array_checks.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "check/steps.h"
#include "elements/run_time_checks.h"
#include "program/device_sizes.h"
#include "program/index_terms.h"
#include "program/own_expressions.h"
#include "program/program_walk.h"
#include "proofs/block_access.h"
#include "proofs/scalar_arrays.h"
#include "questions/uses.h"

namespace pallasgen {

using namespace program;

namespace {

using Bindings = std::vector<Binding>;

// Copies the bindings that expressions of a statement read; of() returns an expression with their new ids.
class Taken {
 public:
  explicit Taken(const Bindings& from) : from_(from) {}

  TypedPtr of(const TypedPtr& expr) {
    return rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
      const auto* use = node->as<LocalUse>();
      return use ? make_typed(node->span, node->dtype, node->shape, LocalUse{taken(use->id), use->name}) : nullptr;
    });
  }
  Bindings bindings;

 private:
  int taken(int id) {
    const auto known = ids_.find(id);
    if (known != ids_.end()) return known->second;
    Binding binding = from_[static_cast<size_t>(id)];
    for (TypedPtr& index : binding.index) index = of(index);
    if (binding.condition) binding.condition = of(binding.condition);
    if (binding.outside) binding.outside = of(binding.outside);
    bindings.push_back(std::move(binding));
    return ids_[id] = static_cast<int>(bindings.size()) - 1;
  }

  const Bindings& from_;
  std::map<int, int> ids_;
};

class ScalarArrayChecks {
 public:
  ScalarArrayChecks(Draft& draft, const tile::Program& program, const tile::Role& role)
      : draft_(draft), kernel_(*draft.kernel), checks_(draft, program, role) {}

  void visit(Statements& body, Statements* around = nullptr) {
    const size_t known = known_.size();
    for (const Statement& statement : body) note_points(statement);
    Statements out;
    for (Statement& statement : body) {
      Statements before = of(statement);
      inside(statement, before);
      Statements again;  // the condition is evaluated again after each iteration
      if (std::holds_alternative<WhileLoop>(statement.node)) again = before;
      for (Statement& check : before) {
        remember(std::get<Check>(check.node).violated);  // also checks that a loop over elements has moved out
        const bool fixed = around && std::get<Check>(check.node).bindings.empty() && !varies(check);
        (fixed ? *around : out).push_back(std::move(check));
      }
      if (auto* loop = std::get_if<WhileLoop>(&statement.node))
        std::move(again.begin(), again.end(), std::back_inserter(loop->body));
      out.push_back(std::move(statement));
    }
    body = std::move(out);
    known_.resize(known);
  }

 private:
  // Returns the checks of elements that a statement reads itself, not in its bodies.
  Statements of(Statement& statement) {
    Statements checks;
    if (auto* tiles = std::get_if<ForTiles>(&statement.node)) {
      Statements first;
      if (draft_.plan.work.skip) find(draft_.plan.work.skip, {}, nullptr, first);
      std::move(first.begin(), first.end(), std::inserter(tiles->body, tiles->body.begin()));
      return checks;
    }
    if (const auto* each = std::get_if<Elementwise>(&statement.node)) {
      for (const ElementwiseStatement& part : each->statements) find(part.value, part.bindings, nullptr, checks);
      return checks;
    }
    Bindings bindings;
    for_each_binding(statement, [&](const Binding& binding) { bindings.push_back(binding); });
    all_ = std::holds_alternative<Check>(statement.node);  // a check evaluates all of a block's place
    if (const auto* copy = std::get_if<AsyncCopy>(&statement.node)) checks_.set_steps_ahead(copy->ahead);
    for_each_own_expression(draft_.plan, statement,
                            [&](const TypedPtr& expr) { find(expr, bindings, nullptr, checks); });
    all_ = false;
    checks_.set_steps_ahead(nullptr);
    if (const auto* point = point_of(statement))
      for (Statement& each : checks) std::get<Check>(each.node).point = *point;
    const auto* steps = std::get_if<ForSteps>(&statement.node);
    const auto* fill = std::get_if<FillIfNoStep>(&statement.node);
    if (steps || fill) find(axis_size_symbol(kernel_, steps ? steps->axis : fill->axis), bindings, nullptr, checks);
    return checks;
  }

  // Notes the grid point of a check of a block's place for the variables that the check reads.
  void note_points(const Statement& statement) {
    const auto* check = std::get_if<Check>(&statement.node);
    if (!check) return;
    for (const Binding& binding : check->bindings)
      if (binding.kind == SlotKind::scalar) points_[binding.scalar] = check->point;
    walk(check->violated, [&](const Typed& node) {
      const Symbol* symbol = node.as<Symbol>();
      if (!symbol || symbol->kind != SymbolKind::loop) return;
      for (size_t i = 0; i < draft_.plan.scalars.size(); ++i)
        if (is_named(static_cast<int>(i), symbol->name)) points_[static_cast<int>(i)] = check->point;
    });
  }
  const std::vector<TypedPtr>* point_of(const Statement& statement) const {
    if (const auto* check = std::get_if<Check>(&statement.node)) return &check->point;
    const auto* set = std::get_if<SetScalar>(&statement.node);
    const auto known = set ? points_.find(set->scalar) : points_.end();
    return known == points_.end() ? nullptr : &known->second;
  }

  // Visits the statements inside. Checks in a loop over elements that are the same for all elements go to `before`.
  void inside(Statement& statement, Statements& before) {
    const auto* elements = std::get_if<ForElements>(&statement.node);
    const auto* range = std::get_if<ForRange>(&statement.node);
    const size_t outside = coordinates_.size();
    const std::map<std::string, Bounds> around = turns_;
    note_turns(statement);
    if (elements) {
      coordinates_.insert(coordinates_.end(), elements->coordinates.begin(), elements->coordinates.end());
      if (++depth_ == 1) note_own(elements->body);
    }
    if (range && depth_ > 0) coordinates_.push_back(range->variable);
    const auto* steps = std::get_if<ForSteps>(&statement.node);
    if (steps) checks_.enter(steps->axis);
    const int axis = steps ? steps->axis : -1;
    const bool each = elements || (range && depth_ > 0);
    for (Statements* body : bodies_of(statement)) visit(*body, each ? &before : nullptr);
    if (axis >= 0) checks_.leave(axis);
    if (elements && --depth_ == 0) own_.clear();
    coordinates_.resize(outside);
    turns_ = around;
  }

  // Notes the bounds of the variables that the statement counts by.
  void note_turns(const Statement& statement) {
    if (const auto* elements = std::get_if<ForElements>(&statement.node)) {
      for (size_t d = 0; d < elements->coordinates.size(); ++d)
        turns_[elements->coordinates[d]] = {0, elements->shape[d].value - 1};
    }
    const auto* range = std::get_if<ForRange>(&statement.node);
    if (range && bounds(range->step, facts()).minimum.value_or(0) > 0)
      turns_[range->variable] = {bounds(range->start, facts()).minimum, std::nullopt};
  }

  SymbolFacts facts() const {
    SymbolFacts facts = draft_.facts;
    const auto of = [this](const Symbol& symbol) {
      const auto found = symbol.kind == SymbolKind::loop && symbol.id < 0 ? turns_.find(symbol.name) : turns_.end();
      return found == turns_.end() ? Bounds{} : found->second;
    };
    facts.minimum = [of, known = facts.minimum](const Symbol& symbol) {
      const std::optional<int64_t> minimum = of(symbol).minimum;
      return minimum ? minimum : known(symbol);
    };
    facts.maximum = [of, known = facts.maximum](const Symbol& symbol) {
      const std::optional<int64_t> maximum = of(symbol).maximum;
      return maximum ? maximum : known(symbol);
    };
    return facts;
  }

  // Notes the variables that each thread sets for an element of the loop that begins here.
  void note_own(const Statements& body) {
    own_.clear();
    for_each_statement(body, [&](const Statement& statement) {
      if (const auto* set = std::get_if<SetScalar>(&statement.node)) own_.insert(set->scalar);
      const auto* store = std::get_if<StoreElement>(&statement.node);
      if (store && store->atomic) own_.insert(store->atomic->old_scalar);
    });
  }

  // True if the expression may differ between elements of the current loops.
  bool varies(const TypedPtr& expr, const Bindings& bindings) const {
    bool found = false;
    walk(expr, [&](const Typed& node) {
      const Symbol* symbol = node.as<Symbol>();
      if (symbol && symbol->kind == SymbolKind::loop && symbol->id < 0)
        found = found || std::find(coordinates_.begin(), coordinates_.end(), symbol->name) != coordinates_.end() ||
                std::any_of(own_.begin(), own_.end(), [&](int own) { return is_named(own, symbol->name); });
      const LocalUse* use = node.as<LocalUse>();
      if (!use) return;
      const Binding& binding = bindings[static_cast<size_t>(use->id)];
      const bool of_element = binding.kind != SlotKind::scalar && binding.kind != SlotKind::first &&
                              binding.kind != SlotKind::shared && binding.kind != SlotKind::global;
      found = found || of_element || (binding.kind == SlotKind::scalar && own_.count(binding.scalar) > 0);
      for (const TypedPtr& index : binding.index) found = found || varies(index, bindings);
    });
    return found;
  }
  bool varies(const Statement& check) const { return varies(std::get<Check>(check.node).violated, {}); }

  // Appends to `checks` those of the elements that the expression reads if `under` (null: always) holds.
  void find(const TypedPtr& expr, const Bindings& bindings, const TypedPtr& under, Statements& checks) {
    if (!expr) return;
    if (const Symbol* symbol = expr->as<Symbol>()) {
      if (symbol->kind == SymbolKind::let) find(kernel_.lets[symbol->id].value, bindings, under, checks);
      if (symbol->kind == SymbolKind::axis_size && is_of_device(kernel_, kernel_.axes[symbol->id].size))
        find(kernel_.axes[symbol->id].size, bindings, under, checks);
      return;
    }
    if (const auto* use = expr->as<LocalUse>()) {
      const Binding& binding = bindings.at(static_cast<size_t>(use->id));
      for (const TypedPtr& index : binding.index) find(index, bindings, under, checks);
      find(binding.condition, bindings, under, checks);
      find(binding.outside, bindings, under, checks);
      return;
    }
    const Apply* apply = expr->as<Apply>();
    if (const auto* call = expr->as<CallFunction>()) {
      for (const TypedPtr& arg : call->args) find(arg, bindings, under, checks);
    } else if (apply && !find_under_condition(*apply, bindings, under, checks)) {
      for (const TypedPtr& arg : apply->args) find(arg, bindings, under, checks);
    }
  }

  // Returns the element that the choice guards, perhaps cast; null: it guards none.
  static const Apply* guarded_element(const Apply& choice) {
    if (choice.op != Op::where) return nullptr;
    TypedPtr chosen = choice.args[1];
    while (const Apply* cast = chosen->applies(Op::cast)) chosen = cast->args[0];
    return chosen->applies(Op::element);
  }

  // Finds elements in operands that are evaluated under a scalar condition; false if all operands are evaluated.
  bool find_under_condition(const Apply& apply, const Bindings& bindings, const TypedPtr& under, Statements& checks) {
    if (apply.op != Op::where && apply.op != Op::logical_and && apply.op != Op::logical_or) return false;
    if (const Apply* element = guarded_element(apply)) {
      for (const TypedPtr& index : element->args) find(index, bindings, under, checks);
      add(*element, bindings, under, checks);
      return true;
    }
    const TypedPtr& condition = apply.args[0];
    if (all_ || varies(condition, bindings)) return false;
    find(condition, bindings, under, checks);
    const TypedPtr otherwise = pallasgen::apply({}, Op::logical_not, DType::boolean, {}, {condition});
    find(apply.args[1], bindings, both(under, apply.op == Op::logical_or ? otherwise : condition), checks);
    if (apply.op == Op::where) find(apply.args[2], bindings, both(under, otherwise), checks);
    return true;
  }

  void add(const Apply& element, const Bindings& bindings, const TypedPtr& under, Statements& checks) {
    const int scalar = element.attributes.scalar;
    TypedPtr outside;
    for (size_t dim = 0; dim < element.args.size(); ++dim) {
      TypedPtr index = element.args[dim];
      if (index->dtype != DType::index) index = make_typed(index->span, DType::i64, {}, Apply{Op::cast, {index}, {}});
      const TypedPtr& extent = (*kernel_.scalars[static_cast<size_t>(scalar)].shape)[dim];
      outside = either(outside, RunTimeChecks::outside(index, extent, facts()));
    }
    outside = RunTimeChecks::unless_disproved(outside ? both(under, outside) : nullptr, facts());
    if (!outside) return;
    Taken taken(bindings);
    const TypedPtr violated = taken.of(outside);
    if (!remember(violated)) return;
    checks.push_back(checks_.check(fault_of_scalar_array(kernel_, scalar), violated, std::move(taken.bindings)));
  }

  bool is_named(int scalar, const std::string& name) const {
    return scalar >= 0 && draft_.plan.scalars[static_cast<size_t>(scalar)].name == name;
  }

  // Notes a check; false if it is known. A condition that reads values counts as new: it may differ each time.
  bool remember(const TypedPtr& violated) {
    bool reads = false;
    walk(violated, [&](const Typed& node) {
      const Symbol* symbol = node.as<Symbol>();
      reads = reads || node.as<LocalUse>();
      if (!symbol || symbol->kind != SymbolKind::loop) return;
      for (size_t i = 0; i < draft_.plan.scalars.size(); ++i)
        reads = reads || is_named(static_cast<int>(i), symbol->name);
    });
    if (reads) return true;
    const auto same = [&](const TypedPtr& other) { return equal(other, violated); };
    if (std::any_of(known_.begin(), known_.end(), same)) return false;
    known_.push_back(violated);
    return true;
  }

  Draft& draft_;
  const Kernel& kernel_;
  RunTimeChecks checks_;
  std::vector<TypedPtr> known_;                  // conditions that have been checked at this point of the walk
  std::vector<std::string> coordinates_;         // of the loops over elements under way
  std::map<std::string, Bounds> turns_;          // of the variables of all loops under way
  int depth_ = 0;                                // the number of loops over elements under way
  bool all_ = false;                             // conditions inside an expression keep nothing from being read
  std::set<int> own_;                            // of Plan::scalars: variables set in these loops
  std::map<int, std::vector<TypedPtr>> points_;  // by Plan::scalars: the grid point of a check that reads it
};

}  // namespace

void check_scalar_arrays(Draft& draft, const tile::Program& program, const tile::Role& role, Statements& statements) {
  if (draft.kernel->checks_for("oob")) ScalarArrayChecks(draft, program, role).visit(statements);
}

}  // namespace pallasgen
