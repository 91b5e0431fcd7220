#include "homes/materialise.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "check/aliases.h"
#include "homes/element_operands.h"
#include "homes/inlined_values.h"
#include "proofs/element_indexing.h"
#include "proofs/reductions.h"
#include "tile/walk.h"

namespace pallasgen {

namespace materialising {

class Materialise {
 public:
  Materialise(tile::Program& program, tile::Role& role)
      : program_(program), kernel_(*program.declarations), inlined_(program, role) {
    for (const int value : inlined_.reads()) set_inlined({value});
    in(role.body);
    if (!added_.empty()) name_added(role.body);
  }

 private:
  // Walks backwards, so that how often a value is evaluated is known before its definition is reached.
  void in(tile::Block& block) {
    tile::Block out;
    for (size_t i = block.size(); i-- > 0;) {
      tile::Statement& statement = block[i];
      const auto inner = tile::blocks_of(statement);
      for (size_t b = inner.size(); b-- > 0;) in(*inner[b]);
      tile::Block before = before_and_behind(statement, out);
      out.push_back(std::move(statement));
      out.insert(out.end(), std::make_move_iterator(before.rbegin()), std::make_move_iterator(before.rend()));
    }
    block.assign(std::make_move_iterator(out.rbegin()), std::make_move_iterator(out.rend()));
  }

  // Changes the statement, and returns the statements that are to run before it. `behind` is the rest of the block,
  // its first statement last.
  tile::Block before_and_behind(tile::Statement& statement, tile::Block& behind) {
    made_.clear();
    known_.clear();
    span_ = statement.span;
    origin_ = statement.origin;
    gathered_places(statement);
    if (auto* loop = statement.as<tile::While>()) {
      target_ = "condition";
      loop->condition = part_of(loop->condition, 1);
      for (tile::Statement& made : std::exchange(made_, {})) loop->test.push_back(std::move(made));
    } else if (auto* branch = statement.as<tile::If>()) {
      target_ = "condition";
      branch->condition = part_of(branch->condition, 1);
    } else if (auto* loop = statement.as<tile::For>()) {
      target_ = loop->variable.name;
      for (TypedPtr* bound : {&loop->first, &loop->last, &loop->step}) *bound = part_of(*bound, 1);
    } else if (goes_by_elements(program_, statement)) {
      by_elements(statement, behind);
    }
    return std::exchange(made_, {});
  }

  void by_elements(tile::Statement& statement, tile::Block& behind) {
    if (TypedPtr expr = assigned_by_elements(program_, statement)) {
      const tile::ValueId id = *tile::defined_by(statement);
      target_ = program_.value(id).name;
      define(id, std::move(expr), statement, behind);
    } else if (auto* store = statement.as<StoreStmt>()) {
      const Shape& whole = program_.ref(store->ref).shape;
      const Shape shape = store->whole ? whole : selected_by(store->index).shape;
      // Elements that may be outside, or stored twice, are read under the mask before any is stored.
      if (store->op && !are_held(store->index)) read_old(*store, shape, store->mask);
      operands({&store->value, &store->mask}, store->index, {store->ref, store->whole, shape});
      if (store->op) read_old(*store, shape, nullptr);
    } else if (auto* atomic = statement.as<AtomicStmt>()) {
      const Shape& whole = program_.ref(atomic->ref).shape;
      const Shape shape = atomic->whole ? whole : selected_by(atomic->index).shape;
      operands({&atomic->value, &atomic->mask, &atomic->compare}, atomic->index, {atomic->ref, atomic->whole, shape});
    } else if (auto* print = statement.as<PrintStmt>()) {
      target_ = "printed";
      for (TypedPtr& arg : print->args) arg = part_of(arg, 1);
    } else if (auto* assertion = statement.as<AssertStmt>()) {
      target_ = "condition";
      assertion->condition = part_of(assertion->condition, 1);
    } else if (const auto* write = statement.as<tile::Write>()) {
      inlined_.note_use(write->value, elements_of(program_.value(write->value).shape));
    }
  }

