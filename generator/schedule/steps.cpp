#include "steps.h"

#include <algorithm>
#include <iterator>

#include "boxes.h"
#include "check/aliases.h"
#include "check/steps.h"
#include "conditions.h"
#include "failing.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

void append(Block& to, Block from) {
  for (Statement& statement : from) to.push_back(std::move(statement));
}

}  // namespace

Steps::Steps(const Kernel& kernel, tile::Program& program, Translation& translation)
    : kernel_(kernel),
      program_(program),
      translation_(translation),
      nest_(kernel, program),
      heads_(nest_.depth() + 1),
      behind_(nest_.depth() + 1) {}

void Steps::find_items() {
  for (const KernelStmt& from : kernel_.body) {
    Item item{&from, translation_.statement(from), {}};
    item.touched = touched(program_, item.made);
    if (const auto* when = std::get_if<WhenStmt>(&from.node)) {
      item.guard = guard_kind(kernel_, when->condition);
      if (nest_.depth() > 1) item.inner = guard_kind(kernel_, when->condition, nest_.axis_at(nest_.depth() - 1));
    }
    items_.push_back(std::move(item));
  }
  // An input whose buffer the program writes is read where its block begins.
  for (const Ref& ref : kernel_.refs) {
    if (ref.alias_of) at_head_.insert(*ref.alias_of);
  }
}

// True if the block of an input is among what is used.
bool Steps::reads(const Touched& used, int ref) const {
  if (kernel_.refs[static_cast<size_t>(ref)].role != RefRole::input) return false;
  const Form form = translation_.form(ref);
  if (form == Form::value) return used.reads.count(translation_.value_of(ref).index) > 0;
  return form == Form::place && used.loads.count(ref) > 0;
}

// Puts a statement that may fail before the loop at `depth` under the condition that this loop has steps.
Block Steps::guarded_by_steps(Statement statement, size_t depth) const {
  const std::optional<TypedPtr> turns = nest_.turns(depth);
  Block out;
  if (turns && *turns)
    out.push_back({statement.span, "", If{*turns, {}, {std::move(statement)}, {}}});
  else
    out.push_back(std::move(statement));
  return out;
}

// Reads the blocks of inputs that `used` needs and that do not change in loops deeper than `depth`; blocks of outer
// loops are read before these loops.
void Steps::read_inputs(const Touched& used, Block& out, size_t depth) {
  for (size_t i = 0; i < kernel_.refs.size(); ++i) {
    const int ref = static_cast<int>(i);
    if (!reads(used, ref) || read_.count(ref)) continue;
    read_.insert(ref);
    Box box = box_of(kernel_, ref);
    const size_t own = nest_.depth_of(box);
    const bool is_value = translation_.form(ref) == Form::value;
    if (is_value) depths_[translation_.value_of(ref).index] = own;
    // A program without a step reads the blocks that do not move, too.
    const bool fails = own > 0 && may_fail(kernel_, box);
    const bool stays = fails && !nest_.turns(own) && !at_head_.count(ref);
    Block& to = own < depth && !stays ? heads_[own] : out;
    Statement statement{kernel_.refs[i].span, "", {}};
    if (is_value)
      statement.node = Read{translation_.value_of(ref), std::move(box)};
    else
      statement.node = Fetch{std::move(box)};
    append(to, fails ? guarded_by_steps(std::move(statement), std::min(own, depth)) : Block{std::move(statement)});
  }
}

// True if the statement may fail when it runs before loops that no condition shows to have steps.
bool Steps::may_fail_early(const Item& item) const {
  if (may_fail(kernel_, item.made[0].as<Assign>()->expr)) return true;
  for (size_t i = 0; i < kernel_.refs.size(); ++i) {
    const int ref = static_cast<int>(i);
    if (!reads(item.touched, ref)) continue;
    const Box box = box_of(kernel_, ref);
    if (nest_.depth_of(box) > 0 && may_fail(kernel_, box)) return true;
  }
  return false;
}

