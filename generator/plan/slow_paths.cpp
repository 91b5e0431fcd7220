#include "slow_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "copy_proofs.h"
#include "counts.h"
#include "layout/warps.h"
#include "program_walk.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

using namespace program;

// There is a warning from so many times the sectors that would do on, and for so much of all that a kernel touches.
constexpr int64_t kManySectors = 4, kFewestSectors = 8;
constexpr double kMuch = 0.4;
// Threads that take so many bytes each are still near the bandwidth of memory.
constexpr int64_t kEnoughBits = 32;
// Elements along the contiguous dim with which a transposed block is read and written by halves of sectors.
constexpr int64_t kNarrow = 8;

// Whether the entry of an index takes one place or a range of places that are known.
bool is_fixed(const IndexItem& item) {
  const auto* range = std::get_if<IndexSlice>(&item);
  const auto* at = std::get_if<IndexInteger>(&item);
  return (range && constant_value(range->start)) || (at && constant_value(at->value));
}

class SlowPaths {
 public:
  SlowPaths(Draft& draft, const tile::Program& program)
      : draft_(draft),
        program_(program),
        example_(*draft.kernel, *draft.target),
        counted_(count_tile(draft.plan, example_)),
        touched_(counted_.step.touched() * std::max(1.0, counted_.steps) + counted_.tile.touched()) {}

  void warn() {
    for (const ThreadAccess& access : counted_.accesses) {
      if (!told_.insert({access.ref, access.reads}).second) continue;
      if (!warn_of_sectors(access) && !warn_of_elements(access)) told_.erase({access.ref, access.reads});
    }
    for (const RolePlan& role : draft_.plan.roles) {
      warn_of_random_bits(role.program);
      warn_of_half_bytes(role.program);
    }
    for (const tile::Role& role : program_.roles) warn_of_moved_operands(role);
  }

 private:
  // Whether the access is much of what the kernel moves.
  bool is_much(const ThreadAccess& access) const {
    return access.moved.touched * std::max(1.0, counted_.steps) >= kMuch * touched_ && access.of_warp.needed > 0;
  }

  // Neighbouring threads that are far apart in the array.
  bool warn_of_sectors(const ThreadAccess& access) {
    const Ref& ref = draft_.ref(access.ref);
    const Sectors& warp = access.of_warp;
    if (warp.touched < kFewestSectors || warp.touched < kManySectors * warp.needed || !is_much(access)) return false;
    Diagnostic& warning = draft_.diagnostics.warning(
        kPlanSlowPath, place_of_type(ref),
        fmt::format("'{}' is {} across its rows: the neighbours in a warp are rows apart and touch {} sectors of 32 "
                    "bytes, where {} would do",
                    ref.name, access.reads ? "read" : "written", access.of_warp.touched, access.of_warp.needed));
    if (!access.loop) return true;
    const ForElements& loop = *access.loop;
    if (loop.shape.size() != 2 || loop.shape.back().value <= kNarrow || loop.shape.back().text.empty()) return true;
    const std::optional<Sectors> narrow = sectors_of(draft_.plan, example_, access.ref, *access.index, lanes_of(loop));
    const std::string& width = loop.shape.back().text;
    const bool has_name = std::isalpha(static_cast<unsigned char>(width.front())) != 0;
    if (narrow && narrow->touched < kManySectors * narrow->needed && has_name)
      warning.note(fmt::format("with {} {} they touch {}", width, kNarrow, narrow->touched));
    return true;
  }
  // Of a loop like this one whose last dim has kNarrow elements.
  static std::vector<Example::Values> lanes_of(const ForElements& loop) {
    std::vector<Example::Values> lanes;
    for (int lane = 0; lane < kWarp; ++lane) {
      lanes.push_back([&loop, lane](const Symbol& symbol) -> std::optional<int64_t> {
        if (symbol.kind != SymbolKind::loop) return std::nullopt;
        if (symbol.name == loop.coordinates.back()) return lane % kNarrow;
        if (symbol.name == loop.coordinates.front()) return lane / kNarrow;
        return std::nullopt;
      });
    }
    return lanes;
  }

