#pragma once

#include <map>
#include <optional>
#include <vector>

#include "expression/threshold.h"
#include "forms.h"

namespace pallasgen::schedule {

// Cuts the loop over an axis at the steps where guards of its body begin or cease to hold, so that no step of a piece
// tests what is the same for all of them. A loop has at most two cuts; guards that would need more stay branches.
class Cuts {
 public:
  Cuts(const Kernel& kernel, tile::Program& program, Translation& translation, int axis);

  // The loops over the axis, one behind the other, that run `step` for each of its steps, behind the definitions of
  // their bounds.
  tile::Block loops(const tile::Block& step);

 private:
  struct Cut {
    Threshold where;
    std::optional<size_t> behind;  // another cut: this one is not before it
  };
  // A guard holds where all of its cuts say so, and `rest` too; null: nothing else is asked.
  struct Guard {
    std::vector<size_t> cuts;
    TypedPtr rest;
  };
  // How the steps of a piece lie to each cut.
  enum class Side : uint8_t { below, above, unknown };
  struct Piece {
    TypedPtr first, last;
    std::vector<Side> sides;
  };
  enum class Truth : uint8_t { no, yes, unknown };

  void find_guard(size_t at, const TypedPtr& condition);
  std::optional<Threshold> solved(const std::vector<TypedPtr>& conditions) const;
  bool may_stand_before(const TypedPtr& expr) const;
  std::optional<size_t> cut_at(const Threshold& where, std::optional<size_t> behind);
  bool in_order(size_t first, size_t second) const;
  std::vector<Piece> pieces(tile::Block& out);
  Truth truth(const Guard& guard, const Piece& piece) const;
  tile::Block body(const tile::Block& step, const Piece& piece) const;

  const Kernel& kernel_;
  tile::Program& program_;
  Translation& translation_;
  const int axis_;
  const TypedPtr size_;
  std::vector<Cut> cuts_;
  std::map<size_t, Guard> guards_;  // by their place in the step
};

}  // namespace pallasgen::schedule
