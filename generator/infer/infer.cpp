#include "infer/infer.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "infer/across.h"
#include "infer/edges.h"
#include "infer/fma.h"
#include "infer/moved_blocks.h"
#include "layout/derive.h"
#include "layout/names.h"
#include "lines.h"
#include "missing.h"
#include "partial.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

constexpr int64_t kRowsOfGroup = 64, kColumnsOfGroup = 8, kVectorBytes = 16;

class Inference {
 public:
  Inference(const tile::Program& program, const tile::Role& role, int64_t threads)
      : program_(program), role_(role), threads_(threads), moved_(program, role) {
    tile::for_each_statement(role.body, [&](const tile::Statement& s) {
      statements_.push_back(&s);
      const std::set<int> used = tile::used_by(s);
      std::vector<int>& open = open_.emplace_back(used.begin(), used.end());
      if (const auto defined = tile::defined_by(s)) open.push_back(defined->index);
      if (const auto* atomic = s.as<AtomicStmt>(); atomic && atomic->old >= 0) open.push_back(atomic->old);
      unsettled_.push_back(unsettled_.size());
    });
    tile::for_each_statement(role.body, [&](const tile::Statement& s) {
      const auto* loop = s.as<tile::For>();
      if (!loop || !loop->unroll || loop->variable.kind != SymbolKind::loop) return;
      const auto first = constant_value(loop->first), last = constant_value(loop->last),
                 step = constant_value(loop->step);
      if (first && last && step && *loop->unroll * *step >= *last - *first)
        layout_of_.unrolled.insert(loop->variable.id);
    });
    transposes_ = has_transposes(role);
    layout_of_.of = [this](int value) -> std::optional<ValueLayout> {
      const auto layout = find({value});
      return layout ? std::optional(full_layout(*layout)) : std::nullopt;
    };
  }

  Inferred run(const std::map<tile::ValueId, ValueLayout>& hints) {
    std::vector<const tile::Dot*> dots;
    for (const tile::Statement* statement : statements_) {
      if (const auto* dot = dot_if(*statement, &tile::Product::is_fragment)) dots.push_back(dot);
    }
    for (const tile::Dot* dot : dots) fix_accumulator(*dot);
    for (const tile::Statement* statement : statements_) {
      if (const auto* dot = dot_if(*statement, &tile::Product::has_blocks)) fix_blocks(*dot);
    }
    for (const auto& [value, layout] : hints) fix_layout(value, layout, "it is asked for");
    for (const tile::Statement* statement : statements_) {
      for (int value : tile::touched(program_, *statement).defines) {
        if (program_.value({value}).home == tile::Home::scalar) fix_number({value});
      }
    }
    for (const tile::Dot* dot : dots) {
      if (const auto operand = operand_of(*dot))
        fix_layout(operand->first, operand->second, "it is an operand of " + dot->family);
    }
    propagate_layouts();
    for (const tile::Statement* statement : statements_) {
      for_each_reduced(*statement, Lines::rows, [&](tile::ValueId value, const Apply&) {
        longest_row_ = std::max(longest_row_, lanes_by_shape(program_, moved_, value));
      });
    }
    for (const Lines lines : {Lines::rows, Lines::columns}) {
      for (const tile::Statement* statement : statements_) fix_lines(*statement, lines);
    }
    for (const tile::Statement* statement : statements_) fix_transposed(*statement);
    for (const tile::ValueId value : moved_.values()) {
      fix_strided(value, moved_.widest(program_.value(value).shape), "loads and stores move such vectors");
      propagate_layouts();
    }
    for (const tile::Statement* statement : statements_) fix_remaining(*statement);
    sums_ = partial_sums(program_, role_, layout_of_);
    for (const auto& [value, parts] : sums_.parts) {
      const auto& [layout, reduction] = parts;
      inferred_.layouts.at(value) = layout;
      inferred_.parts.emplace(value, reduction);
      inferred_.decisions.push_back({program_.value(value).name, "@" + layout_text(layout, threads_, bytes(value)),
                                     "a loop goes on with it, and its parts meet once behind the loop"});
    }
    for (const tile::Statement* statement : statements_) convert(*statement);
    return std::move(inferred_);
  }

  // Given all layouts, returns the conversions that are needed in addition to those in the program.
  std::vector<NeededConversion> missing(const std::map<tile::ValueId, ValueLayout>& layouts) {
    inferred_.layouts = layouts;
    sums_ = partial_sums(program_, role_, layout_of_);
    for (const tile::Statement* statement : statements_) convert(*statement);
    std::erase_if(inferred_.conversions,
                  [&](const NeededConversion& conversion) { return is_move(program_, *conversion.statement); });
    return std::move(inferred_.conversions);
  }

