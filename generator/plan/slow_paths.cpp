#include "slow_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "copy_proofs.h"
#include "cost.h"
#include "plan/traffic.h"
#include "plan/words.h"
#include "program_walk.h"
#include "tile/walk.h"

namespace pallasgen {

namespace {

using namespace program;

// A plan is slow from more than so many times what the problem needs on.
constexpr double kTooMuch = 2;
// It is worth a warning from this share on of the time in which an SM moves and computes what its tiles take.
constexpr double kShareOfTime = 0.02;
// Or of an array that is so much of what the kernel moves from and to device memory; but accesses of 4 bytes that
// follow each other are near the bandwidth of memory as long as their instructions are not what takes the time.
constexpr double kShareOfBytes = 0.125;
constexpr double kEnoughBytes = 4;
// Instructions go on beside copies: a kernel is slow by them where they are so much of its time.
constexpr double kShareOfSlots = 0.25;
// Accesses of a tile that one or two warps make in a turn are not worth a word, nor are so few sectors of a warp.
constexpr double kFewestNeeded = 32;
constexpr int64_t kFewestSectors = 8;
// Notes and tried changes that a warning names at the most.
constexpr size_t kMostNotes = 3;

// All accesses to an array of one direction.
struct ArrayUse {
  double wanted = 0, once = 0, touched = 0, accesses = 0, needed = 0;
  double narrowest = 0;  // bytes of an access of a lane; 0: units alone move it
  Sectors worst = {};    // of a warp
};

class SlowPaths {
 public:
  explicit SlowPaths(const Plan& plan)
      : plan_(plan),
        example_(*plan.kernel, *plan.target),
        device_(device_of(*plan.target)),
        counted_(count_tile(plan, example_)),
        tiles_(tiles_of_sm(plan)),
        bound_(std::max(plan.cost.bandwidth_seconds, plan.cost.rate_seconds)),
        whole_(std::max(1.0, plan.cost.steps) * bound_ + plan.cost.tile_seconds) {}

  std::vector<SlowPath> run() {
    if (whole_ <= 0) return {};
    count_uses();
    for (const auto& [array, use] : uses_) judge(array.first, array.second, use);
    judge_waiting();
    judge_slots();
    std::stable_sort(found_.begin(), found_.end(),
                     [](const SlowPath& a, const SlowPath& b) { return a.share > b.share; });
    return std::move(found_);
  }

 private:
  void count_uses() {
    for (const ThreadAccess& access : counted_.accesses) {
      ArrayUse& use = uses_[{buffer_of(*plan_.kernel, access.ref), access.reads}];
      use.wanted += access.moved.wanted;
      use.once += access.moved.wanted / access.repeats;
      use.touched += access.moved.touched;
      use.accesses += access.accesses;
      use.needed += access.needed;
      if (access.bytes > 0 && (use.narrowest == 0 || access.bytes < use.narrowest)) use.narrowest = access.bytes;
      if (access.of_warp.touched * use.worst.needed >= use.worst.touched * access.of_warp.needed)
        use.worst = access.of_warp;
    }
    for (const ArrayTraffic& array : traffic_of(plan_)) {
      bytes_[buffer_of(*plan_.kernel, array.ref)] += array.memory;
      all_bytes_ += array.memory;
    }
  }

  void judge(int ref, bool reads, const ArrayUse& use) {
    const double of_bytes = all_bytes_ > 0 ? bytes_.at(ref) / all_bytes_ : 0;
    if (use.touched > kTooMuch * use.wanted && use.worst.touched >= kFewestSectors)
      add({SlowKind::sectors, ref, reads, -1, static_cast<double>(use.worst.touched),
           static_cast<double>(use.worst.needed)},
          share_of_sectors(use.touched - use.wanted), of_bytes);
    else if (use.accesses > kTooMuch * use.needed && use.needed >= kFewestNeeded)
      add({SlowKind::accesses, ref, reads, -1, use.accesses, use.needed, use.narrowest},
          share_of_slots(kSlotsOfAccess * (use.accesses - use.needed)), use.narrowest < kEnoughBytes ? of_bytes : 0);
    if (!reads && use.wanted > kTooMuch * use.once)
      add({SlowKind::repeats, ref, reads, -1, use.wanted, use.once}, share_of_sectors(use.wanted - use.once), 0);
  }

