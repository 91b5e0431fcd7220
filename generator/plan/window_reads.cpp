#include "window_reads.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "families.h"
#include "tile/walk.h"

namespace pallasgen {

namespace window_reads {

// Not all of `tile`: the programs of plans have statements of the same names.
using tile::Assign, tile::Block, tile::Box, tile::BoxDim, tile::Dot, tile::Program, tile::Read, tile::Role,
    tile::Statement, tile::ValueId;

// The block that the value is a window of at a constant place; null: it is none.
const Apply* window_in(const Statement& statement) {
  const Assign* assign = statement.as<Assign>();
  const Apply* slice = assign && assign->expr ? assign->expr->applies(Op::slice) : nullptr;
  if (!slice || !slice->args[0]->as<LocalUse>()) return nullptr;
  const std::vector<IndexItem>& items = slice->attributes.items;
  const bool constant = std::all_of(items.begin(), items.end(), [](const IndexItem& item) {
    const auto* range = std::get_if<IndexSlice>(&item);
    const auto* at = std::get_if<IndexInteger>(&item);
    return (range && range->step == 1 && constant_value(range->start)) || (at && constant_value(at->value));
  });
  return constant && items.size() == slice->args[0]->shape.size() ? slice : nullptr;
}

// Whether the window meets the array wherever its block does: where it begins further on, the block must be inside.
bool meets_array(const Box& whole, const std::vector<IndexItem>& items) {
  auto item = items.begin();
  for (const BoxDim& dim : whole.dims) {
    if (!dim.size) continue;
    const auto* range = std::get_if<IndexSlice>(&*item);
    const TypedPtr& start = range ? range->start : std::get<IndexInteger>(*item).value;
    if (dim.may_leave && constant_value(start) != 0) return false;
    ++item;
  }
  return true;
}

// The window of the box.
Box part_of(const Box& whole, const std::vector<IndexItem>& items) {
  Box part = whole;
  auto item = items.begin();
  for (BoxDim& dim : part.dims) {
    if (!dim.size) continue;
    const auto* range = std::get_if<IndexSlice>(&*item);
    advance(dim, range ? range->start : std::get<IndexInteger>(*item).value);
    if (range && range->size != dim.size) dim.size_text = nullptr;
    dim.size = range ? std::optional(range->size) : std::nullopt;
    ++item;
  }
  return part;
}

class Windows {
 public:
  Windows(Program& program, const Target& target) : program_(program), target_(target) {}

  void run() {
    for (const Role& role : program_.roles) {
      tile::for_each_statement(role.body, [&](const Statement& statement) { note(statement); });
    }
    for (const auto& [block, windows] : windows_) {
      const bool all = std::all_of(windows.begin(), windows.end(), [&](const auto& each) {
        const auto& [window, items] = each;
        const std::vector<const Read*>& reads = read_[block];
        return operands_.count(window) > 0 && made_[window] == 1 &&
               std::all_of(reads.begin(), reads.end(),
                           [&](const Read* read) { return meets_array(read->box, *items); });
      });
      if (all && !read_[block].empty() && made_.count(block) == 0 && whole_.count(block) == 0) split_.insert(block);
    }
    if (split_.empty()) return;
    for (Role& role : program_.roles) split_in(role.body);
    for (Role& role : program_.roles) rename_in(role.body);
  }

 private:
  void note(const Statement& statement) {
    const auto defined = tile::defined_by(statement);
    if (const Read* read = statement.as<Read>()) {
      const Ref& ref = program_.ref(read->box.ref);
      const bool limited =
          std::any_of(read->box.dims.begin(), read->box.dims.end(), [](const BoxDim& dim) { return dim.limit; });
      const bool plain = ref.role == RefRole::input && !is_view(ref) && !is_packed(ref.dtype) && !limited;
      if (plain)
        read_[read->value.index].push_back(read);
      else
        whole_.insert(read->value.index);
    } else if (defined) {
      ++made_[defined->index];
    }
    if (const Apply* slice = window_in(statement)) {
      windows_[slice->args[0]->as<LocalUse>()->id][defined->index] = &slice->attributes.items;
      return;
    }
    const std::set<int> used = tile::used_by(statement);
    whole_.insert(used.begin(), used.end());
    const Dot* dot = statement.as<Dot>();
    if (!dot || tile::scalar_dot(program_, *dot)) return;
    const Apply& product = *dot->product->as<Apply>();
    if (!choose_family(target_, product, program_.value(dot->value).dtype, program_.declarations->approximate_math).row)
      return;
    for (const TypedPtr& operand : product.args) operands_.insert(operand->as<LocalUse>()->id);
  }

  const Apply* split_window(const Statement& statement) const {
    const Apply* slice = window_in(statement);
    return slice && split_.count(slice->args[0]->as<LocalUse>()->id) > 0 ? slice : nullptr;
  }

  // Where a block was read its windows are; of equal ones the first.
  void split_in(Block& block) {
    Block out;
    for (size_t i = 0; i < block.size(); ++i) {
      for (Block* inner : blocks_of(block[i])) split_in(*inner);
      const Read* read = block[i].as<Read>();
      if (!read || split_.count(read->value.index) == 0) {
        out.push_back(std::move(block[i]));
        continue;
      }
      std::map<std::string, ValueId> first;
      for (size_t j = i + 1; j < block.size(); ++j) {
        const Read* again = block[j].as<Read>();
        if (again && again->value == read->value) break;
        tile::for_each_statement({block[j]}, [&](const Statement& inner) {
          const Apply* slice = split_window(inner);
          if (!slice || slice->args[0]->as<LocalUse>()->id != read->value.index) return;
          const Assign& window = *inner.as<Assign>();
          const auto [known, added] = first.try_emplace(to_string(window.expr, TypedText::exact), window.value);
          if (added)
            out.push_back({block[i].span, "",
                           Read{window.value, part_of(read->box, slice->attributes.items), read->path, read->of}});
          else
            same_.emplace(window.value.index, known->second);
        });
      }
    }
    block = std::move(out);
  }

  void rename_in(Block& block) {
    std::erase_if(block, [&](const Statement& statement) { return split_window(statement) != nullptr; });
    for (Statement& statement : block) {
      for (Block* inner : blocks_of(statement)) rename_in(*inner);
      Dot* dot = statement.as<Dot>();
      if (!dot) continue;
      Apply product = *dot->product->as<Apply>();
      for (TypedPtr& operand : product.args) {
        const auto same = same_.find(operand->as<LocalUse>()->id);
        if (same != same_.end()) operand = use(program_, same->second, operand->span);
      }
      const TypedPtr& whole = dot->product;
      dot->product = make_typed(whole->span, whole->dtype, whole->shape, std::move(product));
    }
  }

  Program& program_;
  const Target& target_;
  std::map<int, std::map<int, const std::vector<IndexItem>*>> windows_;  // by block: values that are windows of it
  std::map<int, std::vector<const Read*>> read_;                         // by block of an input
  std::map<int, int> made_;                                              // by value: statements that compute it
  std::set<int> whole_, operands_;  // values that statements take whole; operands of dots by instructions
  std::set<int> split_;             // blocks that are read by windows
  std::map<int, ValueId> same_;     // windows that are the same as others
};

}  // namespace window_reads

void read_windows(tile::Program& program, const Target& target) { window_reads::Windows(program, target).run(); }

}  // namespace pallasgen
