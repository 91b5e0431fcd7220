#include "cuts.h"

#include <map>
#include <optional>

#include "check/steps.h"
#include "expression/threshold.h"
#include "slice_ends.h"
#include "tile/walk.h"

namespace pallasgen::schedule {

namespace {

using namespace tile;

constexpr size_t kMostCuts = 2;

void split(const TypedPtr& condition, std::vector<TypedPtr>& out) {
  if (const Apply* both = condition->applies(Op::logical_and)) {
    split(both->args[0], out);
    split(both->args[1], out);
  } else {
    out.push_back(condition);
  }
}

TypedPtr joined(const std::vector<TypedPtr>& conditions) {
  TypedPtr out;
  for (const TypedPtr& condition : conditions) {
    out = out ? pallasgen::apply(condition->span, Op::logical_and, DType::boolean, {}, {out, condition}) : condition;
  }
  return out;
}

bool is_arithmetic(Op op) {
  switch (op) {
    case Op::negate:
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::floor_divide:
    case Op::modulo:
    case Op::cdiv:
    case Op::minimum:
    case Op::maximum:
    case Op::clamp:
    case Op::abs:
    case Op::where:
    case Op::logical_not:
    case Op::logical_and:
    case Op::logical_or:
      return true;
    default:
      return op >= Op::less && op <= Op::not_equal;
  }
}

bool contains(const TypedPtr& expr, const Typed& wanted) {
  bool found = false, always = true;
  walk(expr, [&](const Typed& node) {
    const Apply* apply = node.as<Apply>();
    always =
        always && !(apply && (apply->op == Op::where || apply->op == Op::logical_and || apply->op == Op::logical_or));
    found = found || equal(std::make_shared<const Typed>(node), std::make_shared<const Typed>(wanted));
  });
  return found && always;
}

// Cuts one loop over an axis.
class Cuts {
 public:
  Cuts(const Kernel& kernel, Program& program, Translation& translation, int axis);

  // The loops over the axis, in order, that run `step` for each of its steps, after the definitions of their bounds.
  Block loops(const Block& step);

 private:
  struct Cut {
    Threshold where;
    std::optional<size_t> behind;  // another cut, which this one never precedes
  };
  // A guard holds where all of its cuts say so and `rest` holds, unless that is null.
  struct Guard {
    std::vector<size_t> cuts;
    TypedPtr rest;
  };
  // The side of a cut on which the steps of a piece lie.
  enum class Side : uint8_t { below, above, unknown };
  struct Piece {
    TypedPtr first, last;
    std::vector<Side> sides;
  };
  enum class Truth : uint8_t { no, yes, unknown };

  void find_guard(size_t at, const TypedPtr& condition);
  void find_slices(size_t at, const Read& read);
  std::optional<Threshold> solved(const std::vector<TypedPtr>& conditions) const;
  bool may_stand_before(const TypedPtr& expr) const;
  std::optional<size_t> cut_at(const Threshold& where, std::optional<size_t> behind);
  bool in_order(size_t first, size_t second) const;
  std::vector<Piece> pieces(Block& out);
  Truth truth(const Guard& guard, const Piece& piece) const;
  Block body(const Block& step, const Piece& piece) const;