 private:
  std::optional<ValueLayout> find(tile::ValueId value) const {
    const auto found = inferred_.layouts.find(value);
    return found == inferred_.layouts.end() ? std::nullopt : std::optional(found->second);
  }

  int64_t bytes(tile::ValueId value) const { return bytes_of(program_.value(value).dtype, 1); }

  // Indices are numbers that all threads have, and values in shared memory are in no register.
  bool has_layout(tile::ValueId value) const {
    const tile::Value& of = program_.value(value);
    const bool empty = std::count(of.shape.begin(), of.shape.end(), 0) > 0;
    return of.home != tile::Home::shared && of.dtype != DType::index && !empty;
  }

  bool set(tile::ValueId value, const ValueLayout& layout) {
    if (!has_layout(value) || inferred_.refused.contains(value) || layout.shape != program_.value(value).shape)
      return false;
    const bool added = inferred_.layouts.try_emplace(value, layout).second;
    spread_ = spread_ && !added;
    return added;
  }

  void fix_layout(tile::ValueId value, const ValueLayout& layout, const std::string& reason) {
    if (!set(value, layout)) return;
    inferred_.decisions.push_back(
        {program_.value(value).name, "@" + layout_text(layout, threads_, bytes(value)), reason});
  }

  void fix_strided(tile::ValueId value, int64_t vector, const std::string& reason) {
    const Shape& shape = program_.value(value).shape;
    if (shape.empty()) return fix_layout(value, uniform_layout(threads_), reason);
    fix_layout(value, strided_layout(threads_, std::gcd(vector, shape.back()), shape), reason);
  }

  // The layout of a value whose only element is the number; null if the value has more elements.
  static std::optional<ValueLayout> of_one_element(const ValueLayout& number, const Shape& shape) {
    std::optional<ValueLayout> layout = number;
    for (size_t dim = 0; dim < shape.size() && layout; ++dim)
      layout = shape[dim] == 1 ? broadcast_layout(*layout, static_cast<int>(dim), 1) : std::nullopt;
    return layout;
  }

  void fix_number(tile::ValueId value) {
    ValueLayout layout = uniform_layout(threads_);
    for (size_t dim = 0; dim < program_.value(value).shape.size(); ++dim)
      layout = *broadcast_layout(layout, static_cast<int>(dim), 1);
    fix_layout(value, layout, "all threads have it");
  }

  // Fixes the layouts of blocks whose rows, or columns, the statement reduces.
  void fix_lines(const tile::Statement& statement, Lines lines) {
    for_each_reduced(statement, lines, [&](tile::ValueId value, const Apply& reduction) {
      if (!has_layout(value) || find(value)) return;
      const Shape& shape = program_.value(value).shape;
      const auto layout = layout_of_lines(lines, threads_, shape, vector_of_lines(program_, moved_, value),
                                          moved_.has_parameters(shape), longest_row_);
      if (layout)
        fix_layout(value, *layout,
                   is_scan(reduction.op)  ? "its rows are scanned"
                   : lines == Lines::rows ? "its rows are reduced"
                                          : "its columns are reduced");
    });
    propagate_layouts();
  }

  // Fixes the layout of a matrix that takes the transpose of another which is no accumulator.
  void fix_transposed(const tile::Statement& statement) {
    const auto* assign = transposes_ ? statement.as<tile::Assign>() : nullptr;
    if (!assign || !assign->expr || find(assign->value)) return;
    const Shape& shape = program_.value(assign->value).shape;
    if (!takes_transpose(assign->expr, shape)) return;
    const int64_t moved = moved_.widest(shape), each = bytes(assign->value),
                  whole = std::max<int64_t>(1, kVectorBytes / each);
    fix_layout(assign->value, transposed_rows_layout(threads_, moved > 0 ? moved : whole, each, shape),
               "it takes a transpose");
    propagate_layouts();
  }

  void fix_accumulator(const tile::Dot& dot) {
    const Shape& shape = program_.value(dot.value).shape;
    const int64_t groups = groups_of(dot);
    const bool whole = groups > 0 && shape[0] % kRowsOfGroup == 0;
    if (whole && shape[0] % (groups * kRowsOfGroup) == 0)
      fix_layout(dot.value, wgmma_layout(shape[0], shape[1], groups), "it is an accumulator of " + dot.family);
    else if (whole && shape[1] % (groups * kColumnsOfGroup) == 0)
      fix_layout(dot.value, wgmma_across_layout(shape[0], shape[1], groups),
                 fmt::format("it is an accumulator of {}, and warpgroups share its {} rows", dot.family, shape[0]));
    else
      inferred_.refused.insert(dot.value);
  }