// True if the value is an array of coordinates, or sums or multiples of them. Threads compute its elements from their
// places, so that before the loop it would only take registers, unless something else there reads it.
bool Steps::is_cheaper_in_step(const Item& item) const {
  const TypedPtr& expr = item.made[0].as<Assign>()->expr;
  if (expr->shape.empty()) return false;
  bool of_coordinates = true;
  walk(expr, [&](const Typed& node) {
    const Apply* apply = node.as<Apply>();
    const bool sums = apply && (apply->op == Op::add || apply->op == Op::subtract || apply->op == Op::multiply);
    of_coordinates = of_coordinates && !node.as<RefRead>() && (!node.as<LocalUse>() || node.shape.empty()) &&
                     (!apply || node.shape.empty() || sums || operation(apply->op).group == OpGroup::shape);
  });
  const int value = item.made[0].as<Assign>()->value.index;
  return of_coordinates && std::none_of(items_.begin(), items_.end(), [&](const Item& other) {
           const bool leaves = other.guard != GuardKind::none || other.inner != GuardKind::none;
           return leaves && other.touched.reads.count(value) > 0;
         });
}

// Moves names that are bound once, to what does not change with each step, before the loops in which it does not.
void Steps::move_invariants() {
  std::map<int, int> definitions;
  tile::Touched all;
  for (const Item& item : items_) {
    all.add(item.touched);
    for (const Statement& statement : item.made) {
      for_each_statement({statement}, [&](const Statement& inner) {
        if (const auto* define = inner.as<Assign>()) ++definitions[define->value.index];
        if (const auto* dot = inner.as<Dot>()) ++definitions[dot->value.index];
      });
    }
  }
  std::map<int, Item*> waiting;  // by value: bindings that move only if another that moves reads them
  for (Item& item : items_) {
    const auto* define = item.made.size() == 1 ? item.made[0].as<Assign>() : nullptr;
    if (!define || !std::holds_alternative<BindStmt>(item.from->node)) continue;
    if (definitions[define->value.index] != 1 || item.touched.ordered || meet(item.touched.loads, all.stores)) continue;
    size_t depth = nest_.depth_of(item.touched.axes);
    for (int ref : item.touched.loads) depth = std::max(depth, nest_.depth_of(box_of(kernel_, ref)));
    for (int value : item.touched.reads) {
      for (size_t i = 0; i < kernel_.refs.size(); ++i) {
        const int ref = static_cast<int>(i);
        if (kernel_.refs[i].role == RefRole::input && translation_.form(ref) == Form::value &&
            translation_.value_of(ref).index == value && !depths_.count(value) && !at_head_.count(ref))
          depths_[value] = nest_.depth_of(box_of(kernel_, ref));
      }
      const auto known = depths_.find(value);
      depth = std::max(depth, known == depths_.end() ? nest_.depth() : known->second);
    }
    if (depth == nest_.depth() || (!nest_.turns(depth) && may_fail_early(item))) continue;
    depths_[define->value.index] = depth;
    if (is_cheaper_in_step(item)) {
      waiting[define->value.index] = &item;
      continue;
    }
    for (int value : item.touched.reads) {
      const auto found = waiting.find(value);
      if (found != waiting.end() && !found->second->moved) move_before(*found->second, depths_.at(value));
    }
    move_before(item, depth);
  }
}

void Steps::move_before(Item& item, size_t depth) {
  read_inputs(item.touched, heads_[depth], depth);
  if (may_fail(kernel_, item.made[0].as<Assign>()->expr))
    append(heads_[depth], guarded_by_steps(std::move(item.made[0]), depth));
  else
    append(heads_[depth], std::move(item.made));
  item.moved = true;
}

bool Steps::may_pass(const Item& guard, const Item& other) const {
  const Touched &a = guard.touched, &b = other.touched;
  return !(a.ordered && b.ordered) && !meet(a.defines, b.defines) && !meet(a.defines, b.reads) &&
         !meet(a.reads, b.defines) && !share_buffer(a.stores, b.stores) && !share_buffer(a.stores, b.loads) &&
         !share_buffer(a.loads, b.stores);
}
bool Steps::share_buffer(const std::set<int>& a, const std::set<int>& b) const {
  return std::any_of(a.begin(), a.end(), [&](int ref) {
    return std::any_of(b.begin(), b.end(), [&](int other) { return same_buffer(kernel_, ref, other); });
  });
}

