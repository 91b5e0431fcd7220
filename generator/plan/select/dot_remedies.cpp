#include "select/dot_remedies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "plan/words.h"
#include "program/numbers.h"
#include "program/spec_names.h"
#include "questions/dot_limits.h"
#include "questions/families.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

enum DotNumber : int { kRows, kColumns, kDepth, kGroups, kStages, kNumbers };

// The numbers of a dot that a producer feeds.
using DotSizes = std::array<int64_t, kNumbers>;

struct Candidate {
  DotSizes sizes;
  double distance = 0;
};

// Tries numbers near the present ones, sorted by how few change, then by how little.
class Search {
 public:
  Search(const tile::Program& program, const tile::Dot& dot, bool stages)
      : program_(program), dot_(dot), product_(*dot.product->as<Apply>()), target_(*find_target(program.target)) {
    const DotSides sides = sides_of(product_);
    const PipelineSettings& settings = program.declarations->pipeline;
    from_ = {sides.m, sides.n, sides.k, settings.compute_warpgroups.value.value_or(1),
             settings.stages.value.value_or(1)};
    const OpAttributes& attributes = product_.attributes;
    names_ = {name_of_dim(0, attributes.trans_a),
              name_of_dim(1, !attributes.trans_b),
              name_of_dim(0, !attributes.trans_a),
              {"compute_warpgroups"},
              {stages ? "stages" : ""}};
    for (const tile::Role& role : program.roles) {
      for_each_statement(role.body, [&](const tile::Statement& statement) {
        const auto* write = statement.as<tile::Write>();
        if (write) stored_.push_back(info(program.ref(write->box.ref).dtype).bits / 8);
      });
    }
  }

  std::vector<std::string> run() const {
    if (!some_family_has_dtypes(target_, product_, dot_.product->dtype)) return {};  // whatever the numbers
    if (from_[kRows] == 0 || fits(from_)) return {};
    std::vector<std::string> singles = transposed();
    for (int which = 0; which < kNumbers; ++which) {
      std::optional<Candidate> best;
      vary({which}, 0, {from_, 0}, best);
      if (best) singles.push_back(changes_text({which}, *best));
    }
    std::vector<std::string> kept;
    for (std::string& text : singles) {
      if (std::find(kept.begin(), kept.end(), text) == kept.end()) kept.push_back(std::move(text));
    }
    if (!kept.empty()) return kept;
    for (int count = 2; count <= kNumbers; ++count) {
      std::optional<Candidate> best;
      std::vector<int> changed;
      for (unsigned set = 0; set < 1U << kNumbers; ++set) {
        if (__builtin_popcount(set) != count) continue;
        std::vector<int> which;
        for (int i = 0; i < kNumbers; ++i) {
          if (set >> i & 1) which.push_back(i);
        }
        const double before = best ? best->distance : 0;
        vary(which, 0, {from_, 0}, best);
        if (best && (changed.empty() || best->distance < before)) changed = which;
      }
      if (best) return {changes_text(changed, *best)};
    }
    return {};
  }

 private:
  // The spec's name for a number: a const of the operand's block in that dim of the operand; empty if there is none.
  struct Name {
    std::string text;
    bool of_array = false;  // the dim of the array has exactly this size

    bool empty() const { return text.empty(); }
    bool operator==(const Name& other) const { return text == other.text; }
  };

  Name name_of_dim(size_t operand, bool second) const {
    const auto* value = product_.args[operand]->as<LocalUse>();
    const Kernel& kernel = *program_.declarations;
    const auto ref = std::find_if(kernel.refs.begin(), kernel.refs.end(), [&](const Ref& each) {
      return value && each.name == program_.value({value->id}).name;
    });
    if (ref == kernel.refs.end()) return {};
    size_t kept = 0;
    for (size_t d = 0; d < ref->block.size(); ++d) {
      const BlockDim& dim = ref->block[d];
      if (dim.kind == BlockKind::squeezed || kept++ != static_cast<size_t>(second)) continue;
      const std::string text = number_of(dim).text;
      const auto known = std::find_if(kernel.consts.begin(), kernel.consts.end(), [&](const KernelConst& each) {
        return kernel.identifiers.of(each.name) == text;
      });
      if (known == kernel.consts.end()) return {};
      return {known->name, constant_value(ref->array_shape[d]) == dim.size};
    }
    return {};
  }

  // For a dot with fewer rows than an instruction has: the dot of which it is the transpose, if instructions take that.
  std::vector<std::string> transposed() const {
    const auto *a = product_.args[0]->as<LocalUse>(), *b = product_.args[1]->as<LocalUse>();
    const auto is_named = [&](const LocalUse* operand) {  // by the spec
      const std::vector<Ref>& refs = program_.declarations->refs;
      return operand &&
             std::any_of(refs.begin(), refs.end(), [&](const Ref& ref) { return ref.name == operand->name; });
    };
    if (!is_named(a) || !is_named(b) || from_[kRows] >= target_.mma_rows) return {};
    const DotSides sides{from_[kColumns], from_[kRows], from_[kDepth]};
    DotShape shape = shape_of({sides.m, sides.n, sides.k, from_[kGroups], from_[kStages]});
    shape.major_a = product_.attributes.trans_b ? Major::k : Major::mn;
    shape.major_b = product_.attributes.trans_a ? Major::mn : Major::k;
    const bool taken =
        some_family_takes(target_, product_, dot_.product->dtype, program_.declarations->approximate_math, sides) &&
        beyond_limits(shape, target_).empty() && bytes_of(from_) <= target_.shared_limit;
    if (!taken) return {};
    return {fmt::format("`dot({}, {}{}{})` of {} x {} sums, of which `.T` is stored,", b->name, a->name,
                        product_.attributes.trans_b ? "" : ", trans_a=true",
                        product_.attributes.trans_a ? "" : ", trans_b=true", sides.m, sides.n)};
  }

