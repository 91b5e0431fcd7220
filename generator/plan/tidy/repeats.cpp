#include "tidy/repeats.h"

#include <algorithm>
#include <map>

#include "program/program_walk.h"

namespace pallasgen::repeated_parts {

using namespace program;

constexpr size_t kFewestStatements = 3;
// Lines that a part must save, and lines that a function's signature and end take.
constexpr size_t kFewestSaved = 6, kHead = 6;

bool Match::statements(const Statement& a, const Statement& b) {
  if (a.node.index() != b.node.index()) return false;
  if (const auto* pack = std::get_if<PackOperand>(&a.node)) {
    const auto& other = std::get<PackOperand>(b.node);
    return fragments(pack->packed, other.packed) && fragments(pack->fragment, other.fragment);
  }
  if (const auto* reduce = std::get_if<ReduceFragment>(&a.node)) {
    const auto& other = std::get<ReduceFragment>(b.node);
    return reduce->op == other.op && reduce->axis == other.axis && reduce->part == other.part &&
           reduce->strategy == other.strategy && reduce->across == other.across && reduce->column == other.column &&
           fragments(reduce->target, other.target) && fragments(reduce->source, other.source);
  }
  const auto& loop = std::get<Elementwise>(a.node);
  const auto& other = std::get<Elementwise>(b.node);
  return loop.statements.size() == other.statements.size() && fragments(loop.layout_of, other.layout_of) &&
         std::equal(loop.statements.begin(), loop.statements.end(), other.statements.begin(),
                    [&](const ElementwiseStatement& x, const ElementwiseStatement& y) { return assigned(x, y); });
}

// A parameter has one C++ type: two layouts of one kind that slice different blocks differ in type.
bool Match::fragments(int a, int b) {
  const FragmentPlan &x = plan_->fragments[static_cast<size_t>(a)], &y = plan_->fragments[static_cast<size_t>(b)];
  if (x.dtype != y.dtype || x.layout_text != y.layout_text || x.packed != y.packed || x.operand_a != y.operand_a)
    return false;
  return to_.try_emplace(a, b).first->second == b && from_.try_emplace(b, a).first->second == a;
}

bool Match::assigned(const ElementwiseStatement& a, const ElementwiseStatement& b) {
  return fragments(a.target, b.target) && equal(a.value, b.value) &&
         std::equal(a.bindings.begin(), a.bindings.end(), b.bindings.begin(), b.bindings.end(),
                    [&](const Binding& x, const Binding& y) {
                      const bool same_offset = x.offset && y.offset ? equal(x.offset, y.offset) : x.offset == y.offset;
                      return x.kind == y.kind && x.scalar == y.scalar && x.dim == y.dim && same_offset &&
                             (x.fragment < 0) == (y.fragment < 0) &&
                             (x.fragment < 0 || fragments(x.fragment, y.fragment));
                    });
}

void combine(size_t& hash, size_t value) { hash = hash * 0x9e3779b97f4a7c15 + value + 1; }

// A hash that is equal for statements that differ only in their fragments.
size_t hash_of(const Statement& statement) {
  size_t hash = statement.node.index();
  if (const auto* reduce = std::get_if<ReduceFragment>(&statement.node)) {
    for (const size_t part : {static_cast<size_t>(reduce->op), static_cast<size_t>(reduce->axis)}) combine(hash, part);
  }
  const auto* loop = std::get_if<Elementwise>(&statement.node);
  for (size_t i = 0; loop && i < loop->statements.size(); ++i) {
    const ElementwiseStatement& part = loop->statements[i];
    for (const Binding& binding : part.bindings) combine(hash, static_cast<size_t>(binding.kind));
    walk(part.value, [&](const Typed& node) {
      combine(hash, static_cast<size_t>(node.dtype));
      if (const Apply* apply = node.as<Apply>()) combine(hash, static_cast<size_t>(apply->op));
      if (const auto* use = node.as<LocalUse>()) combine(hash, static_cast<size_t>(use->id));
      if (const Symbol* symbol = node.as<Symbol>()) combine(hash, static_cast<size_t>(symbol->id));
      if (const Constant* constant = node.as<Constant>()) combine(hash, std::hash<Scalar>()(constant->value));
    });
  }
  return hash;
}

class Finder {
 public:
  Finder(const Plan& plan, Statements& program) : plan_(plan) {
    find_segments(program);
    for (size_t s = 0; s < segments_.size(); ++s) {
      std::vector<size_t>& hashes = hashes_.emplace_back();
      for (size_t i = 0; i < segments_[s].at.size(); ++i) {
        hashes.push_back(hash_of(segments_[s].statement(i)));
        starts_[hashes.back()].emplace_back(s, i);
      }
    }
  }