  // The statement becomes the definition of the value by the expression with its parts apart.
  void define(tile::ValueId id, TypedPtr expr, tile::Statement& statement, tile::Block& behind) {
    const Shape shape = program_.value(id).shape;
    const std::optional<int64_t> inlined = inlined_.turns_of(id);
    if (inlined) set_inlined(id);
    const int64_t turns = inlined.value_or(elements_of(shape));
    const auto is_own = [&](const Typed& node) {
      const auto* use = node.as<LocalUse>();
      return use && use->id == id.index;
    };
    bool reads_own = false;
    walk(expr, [&](const Typed& node) { reads_own = reads_own || is_own(node); });
    const bool direct = expr->shape == shape && !reads_own;
    const TypedPtr made = direct && turns == elements_of(shape) ? whole(expr) : part_of(expr, turns);
    const bool elsewhere = !is_number(program_.value(id)) && takes_elsewhere(made, is_own);
    const bool changed = made != expr || elsewhere;
    if (!changed) return;
    if (elsewhere) {
      const tile::ValueId next = add(program_.value(id).name + "_next", shape, program_.value(id).dtype);
      behind.push_back({statement.span, "", tile::Assign{id, tile::use(program_, next)}});
      id = next;
    }
    statement.node = tile::Assign{id, made};
  }

  // Makes a store that combines its value with the old elements one that stores the result.
  void read_old(StoreStmt& store, const Shape& shape, const TypedPtr& mask) const {
    const Ref& ref = program_.ref(store.ref);
    const Span span = store.value->span;
    RefRead old{store.ref, store.index, store.whole, mask, {}, ref.name};
    store.value = make_typed(span, ref.dtype, shape,
                             Apply{*store.op, {make_typed(span, ref.dtype, shape, std::move(old)), store.value}, {}});
    store.op.reset();
  }

  // What a store or an atomic update writes.
  struct Target {
    int ref;
    bool whole;
    Shape shape;
  };
  void operands(const std::vector<TypedPtr*>& values, std::vector<IndexItem>& items, const Target& to) {
    target_ = program_.ref(to.ref).name;
    const int64_t turns = std::max<int64_t>(1, elements_of(to.shape));
    const auto is_own = [&](const Typed& node) {
      const RefRead* read = node.as<RefRead>();
      return read && same_buffer(kernel_, read->ref, to.ref);
    };
    const auto is_at_place = [&](const Typed& node) {
      const RefRead* read = node.as<RefRead>();
      const bool same = read->ref == to.ref || starts_as_other(read->ref, to.ref);
      return same && node.shape == to.shape && read->whole == to.whole &&
             (read->whole || (are_held(items) && equal_items(read->index, items)));
    };
    bool elsewhere = false;
    const auto check = [&](const TypedPtr& expr, bool of_element) {
      if (!expr) return;
      elsewhere = elsewhere || takes_elsewhere(expr, is_own);
      walk(expr,
           [&](const Typed& node) { elsewhere = elsewhere || (is_own(node) && !(of_element && is_at_place(node))); });
    };
    for (const TypedPtr* value : values) check(*value, *value && (*value)->shape == to.shape);
    change_items(items, [&](TypedPtr& expr) { check(expr, false); });
    const auto take = [&](TypedPtr& expr) {
      bool reads = false;
      walk(expr, [&](const Typed& node) { reads = reads || is_own(node); });
      expr = elsewhere && reads ? apart(expr) : part_of(expr, turns);
    };
    for (TypedPtr* value : values) {
      if (*value) take(*value);
    }
    change_items(items, take);
  }
  template <class Change>
  static void change_items(std::vector<IndexItem>& items, Change&& change) {
    for (IndexItem& item : items) {
      if (auto* integer = std::get_if<IndexInteger>(&item)) change(integer->value);
      if (auto* slice = std::get_if<IndexSlice>(&item); slice && slice->start) change(slice->start);
      if (auto* gather = std::get_if<IndexGather>(&item)) change(gather->indices);
    }
  }
  // True if one of the two refs is an output that starts as the other, in the same places.
  bool starts_as_other(int a, int b) const {
    const auto starts = [&](int output, int input) {
      const Ref& ref = program_.ref(output);
      return ref.alias_of == input && starts_as_input(kernel_, ref);
    };
    return starts(a, b) || starts(b, a);
  }