  bool fits(const DotSizes& sizes) const {
    const DotSides sides{sizes[kRows], sizes[kColumns], sizes[kDepth]};
    const DType result = dot_.product->dtype;
    if (!some_family_takes(target_, product_, result, program_.declarations->approximate_math, sides)) return false;
    return beyond_limits(shape_of(sizes), target_).empty() && bytes_of(sizes) <= target_.shared_limit;
  }
  DotShape shape_of(const DotSizes& sizes) const {
    DotShape shape{sizes[kRows],   sizes[kColumns],         sizes[kDepth],
                   sizes[kGroups], product_.args[0]->dtype, dot_.product->dtype};
    shape.major_a = product_.attributes.trans_a ? Major::mn : Major::k;
    shape.major_b = product_.attributes.trans_b ? Major::k : Major::mn;
    return shape;
  }

  // The least shared memory, in bytes: all stages, and a narrow buffer for each output.
  int64_t bytes_of(const DotSizes& sizes) const {
    constexpr int64_t kAlignment = 1024, kBarriers = 16;
    const int64_t element = info(product_.args[0]->dtype).bits / 8;
    int64_t bytes = sizes[kStages] * ((sizes[kRows] + sizes[kColumns]) * sizes[kDepth] * element + kBarriers);
    for (int64_t stored : stored_) {
      const int64_t narrow = store_columns(target_, sizes[kColumns], stored, target_.swizzles.back());
      bytes += sizes[kRows] * (is_across(shape_of(sizes), target_) ? sizes[kColumns] : narrow) * stored;
    }
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }

  static std::vector<int64_t> values(int which) {
    std::vector<int64_t> list;
    const int64_t step = which == kRows ? 64 : which == kColumns ? 8 : which == kDepth ? 16 : 1;
    const int64_t last = which <= kDepth ? 256 : which == kGroups ? 3 : 8;
    for (int64_t value = step; value <= last; value += step) list.push_back(value);
    return list;
  }

  std::string changes_text(const std::vector<int>& which, const Candidate& candidate) const {
    std::vector<std::string> changes;
    for (const int number : which) {
      const auto at = static_cast<size_t>(number);
      // A block may be larger than the array, and its further elements then read as 0.
      changes.push_back(names_[at].of_array
                            ? fmt::format("a block of {} over {} with `fill: 0`", candidate.sizes[at], names_[at].text)
                            : fmt::format("{} {}", names_[at].text, candidate.sizes[at]));
    }
    return listed(changes);
  }

  void vary(const std::vector<int>& which, size_t depth, const Candidate& candidate,
            std::optional<Candidate>& best) const {
    if (depth == which.size()) {
      if (!tied(candidate.sizes) || !fits(candidate.sizes)) return;
      if (!best || candidate.distance < best->distance) best = candidate;
      return;
    }
    const int number = which[depth];
    if (names_[static_cast<size_t>(number)].empty()) return;
    const int64_t before = from_[static_cast<size_t>(number)];
    for (int64_t value : values(number)) {
      if (value == before) continue;
      Candidate next = candidate;
      next.sizes[static_cast<size_t>(number)] = value;
      // Other sizes of the same const change with it.
      for (int other = 0; other <= kDepth; ++other) {
        if (number <= kDepth && names_[static_cast<size_t>(other)] == names_[static_cast<size_t>(number)])
          next.sizes[static_cast<size_t>(other)] = value;
      }
      next.distance +=
          std::abs(std::log2(static_cast<double>(value) / static_cast<double>(std::max<int64_t>(before, 1))));
      // Further numbers cannot decrease the distance.
      if (!best || next.distance < best->distance) vary(which, depth + 1, next, best);
    }
  }

  // True if sizes with the same const are equal.
  bool tied(const DotSizes& sizes) const {
    for (size_t a = 0; a <= kDepth; ++a) {
      for (size_t b = 0; b < a; ++b) {
        if (!names_[a].empty() && names_[a] == names_[b] && sizes[a] != sizes[b]) return false;
      }
    }
    return true;
  }

  const tile::Program& program_;
  const tile::Dot& dot_;
  const Apply& product_;
  const Target& target_;
  DotSizes from_{};
  std::array<Name, kNumbers> names_;
  std::vector<int64_t> stored_;  // bytes of an element of each output
};

}  // namespace

std::vector<std::string> dot_remedies(const tile::Program& program, const tile::Dot& dot, bool stages) {
  return Search(program, dot, stages).run();
}

void give_up_instructions(tile::Program& program, const tile::Dot& dot, const FamilyChoice& choice) {
  if (tile::given_up(program, tile::ChoiceKind::instructions, dot)) return;
  tile::Choice made = tile::choice_of(tile::ChoiceKind::instructions, dot, choice.obstacle);
  made.works = dot_remedies(program, dot);
  made.precision = choice.precision;
  tile::give_up(program, std::move(made));
}

}  // namespace pallasgen
