#include "launches.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <map>
#include <set>

namespace pallasgen::vet {

using namespace clang;

namespace {

constexpr int64_t kBudget = 400'000;      // statements of one thread
constexpr int64_t kLength = 300;          // the value of every array entry if entries are lengths
constexpr int64_t kProbeBudget = 60'000;  // statements of one thread while sizes are chosen
constexpr int64_t kMostEvents = 1'500;    // of one thread
constexpr int kProbes = 32;
constexpr int64_t kManyTurns = 3;  // iterations of a loop, or waits at a barrier: more show nothing new

bool has_launch(const Stmt* statement, Effects& effects) {
  if (!statement) return false;
  if (const auto* call = dyn_cast<CallExpr>(statement))
    if (const FunctionDecl* callee = call->getDirectCallee())
      if (effects.of(*callee).verb == "launch") return true;
  for (const Stmt* child : statement->children())
    if (has_launch(child, effects)) return true;
  return false;
}

// Collects the loops of a statement that have effects on other threads.
void loops_of(const Stmt* statement, Effects& effects, std::vector<const Stmt*>& loops) {
  if (!statement || !effects.any(statement)) return;
  if (isa<ForStmt>(statement) || isa<WhileStmt>(statement) || isa<DoStmt>(statement)) loops.push_back(statement);
  for (const Stmt* child : statement->children()) loops_of(child, effects, loops);
}

void functions_of(const DeclContext& scope, const SourceManager& sources, std::vector<const FunctionDecl*>& found) {
  for (const Decl* each : scope.decls()) {
    if (!sources.isInMainFile(sources.getExpansionLoc(each->getLocation()))) continue;
    if (const auto* space = dyn_cast<NamespaceDecl>(each)) functions_of(*space, sources, found);
    if (const auto* function = dyn_cast<FunctionDecl>(each); function && function->doesThisDeclarationHaveABody())
      found.push_back(function);
  }
}

// True if the threads of two warps do the same at the same places of the file.
bool is_same(const Actor& one, const Actor& other) {
  return one.lane == other.lane && one.threads == other.threads &&
         std::equal(one.events.begin(), one.events.end(), other.events.begin(), other.events.end(),
                    [](const Event& a, const Event& b) {
                      return a.verb == b.verb && a.at == b.at && a.place.object == b.place.object &&
                             a.place.low == b.place.low && a.place.high == b.place.high;
                    });
}

}  // namespace

Launches::Launches(ASTContext& context) : context_(context) {}

bool Launches::follow() {
  std::vector<const FunctionDecl*> functions;
  // Skips the declarations of the precompiled headers.
  for (const Decl* each : context_.getTranslationUnitDecl()->noload_decls()) {
    const SourceManager& sources = context_.getSourceManager();
    if (!sources.isInMainFile(sources.getExpansionLoc(each->getLocation()))) continue;
    if (const auto* space = dyn_cast<NamespaceDecl>(each)) functions_of(*space, sources, functions);
    if (const auto* function = dyn_cast<FunctionDecl>(each); function && function->doesThisDeclarationHaveABody())
      functions.push_back(function);
  }
  bool found = false;
  for (const FunctionDecl* function : functions)
    if (!function->isDependentContext() && (function->hasAttr<CUDADeviceAttr>() || function->hasAttr<CUDAGlobalAttr>()))
      loops_of(function->getBody(), effects_, loops_);
  for (const FunctionDecl* function : functions) {
    if (function->hasAttr<CUDADeviceAttr>() || function->hasAttr<CUDAGlobalAttr>()) continue;
    if (!has_launch(function->getBody(), effects_)) continue;
    found = true;
    follow(*function);
  }
  return found;
}

Launches::Case Launches::execute(const FunctionDecl& launcher, const Sizes& sizes, bool all_actors, int unknown_choice,
                                 const Entries& entries) {
  Case result;
  Interpreter& host = interpreters_.emplace_back(context_, effects_);
  std::vector<std::pair<Launch, std::vector<Value>>> found;
  host.thread.on_launch = [&](Launch launch, std::vector<Value> arguments) {
    found.emplace_back(std::move(launch), std::move(arguments));
  };
  host.thread.budget = kBudget;
  std::vector<Value> arguments;
  std::string text;
  size_t next = 0;
  for (const ParmVarDecl* parameter : launcher.parameters()) {
    const QualType type = parameter->getType();
    if (type->isPointerType()) {
      arguments.push_back(address(host.thread.whole(
          host.thread.make_object(Object::Kind::global, type->getPointeeType(), parameter->getName()))));
    } else if (context_.hasSameType(type, context_.getSizeType())) {
      arguments.push_back(integer(int64_t{1} << 40));  // workspace bytes, more than any kernel needs
    } else if (type->isIntegerType() && next < sizes.size()) {
      text += (text.empty() ? "" : ", ") + parameter->getNameAsString() + " = " + std::to_string(sizes[next]);
      arguments.push_back(integer(sizes[next++]));
    } else {
      arguments.push_back(unknown());
    }
  }
  host.run(launcher, arguments);
  llvm::DenseMap<const Stmt*, int> turns;
  std::set<unsigned> places;
  std::map<std::pair<const Object*, int64_t>, int64_t> waits;
  for (auto& [launch, given] : found) {
    const SourceManager& sources = context_.getSourceManager();
    if (!sources.isInMainFile(sources.getExpansionLoc(launch.kernel->getLocation()))) continue;
    Followed followed;
    static_cast<Launch&>(followed) = launch;
    followed.sizes = text;
    Interpreter& device = interpreters_.emplace_back(context_, effects_);
    device.thread.threads = launch.threads;
    device.thread.programs = launch.programs;
    device.thread.unknown_choice = unknown_choice;
    device.thread.entries = entries;
    device.thread.shared = device.thread.make_object(Object::Kind::shared, QualType(), "shared memory");
    device.thread.shared->size = launch.shared_bytes;
    followed.shared = device.thread.shared;
    size_t last_warp = 0;  // index of its first actor
    const int64_t warps = std::min<int64_t>((launch.threads + 31) / 32, 32);
    for (int64_t warp = 0; warp < warps; ++warp) {
      if (!all_actors && warp > 1 && warp != (warps - 1) / 4 * 4) continue;
      const int64_t in_warp = std::min<int64_t>(32, launch.threads - 32 * warp);
      // If warp 1 of a warpgroup does the same as warp 0, then warps 2 and 3 are assumed to do so, too.
      const size_t size = followed.actors.size() - last_warp;
      if (all_actors && warp % 4 > 1 && in_warp == 32 && last_warp >= size &&
          std::equal(followed.actors.begin() + static_cast<long>(last_warp), followed.actors.end(),
                     followed.actors.begin() + static_cast<long>(last_warp - size), is_same)) {
        const size_t copied = last_warp;
        last_warp = followed.actors.size();
        for (size_t i = 0; i < size; ++i) {
          followed.actors.push_back(followed.actors[copied + i]);
          followed.actors.back().warp = static_cast<int>(warp);
        }
        continue;
      }
      last_warp = followed.actors.size();
      // The first lane, the elected lane if there are elections, and one lane for all others.
      device.thread.elected = all_actors && in_warp > 2 ? 1 : 0;
      device.thread.has_elected = false;
      const int lanes = all_actors ? static_cast<int>(std::min<int64_t>(in_warp, 3)) : 1;
      for (int lane = 0; lane < lanes; ++lane) {
        const bool is_last = lane == 2 || in_warp == lane + 1 || (lane == 1 && !device.thread.has_elected);
        Actor actor;
        actor.warp = static_cast<int>(warp);
        actor.lane = lane;
        actor.threads = static_cast<int>(all_actors && is_last ? in_warp - lane : 1);
        device.thread.index = 32 * warp + lane;
        device.thread.fences = 0;
        device.thread.events.clear();
        device.thread.places.clear();
        device.thread.budget = all_actors ? kBudget : kProbeBudget;
        device.run(*launch.kernel, given);
        if (!device.thread.not_followed.empty()) followed.not_followed = device.thread.not_followed;
        actor.events = std::move(device.thread.events);
        actor.role = device.thread.role;
        device.thread.events = {};
        device.thread.forget_objects();
        result.events = std::max<int64_t>(result.events, static_cast<int64_t>(actor.events.size()));
        std::map<std::pair<const Object*, int64_t>, int64_t> mine;
        for (const Event& event : actor.events) {
          places.insert(event.at.getRawEncoding());
          if (event.verb == Verb::barrier_wait) ++mine[{event.place.object, event.place.offset}];
        }
        for (const auto& [key, count] : mine) waits[key] = std::max(waits[key], count);
        followed.actors.push_back(std::move(actor));
        if (is_last) break;
      }
    }
    result.reads_entries = result.reads_entries || device.thread.reads_entries;
    followed.busy_uses = device.thread.busy_uses;
    followed.needed_waits = device.thread.needed_waits;
    for (const auto& [loop, count] : device.thread.turns) turns[loop] = std::max(turns[loop], count);
    result.launches.push_back(std::move(followed));
  }
  result.is_complete = true;
  const auto add = [&](int64_t count) {
    result.score += 10 * std::min(count, kManyTurns);
    result.is_complete = result.is_complete && count >= kManyTurns;
  };
  for (const auto& [loop, count] : turns) add(count);
  for (const Stmt* loop : loops_) result.is_complete = result.is_complete && turns.count(loop) > 0;
  for (const auto& [barrier, count] : waits) add(count);
  result.score += 100 * static_cast<int64_t>(places.size()) - result.events / 64;
  return result;
}

void Launches::follow(const FunctionDecl& launcher) {
  size_t count = 0;
  for (const ParmVarDecl* parameter : launcher.parameters())
    count +=
        parameter->getType()->isIntegerType() && !context_.hasSameType(parameter->getType(), context_.getSizeType());
  Sizes sizes(count, 1);
  Case best;
  for (const int64_t size : {1, 8, 16, 64, 128, 1024}) {
    interpreters_.clear();
    std::fill(sizes.begin(), sizes.end(), size);
    best = execute(launcher, sizes, false, 0);
    if (!best.launches.empty()) break;
  }
  if (best.launches.empty()) {
    not_followed.push_back("no sizes were found with which '" + launcher.getNameAsString() + "' launches its kernel");
    return;
  }
  const Sizes first = sizes;
  int probes = 0;
  for (int round = 0; round < 2 && !best.is_complete; ++round) {
    // The last sizes are usually those of the innermost loops.
    for (size_t i = count; i-- > 0 && !best.is_complete;) {
      // A negative size applies to the previous size too: loops may run over the difference of the two.
      for (const int64_t size : {2, 3, 128, 384, -384, 768, 8192, 65536}) {
        if (size < 0 && i == 0) continue;
        Sizes other = sizes;
        other[i] = std::abs(size);
        if (size < 0) other[i - 1] = -size;
        if (other == sizes || ++probes > kProbes) continue;
        Case next = execute(launcher, other, false, 0);
        if (next.launches.empty() || next.events > kMostEvents || next.score <= best.score) continue;
        best = std::move(next);
        sizes = other;
        if (best.is_complete) break;
      }
    }
  }
  std::vector<Sizes> cases = {sizes};
  for (size_t i = 0; i < count; ++i) {
    for (const int64_t size : {int64_t{0}, first[i]}) {
      Sizes other = sizes;
      other[i] = size;
      if (other != sizes) cases.push_back(other);
    }
  }
  interpreters_.clear();
  const auto check = [&](const Sizes& each, const Entries& entries) {
    Case result = execute(launcher, each, true, 0, entries);
    for (Followed& launch : result.launches) {
      if (!launch.not_followed.empty()) not_followed.push_back(launch.not_followed);
      launches.push_back(std::move(launch));
    }
    return result.reads_entries;
  };
  bool reads_entries = false;
  for (const Sizes& each : cases) reads_entries = check(each, {}) || reads_entries;
  if (!reads_entries) return;
  check(sizes, {.alike = 2});                                   // every second group of rows is empty
  check(sizes, {.first = kLength, .alike = int64_t{1} << 40});  // sequences of a few blocks and a part
}

}  // namespace pallasgen::vet