  // Copies look up the place of each row while they run. Indices that take statements to compute are computed before.
  void gathered_places(tile::Statement& statement) {
    tile::Box* box = nullptr;
    if (auto* read = statement.as<tile::Read>()) box = &read->box;
    if (auto* put = statement.as<tile::Put>()) box = &put->box;
    if (auto* ask = statement.as<tile::Prefetch>()) box = &ask->box;
    if (!box) return;
    target_ = box->ref < 0 ? "" : program_.ref(box->ref).name;
    for (tile::BoxDim& dim : box->dims) {
      if (dim.each) dim.each = is_looked_up(dim.each) ? part_of(dim.each, *dim.size) : apart(dim.each);
    }
  }
  // True if an element of the indices is an expression, without statements before it.
  bool is_looked_up(const TypedPtr& indices) const {
    bool is = true;
    walk(indices, [&](const Typed& node) {
      if (const auto* use = node.as<LocalUse>()) {
        const TypedPtr meant = inlined_.expression_of(use->id);
        is = is && (!meant || is_looked_up(meant));
      }
      const Apply* apply = node.as<Apply>();
      const RefRead* read = node.as<RefRead>();
      const OpGroup group = apply ? operation(apply->op).group : OpGroup::elementwise;
      is = is && group != OpGroup::reduce && group != OpGroup::matrix && !(read && (read->mask || read->other));
      const std::vector<IndexItem>* items = read ? &read->index : apply ? &apply->attributes.items : nullptr;
      is = is && (!items || items->empty() || (!kernel_.checks_for("oob") && are_held(*items)));
    });
    return is;
  }
  bool is_variable(int value) const {
    return is_number(program_.value({value})) && inlined_.homes().uses().got.count(value) == 0;
  }
  // True if all threads hold what the indices are computed from: then equal indices mean the same element.
  bool are_held(const std::vector<IndexItem>& items) const {
    const auto is_held = [&](const TypedPtr& expr) {
      bool reads = false;
      walk(expr, [&](const Typed& node) {
        const auto* use = node.as<LocalUse>();
        reads = reads || node.as<RefRead>() || (use && !is_variable(use->id));
      });
      return !reads;
    };
    return std::all_of(items.begin(), items.end(), [&](const IndexItem& item) {
      const auto* integer = std::get_if<IndexInteger>(&item);
      const auto* slice = std::get_if<IndexSlice>(&item);
      const auto* gather = std::get_if<IndexGather>(&item);
      const auto* gathered = gather ? gather->indices->as<LocalUse>() : nullptr;
      const bool apart =
          gathered ? is_variable(gathered->id) : !gather || (items.size() == 1 && gather->indices->applies(Op::iota));
      return apart && (!integer || is_held(integer->value)) && (!slice || !slice->start || is_held(slice->start));
    });
  }

  // Returns all of the expression, whose elements are evaluated once each, with parts of it apart.
  TypedPtr whole(const TypedPtr& node) {
    if (!is_computed_whole(kernel_, node)) return part_of(node, elements_of(node->shape));
    if (const RefRead* read = node->as<RefRead>()) return with_parts(node, *read, elements_of(node->shape));
    const Apply& apply = *node->as<Apply>();
    return with_operands(node, apply, {part_of(apply.args[0], elements_of(apply.args[0]->shape))});
  }
  TypedPtr with_operands(const TypedPtr& node, const Apply& apply, std::vector<TypedPtr> args) const {
    if (args == apply.args) return node;
    return make_typed(node->span, node->dtype, node->shape, Apply{apply.op, std::move(args), apply.attributes});
  }
  TypedPtr with_parts(const TypedPtr& node, RefRead read, int64_t turns) {
    bool changed = false;
    const auto take = [&](TypedPtr& expr) {
      TypedPtr made = expr ? part_of(expr, turns) : nullptr;
      changed = changed || made != expr;
      expr = std::move(made);
    };
    change_items(read.index, take);
    take(read.mask);
    take(read.other);
    return changed ? make_typed(node->span, node->dtype, node->shape, std::move(read)) : node;
  }