  // The run that saves most lines, of those that begin at a statement that occurs again.
  std::optional<Repeat> run() const {
    size_t best = 0, length = 0;
    Start run;
    for (const auto& [hash, starts] : starts_) {
      for (size_t i = 0; i + 1 < starts.size(); ++i) {
        const Start &a = starts[i], &b = starts[i + 1];
        const bool longer = a.second > 0 && b.second > 0 && a.first != b.first &&
                            hash_at({a.first, a.second - 1}) == hash_at({b.first, b.second - 1});
        const size_t same = longer ? 0 : common(a, b);
        if (same < kFewestStatements) continue;
        size_t lines = 0;
        for (size_t k = 0; k < same; ++k) lines += lines_of(segments_[a.first].statement(a.second + k));
        const size_t places = places_of(a, same).size(), all = lines * places, left = lines + kHead + places;
        if (places < 2 || all < left + kFewestSaved || all - left <= best) continue;
        best = all - left;
        length = same;
        run = a;
      }
    }
    if (length == 0) return std::nullopt;
    // The match of each place is relative to the first place.
    const Place first = places_of(run, length).front();
    return Repeat{segments_, places_of({first.segment, first.first}, length), length};
  }

 private:
  // True if a statement may be in a part: it computes in registers, with operands that can be parameters.
  bool may_be_outlined(const Statement& statement) const {
    const auto* reduce = std::get_if<ReduceFragment>(&statement.node);
    const bool computes = std::holds_alternative<PackOperand>(statement.node) || (reduce && reduce->field < 0) ||
                          std::holds_alternative<Elementwise>(statement.node);
    if (!computes) return false;
    bool known = true;
    for_each_binding(statement, [&](const Binding& binding) { known = known && binding.kind != SlotKind::shared; });
    for_each_expression(plan_, statement, [&](const TypedPtr& expr) {
      walk(expr, [&](const Typed& node) {
        const Apply* apply = node.as<Apply>();
        const Symbol* symbol = node.as<Symbol>();
        if (apply && operation(apply->op).group == OpGroup::scalars) known = false;
        if (symbol && symbol->kind != SymbolKind::dim && symbol->kind != SymbolKind::scalar) known = false;
      });
    });
    for_each_binding(statement, [&](const Binding& binding) {
      const bool in_memory = binding.kind == SlotKind::shared || binding.kind == SlotKind::global;
      const bool is_index =
          binding.kind == SlotKind::scalar && plan_.scalars[static_cast<size_t>(binding.scalar)].dtype == DType::index;
      if (in_memory || is_index) known = false;
    });
    return known;
  }
  void find_segments(Statements& block) {
    Segment segment{&block, {}};
    const auto end = [&] {
      if (segment.at.size() >= kFewestStatements) segments_.push_back(segment);
      segment.at.clear();
    };
    for (size_t i = 0; i < block.size(); ++i) {
      if (may_be_outlined(block[i])) {
        segment.at.push_back(i);
      } else if (!std::holds_alternative<DeclareFragment>(block[i].node)) {
        end();
      }
      for (Statements* inner : bodies_of(block[i])) find_segments(*inner);
    }
    end();
  }

  static size_t lines_of(const Statement& statement) {
    if (const auto* loop = std::get_if<Elementwise>(&statement.node)) {
      const size_t several = loop->statements.size() > 1 ? 1 : 0;
      return 1 + 2 * loop->statements.size() + several;
    }
    return std::holds_alternative<ReduceFragment>(statement.node) ? 2 : 1;
  }
  // A position: the index of a segment, and of a statement in it.
  using Start = std::pair<size_t, size_t>;
  size_t hash_at(Start at) const { return hashes_[at.first][at.second]; }

  // The number of equal statements from `a` and from `b` on.
  size_t common(Start a, Start b) const {
    const Segment &x = segments_[a.first], &y = segments_[b.first];
    size_t most = std::min(x.at.size() - a.second, y.at.size() - b.second);
    if (a.first == b.first) most = std::min(most, b.second - a.second);
    Match match(plan_);
    size_t length = 0;
    while (length < most && hash_at({a.first, a.second + length}) == hash_at({b.first, b.second + length}) &&
           match.statements(x.statement(a.second + length), y.statement(b.second + length)))
      ++length;
    return length;
  }
  std::vector<Place> places_of(Start run, size_t length) const {
    std::vector<Place> places;
    Start free{0, 0};
    for (const Start& at : starts_.at(hash_at(run))) {
      if (at < free || at.second + length > segments_[at.first].at.size()) continue;
      Match match(plan_);
      bool same = true;
      for (size_t k = 0; k < length && same; ++k)
        same = match.statements(segments_[run.first].statement(run.second + k),
                                segments_[at.first].statement(at.second + k));
      if (!same) continue;
      places.push_back({at.first, at.second, std::move(match)});
      free = {at.first, at.second + length};
    }
    return places;
  }

  const Plan& plan_;
  std::vector<Segment> segments_;
  std::vector<std::vector<size_t>> hashes_;      // by segment: hashes of its statements
  std::map<size_t, std::vector<Start>> starts_;  // by hash, in order
};

std::optional<Repeat> find_repeat(const Plan& plan, Statements& program) { return Finder(plan, program).run(); }

}  // namespace pallasgen::repeated_parts
