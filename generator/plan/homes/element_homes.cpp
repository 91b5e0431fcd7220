#include "homes/element_homes.h"

#include <algorithm>

#include "check/aliases.h"
#include "tile/walk.h"

namespace pallasgen {

// Stores to a block of an output that is not read go straight to memory, unless its buffer is an input that is read, or
// the block is combined into memory once. A block of an input that nothing writes is read where it is used.
std::optional<ElementHomes::OfRef> ElementHomes::of_ref(int index) const {
  const Ref& ref = program_.ref(index);
  if (is_view(ref)) return OfRef{};
  if (uses_.written.count(index) == 0 && uses_.read.count(index) == 0 && uses_.flushed.count(index) == 0 &&
      uses_.fetched.count(index) == 0)
    return std::nullopt;
  const bool input = ref.role == RefRole::input;
  const std::map<int, std::vector<tile::Box>>& boxes = input ? uses_.fetched : uses_.flushed;
  const auto moved = boxes.find(index);
  const bool one_box =
      moved != boxes.end() && std::all_of(moved->second.begin(), moved->second.end(),
                                          [&](const auto& b) { return tile::same_place(b, moved->second.front()); });
  const bool keeps = input ? changes(index)
                           : ref.role == RefRole::scratch || uses_.read.count(index) > 0 || ref.reduce ||
                                 (ref.alias_of && uses_.loads.count(*ref.alias_of) > 0);
  if (one_box && !keeps) return OfRef{ElementHome::memory, moved->second.front()};
  return OfRef{ref.shape.empty() && uses_.updated.count(index) == 0 ? ElementHome::scalar : ElementHome::tile};
}

bool ElementHomes::changes(int ref) const {
  return std::any_of(uses_.arrays_written.begin(), uses_.arrays_written.end(),
                     [&](int other) { return same_buffer(*program_.declarations, other, ref); });
}

bool ElementHomes::stays(const TypedPtr& expr) const {
  bool stays = true;
  walk(expr, [&](const Typed& node) {
    if (const LocalUse* use = node.as<LocalUse>()) {
      const auto defined = uses_.definitions.find(use->id);
      stays = stays && uses_.got.count(use->id) == 0 && (defined == uses_.definitions.end() || defined->second == 1);
    }
    if (const RefRead* read = node.as<RefRead>()) {
      const std::optional<OfRef> home = of_ref(read->ref);
      stays = stays && program_.ref(read->ref).role == RefRole::input && !changes(read->ref) &&
              (!home || home->home == ElementHome::memory) && read->order == pallasgen::MemoryOrder::weak;
    }
  });
  return stays;
}

}  // namespace pallasgen
