#include "repeats.h"

#include <algorithm>
#include <set>

#include "program_walk.h"

namespace pallasgen::repeated_parts {

using namespace program;

constexpr size_t kFewestStatements = 3;
// Lines that a part must save, and those of a function's head and end.
constexpr size_t kFewestSaved = 6, kHead = 6;
// Statements of a role beyond which nobody reads them one by one.
constexpr size_t kMostStatements = 1000;

bool Match::statements(const Statement& a, const Statement& b) {
  if (a.node.index() != b.node.index()) return false;
  if (const auto* pack = std::get_if<PackOperand>(&a.node)) {
    const auto& other = std::get<PackOperand>(b.node);
    return fragments(pack->packed, other.packed) && fragments(pack->fragment, other.fragment);
  }
  if (const auto* reduce = std::get_if<ReduceFragment>(&a.node)) {
    const auto& other = std::get<ReduceFragment>(b.node);
    return reduce->op == other.op && reduce->axis == other.axis && reduce->part == other.part &&
           fragments(reduce->target, other.target) && fragments(reduce->source, other.source);
  }
  const auto& loop = std::get<Elementwise>(a.node);
  const auto& other = std::get<Elementwise>(b.node);
  return loop.statements.size() == other.statements.size() && fragments(loop.layout_of, other.layout_of) &&
         std::equal(loop.statements.begin(), loop.statements.end(), other.statements.begin(),
                    [&](const ElementwiseStatement& x, const ElementwiseStatement& y) { return assigned(x, y); });
}

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

class Finder {
 public:
  Finder(const Plan& plan, Statements& program) : plan_(plan) { find_segments(program); }

  std::optional<Repeat> run() const {
    size_t statements = 0;
    for (const Segment& segment : segments_) statements += segment.at.size();
    return statements > kMostStatements ? std::nullopt : best_repeat();
  }

 private:
  // Whether a statement may stand in a part: it computes in registers, of what parameters can give it.
  bool may_stand(const Statement& statement) const {
    const auto* reduce = std::get_if<ReduceFragment>(&statement.node);
    const bool computes = std::holds_alternative<PackOperand>(statement.node) || (reduce && reduce->field < 0) ||
                          std::holds_alternative<Elementwise>(statement.node);
    if (!computes) return false;
    bool known = true;
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
      if (may_stand(block[i])) {
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
  // How many statements from there on are the same as from here on, and what stands for what.
  std::pair<size_t, Match> common(const Segment& a, size_t i, const Segment& b, size_t j, size_t most) const {
    Match match(plan_);
    size_t length = 0;
    while (length < most && i + length < a.at.size() && j + length < b.at.size()) {
      Match longer = match;
      if (!longer.statements(a.statement(i + length), b.statement(j + length))) break;
      match = longer;
      ++length;
    }
    return {length, match};
  }
  std::vector<Place> places_of(size_t segment, size_t first, size_t length) const {
    std::vector<Place> places;
    for (size_t s = 0; s < segments_.size(); ++s) {
      for (size_t j = 0; j + length <= segments_[s].at.size();) {
        auto [same, match] = common(segments_[segment], first, segments_[s], j, length);
        if (same == length) places.push_back({s, j, std::move(match)});
        j += same == length ? length : 1;
      }
    }
    return places;
  }

  std::optional<Repeat> best_repeat() const {
    size_t best = 0, length = 0;
    std::vector<Place> places;
    for (size_t a = 0; a < segments_.size(); ++a) {
      for (size_t i = 0; i + kFewestStatements <= segments_[a].at.size(); ++i) {
        std::set<size_t> tried;
        for (size_t b = a; b < segments_.size(); ++b) {
          for (size_t j = a == b ? i + kFewestStatements : 0; j < segments_[b].at.size(); ++j) {
            const size_t most = a == b ? j - i : segments_[a].at.size();
            const size_t same = common(segments_[a], i, segments_[b], j, most).first;
            if (same < kFewestStatements || !tried.insert(same).second) continue;
            std::vector<Place> found = places_of(a, i, same);
            size_t lines = 0;
            for (size_t k = 0; k < same; ++k) lines += lines_of(segments_[a].statement(i + k));
            const size_t all = lines * found.size(), left = lines + kHead + found.size();
            if (found.size() < 2 || all < left + kFewestSaved || all - left <= best) continue;
            best = all - left;
            length = same;
            places = std::move(found);
          }
        }
      }
    }
    if (places.empty()) return std::nullopt;
    return Repeat{segments_, std::move(places), length};
  }

  const Plan& plan_;
  std::vector<Segment> segments_;
};

std::optional<Repeat> find_repeat(const Plan& plan, Statements& program) { return Finder(plan, program).run(); }

}  // namespace pallasgen::repeated_parts