  // Where data are waited for once, other CTAs of the SM have theirs under way.
  void judge_waiting() {
    const CostModel& cost = plan_.cost;
    const double more = tiles_.most / tiles_.in_example, bound = bound_ * more;
    const bool in_turns = cost.steps > 1 || cost.latency_seconds > kTooMuch * device_.latency_seconds;
    if (!in_turns || bound <= 0 || cost.latency_seconds <= kTooMuch * bound) return;
    int largest = -1;
    double most = 0;
    for (const auto& [array, use] : uses_) {
      if (array.second && use.wanted > most) largest = array.first, most = use.wanted;
    }
    const double in_flight = cost.bytes_in_flight * more;
    add({SlowKind::waiting, largest, true, -1, in_flight, in_flight * cost.latency_seconds / bound},
        cost.steps * (cost.latency_seconds - bound) / (cost.steps * cost.latency_seconds + more * cost.tile_seconds),
        0);
  }

  void judge_slots() {
    std::map<int, double> of_fields;
    double all = 0, shared = 0;
    for (const Counts* counts : {&counted_.step, &counted_.tile}) {
      const double times = counts == &counted_.step ? std::max(1.0, counted_.steps) : 1;
      all += counts->slots * times;
      for (const auto& [field, slots] : counts->of_fields) {
        of_fields[field] += slots * times;
        shared += slots * times;
      }
    }
    int largest = -1;
    for (const auto& [field, slots] : of_fields) {
      if (field >= 0 && (largest < 0 || slots > of_fields[largest])) largest = field;
    }
    for (const auto& [field, slots] : of_fields) {
      const int ref = field >= 0 ? wanted_in_registers(plan_.shared.fields[static_cast<size_t>(field)].name) : -1;
      // It was asked for, however little it takes.
      if (ref >= 0)
        add({SlowKind::kept, ref, false, field, slots / kSlotsOfAccess, 0}, share_of_slots(slots), kShareOfBytes);
    }
    const double share = share_of_slots(shared);
    const bool told =
        std::any_of(found_.begin(), found_.end(), [&](const SlowPath& path) { return path.field == largest; });
    if (!told && all > kTooMuch * (all - shared) && share >= kShareOfSlots)
      add({SlowKind::slots, -1, false, largest, all, all - shared}, share, 0);
  }
  // The scratch of that name whose space is `reg`; -1: there is none.
  int wanted_in_registers(const std::string& name) const {
    for (const Ref& ref : plan_.kernel->refs) {
      if (ref.role == RefRole::scratch && ref.space == MemorySpace::reg && ref.name == name)
        return static_cast<int>(&ref - plan_.kernel->refs.data());
    }
    return -1;
  }

  // Of an SM that does this for all its tiles.
  double share_of_slots(double slots) const {
    return slots * tiles_.in_example * 2 * device_.sms / device_.flops_f32 / whole_;
  }
  double share_of_sectors(double bytes) const {
    return bytes * tiles_.in_example / (device_.l2_bytes_per_clock * device_.clock_hz) / whole_;
  }
  void add(SlowPath path, double of_time, double of_bytes) {
    path.share = std::max(of_time, of_bytes);
    if (of_time >= kShareOfTime || of_bytes >= kShareOfBytes) found_.push_back(path);
  }

  const Plan& plan_;
  const Example example_;
  const Device& device_;
  const CountedTile counted_;
  const TilesOfSm tiles_;
  const double bound_, whole_;  // seconds of a step and of a tile where nothing is waited for, of all tiles of an SM
  std::map<std::pair<int, bool>, ArrayUse> uses_;  // by buffer and direction
  std::map<int, double> bytes_;                    // of device memory, by buffer
  double all_bytes_ = 0;
  std::vector<SlowPath> found_;
};

// Whether the entry of an index takes one place or a range of places that are known.
bool is_fixed(const IndexItem& item) {
  const auto* range = std::get_if<IndexSlice>(&item);
  const auto* at = std::get_if<IndexInteger>(&item);
  return (range && constant_value(range->start)) || (at && constant_value(at->value));
}

class Warnings {
 public:
  Warnings(Draft& draft, const tile::Program& program, const Kernel& kernel, const TryPlan& plan)
      : draft_(draft), program_(program), kernel_(kernel), plan_(plan) {}

  void warn() {
    const std::vector<SlowPath> found = slow_paths(draft_.plan);
    if (!found.empty() && plan_) tried_ = tried_changes(kernel_, found, plan_);
    for (const SlowPath& path : found) {
      // A dot that goes by elements has a warning of its own.
      if (path.kind == SlowKind::slots && !program_.scalar_dots.empty()) continue;
      Diagnostic& warning = draft_.diagnostics.warning(kPlanSlowPath, place_of(path), text_of(path));
      add_causes(path, warning);
      add_remedies(path, warning);
    }
    for (const RolePlan& role : draft_.plan.roles) warn_of_random_bits(role.program);
    for (const tile::Role& role : program_.roles) warn_of_moved_operands(role);
  }