  // Returns the expression, whose elements are evaluated `turns` times in all, with its parts apart.
  TypedPtr part_of(const TypedPtr& expr, int64_t turns) {
    const int64_t known = replaced_;
    const TypedPtr made = rewrite(expr, [&](const TypedPtr& node) -> TypedPtr {
      if (const auto* use = node->as<LocalUse>()) inlined_.note_use({use->id}, turns);
      if (is_computed_whole(kernel_, node)) return apart(node);
      const Apply* apply = node->as<Apply>();
      if (!apply) return nullptr;
      const OpGroup group = operation(apply->op).group;
      if (group != OpGroup::reduce && group != OpGroup::matrix) return nullptr;
      if (elements_of(node->shape) < turns) return apart(node);
      const std::vector<TypedPtr>& args = apply->args;
      if (group == OpGroup::reduce) {
        const int64_t terms = elements_of(args[0]->shape) / std::max<int64_t>(1, elements_of(node->shape));
        return with_operands(node, *apply, {part_of(args[0], turns * std::max<int64_t>(1, terms))});
      }
      // An operand that takes arithmetic is computed once, not once for each element of the result.
      const size_t depth = args[0]->shape.size() - (apply->attributes.trans_a ? 2 : 1);
      std::vector<TypedPtr> operands;
      for (const TypedPtr& operand : args) {
        const bool again = elements_of(operand->shape) < turns * args[0]->shape[depth];
        operands.push_back(again && !inlined_.is_trivial(operand) ? apart(operand)
                                                                  : part_of(operand, elements_of(operand->shape)));
      }
      return with_operands(node, *apply, std::move(operands));
    });
    return replaced_ == known ? expr : made;
  }

  // Adds a value with the node's elements, defined before the statement, and returns its use.
  TypedPtr apart(const TypedPtr& node) {
    ++replaced_;
    for (const auto& [known, use] : known_) {
      if (known == node) return use;
    }
    TypedPtr made = whole(node);
    const tile::ValueId id = add(name_of_part(node), node->shape, node->dtype);
    made_.push_back({span_, origin_, tile::Assign{id, std::move(made)}});
    known_.emplace_back(node, tile::use(program_, id, node->span));
    return known_.back().second;
  }
  void set_inlined(tile::ValueId id) { program_.values[static_cast<size_t>(id.index)].inlined = true; }
  // Adds a value, which gets its name when all are known.
  tile::ValueId add(std::string name, const Shape& shape, DType dtype) {
    program_.values.push_back({"", dtype, shape});
    const tile::ValueId id{static_cast<int>(program_.values.size()) - 1};
    set_element_home(program_, id);
    added_[id.index] = std::move(name);
    return id;
  }
  // Names the added values in the order of the program: y_sum, y_sum_2.
  void name_added(tile::Block& body) {
    tile::for_each_statement(body, [&](const tile::Statement& statement) {
      const auto value = tile::defined_by(statement);
      const auto added = value ? added_.find(value->index) : added_.end();
      if (added == added_.end() || !program_.value(*value).name.empty()) return;
      std::string name = added->second;
      for (int number = 2; tile::free_name(program_, name) != name; ++number)
        name = fmt::format("{}_{}", added->second, number);
      program_.values[static_cast<size_t>(value->index)].name = std::move(name);
    });
    for (tile::Statement& statement : body) {
      tile::change_expressions(statement, [&](TypedPtr& expr) {
        bool uses = false;
        walk(expr, [&](const Typed& node) { uses = uses || is_added(node); });
        if (!uses) return;
        expr = rewrite(expr, [&](const TypedPtr& node) {
          return is_added(*node) ? tile::use(program_, {node->as<LocalUse>()->id}, node->span) : nullptr;
        });
      });
    }
  }
  bool is_added(const Typed& node) const {
    const auto* use = node.as<LocalUse>();
    return use && added_.count(use->id) > 0;
  }
  std::string name_of_part(const TypedPtr& node) const {
    if (const RefRead* read = node->as<RefRead>()) return read->name + "_loaded";
    const Apply* apply = node->as<Apply>();
    const bool tells = apply && apply->op != Op::slice && operation(apply->op).group != OpGroup::elementwise;
    const std::string what = tells ? std::string(operation(apply->op).name) : "part";
    return target_.empty() ? what : target_ + "_" + what;
  }

  tile::Program& program_;
  const Kernel& kernel_;
  InlinedValues inlined_;
  std::map<int, std::string> added_;  // by value: the name that it would have if no other had it
  // The statements before the current one, and the nodes whose values they compute, each with its use.
  tile::Block made_;
  std::vector<std::pair<TypedPtr, TypedPtr>> known_;
  Span span_;
  std::string origin_, target_;
  int64_t replaced_ = 0;  // how many parts have been replaced by uses of values
};

}  // namespace materialising

tile::Program materialise(tile::Program program) {
  for (tile::Role& role : program.roles) materialising::Materialise(program, role);
  tile::find_carries(program);
  return program;
}

}  // namespace pallasgen
