#include "descriptors.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "program_walk.h"

namespace pallasgen {

namespace {

// A way to read an operand: by ring, operand and major, from the first row of the warpgroup or of all.
using Way = std::tuple<int, int, Major, bool>;

class Descriptors {
 public:
  explicit Descriptors(const Draft& draft) : draft_(draft) {}

  void run(program::Statements& statements) {
    std::set<Way> described;
    for (program::Statement& statement : statements) {
      for (program::Statements* inner : bodies_of(statement)) run(*inner);
      if (auto* mma = std::get_if<program::Mma>(&statement.node)) {
        if (mma->ring_a >= 0) {
          const Way way{mma->ring_a, mma->a, mma->a_major, mma->a_first != nullptr};
          mma->a_descriptor = name_of(way, "_a");
          mma->a_described = !described.insert(way).second;
        }
        const Way way{mma->ring_b, mma->b, mma->b_major, false};
        mma->b_descriptor = name_of(way, "_b");
        mma->b_described = !described.insert(way).second;
      }
      for_each_statement({statement}, [&](const program::Statement& inner) {
        const auto* advance = std::get_if<program::AdvanceRing>(&inner.node);
        if (advance) std::erase_if(described, [&](const Way& way) { return std::get<0>(way) == advance->ring; });
      });
    }
  }

 private:
  const std::string& name_of(const Way& way, const std::string& side) {
    const auto [known, added] = names_.try_emplace(way);
    if (!added) return known->second;
    const auto& [ring, operand, major, rows] = way;
    const int ref = draft_.plan.rings[static_cast<size_t>(ring)].operands[static_cast<size_t>(operand)].ref;
    const std::string name = "desc_" + draft_.ref(ref).name;
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
