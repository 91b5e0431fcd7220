#include "vet.h"

#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "facts.h"
#include "launches.h"
#include "simulate.h"
#include "strict_waits.h"

namespace pallasgen::vet {

using namespace clang;

namespace {

// The facts found in a launch: roles with warps and registers, barriers with the roles that arrive and wait.
nlohmann::ordered_json facts_of(const Launches::Followed& launch, const ASTContext& context) {
  struct Barrier {
    int64_t slots = 0, count = 0, bytes = 0;
    std::set<std::string> arrive, wait;
  };
  std::map<std::string, std::pair<std::set<int>, int64_t>> roles;
  std::map<std::string, Barrier> barriers;
  std::map<std::string, std::set<int64_t>> slots;
  std::map<int64_t, int64_t> named;
  for (const Actor& actor : launch.actors) {
    const std::string role = actor.role.empty() ? launch.kernel->getNameAsString() : actor.role;
    roles[role].first.insert(actor.warp);
    for (const Event& event : actor.events) {
      if (event.verb == Verb::registers_up || event.verb == Verb::registers_down) roles[role].second = event.number;
      if (event.verb == Verb::named_sync || event.verb == Verb::named_arrive) named[event.number] = event.threads;
      const bool is_load = event.verb == Verb::tensor_load || event.verb == Verb::bulk_load;
      const Pointer& place = is_load ? event.other : event.place;
      if (!place.object) continue;
      const bool is_barrier = event.verb <= Verb::copies_arrive;
      if (!is_barrier && !is_load) continue;
      Barrier& each = barriers[array_of(place, context)];
      slots[array_of(place, context)].insert(place.offset);
      if (event.verb == Verb::barrier_init) each.count = event.number;
      if (event.verb == Verb::barrier_arrive_expect) each.bytes = event.number;
      if (event.verb == Verb::barrier_wait) each.wait.insert(role);
      if (event.verb == Verb::barrier_arrive || event.verb == Verb::barrier_arrive_expect ||
          event.verb == Verb::copies_arrive)
        each.arrive.insert(role);
      if (is_load) each.arrive.insert("copies");
    }
  }
  nlohmann::ordered_json json;
  json["kernel"] = launch.kernel->getNameAsString();
  json["sizes"] = launch.sizes;
  json["threads"] = launch.threads;
  json["shared_bytes"] = launch.shared_bytes;
  json["roles"] = nlohmann::ordered_json::array();
  for (const auto& [name, role] : roles) {
    nlohmann::ordered_json each = {{"function", name}, {"warps", role.first}};
    if (role.second > 0) each["registers"] = role.second;
    json["roles"].push_back(each);
  }
  json["barriers"] = nlohmann::ordered_json::array();
  for (const auto& [name, each] : barriers) {
    nlohmann::ordered_json entry = {{"name", name}, {"slots", slots[name].size()}, {"arrivals", each.count}};
    if (each.bytes > 0) entry["bytes"] = each.bytes;
    entry["arrived_on_by"] = each.arrive;
    entry["waited_on_by"] = each.wait;
    json["barriers"].push_back(entry);
  }
  json["named_barriers"] = nlohmann::ordered_json::array();
  for (const auto& [id, threads] : named) json["named_barriers"].push_back({{"id", id}, {"threads", threads}});
  return json;
}

}  // namespace

Report vet(CompilerInstance& compiler, bool wants_facts) {
  Report report;
  ASTContext& context = compiler.getASTContext();
  const SourceManager& sources = context.getSourceManager();
  const SourceLocation start = sources.getLocForStartOfFile(sources.getMainFileID());
  const std::vector<FactLine> lines = fact_lines(sources.getBufferData(sources.getMainFileID()));
  if (lines.empty()) {
    report.findings.push_back(
        {"not-generated",
         start,
         "pallasgen did not write this file: its first line does not say so, and nothing was checked",
         {},
         {}});
    return report;
  }
  Launches launches(context);
  if (!launches.follow()) {
    report.findings.push_back(
        {"no-launch", start, "the file launches no kernel by pallasgen::launch(): nothing was checked", {}, {}});
    return report;
  }
  report.not_checked = launches.not_followed;
  const StatedCounts said = stated_counts(lines);
  std::set<const FunctionDecl*> seen;
  nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
  std::set<std::pair<std::string, unsigned>> known;
  const auto add = [&](Findings found) {
    for (Finding& each : found) {
      if (!known.insert({each.rule, each.at.getRawEncoding()}).second) continue;
      report.findings.push_back(std::move(each));
    }
  };
  for (const Launches::Followed& launch : launches.launches) {
    const bool is_first = seen.insert(launch.kernel).second;
    if (is_first && seen.size() == 1) {
      Findings found;
      check_facts(lines, launch, context, found, report.not_checked);
      add(std::move(found));
    }
    if (is_first) kernels.push_back(facts_of(launch, context));
    if (!launch.not_followed.empty()) continue;
    Findings found;
    check_counts(launch, said, context, found);
    const bool is_sound = found.empty();
    add(std::move(found));
    // The simulation would find a wrong count again, at places that are not the cause.
    if (!is_sound) break;
    simulate(launch, context, found);
    const bool runs = found.empty();
    add(std::move(found));
    if (!runs) break;
  }
  if (report.findings.empty() && is_hand_edited(sources.getBufferData(sources.getMainFileID()))) {
    Findings found;
    check_strict_waits(launches.launches, context, found);
    add(std::move(found));
  }
  std::stable_sort(report.findings.begin(), report.findings.end(),
                   [](const Finding& one, const Finding& other) { return one.at < other.at; });
  if (wants_facts) report.facts = kernels.dump(2);
  return report;
}

}  // namespace pallasgen::vet