// True if all that a guard touches exists before and after the loop that has `depth` loops around it.
bool Steps::may_leave_loop(const Item& guard, size_t depth) const {
  const auto* when = std::get_if<WhenStmt>(&guard.from->node);
  if (!when->otherwise.empty()) return false;
  const auto stays = [&](int value) {
    const auto known = depths_.find(value);
    if (known != depths_.end()) return known->second <= depth;
    for (size_t i = 0; i < kernel_.refs.size(); ++i) {
      const int ref = static_cast<int>(i);
      if (translation_.form(ref) != Form::value || translation_.value_of(ref).index != value) continue;
      if (kernel_.refs[i].role == RefRole::input) return nest_.depth_of(box_of(kernel_, ref)) <= depth;
      return kernel_.refs[i].role == RefRole::scratch || outputs_->depth_of(ref) <= depth;
    }
    return guard.touched.defines.count(value) > 0;  // a name of its own
  };
  if (!std::all_of(guard.touched.reads.begin(), guard.touched.reads.end(), stays)) return false;
  if (!std::all_of(guard.touched.defines.begin(), guard.touched.defines.end(), stays)) return false;
  const auto still = [&](int ref) {
    return kernel_.refs[static_cast<size_t>(ref)].role == RefRole::scratch ||
           nest_.depth_of(box_of(kernel_, ref)) <= depth;
  };
  return std::all_of(guard.touched.loads.begin(), guard.touched.loads.end(), still) &&
         std::all_of(guard.touched.stores.begin(), guard.touched.stores.end(), still);
}

// Moves guards of first or last steps of all loops out of the nest, and those of the innermost loop out of that loop.
void Steps::move_guards() {
  if (nest_.sizes_are_independent()) {
    move_guards(0, &Item::guard, [&](Block made, GuardKind kind) { return nest_.at_step(std::move(made), kind); });
  }
  if (nest_.depth() < 2) return;
  move_guards(nest_.depth() - 1, &Item::inner,
              [&](Block made, GuardKind kind) { return nest_.at_inner_step(std::move(made), kind); });
}

void Steps::move_guards(size_t depth, GuardKind Item::* kind, const std::function<Block(Block, GuardKind)>& placed) {
  const auto passes = [&](size_t i, size_t first, size_t last) {
    for (size_t j = first; j < last; ++j) {
      if (!items_[j].moved && !may_pass(items_[i], items_[j])) return false;
    }
    return true;
  };
  for (size_t i = 0; i < items_.size(); ++i) {
    Item& guard = items_[i];
    if (guard.*kind != GuardKind::first || !may_leave_loop(guard, depth) || !passes(i, 0, i)) continue;
    Block made = placed(body_of(guard), GuardKind::first);
    read_inputs(touched(program_, made), heads_[depth], depth);
    append(heads_[depth], std::move(made));
    guard.moved = true;
  }
  std::vector<Block> last;
  for (size_t i = items_.size(); i-- > 0;) {
    Item& guard = items_[i];
    if (guard.*kind != GuardKind::last || guard.moved || !may_leave_loop(guard, depth) ||
        !passes(i, i + 1, items_.size()))
      continue;
    last.push_back(placed(body_of(guard), GuardKind::last));
    guard.moved = true;
  }
  // A block that the steps read, too, is read before them.
  Touched in_steps = {};
  for (const Item& item : items_) {
    if (!item.moved) in_steps.add(item.touched);
  }
  for (size_t i = last.size(); i-- > 0;) {
    const Touched behind = touched(program_, last[i]);
    Touched both = {};
    std::set_intersection(behind.reads.begin(), behind.reads.end(), in_steps.reads.begin(), in_steps.reads.end(),
                          std::inserter(both.reads, both.reads.end()));
    std::set_intersection(behind.loads.begin(), behind.loads.end(), in_steps.loads.begin(), in_steps.loads.end(),
                          std::inserter(both.loads, both.loads.end()));
    read_inputs(both, heads_[depth], depth);
    read_inputs(behind, behind_[depth], depth);
    append(behind_[depth], std::move(last[i]));
  }
}

