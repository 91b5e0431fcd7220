#include "report/slow_paths.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>

#include "plan/traffic.h"
#include "planned.h"
#include "program/program_walk.h"

using namespace pallasgen;

namespace {

namespace fs = std::filesystem;

constexpr int kTried = 20;  // changes named by warnings that are planned again

// Returns the specs below a folder that need no header of a user's.
std::vector<std::string> specs_in(const std::string& folder) {
  std::vector<std::string> paths;
  const fs::path root(PALLASGEN_SOURCE_DIR);
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    const std::string path = fs::relative(entry.path(), root).string();
    if (entry.path().extension() == ".yaml" && text_of(path).find("\nextern:") == std::string::npos)
      paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

Planned planned_at(const std::string& path, const std::vector<Define>& defines = {}) {
  return Planned(text_of(path), defines, "", path);
}

std::vector<const Diagnostic*> slow_warnings(const Planned& planned) {
  std::vector<const Diagnostic*> found;
  for (const Diagnostic& diagnostic : planned.diagnostics.all()) {
    if (diagnostic.rule == "slow-path") found.push_back(&diagnostic);
  }
  return found;
}

// Returns the claims in the comments at the top of a case: `# slow: 'x' is read 2 bytes at a time`.
std::multiset<std::string> slow_by_comments(const std::string& text) {
  std::multiset<std::string> wanted;
  std::stringstream lines(text);
  const std::string start = "# slow: ";
  for (std::string line; std::getline(lines, line) && line.rfind(start, 0) == 0;) {
    if (line != start + "nothing") wanted.insert(line.substr(start.size()));
  }
  return wanted;
}

// Returns by array and direction the bytes of the narrowest access of a thread, from the statements of the finished
// plan: without atomics unless they are requested.
std::map<std::pair<int, bool>, double> narrowest_accesses(const Plan& plan, bool atomics = false) {
  std::map<std::pair<int, bool>, double> narrowest;
  const auto add = [&](int ref, bool reads, int64_t elements) {
    const Ref& of = plan.kernel->refs[static_cast<size_t>(ref)];
    const double bytes = static_cast<double>(elements * info(of.dtype).bits) / 8;
    const auto [at, is_new] = narrowest.emplace(std::pair(buffer_of(*plan.kernel, ref), reads), bytes);
    if (!is_new) at->second = std::min(at->second, bytes);
  };
  const auto visit = [&](const program::Statement& statement) {
    if (const auto* load = std::get_if<program::Load>(&statement.node))
      add(load->access.ref, true, load->access.vector.value);
    if (const auto* store = std::get_if<program::StoreGlobal>(&statement.node); store && (atomics || !store->combine))
      add(store->access.ref, false, store->access.vector.value);
    if (const auto* store = std::get_if<program::StoreElement>(&statement.node);
        store && (atomics || !store->atomic) && store->ref >= 0)
      add(store->ref, false, 1);
    if (const auto* copy = std::get_if<program::AsyncCopy>(&statement.node)) {
      const RingOperand& operand =
          plan.rings[static_cast<size_t>(copy->ring)].operands[static_cast<size_t>(copy->operand)];
      if (operand.path != CopyPath::bulk) add(operand.ref, true, copy->access.vector.value);
    }
    for_each_binding(statement, [&](const program::Binding& binding) {
      if (binding.kind == program::SlotKind::global) add(binding.ref, true, 1);
    });
  };
  for (const RolePlan& role : plan.roles) for_each_statement(role.program, visit);
  for (const PartPlan& part : plan.parts) for_each_statement(part.program, visit);
  return narrowest;
}

// Returns the spec with a change such as `stages: 4` or `N: {multiple_of: 8}`.
Planned with_change(const std::string& path, const std::string& change) {
  std::string text = text_of(path);
  text.resize(std::min(text.find("\ntests:"), text.size()));  // their sizes may break the fact
  std::smatch found;
  if (std::regex_match(change, found, std::regex("(\\w+): \\{multiple_of: (\\d+)\\}"))) {
    std::smatch dims;
    const std::string name = found[1];
    const std::regex dim("\\b" + name + ": \\{([^}]*)\\}");
    REQUIRE_MESSAGE(std::regex_search(text, dims, dim), path, name);
    std::string facts = std::regex_replace(dims[1].str(), std::regex(",? ?multiple_of: \\w+"), "");
    facts += (facts.empty() ? "multiple_of: " : ", multiple_of: ") + found[2].str();
    text.replace(static_cast<size_t>(dims.position(1)), dims[1].str().size(), facts);
    return Planned(text, {}, "", path);
  }
  REQUIRE_MESSAGE(std::regex_match(change, found, std::regex("(\\w+): (\\w+)")), change);
  return Planned(text, {{"pipeline." + found[1].str(), found[2]}}, "", path);
}

// The message without its numbers: which array, and what is slow.
std::string what_of(const std::string& message) {
  return std::regex_replace(message, std::regex("(\\d[\\d,]*|half a) ?(bytes?)?"), "#");
}

// Compares explain's text about arrays and values with the statements of the plan that it prints.
void check_words(const Plan& plan, int& widths, int& places) {
  const auto narrowest = narrowest_accesses(plan, true);
  for (const Decision& decision : plan.decisions) {
    if (decision.choice.find("in shared memory, element by element") != std::string::npos) {
      const std::string name = plan.kernel->identifiers.of(decision.subject);
      CHECK_MESSAGE(std::any_of(plan.shared.fields.begin(), plan.shared.fields.end(),
                                [&](const SharedField& field) { return field.name == name; }),
                    decision.subject);
      ++places;
    }
    for (const Ref& ref : plan.kernel->refs) {
      if (decision.subject != "copies of " + ref.name) continue;
      std::set<int64_t> said;
      std::smatch words;
      const std::regex number("(\\d+) elements?");
      for (std::string left = decision.choice; std::regex_search(left, words, number); left = words.suffix())
        said.insert(std::stoll(words[1]));
      if (said.empty()) continue;
      const int buffer = buffer_of(*plan.kernel, static_cast<int>(&ref - plan.kernel->refs.data()));
      int done = 0;
      for (const bool reads : {false, true}) {
        const auto at = narrowest.find({buffer, reads});
        if (at == narrowest.end()) continue;
        const int64_t width = std::llround(at->second * 8 / info(ref.dtype).bits);
        CHECK_MESSAGE(said.count(width) == 1, decision.subject << ": " << decision.choice << ", by " << width);
        ++done;
      }
      CHECK_MESSAGE(done > 0, decision.subject);
      ++widths;
    }
  }
}

// Plans the spec with each change that a warning names, and counts them.
int try_changes(const std::string& path, const Planned& planned) {
  int tried = 0;
  for (const Diagnostic* warning : slow_warnings(planned)) {
    for (const auto& note : warning->notes) {
      std::smatch change;
      if (!std::regex_match(note.message, change, std::regex("`([^`=]*)` works"))) continue;
      INFO(note.message);
      const Planned changed = with_change(path, change[1]);
      REQUIRE_MESSAGE(changed.plan.has_value(), changed.errors());
      for (const Diagnostic* other : slow_warnings(changed))
        CHECK(what_of(other->message) != what_of(warning->message));
      ++tried;
    }
  }
  return tried;
}

}  // namespace

TEST_CASE("each case of tests/slow has the warnings that its comments say, and no others") {
  int slow = 0;
  for (const std::string& path : specs_in("tests/slow")) {
    INFO(path);
    const Planned planned = planned_at(path);
    REQUIRE_MESSAGE(planned.plan.has_value(), planned.errors());
    const std::string text = text_of(path);
    REQUIRE(text.rfind("# slow: ", 0) == 0);
    std::multiset<std::string> wanted = slow_by_comments(text);
    slow += wanted.empty() ? 0 : 1;
    for (const Diagnostic* warning : slow_warnings(planned)) {
      const auto found = std::find_if(wanted.begin(), wanted.end(),
                                      [&](const std::string& each) { return warning->message.rfind(each, 0) == 0; });
      CHECK_MESSAGE(found != wanted.end(), warning->message);
      if (found != wanted.end()) wanted.erase(found);
    }
    for (const std::string& missing : wanted) CHECK_MESSAGE(false, "no warning: " << missing);
  }
  CHECK(slow > 10);
}

// For arrays that are at least an eighth of the bytes that a kernel moves, in blocks of at least a KB: compared with
// the statements of the plan, not with the counts of the rule.
TEST_CASE(
    "large arrays that threads access narrowly have a warning, what has one is accessed so, and explain says so") {
  int narrow = 0, wide = 0, tried = 0, widths = 0, places = 0;
  for (const std::string folder : {"specs", "tests/corners", "tests/slow"}) {
    int number = 0;
    for (const std::string& path : specs_in(folder)) {
      // `make test-all` takes all corners, `make test` one in three.
      if (folder == "tests/corners" && !std::getenv("PALLASGEN_ALL") && number++ % 3 != 0) continue;
      const Planned planned = planned_at(path);
      if (!planned.plan) continue;
      INFO(path);
      const Plan& plan = *planned.plan;
      check_words(plan, widths, places);
      if (tried < kTried) tried += try_changes(path, planned);
      std::map<int, double> bytes;
      double all = 0;
      for (const ArrayTraffic& array : traffic_of(plan)) {
        bytes[buffer_of(*plan.kernel, array.ref)] += array.memory;
        all += array.memory;
      }
      const auto narrowest = narrowest_accesses(plan);
      const std::vector<SlowPath> found = slow_paths(plan);
      const auto has_warning = [&](int ref, bool reads) {
        return std::any_of(found.begin(), found.end(),
                           [&](const SlowPath& path) { return path.ref == ref && path.reads == reads; });
      };
      for (const SlowPath& slow : found) {
        if (slow.kind != SlowKind::accesses) continue;
        REQUIRE(narrowest.count({slow.ref, slow.reads}) == 1);
        CHECK(narrowest.at({slow.ref, slow.reads}) < 8);
        CHECK(slow.each == narrowest.at({slow.ref, slow.reads}));
        ++narrow;
      }
      // A producer's tensor copies move all of it.
      for (const auto& [ref, moved] : bytes) {
        for (const bool reads : {false, true}) {
          if (narrowest.count({ref, reads}) == 0 || narrowest.at({ref, reads}) >= 8) {
            CHECK(std::none_of(found.begin(), found.end(), [&, of = ref](const SlowPath& slow) {
              return slow.kind == SlowKind::accesses && slow.ref == of && slow.reads == reads;
            }));
            ++wide;
          }
        }
      }
      // The only array of an elementwise statement over whole blocks.
      for (const Ref& ref : plan.kernel->refs) {
        const int index = static_cast<int>(&ref - plan.kernel->refs.data());
        int64_t block = info(ref.dtype).bits / 8;
        for (const int64_t size : ref.shape) block *= std::max<int64_t>(size, 0);
        if (ref.role != RefRole::output || ref.alias_of || ref.reduce || block < 1024 || is_view(ref)) continue;
        const auto at = narrowest.find({index, false});
        if (at == narrowest.end() || at->second >= 4 || bytes[index] < all / 8) continue;
        CHECK_MESSAGE(has_warning(index, false), ref.name);
      }
    }
  }
  CHECK(narrow > 40);
  CHECK(wide > 200);
  CHECK(tried >= kTried);
  CHECK(widths > 60);
  CHECK(places > 8);
}

TEST_CASE("what several axes overwrite has remedies of each axis along which its block stays, once each") {
  const std::string of_library = text_of("specs/basics/show_program_ids_fixed.yaml");
  const std::string spec = of_library.substr(0, of_library.find("allow:")), sets = "  - o[...] = 10 * i + j\n";
  REQUIRE(spec.find(sets) != std::string::npos);
  const auto with = [&](std::string text, const std::string& old, const std::string& other) {
    return text.replace(text.find(old), old.size(), other);
  };
  const auto notes = [](const Planned& planned) {
    std::vector<std::string> texts;
    for (const Diagnostic* warning : slow_warnings(planned))
      for (const Note& note : warning->notes) texts.push_back(note.message);
    return texts;
  };
  const std::string i = "i == num_programs(i) - 1", j = "j == num_programs(j) - 1";
  CHECK(notes(Planned(spec)) == std::vector<std::string>{"`when: " + i + " and " + j + "` around what sets 'o' works"});
  // No changes are tried for a warning that the spec allows.
  CHECK(slow_warnings(Planned(of_library)).size() == 1);
  CHECK(notes(Planned(of_library)).empty());
  const std::string last = with(spec, sets, "  - when: " + i + " and " + j + "\n    do:\n    " + sets);
  CHECK(slow_warnings(Planned(last)).empty());
  // A block that moves along i is guarded in each of its steps.
  std::string moving = with(spec, "full(i32, [4, 4], 12)", "full(i32, [8, 4], 12)");
  moving = with(with(moving, "i32[4, 4]", "i32[8, 4]"), "[bm, bn]}", "[bm, bn], index_map: [i, 0]}");
  CHECK(notes(Planned(moving)) == std::vector<std::string>{"`when: " + j + "` around what sets 'o' works"});
}