 private:
  Span place_of(const SlowPath& path) const {
    if (path.ref >= 0) return place_of_type(draft_.ref(path.ref));
    const auto named = [&](const Ref& ref) { return path.field >= 0 && ref.name == field_of(path).name; };
    const auto& refs = draft_.kernel->refs;
    const auto found = std::find_if(refs.begin(), refs.end(), named);
    return found == refs.end() ? draft_.kernel->span : place_of_type(*found);
  }
  const SharedField& field_of(const SlowPath& path) const {
    return draft_.plan.shared.fields[static_cast<size_t>(path.field)];
  }

  std::string text_of(const SlowPath& path) const {
    const std::string name = path.ref >= 0 ? draft_.ref(path.ref).name : "";
    const std::string done = path.reads ? "read" : "written";
    const std::string counted = number_text(path.counted), needed = number_text(path.needed);
    switch (path.kind) {
      case SlowKind::sectors:
        return fmt::format(
            "'{}' is {} by threads that are apart: those of a warp touch {} sectors of 32 bytes, where {} "
            "would do",
            name, done, counted, needed);
      case SlowKind::accesses:
        return fmt::format(
            "'{}' is {} {} at a time: a tile takes {} accesses of threads, where {} of 16 bytes would do", name, done,
            bytes_text(path.each), counted, needed);
      case SlowKind::repeats:
        return fmt::format("'{}' is written to the same place again and again: {} bytes in a tile, where {} would do",
                           name, counted, needed);
      case SlowKind::waiting:
        return fmt::format(
            "threads wait for '{}': an SM has {} bytes under way, and {} would hide the latency of memory", name,
            counted, needed);
      case SlowKind::slots:
        return fmt::format(
            "a tile takes {} instructions of threads, and {} without accesses to shared memory by "
            "elements, most of which are to '{}'",
            counted, needed, path.field >= 0 ? field_of(path).name : "a block");
      case SlowKind::kept:
        return fmt::format(
            "'{}' has the space reg and lies in shared memory: a tile takes {} accesses to it, where "
            "registers take none",
            name, counted);
    }
    return "";
  }
  static std::string number_text(double number) { return grouped(std::max<int64_t>(1, std::llround(number))); }
  static std::string bytes_text(double bytes) {
    return bytes < 1 ? "half a byte" : pallasgen::counted(std::llround(bytes), "byte");
  }

  // What nothing says of the array, and why values go element by element.
  void add_causes(const SlowPath& path, Diagnostic& warning) const {
    size_t notes = 0;
    if (path.kind == SlowKind::accesses) {
      const Ref& ref = draft_.ref(path.ref);
      std::optional<PitchGap> gap =
          ref.strides.empty() ? gap_of_pitch(ref, draft_.facts) : gap_of_strides(ref, draft_.facts);
      if (!gap && !ref.array_shape.empty()) gap = gap_of_extent(ref, draft_.facts);
      if (gap) warning.note(gap->why), ++notes;
      if (path.each < 1) warning.note("two atomic operations on the word around it write half a byte");
    }
    if (path.kind == SlowKind::waiting || path.kind == SlowKind::repeats) return;
    std::set<std::string> told;
    for (const tile::Decision& decision : program_.decisions) {
      if (!decision.by_elements || notes >= kMostNotes || !told.insert(decision.reason).second) continue;
      warning.note(fmt::format("'{}' is {}: {}", decision.subject, decision.choice, decision.reason));
      ++notes;
    }
  }

  // The changes with which the same path is slow no more: several at once where no single one is enough.
  void add_remedies(const SlowPath& path, Diagnostic& warning) const {
    std::vector<std::string> works, fails;
    for (const TriedChange& change : tried_) {
      if (change.together && !works.empty()) continue;
      const bool still = std::any_of(change.slow.begin(), change.slow.end(), [&](const SlowPath& other) {
        return other.kind == path.kind && other.ref == path.ref && other.reads == path.reads;
      });
      const bool longer = change.seconds > draft_.plan.cost.seconds;
      if (still || longer) {
        fails.push_back(change.text);
      } else if (works.size() < kMostNotes) {
        works.push_back(change.text);
        warning.note(fmt::format("{} {}", change.text, change.together ? "work" : "works"));
      }
    }
    if (works.empty() && !fails.empty()) warning.note(fmt::format("tried without help: {}", listed(fails)));
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
  const Kernel& kernel_;  // as the spec says it
  const TryPlan& plan_;
  std::vector<TriedChange> tried_;
  std::set<size_t> told_bits_, told_operands_;  // by where they stand in the spec
};

}  // namespace

std::vector<SlowPath> slow_paths(const Plan& plan) { return SlowPaths(plan).run(); }

void warn_of_slow_paths(Draft& draft, const tile::Program& program, const Kernel& kernel, const TryPlan& plan) {
  Warnings(draft, program, kernel, plan).warn();
}

}  // namespace pallasgen
