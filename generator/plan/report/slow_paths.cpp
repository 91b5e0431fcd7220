#include "report/slow_paths.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/cost.h"
#include "plan/traffic.h"
#include "program/index_terms.h"
#include "program/spec_names.h"
#include "report/overwritten.h"

namespace pallasgen {

namespace {

// A plan is slow if it uses more than this multiple of what the problem needs.
constexpr double kTooMuch = 2;
// A warning needs at least this share of the time in which an SM moves and computes its tiles.
constexpr double kShareOfTime = 0.02;
// An array also needs this share of the device-memory traffic; but consecutive accesses of 4 bytes come near the
// memory's bandwidth unless their instructions limit the time.
constexpr double kShareOfBytes = 0.125;
constexpr double kEnoughBytes = 4;
// Instructions overlap with copies: they slow a kernel down only from this share of its time.
constexpr double kShareOfSlots = 0.25;
// A tile's accesses do not need a warning if one or two warps make them at once, nor do a warp's few sectors.
constexpr double kFewestNeeded = 32;
constexpr int64_t kFewestSectors = 8;

// All accesses to an array in one direction.
struct ArrayUse {
  double wanted = 0, once = 0, touched = 0, accesses = 0, needed = 0;
  double narrowest = 0;  // bytes of a lane's access; 0 if only units move it
  Sectors worst = {};    // of one warp
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
    for (const auto& [array, use] : uses_) check_array(array.first, array.second, use);
    check_waiting();
    check_slots();
    check_steps();
    std::stable_sort(found_.begin(), found_.end(),
                     [](const SlowPath& a, const SlowPath& b) { return a.share > b.share; });
    return std::move(found_);
  }

 private:
  void count_uses() {
    for (const ThreadAccess& access : counted_.accesses) {
      if (access.moved.wanted <= 0) continue;  // it does not run in the example
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

  void check_array(int ref, bool reads, const ArrayUse& use) {
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

  // If data are waited for only once, other CTAs of the SM overlap their copies.
  void check_waiting() {
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

  void check_slots() {
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
      const int ref = field >= 0 ? wanted_in_registers(field) : -1;
      // The spec asks for registers, so any access counts.
      if (ref >= 0)
        add({SlowKind::kept, ref, false, field, slots / kSlotsOfAccess, 0}, share_of_slots(slots), kShareOfBytes);
    }
    const double share = share_of_slots(shared);
    const bool told =
        std::any_of(found_.begin(), found_.end(), [&](const SlowPath& path) { return path.field == largest; });
    if (!told && all > kTooMuch * (all - shared) && share >= kShareOfSlots)
      add({SlowKind::slots, -1, false, largest, all, all - shared}, share, 0);
  }
  void check_steps() {
    for (const Overwritten& each : overwritten_in_steps(plan_)) {
      const double all = each.slots * plan_.cost.steps;
      if (plan_.cost.steps <= kTooMuch) continue;
      add({SlowKind::steps, ref_of(plan_.fragments[static_cast<size_t>(each.fragment)].name), false, -1, all,
           each.slots},
          share_of_slots(all - each.slots), 0);
    }
  }
  // The array whose block a fragment of that name holds; -1: there is none.
  int ref_of(const std::string& fragment) const {
    for (const Ref& ref : plan_.kernel->refs) {
      const std::string name = plan_.kernel->identifiers.of(ref.name);
      if (fragment == name || fragment == name + "_block") return static_cast<int>(&ref - plan_.kernel->refs.data());
    }
    return -1;
  }
  // The scratch with space `reg` that the field of shared memory holds; -1 if there is none.
  int wanted_in_registers(int field) const {
    const std::string name = name_in_spec(*plan_.kernel, plan_.shared.fields[static_cast<size_t>(field)].name);
    for (const Ref& ref : plan_.kernel->refs) {
      if (ref.role == RefRole::scratch && ref.space == MemorySpace::reg && ref.name == name)
        return static_cast<int>(&ref - plan_.kernel->refs.data());
    }
    return -1;
  }

  // Shares of the time of an SM that does this for all its tiles.
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
  const double bound_, whole_;                     // seconds without waits: of a step, and of all tiles of an SM
  std::map<std::pair<int, bool>, ArrayUse> uses_;  // by buffer and direction
  std::map<int, double> bytes_;                    // device-memory traffic, by buffer
  double all_bytes_ = 0;
  std::vector<SlowPath> found_;
};

}  // namespace

std::vector<SlowPath> slow_paths(const Plan& plan) { return SlowPaths(plan).run(); }

}  // namespace pallasgen
