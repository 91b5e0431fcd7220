#include "strict_waits.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <map>

#include "simulate.h"

// Tries each wait with one group more: what is not found wrong then shows that the wait is stricter than it must be.
namespace pallasgen::vet {

using namespace clang;

namespace {

constexpr int64_t kMostGroups = 7;  // that a wait for instructions may leave unfinished

struct Wait {
  SourceLocation at;
  int64_t number = 0;
  bool is_needed = false, completes = false;  // what was not complete before
};

// The waits of all launches, by their places.
std::map<unsigned, Wait> waits_of(const std::vector<Launches::Followed>& launches) {
  std::map<unsigned, Wait> waits;
  for (const Launches::Followed& launch : launches)
    for (const Actor& actor : launch.actors) {
      int64_t commits = 0, complete = 0;
      for (const Event& event : actor.events) {
        commits += event.verb == Verb::wgmma_commit;
        if (event.verb != Verb::wgmma_wait) continue;
        Wait& wait = waits[event.at.getRawEncoding()];
        wait.at = event.at;
        wait.number = std::max(wait.number, event.number);
        wait.is_needed = wait.is_needed || launch.needed_waits.count(event.at.getRawEncoding()) > 0;
        wait.completes = wait.completes || commits - event.number > complete;
        complete = std::max(complete, commits - event.number);
      }
    }
  return waits;
}

bool goes_with(int64_t more, const Wait& wait, const Launch& launch, const ASTContext& context) {
  Launch other = launch;
  for (Actor& actor : other.actors)
    for (Event& event : actor.events)
      if (event.verb == Verb::wgmma_wait && event.at == wait.at) event.number += more;
  Findings found;
  simulate(other, context, found);
  return found.empty();
}

// Whether nothing is wrong in any launch where the wait leaves `more` groups more unfinished.
bool goes_with(int64_t more, const Wait& wait, const std::vector<Launches::Followed>& launches,
               const ASTContext& context) {
  return std::all_of(launches.begin(), launches.end(),
                     [&](const Launch& launch) { return goes_with(more, wait, launch, context); });
}

bool is_strict(const Wait& wait, const std::vector<Launches::Followed>& launches, const ASTContext& context) {
  if (wait.is_needed || !wait.completes || wait.number >= kMostGroups) return false;
  // Where the sizes that are tried show no harm of two groups more either, they show nothing.
  return goes_with(1, wait, launches, context) && !goes_with(2, wait, launches, context);
}

}  // namespace

bool is_hand_edited(StringRef file) {
  StringRef rest = file;
  for (int line = 0; line < 2; ++line) rest = rest.split('\n').second;
  const auto [third, body] = rest.split('\n');
  const StringRef stated = third.split("  content ").second.take_front(16);
  uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a, of all that follows that line
  for (const unsigned char byte : body.bytes()) hash = (hash ^ byte) * 0x100000001b3u;
  return stated != llvm::utohexstr(hash, /*LowerCase=*/true, /*Width=*/16);
}

void check_strict_waits(const std::vector<Launches::Followed>& launches, const ASTContext& context,
                        Findings& findings) {
  for (const auto& [place, wait] : waits_of(launches)) {
    if (!is_strict(wait, launches, context)) continue;
    findings.push_back({"strict-wait",
                        wait.at,
                        "this waits for one group of wgmmas more than what follows needs: it may leave " +
                            std::to_string(wait.number + 1) + " unfinished",
                        {},
                        {}});
  }
}

}  // namespace pallasgen::vet