  // Elements of few bits that could be vectors.
  bool warn_of_elements(const ThreadAccess& access) {
    const Ref& ref = draft_.ref(access.ref);
    const int64_t bits = info(ref.dtype).bits;
    if (bits >= kEnoughBits || !is_much(access) || ref.shape.empty() || !access.index || access.index->empty())
      return false;
    const int64_t proved = proved_vector(ref, draft_.facts, index_constant(0), ref.shape.back()).elements;
    if (proved * bits < 2 * kEnoughBits || access.of_warp.touched > access.of_warp.needed) return false;
    tell_reasons(draft_.diagnostics.warning(kPlanSlowPath, place_of_type(ref),
                                            fmt::format("'{}' is {} element by element, where {} could go at once",
                                                        ref.name, access.reads ? "read" : "written", proved)));
    return true;
  }
  // Elements that share bytes, of many threads.
  void warn_of_half_bytes(const Statements& statements) {
    for_each_statement(statements, [&](const Statement& statement) {
      const auto* loop = std::get_if<ForElements>(&statement.node);
      if (!loop || loop->shape.empty()) return;
      for_each_statement(loop->body, [&](const Statement& inner) {
        const auto* store = std::get_if<StoreElement>(&inner.node);
        if (!store || store->ref < 0 || !is_packed(draft_.ref(store->ref).dtype)) return;
        const Ref& ref = draft_.ref(store->ref);
        if (!told_.insert({store->ref, false}).second) return;
        Diagnostic& warning = draft_.diagnostics.warning(
            kPlanSlowPath, place_of_type(ref),
            fmt::format("'{}' is written half a byte at a time, by two atomic operations on the word around each",
                        ref.name));
        warning.note("blocks whose rows are known to be whole bytes are stored by bytes, and elements of i8 or u8");
        tell_reasons(warning);
      });
    });
  }
  // Operands of matrix instructions that are parts or other shapes of blocks, and nothing else: threads move them
  // through tiles.
  void warn_of_moved_operands(const tile::Role& role) {
    std::map<int, TypedPtr> moved;  // by value: what it is, from a tile, of a block
    std::map<int, int> put, got;    // by channel: a value that is put there; by value: the channel that it is got from
    tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
      if (const auto* to = statement.as<tile::Put>(); to && to->value) put[to->entry.channel.index] = to->value.index;
      if (const auto* get = statement.as<tile::Get>()) got[get->value.index] = get->entry.channel.index;
      const auto* assign = statement.as<tile::Assign>();
      if (!assign || !assign->expr) return;
      const Apply* shape = assign->expr->as<Apply>();
      const bool fixed = shape && shape->op == Op::slice &&
                         std::all_of(shape->attributes.items.begin(), shape->attributes.items.end(), is_fixed);
      const bool of_block = shape && (fixed || shape->op == Op::reshape) && shape->args[0]->as<LocalUse>();
      if (of_block && program_.value(assign->value).home == tile::Home::shared)
        moved[assign->value.index] = assign->expr;
      const auto* tile = assign->expr->as<LocalUse>();
      if (const auto from = tile ? moved.find(tile->id) : moved.end(); from != moved.end())
        moved[assign->value.index] = from->second;
    });
    tile::for_each_statement(role.body, [&](const tile::Statement& statement) {
      const auto* dot = statement.as<tile::Dot>();
      if (!dot || !dot->by_unit()) return;
      for (const int value : tile::used_by(statement)) {
        const auto channel = got.find(value);
        const auto from = moved.find(channel == got.end()         ? value
                                     : put.count(channel->second) ? put[channel->second]
                                                                  : -1);
        if (from == moved.end() || !told_operands_.insert(from->second->span.begin).second) continue;
        const bool part = from->second->applies(Op::slice) != nullptr;
        draft_.diagnostics
            .warning(kPlanSlowPath, from->second->span,
                     fmt::format("threads move this operand of tensor cores element by element: {}",
                                 part ? "it is a part of a block" : "it is a block in another shape"))
            .note(
                part ? "a part is copied as a block is where dots take nothing else of the input's block, and where it "
                       "begins at the start of that or the dim is known to hold whole blocks: `multiple_of` their size"
                     : "an input whose block has the operand's shape is copied as it is");
      }
    });
  }
  // Why values go element by element.
  void tell_reasons(Diagnostic& warning) const {
    for (const tile::Decision& decision : program_.decisions) {
      if (decision.by_elements)
        warning.note(fmt::format("'{}' is {}: {}", decision.subject, decision.choice, decision.reason));
    }
  }

  // One word of the four that each call makes.
  void warn_of_random_bits(const Statements& statements) {
    for_each_statement(statements, [&](const Statement& statement) {
      const auto* loop = std::get_if<ForElements>(&statement.node);
      if (!loop || loop->shape.empty() || loop->shape.back().value < 4) return;
      for_each_statement(loop->body, [&](const Statement& inner) {
        for_each_expression(draft_.plan, inner, [&](const TypedPtr& expr) {
          walk(expr, [&](const Typed& node) {
            const Apply* draws = std::get_if<Apply>(&node.node);
            if (!draws || draws->op != Op::random_bits || !told_bits_.insert(node.span.begin).second) return;
            draft_.diagnostics
                .warning(kPlanSlowPath, node.span.source ? node.span : draft_.kernel->span,
                         "each element draws its random bits alone: it computes four words and uses one")
                .note("`bits = random_bits(…)`, used as they lie, are drawn four at a time");
          });
        });
      });
    });
  }

  Draft& draft_;
  const tile::Program& program_;
  const Example example_;
  const CountedTile counted_;
  const double touched_;
  std::set<std::pair<int, bool>> told_;
  std::set<size_t> told_bits_, told_operands_;  // by where they stand in the spec
};

}  // namespace

void warn_of_slow_paths(Draft& draft, const tile::Program& program) { SlowPaths(draft, program).warn(); }

}  // namespace pallasgen
