#include "tidy/descriptors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "program/program_walk.h"

namespace pallasgen {

namespace {

// A way to read an operand: ring, operand, major, and first row or column.
using Way = std::tuple<int, int, Major, std::string>;

class Descriptors {
 public:
  explicit Descriptors(const Draft& draft) : draft_(draft) {}

  void run(program::Statements& statements) {
    std::map<Way, std::string> described;
    std::map<std::string, int> declared;  // by name: how often declared in these statements, which may declare it once
    const auto unique = [&](const std::string& name) {
      const int times = ++declared[name];
      return times > 1 ? fmt::format("{}_{}", name, times) : name;
    };
    const auto describe = [&](const Way& way, const char* side, std::string& name, bool& known) {
      const auto [at, added] = described.try_emplace(way);
      known = !added;
      if (added) at->second = unique(name_of(way, side));
      name = at->second;
    };
    for (program::Statement& statement : statements) {
      for (program::Statements* inner : bodies_of(statement)) run(*inner);
      if (auto* mma = std::get_if<program::Mma>(&statement.node)) {
        if (mma->ring_a >= 0)
          describe({mma->ring_a, mma->a, mma->a_major, text_of_first(mma->a_first)}, "_a", mma->a_descriptor,
                   mma->a_described);
        else
          mma->a_descriptor = unique(draft_.names().derived(fragment_of(*mma).name + "_packed"));
        describe({mma->ring_b, mma->b, mma->b_major, text_of_first(mma->b_first)}, "_b", mma->b_descriptor,
                 mma->b_described);
      }
      for_each_statement({statement}, [&](const program::Statement& inner) {
        const auto* advance = std::get_if<program::AdvanceRing>(&inner.node);
        if (!advance) return;
        std::erase_if(described, [&](const auto& known) {
          const int ring = std::get<0>(known.first);
          return ring == advance->ring || std::count(advance->with.begin(), advance->with.end(), ring) > 0;
        });
      });
    }
  }

 private:
  const FragmentPlan& fragment_of(const program::Mma& mma) const {
    return draft_.plan.fragments[static_cast<size_t>(mma.a)];
  }
  static std::string text_of_first(const TypedPtr& first) { return first ? to_string(first, TypedText::exact) : ""; }

  const std::string& name_of(const Way& way, const std::string& side) {
    const auto [known, added] = names_.try_emplace(way);
    if (!added) return known->second;
    const auto& [ring, operand, major, rows] = way;
    const RingPlan& of = draft_.plan.rings[static_cast<size_t>(ring)];
    std::string name = "desc_" + of.operands[static_cast<size_t>(operand)].name;
    while (name.back() == '_') name.pop_back();  // C++ reserves names with two underscores
    for (const std::string& suffix : {std::string(), side, std::string("_t"), side + "_t"}) {
      known->second = draft_.names().derived(name + suffix);
      const auto same = [&](const auto& other) { return other.first != way && other.second == known->second; };
      if (std::none_of(names_.begin(), names_.end(), same)) break;
    }
    return known->second;
  }

  const Draft& draft_;
  std::map<Way, std::string> names_;
};

}  // namespace

void name_descriptors(const Draft& draft, program::Statements& statements) { Descriptors(draft).run(statements); }

}  // namespace pallasgen
