#include "counts.h"

#include <clang/AST/Attr.h>

#include <set>

#include "simulate.h"

// Checks that do not depend on the order of the threads: each one sums over all of them.
namespace pallasgen::vet {

using namespace clang;

namespace {

constexpr int64_t kOtherLanes = 30;  // lanes of a warp other than its first and its elected one

std::string counted(int64_t count, const char* word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

struct CountChecker {
  const Launches::Followed& launch;
  const StatedCounts& said;
  const ASTContext& context;
  Findings& findings;

  void report(const char* rule, SourceLocation at, std::string text, SourceLocation other = {}, std::string note = {}) {
    Finding finding{rule, at, std::move(text), {}, {}};
    if (other.isValid()) finding.notes.emplace_back(other, std::move(note));
    findings.push_back(std::move(finding));
  }

  void waits();
  void arrivals();
  void boxes();
  void bytes();
  void named_barriers();
  void registers();
  void sizes();
  void instructions();
};

bool arrives(Verb verb) {
  return verb == Verb::barrier_arrive || verb == Verb::barrier_arrive_expect || verb == Verb::copies_arrive;
}

// Each thread must wait for the phases of a barrier one after another.
void CountChecker::waits() {
  for (const Actor& actor : launch.actors) {
    std::map<int64_t, int64_t> parity;
    for (const Event& event : actor.events) {
      if (event.verb != Verb::barrier_wait || !event.place.object) continue;
      const auto [last, is_first] = parity.try_emplace(event.place.offset, event.number);
      if (!is_first && last->second == event.number) {
        report("wait-parity", event.at,
               "this waits for parity " + std::to_string(event.number) + " of " + name_of(event.place, context) +
                   " twice running: a ring is not advanced, or its phase is another's");
        return;
      }
      last->second = event.number;
    }
  }
}

// Each phase of a barrier must get as many arrivals as its initialisation says.
void CountChecker::arrivals() {
  struct Sum {
    Pointer place;
    int64_t count = -1, arrivals = 0, waits = 0;
    SourceLocation initialised;
    std::map<unsigned, std::pair<SourceLocation, int64_t>> sites;  // most threads of one warp that arrive there
  };
  std::map<int64_t, Sum> sums;
  for (const Actor& actor : launch.actors) {
    std::map<int64_t, int64_t> waits;
    for (const Event& event : actor.events) {
      if (!event.place.object) continue;
      Sum& sum = sums[event.place.offset];
      if (event.verb == Verb::barrier_init) {
        sum.place = event.place;
        sum.count = event.number;
        sum.initialised = event.at;
      } else if (event.verb == Verb::barrier_wait) {
        sum.waits = std::max(sum.waits, ++waits[event.place.offset]);
      } else if (arrives(event.verb)) {
        sum.arrivals += actor.threads;
        auto& site = sum.sites[event.at.getRawEncoding()];
        site.first = event.at;
        site.second = std::max<int64_t>(site.second, actor.threads);
      }
    }
  }
  for (const auto& [offset, sum] : sums) {
    if (sum.count < 0 || sum.waits == 0 || sum.arrivals == 0 || sum.arrivals == sum.count * sum.waits) continue;
    const std::string name = array_of(sum.place, context);
    const auto fact = said.find(name.substr(name.rfind('.') + 1));
    const bool is_count_right = fact != said.end() && fact->second == sum.count;
    // If the comment and the initialisation agree, a whole warp that arrives is too many.
    if (is_count_right) {
      for (const auto& [key, site] : sum.sites) {
        if (site.second < kOtherLanes || sum.count % 32 == 0) continue;
        report("arrivals", site.first,
               "whole warps arrive here on " + name + ", which waits for " + counted(sum.count, "arrival") +
                   " a phase: one thread should",
               sum.initialised, "its count is said here");
        return;
      }
      continue;  // the simulation finds the missing arrival
    }
    if (sum.arrivals % sum.waits != 0) continue;
    report("arrivals", sum.initialised,
           "each phase of " + name + " gets " + counted(sum.arrivals / sum.waits, "arrival") +
               ", but it is initialised for " + std::to_string(sum.count),
           sum.sites.begin()->second.first, "it is arrived on here");
    return;
  }
}

// A copy must stay within its array in shared memory, and all copies together must cover the whole array.
void CountChecker::boxes() {
  std::map<std::pair<const MapInfo*, int64_t>, std::pair<std::set<int64_t>, Pointer>> parts;
  for (const Actor& actor : launch.actors) {
    for (const Event& event : actor.events) {
      if ((event.verb != Verb::tensor_load && event.verb != Verb::tensor_store) || !event.map || !event.place.object)
        continue;
      const int64_t bytes = event.map->bytes();
      if (event.place.is_exact && event.place.offset + bytes > event.place.high) {
        report("box", event.map->at,
               "the box has " + counted(bytes, "byte") + ", but only " +
                   std::to_string(event.place.high - event.place.offset) + " are left of " +
                   name_of(event.place, context) + " where it is copied to or from",
               event.at, "the copy is here");
        return;
      }
      auto& part = parts[{event.map, event.place.low}];
      part.first.insert(event.place.offset);
      part.second = event.place;
    }
  }
  for (const auto& [key, part] : parts) {
    const int64_t whole = part.second.high - part.second.low;
    const int64_t copied = key.first->bytes() * static_cast<int64_t>(part.first.size());
    if (copied < whole && whole % copied != 0) continue;
    // The slots of a ring lie at multiples of 128 bytes.
    constexpr int64_t kAlignment = 128;
    if (copied >= whole || (copied + kAlignment - 1) / kAlignment * kAlignment == whole) continue;
    report("box", key.first->at,
           "copies with this box move " + std::to_string(copied) + " of the " + counted(whole, "byte") + " of " +
               name_of(part.second, context));
    return;
  }
}

// A barrier must expect as many bytes as the copies that complete on it have.
void CountChecker::bytes() {
  struct Sum {
    Pointer place;
    int64_t expected = 0, copied = 0, phases = 0;
    SourceLocation expected_at, copied_at;
    const MapInfo* odd = nullptr;  // a map whose box does not fill its place
  };
  std::map<int64_t, Sum> sums;
  for (const Actor& actor : launch.actors) {
    for (const Event& event : actor.events) {
      if (event.verb == Verb::barrier_arrive_expect && event.place.object) {
        Sum& sum = sums[event.place.offset];
        sum.place = event.place;
        sum.expected += event.number * actor.threads;
        ++sum.phases;
        sum.expected_at = event.at;
      } else if ((event.verb == Verb::tensor_load || event.verb == Verb::bulk_load) && event.other.object) {
        Sum& sum = sums[event.other.offset];
        sum.place = event.other;
        const int64_t bytes = event.map ? event.map->bytes() : event.number;
        sum.copied += bytes * actor.threads;
        sum.copied_at = event.at;
        if (event.map && bytes != event.place.high - event.place.low && event.place.high % bytes != 0)
          sum.odd = event.map;
      }
    }
  }
  for (const auto& [offset, sum] : sums) {
    if (sum.phases == 0 || sum.expected == sum.copied) continue;
    const std::string name = array_of(sum.place, context);
    const std::string text = name + " is told to expect " + counted(sum.expected / sum.phases, "byte") +
                             " a phase, but copies bring " + std::to_string(sum.copied / sum.phases);
    if (sum.odd)
      report("bytes", sum.odd->at, text + ": this box does not fill its place", sum.expected_at,
             "they are expected here");
    else
      report("bytes", sum.expected_at, text, sum.copied_at, "a copy is here");
    return;
  }
}

// As many threads must come to a named barrier as it waits for; any of them may.
void CountChecker::named_barriers() {
  struct Sum {
    std::set<std::pair<int, int>> actors;
    int64_t threads = 0;
    std::map<std::pair<unsigned, int64_t>, std::pair<SourceLocation, int64_t>> sites;  // by count: threads that come
  };
  std::map<int64_t, Sum> sums;
  for (const Actor& actor : launch.actors) {
    std::set<std::tuple<int64_t, unsigned, int64_t>> mine;
    for (const Event& event : actor.events) {
      if (event.verb != Verb::named_sync && event.verb != Verb::named_arrive) continue;
      Sum& sum = sums[event.number];
      if (sum.actors.insert({actor.warp, actor.lane}).second) sum.threads += actor.threads;
      auto& site = sum.sites[{event.at.getRawEncoding(), event.threads}];
      site.first = event.at;
      if (mine.insert({event.number, event.at.getRawEncoding(), event.threads}).second) site.second += actor.threads;
    }
  }
  for (const auto& [id, sum] : sums) {
    const std::pair<SourceLocation, int64_t>* worst = nullptr;
    int64_t wanted = 0;
    for (const auto& [key, site] : sum.sites) {
      if (key.second == sum.threads) continue;
      // Prefers a site to which more threads come than it waits for, otherwise one whose count is wrong.
      if (!worst || site.second > key.second) {
        worst = &site;
        wanted = key.second;
      }
    }
    if (!worst) continue;
    report("named-barrier", worst->first,
           "barrier " + std::to_string(id) + " waits here for " + counted(wanted, "thread") + ", but " +
               std::to_string(sum.threads) + " threads of the CTA use it");
    return;
  }
}

// All warpgroups together may ask for no more registers than the CTA started with.
void CountChecker::registers() {
  if (launch.threads < 128) return;
  const int64_t groups = launch.threads / 128, entry = std::min<int64_t>(65536 / launch.threads / 8 * 8, 255 / 8 * 8);
  std::map<int, int64_t> last;
  SourceLocation up;
  bool any = false;
  for (const Actor& actor : launch.actors) {
    for (const Event& event : actor.events) {
      if (event.verb != Verb::registers_up && event.verb != Verb::registers_down) continue;
      any = true;
      if (event.verb == Verb::registers_up) up = event.at;
      const auto [known, added] = last.try_emplace(actor.group(), event.number);
      if (!added && known->second != event.number) {
        report("registers", event.at,
               "the warps of a warpgroup ask for " + std::to_string(known->second) + " and " +
                   std::to_string(event.number) + " registers: all have to ask for as many");
        return;
      }
      if (event.verb == Verb::registers_down && event.number > entry) {
        report("registers", event.at,
               "a thread starts with " + std::to_string(entry) + " registers and cannot go down to " +
                   std::to_string(event.number));
        return;
      }
    }
  }
  if (!any) return;
  int64_t sum = 0;
  for (int group = 0; group < groups; ++group) sum += last.count(group) ? last.at(group) : entry;
  if (sum > groups * entry && up.isValid())
    report("registers", up,
           "the warpgroups ask for " + std::to_string(sum) + " registers a thread in all, of " +
               std::to_string(groups * entry) + " that " + std::to_string(launch.threads) +
               " threads start with: this waits for ever");
  const auto* bounds = launch.kernel->getAttr<CUDALaunchBoundsAttr>();
  if (!bounds || !bounds->getMinBlocks())
    report("launch-bounds", launch.kernel->getLocation(),
           "set_max_registers is ignored unless the kernel says __launch_bounds__(threads, 1)");
}

void CountChecker::sizes() {
  if (const auto* bounds = launch.kernel->getAttr<CUDALaunchBoundsAttr>()) {
    Expr::EvalResult most;
    if (bounds->getMaxThreads()->EvaluateAsInt(most, context) && most.Val.getInt().getExtValue() != launch.threads)
      report("launch-bounds", bounds->getLocation(),
             "the kernel is launched with " + std::to_string(launch.threads) + " threads, but its bounds say " +
                 std::to_string(most.Val.getInt().getExtValue()),
             launch.at, "it is launched here");
  }
  if (launch.threads % 32 != 0 || launch.threads > 1024)
    report("threads", launch.at,
           "a CTA has whole warps, 1024 threads at most, and not " + std::to_string(launch.threads));
  const QualType type = launch.shared->type;
  if (!type.isNull() && type->isRecordType()) {
    const int64_t size = context.getTypeSizeInChars(type).getQuantity();
    if (launch.shared_bytes < size)
      report("shared-memory", launch.at,
             "the launch gives " + counted(launch.shared_bytes, "byte") + " of shared memory, but the kernel uses " +
                 std::to_string(size));
    if (size > 232448)
      report("shared-memory", launch.at,
             "the kernel uses " + std::to_string(size) + " of 232448 bytes of shared memory");
  }
}

// Rules for each thread alone: fences, commits and waits of wgmma, and the fence after initialising barriers.
void CountChecker::instructions() {
  for (const Actor& actor : launch.actors) {
    SourceLocation open, initialised;
    for (const Event& event : actor.events) {
      switch (event.verb) {
        case Verb::wgmma:
          if (event.number != 0)
            return report("mma-fence", event.at,
                          "no wgmma_fence() stands between these wgmmas and what was done before to their registers");
          open = event.at;
          break;
        case Verb::wgmma_commit:
          open = {};
          break;
        case Verb::wgmma_wait:
          if (open.isValid())
            return report("mma-commit", open, "no wgmma_commit() closes this group of wgmmas before the next wait",
                          event.at, "the wait is here");
          break;
        case Verb::barrier_init:
          initialised = event.at;
          break;
        case Verb::barrier_init_fence:
        case Verb::proxy_fence:
          initialised = {};
          break;
        case Verb::cta_sync:
        case Verb::named_sync:
          if (initialised.isValid())
            return report("barrier-init", initialised,
                          "no fence_barrier_init() of this thread follows before others use the barriers", event.at,
                          "they do from here on");
          break;
        default:
          break;
      }
    }
    if (open.isValid()) return report("mma-commit", open, "no wgmma_commit() closes this group of wgmmas");
  }
  for (const BusyUse& use : launch.busy_uses) {
    report("mma-wait", use.at,
           std::string("registers that wgmma ") + (use.is_written ? "writes" : "reads") +
               " are used here, but no wgmma_wait says that it is done with them",
           use.since, "it is issued here");
    return;
  }
}

}  // namespace

void check_counts(const Launches::Followed& launch, const StatedCounts& said, const ASTContext& context,
                  Findings& findings) {
  CountChecker checker{launch, said, context, findings};
  checker.sizes();
  checker.registers();
  checker.named_barriers();
  checker.boxes();
  if (findings.empty()) checker.bytes();
  checker.arrivals();
  checker.waits();
  checker.instructions();
}

}  // namespace pallasgen::vet
