#include "strict_waits.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <map>

#include "simulate.h"

// Tries each wait with more groups left unfinished: it waits needlessly for as many as cause no finding.
namespace pallasgen::vet {

using namespace clang;

namespace {

constexpr int64_t kMostGroups = 7;  // most groups that a wait may leave unfinished

// A kind of asynchronous work that threads issue in groups and wait for.
struct Kind {
  Verb commit, wait;
  const char* groups;
};

constexpr Kind kKinds[] = {{Verb::wgmma_commit, Verb::wgmma_wait, "of wgmmas"},
                           {Verb::bulk_commit, Verb::bulk_wait_read, "of stores"},
                           {Verb::async_commit, Verb::async_wait, "of cp.async"}};

struct Wait {
  const Kind* kind = nullptr;
  SourceLocation at;
  int64_t number = 0;
  bool is_needed = false, completes = false;  // `completes`: some group was not complete before
};

using Waits = std::map<unsigned, Wait>;

void add_waits(const Kind& kind, const Launches::Followed& launch, Waits& waits) {
  for (const Actor& actor : launch.actors) {
    int64_t commits = 0, complete = 0;
    for (const Event& event : actor.events) {
      commits += event.verb == kind.commit;
      if (event.verb != kind.wait) continue;
      Wait& wait = waits[event.at.getRawEncoding()];
      wait.kind = &kind;
      wait.at = event.at;
      wait.number = std::max(wait.number, event.number);
      wait.is_needed = wait.is_needed || launch.needed_waits.count(event.at.getRawEncoding()) > 0;
      wait.completes = wait.completes || commits - event.number > complete;
      complete = std::max(complete, commits - event.number);
    }
  }
}

// The waits of all launches, by their places.
Waits waits_of(const std::vector<Launches::Followed>& launches) {
  Waits waits;
  for (const Launches::Followed& launch : launches)
    for (const Kind& kind : kKinds) add_waits(kind, launch, waits);
  return waits;
}

bool goes_with(int64_t more, const Wait& wait, const Launch& launch, const ASTContext& context) {
  Launch other = launch;
  for (Actor& actor : other.actors)
    for (Event& event : actor.events)
      if (event.verb == wait.kind->wait && event.at == wait.at) event.number += more;
  Findings found;
  simulate(other, context, found);
  return found.empty();
}

// True if no launch has a finding when the wait leaves `more` additional groups unfinished.
bool goes_with(int64_t more, const Wait& wait, const std::vector<Launches::Followed>& launches,
               const ASTContext& context) {
  return std::all_of(launches.begin(), launches.end(),
                     [&](const Launch& launch) { return goes_with(more, wait, launch, context); });
}

// The number of additional groups that the wait may leave unfinished; 0 also if no number up to the limit causes a
// finding, as the sizes then prove nothing.
int64_t spare_groups(const Wait& wait, const std::vector<Launches::Followed>& launches, const ASTContext& context) {
  if (wait.is_needed || !wait.completes) return 0;
  for (int64_t more = 1; wait.number + more <= kMostGroups + 1; ++more)
    if (!goes_with(more, wait, launches, context)) return more - 1;
  return 0;
}

}  // namespace

bool is_hand_edited(StringRef file) {
  StringRef rest = file;
  for (int line = 0; line < 2; ++line) rest = rest.split('\n').second;
  const auto [third, body] = rest.split('\n');
  const StringRef stated = third.split("  content ").second.take_front(16);
  uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a of the text after that line
  for (const unsigned char byte : body.bytes()) hash = (hash ^ byte) * 0x100000001b3u;
  return stated != llvm::utohexstr(hash, /*LowerCase=*/true, /*Width=*/16);
}

void check_strict_waits(const std::vector<Launches::Followed>& launches, const ASTContext& context,
                        Findings& findings) {
  for (const auto& [place, wait] : waits_of(launches)) {
    const int64_t more = spare_groups(wait, launches, context);
    if (more == 0) continue;
    const std::string groups = (more == 1 ? "one group " : std::to_string(more) + " groups ") + wait.kind->groups;
    findings.push_back({"strict-wait",
                        wait.at,
                        "this waits for " + groups + " more than what follows needs: it may leave " +
                            std::to_string(wait.number + more) + " unfinished",
                        {},
                        {}});
  }
}

}  // namespace pallasgen::vet