  // The groups of warps that each multiply a part of the dot; 0: the role's warps make no whole groups.
  int64_t groups_of(const tile::Dot& dot) const {
    const int64_t group = kWarp * dot.by->warps();
    return threads_ % group == 0 ? threads_ / group : 0;
  }

  void fix_blocks(const tile::Dot& dot) {
    const FmaBlocks blocks = fma_blocks(dot, threads_);
    fix_layout(dot.value, fma_layout(dot, threads_),
               fmt::format("each thread multiplies {} x {} of it", blocks.thread_rows, blocks.thread_columns));
  }

  // The value in registers that is operand A, and the layout that the instruction takes it in.
  std::optional<std::pair<tile::ValueId, ValueLayout>> operand_of(const tile::Dot& dot) const {
    const Apply& product = *dot.product->as<Apply>();
    const auto* use = product.args[0]->as<LocalUse>();
    if (!dot.by->reads_registers() || !use || !has_layout({use->id}) || product.attributes.trans_a || !find(dot.value))
      return std::nullopt;
    const Shape& shape = product.args[0]->shape;
    const int64_t groups = groups_of(dot);
    if (groups == 0 || shape[0] % (groups * kRowsOfGroup) != 0) return std::nullopt;
    return std::pair(tile::ValueId{use->id}, wgmma_operand_layout(shape[0], shape[1], bytes({use->id}), groups));
  }

  // Carries layouts through every statement, forwards and backwards, until nothing changes.
  void propagate_layouts() {
    for (bool more = !spread_; more;) {
      more = false;
      const auto spread_to = [&](tile::ValueId value, const ValueLayout& layout) {
        more = (!find(value) && !(transposes_ && lies_across(layout)) && set(value, layout)) || more;
      };
      const RequestLayout ask = [&](int value, const ValueLayout& layout, const TypedPtr&) {
        spread_to({value}, layout);
      };
      std::erase_if(unsettled_, [this](size_t at) { return is_settled(at); });
      for (const size_t at : unsettled_) {
        if (is_settled(at)) continue;
        const tile::Statement* statement = statements_[at];
        const auto* assign = statement->as<tile::Assign>();
        if (assign && assign->expr) {
          auto result = result_layout(assign->expr, layout_of_);
          if (result && assign->expr->shape.empty())
            result = of_one_element(*result, program_.value(assign->value).shape);
          if (result) spread_to(assign->value, *result);
        }
        if (const auto* atomic = statement->as<AtomicStmt>(); atomic && atomic->old >= 0) {
          if (const auto result = result_layout(atomic->value, layout_of_)) spread_to({atomic->old}, *result);
        }
        for_each_request(*statement, ask);
      }
    }
    spread_ = true;
  }

  // True if all values of the statement that can have a layout have one, so that nothing is left to ask for.
  bool is_settled(size_t at) {
    std::vector<int>& open = open_[at];
    std::erase_if(open, [&](int value) {
      const tile::ValueId id{value};
      return !has_layout(id) || inferred_.refused.contains(id) || inferred_.layouts.contains(id);
    });
    return open.empty();
  }

  // The layout that the result needs of its expression, which may broadcast to it.
  std::optional<ValueLayout> of_expression(const tile::Assign& assign) const {
    const auto layout = layout_of_(assign.value.index);
    return layout ? operand_of_broadcast(*layout, assign.expr->shape) : std::nullopt;
  }