  const Kernel& kernel_;
  Program& program_;
  Translation& translation_;
  const int axis_;
  const TypedPtr size_;
  std::vector<Cut> cuts_;
  std::map<size_t, Guard> guards_;                     // by index in the step
  std::map<size_t, std::map<size_t, size_t>> slices_;  // by read and dim: the cut after which the slice ends early
};

Cuts::Cuts(const Kernel& kernel, Program& program, Translation& translation, int axis)
    : kernel_(kernel),
      program_(program),
      translation_(translation),
      axis_(axis),
      size_(axis_size_symbol(kernel, axis)) {}

// True if an expression of symbols can be evaluated even if the loop has no step or the guard is not reached: it
// divides by no 0, and takes no element of an array but those that the size of the axis needs anyway.
bool Cuts::may_stand_before(const TypedPtr& expr) const {
  bool may = true;
  walk(expr, [&](const Typed& node) {
    if (node.as<Constant>()) return;
    if (const Symbol* symbol = node.as<Symbol>()) {
      may = may && symbol->kind != SymbolKind::ticket;
      if (symbol->kind == SymbolKind::let) may = may && may_stand_before(kernel_.lets[symbol->id].value);
      return;
    }
    const Apply* apply = node.as<Apply>();
    if (apply && apply->op == Op::element) {
      may = may && contains(kernel_.axes[static_cast<size_t>(axis_)].size, node);
      return;
    }
    may = may && apply && is_arithmetic(apply->op);
    if (!may || (apply->op != Op::floor_divide && apply->op != Op::modulo && apply->op != Op::cdiv)) return;
    may = bounds(apply->args[1], kernel_.facts()).minimum.value_or(0) > 0;
  });
  return may;
}

std::optional<Threshold> Cuts::solved(const std::vector<TypedPtr>& conditions) const {
  if (conditions.empty()) return std::nullopt;
  const TypedPtr condition = joined(conditions);
  if (!may_stand_before(condition)) return std::nullopt;
  const Symbol step{SymbolKind::axis, axis_, kernel_.axes[static_cast<size_t>(axis_)].name};
  return threshold(condition, step, index_constant(0), size_);
}

// True if the second cut is known not to precede the first.
bool Cuts::in_order(size_t first, size_t second) const {
  const TypedPtr &a = cuts_[first].where.at, &b = cuts_[second].where.at;
  if (cuts_[second].behind == first || equal(a, b)) return true;
  return bounds(index_apply(Op::subtract, b, a), kernel_.facts()).minimum.value_or(-1) >= 0;
}

// The index of the cut, which is added if it is new; nothing if the loop has enough.
std::optional<size_t> Cuts::cut_at(const Threshold& where, std::optional<size_t> behind) {
  for (size_t i = 0; i < cuts_.size(); ++i) {
    const Cut& cut = cuts_[i];
    if (cut.where.rises == where.rises && cut.behind == behind && equal(cut.where.at, where.at)) return i;
  }
  if (cuts_.size() == kMostCuts) return std::nullopt;
  cuts_.push_back({where, behind});
  return cuts_.size() - 1;
}

void Cuts::find_guard(size_t at, const TypedPtr& condition) {
  std::vector<TypedPtr> conjuncts, rising, falling, others;
  split(at_step_of(kernel_, condition, axis_, axis_symbol(kernel_, axis_)), conjuncts);
  for (const TypedPtr& conjunct : conjuncts) {
    const std::optional<Threshold> change = solved({conjunct});
    (!change ? others : change->rises ? rising : falling).push_back(conjunct);
  }
  const std::vector<Cut> before = cuts_;
  Guard guard{{}, joined(others)};
  for (const std::vector<TypedPtr>& conditions : {rising, falling}) {
    const std::optional<Threshold> change = solved(conditions);
    if (!change) continue;
    // Between two cuts, the guard holds nowhere if the second would precede the first.
    const std::optional<size_t> cut =
        cut_at(*change, guard.cuts.empty() ? std::nullopt : std::optional(guard.cuts.front()));
    if (!cut) {
      cuts_ = before;
      return;
    }
    guard.cuts.push_back(*cut);
  }
  if (!guard.cuts.empty()) guards_[at] = std::move(guard);
}

// Notes the cuts of guards after which a bounded slice is shorter than its block.
void Cuts::find_slices(size_t at, const Read& read) {
  for (size_t d = 0; d < read.box.dims.size(); ++d) {
    const BoxDim& dim = read.box.dims[d];
    if (!dim.limit || !dim.size || !kernel_.checks.empty()) continue;
    const std::optional<Threshold> change = solved({ends_early(dim)});
    for (size_t i = 0; change && i < cuts_.size(); ++i) {
      const Cut& cut = cuts_[i];
      if (cut.where.rises && change->rises && !cut.behind && equal(cut.where.at, change->at)) slices_[at][d] = i;
    }
  }
}

// The pieces of the loop. Their steps lie on one side of each cut if it is known which cut comes first; else nothing is
// known of the steps between the two.
std::vector<Cuts::Piece> Cuts::pieces(Block& out) {
  const TypedPtr zero = index_constant(0);
  if (cuts_.empty()) return {{zero, size_, {}}};
  std::vector<TypedPtr> at;
  for (const Cut& cut : cuts_) {
    const ValueId name = translation_.add(cut.where.rises ? "clean" : "masked", DType::index);
    TypedPtr place = cut.behind ? index_apply(Op::maximum, at[*cut.behind], cut.where.at) : cut.where.at;
    out.push_back({kernel_.axes[static_cast<size_t>(axis_)].span, "", Assign{name, std::move(place)}});
    at.push_back(use(program_, name));
  }
  if (at.size() == 1) return {{zero, at[0], {Side::below}}, {at[0], size_, {Side::above}}};
  const bool forwards = in_order(0, 1), backwards = !forwards && in_order(1, 0);
  const bool known = forwards || backwards;
  const TypedPtr first = forwards ? at[0] : backwards ? at[1] : index_apply(Op::minimum, at[0], at[1]);
  const TypedPtr second = forwards ? at[1] : backwards ? at[0] : index_apply(Op::maximum, at[0], at[1]);
  const std::vector<Side> between = !known     ? std::vector{Side::unknown, Side::unknown}
                                    : forwards ? std::vector{Side::above, Side::below}
                                               : std::vector{Side::below, Side::above};
  return {
      {zero, first, {Side::below, Side::below}}, {first, second, between}, {second, size_, {Side::above, Side::above}}};
}

Cuts::Truth Cuts::truth(const Guard& guard, const Piece& piece) const {
  Truth all = Truth::yes;
  for (size_t cut : guard.cuts) {
    const Side side = piece.sides[cut];
    if (side == Side::unknown) {
      all = Truth::unknown;
    } else if ((side == Side::above) != cuts_[cut].where.rises) {
      return Truth::no;
    }
  }
  return all;
}

Block Cuts::body(const Block& step, const Piece& piece) const {
  Block out;
  for (size_t i = 0; i < step.size(); ++i) {
    const auto found = guards_.find(i);
    const Truth holds = found == guards_.end() ? Truth::unknown : truth(found->second, piece);
    if (holds == Truth::unknown) {
      out.push_back(step[i]);
      const auto slices = slices_.find(i);
      if (slices == slices_.end()) continue;
      for (const auto& [dim, cut] : slices->second) {
        if (piece.sides[cut] == Side::below) out.back().as<Read>()->box.dims[dim].limit = nullptr;
      }
      continue;
    }
    const If& branch = *step[i].as<If>();
    const TypedPtr& rest = found->second.rest;
    if (holds == Truth::yes && rest) {
      out.push_back({step[i].span, step[i].origin, If{rest, {}, branch.then, branch.otherwise}});
      continue;
    }
    const Block& taken = holds == Truth::yes ? branch.then : branch.otherwise;
    out.insert(out.end(), taken.begin(), taken.end());
  }
  return out;
}

Block Cuts::loops(const Block& step) {
  for (size_t i = 0; i < step.size(); ++i) {
    if (const auto* branch = step[i].as<If>()) find_guard(i, branch->condition);
  }
  for (size_t i = 0; i < step.size(); ++i) {
    if (const auto* read = step[i].as<Read>()) find_slices(i, *read);
  }
  Block out;
  const Axis& axis = kernel_.axes[static_cast<size_t>(axis_)];
  for (const Piece& piece : pieces(out)) {
    For loop{{SymbolKind::axis, axis_, axis.name}, piece.first, piece.last, index_constant(1), {}, {}, {}};
    loop.body = body(step, piece);
    out.push_back({axis.span, "", std::move(loop)});
  }
  return out;
}

void cut_loops_over(int axis, Block& block, const std::function<Block(const Block&)>& loops) {
  for (size_t i = block.size(); i-- > 0;) {
    const auto* loop = block[i].as<For>();
    if (loop && loop->variable.kind == SymbolKind::axis && loop->variable.id == axis) {
      Block made = loops(loop->body);
      block.erase(block.begin() + static_cast<std::ptrdiff_t>(i));
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(i), std::make_move_iterator(made.begin()),
                   std::make_move_iterator(made.end()));
    } else {
      for (Block* inner : blocks_of(block[i])) cut_loops_over(axis, *inner, loops);
    }
  }
}

}  // namespace

void cut_loops(const Kernel& kernel, Program& program, Translation& translation, Block& block) {
  if (kernel.sequential_axes() == 0) return;
  const int axis = static_cast<int>(kernel.axes.size()) - 1;
  cut_loops_over(axis, block, [&](const Block& step) { return Cuts(kernel, program, translation, axis).loops(step); });
}

}  // namespace pallasgen::schedule