TypedPtr Steps::no_step() const {
  if (stepped_) return pallasgen::apply({}, Op::logical_not, DType::boolean, {}, {use(program_, *stepped_)});
  return nest_.no_step();
}

// The rest of the body, in order; each block of an input is read before the first statement that uses it.
Block Steps::step() {
  Block out;
  if (stepped_) {
    const TypedPtr yes = make_typed({}, DType::boolean, {}, Constant{true, {}});
    out.push_back({{}, "", Assign{*stepped_, yes}});
  }
  outputs_->note_step(out);
  for (Item& item : items_) {
    if (item.moved) continue;
    read_inputs(item.touched, out, nest_.depth());
    append(out, item.made);
  }
  return out;
}

// The loop at `depth` with all that is before and after it, from the inside out.
Block Steps::loops(size_t depth) {
  Block inner;
  if (depth == nest_.depth()) {
    inner = step();
  } else {
    const int id = nest_.axis_at(depth);
    const Axis& axis = kernel_.axes[static_cast<size_t>(id)];
    For loop{{SymbolKind::axis, id, axis.name},
             index_constant(0),
             axis_size_symbol(kernel_, id),
             index_constant(1),
             {},
             loops(depth + 1),
             {}};
    inner.push_back({axis.span, "", std::move(loop)});
    if (depth == 0) append(inner, without_step());
    append(inner, std::move(behind_[depth]));
  }
  Block out;
  outputs_->open(depth, stepped_ ? nullptr : nest_.no_step(), out);
  append(out, std::move(heads_[depth]));
  append(out, std::move(inner));
  outputs_->close(depth, no_step(), out);
  return out;
}

// Guards of first and last steps that stayed in the loop, for a program without a step.
Block Steps::without_step() {
  if (!may_have_no_step(kernel_, kernel_.facts())) return {};
  Block then;
  if (stepped_) outputs_->keep_filled(then);
  for (const Item& item : items_) {
    if (item.guard != GuardKind::none && !item.moved) append(then, nest_.at_step(body_of(item), item.guard));
  }
  if (then.empty()) return {};
  return {{kernel_.span, "", If{no_step(), {}, std::move(then), {}}}};
}

Block Steps::run() {
  find_items();
  std::vector<const Block*> guards;
  for (const Item& item : items_) {
    if (item.guard != GuardKind::none) guards.push_back(&body_of(item));
  }
  outputs_.emplace(kernel_, program_, translation_, nest_, guards);
  Touched early = {};
  for (const Item& item : items_) early.add(item.touched);
  for (int ref : at_head_) {
    Touched only = {};
    if (translation_.form(ref) == Form::value) only.reads.insert(translation_.value_of(ref).index);
    if (translation_.form(ref) == Form::place) only.loads.insert(ref);
    if (meet(only.reads, early.reads) || meet(only.loads, early.loads)) {
      if (translation_.form(ref) != Form::array) {
        const size_t own = nest_.depth_of(box_of(kernel_, ref));
        read_inputs(only, heads_[own], own);
      }
    }
  }
  if (nest_.depth() > 0) {
    move_invariants();
    move_guards();
  }
  const bool unguarded_left = std::any_of(
      items_.begin(), items_.end(), [](const Item& item) { return item.guard != GuardKind::none && !item.moved; });
  Block out;
  for (size_t i = 0; i < kernel_.refs.size(); ++i) {
    const int ref = static_cast<int>(i);
    if (kernel_.refs[i].role == RefRole::scratch && !kernel_.refs[i].scoped && translation_.form(ref) == Form::place)
      out.push_back({kernel_.refs[i].span, "", Forget{ref}});
  }
  if (nest_.depth() > 0 && may_have_no_step(kernel_, kernel_.facts()) && !nest_.sizes_are_independent() &&
      (unguarded_left || outputs_->depends_on_steps())) {
    stepped_ = translation_.add("stepped", DType::boolean);
    const TypedPtr no = make_typed({}, DType::boolean, {}, Constant{false, {}});
    out.push_back({{}, "", Assign{*stepped_, no}});
  }
  append(out, loops(0));
  return out;
}

}  // namespace pallasgen::schedule