  // Calls `ask` with the layouts that a statement needs of the values which it uses, as far as they are known.
  void for_each_request(const tile::Statement& statement, const RequestLayout& ask) const {
    if (const auto* assign = statement.as<tile::Assign>(); assign && assign->expr) {
      // A tile cannot hold parts of sums.
      const auto* tiled = has_layout(assign->value) ? nullptr : assign->expr->as<LocalUse>();
      const auto whole = tiled ? layout_of_(tiled->id) : std::nullopt;
      if (whole) ask(tiled->id, *whole, assign->expr);
      const bool in_parts = sums_.updates.contains(&statement);
      const RequestLayout of_others = [&](int value, const ValueLayout& layout, const TypedPtr& use) {
        if (!in_parts || value != assign->value.index) ask(value, layout, use);
      };
      if (const auto layout = of_expression(*assign))
        request_operand_layouts(assign->expr, *layout, layout_of_, of_others);
    }
    if (const auto* dot = statement.as<tile::Dot>(); dot && !dot->family.empty()) {
      const auto layout = find(dot->value);
      if (layout && dot->start) request_operand_layouts(dot->start, *layout, layout_of_, ask);
      if (const auto operand = operand_of(*dot))
        ask(operand->first.index, operand->second, dot->product->as<Apply>()->args[0]);
    }
    if (statement.as<tile::Assign>() || statement.as<tile::Dot>()) return;
    // The elements that an effect takes together must be in one thread.
    const auto* atomic = statement.as<AtomicStmt>();
    const auto* store = statement.as<StoreStmt>();
    if (atomic || store) {
      const TypedPtr& value = atomic ? atomic->value : store->value;
      const auto old = atomic && atomic->old >= 0 ? layout_of_(atomic->old) : std::nullopt;
      const auto layout = old ? old : result_layout(value, layout_of_);
      if (!layout) return;
      for (const TypedPtr& operand : {value, atomic ? atomic->compare : nullptr, atomic ? atomic->mask : store->mask}) {
        const auto own = operand ? operand_of_broadcast(*layout, operand->shape) : std::nullopt;
        if (own && own->shape == operand->shape) request_operand_layouts(operand, *own, layout_of_, ask);
      }
      return;
    }
    // All others take whole values as they are.
    for (int value : tile::used_by(statement)) {
      if (const auto layout = layout_of_(value)) ask(value, *layout, nullptr);
    }
  }

  void fix_remaining(const tile::Statement& statement) {
    for (int value : tile::touched(program_, statement).defines) {
      if (!has_layout({value}) || find({value})) continue;
      const int64_t moved = moved_.widest(program_.value({value}).shape);
      fix_strided({value}, moved > 0 ? moved : std::max<int64_t>(1, kVectorBytes / bytes({value})),
                  moved > 0 ? "stores move such vectors" : "nothing asks for another");
      propagate_layouts();
    }
  }

  void add(const tile::Statement& statement, tile::ValueId value, const TypedPtr& use, const TypedPtr& part,
           const ValueLayout& from, const ValueLayout& to) {
    if (from == to) return;
    // A statement that names a value twice converts it once.
    for (NeededConversion& other : inferred_.conversions) {
      if (other.statement != &statement || other.value != value || other.part != part) continue;
      if (!(other.from == from) || !(other.to == to)) continue;
      if (use) other.uses.push_back(use);
      return;
    }
    NeededConversion needed{&statement, value, {}, part, from, to};
    if (use) needed.uses.push_back(use);
    inferred_.conversions.push_back(std::move(needed));
  }

  void convert(const tile::Statement& statement) {
    for_each_request(statement, [&](int value, const ValueLayout& layout, const TypedPtr& use) {
      if (const auto has = find({value})) add(statement, {value}, use, nullptr, *has, layout);
    });
    // A reduction or a window is computed where its operand is.
    const auto* assign = statement.as<tile::Assign>();
    const auto wanted = assign && assign->expr ? of_expression(*assign) : std::nullopt;
    if (!wanted) return;
    request_operand_layouts(
        assign->expr, *wanted, layout_of_, [](int, const ValueLayout&, const TypedPtr&) {},
        [&](const TypedPtr& part, const ValueLayout& layout) {
          if (const auto computed = result_layout(part, layout_of_))
            add(statement, assign->value, nullptr, part, *computed, layout);
        });
  }

  const tile::Program& program_;
  const tile::Role& role_;
  int64_t threads_;
  const MovedBlocks moved_;
  std::vector<const tile::Statement*> statements_;
  std::vector<std::vector<int>> open_;  // by statement: values that may still get a layout
  std::vector<size_t> unsettled_;       // statements with such values
  int64_t longest_row_ = 1;             // the most lanes that any reduced row wants
  bool transposes_ = false;             // the role has a transpose
  bool spread_ = false;                 // layouts have not changed since the last spread()
  LayoutOf layout_of_;                  // full layouts: a partial sum is read as the sum
  PartialSums sums_;
  Inferred inferred_;
};

}  // namespace

Inferred infer_layouts(const tile::Program& program, const tile::Role& role, int64_t threads,
                       const std::map<tile::ValueId, ValueLayout>& hints) {
  return Inference(program, role, threads).run(hints);
}

std::vector<NeededConversion> missing_conversions(const tile::Program& program, const tile::Role& role) {
  std::map<tile::ValueId, ValueLayout> layouts;
  for (size_t i = 0; i < program.values.size(); ++i) {
    if (program.values[i].layout) layouts.emplace(tile::ValueId{static_cast<int>(i)}, *program.values[i].layout);
  }
  return Inference(program, role, role.threads()).missing(layouts);
}

}  // namespace pallasgen
