#include <algorithm>
#include <set>

#include "comment_text.h"
#include "file_view.h"
#include "spelling.h"

namespace pallasgen {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kFactColumns = 105;  // width of the first line, which ends with the target

std::string padded(std::string text, size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

// The words of the doc as lines of at most `columns` characters.
std::vector<std::string> wrapped(const std::string& text, size_t columns) {
  std::vector<std::string> lines;
  std::string line;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = text.find_first_not_of(" \n", at);
    if (begin == std::string::npos) break;
    at = std::min(text.find_first_of(" \n", begin), text.size());
    const std::string word = text.substr(begin, at - begin);
    if (!line.empty() && line.size() + 1 + word.size() > columns) lines.push_back(std::exchange(line, {}));
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

// The rows as lines with aligned columns.
std::vector<std::string> table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::vector<std::string> lines;
  for (const auto& row : rows) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c) line += c + 1 < row.size() ? padded(row[c], widths[c] + 3) : row[c];
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
  }
  return lines;
}

// {"a", "b", "c"} -> "a, b or c".
std::string listed_or(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

// One row for the barriers that free the stages of several rings; empty if they differ in more than the ring.
std::vector<std::string> empty_barriers(const Plan& plan) {
  std::vector<std::string> names;
  std::set<std::string> slots;
  const BarrierPlan* first = nullptr;
  for (const RingPlan& ring : plan.rings) {
    if (ring.empty < 0) continue;
    const BarrierPlan& barrier = plan.barriers[ring.empty];
    if (ring.suffix.empty()) return {};
    if (first && (barrier.completes_after != first->completes_after || barrier.arrived_by != first->arrived_by ||
                  barrier.waited_by != first->waited_by))
      return {};
    first = first ? first : &barrier;
    names.push_back(ring.suffix.substr(1));
    slots.insert(ring.slot_name);
  }
  if (names.size() < 2) return {};
  constexpr size_t kMostColumns = 16;  // a longer list would widen the table
  const std::string all = listed_or(names), which = all.size() > kMostColumns ? "that ring" : all;
  return {slots.size() == 1 ? "empty_*[" + *slots.begin() + "]" : "empty_*[s_*]", first->completes_after,
          first->arrived_by, first->waited_by, "a stage of " + which + " is free"};
}

std::vector<std::string> barrier_table(const Plan& plan) {
  if (plan.barriers.empty()) return {};
  std::vector<std::vector<std::string>> rows = {
      {"barrier", "completes after", "arrived on by", "waited on by", "means"}};
  const std::vector<std::string> shared = empty_barriers(plan);
  for (const BarrierPlan& barrier : plan.barriers) {
    const auto ring = std::find_if(plan.rings.begin(), plan.rings.end(), [&](const RingPlan& r) {
      const auto is_this = [&](int of) { return of >= 0 && &plan.barriers[of] == &barrier; };
      return is_this(r.full) || is_this(r.empty);
    });
    const std::string slot = "[" + (ring == plan.rings.end() ? "s" : ring->slot_name) + "]";
    const bool frees = ring != plan.rings.end() && ring->empty >= 0 && &plan.barriers[ring->empty] == &barrier;
    if (frees && !shared.empty()) continue;
    rows.push_back(
        {barrier.name + slot, barrier.completes_after, barrier.arrived_by, barrier.waited_by, barrier.means});
  }
  if (!shared.empty()) rows.push_back(shared);
  return table(rows);
}

// The kernel's name and doc, with the target at the end of the first line.
Json title(const Plan& plan) {
  const std::string target = "target " + std::string(plan.target->name);
  const std::string name = plan.kernel->name;
  const std::string text = plan.kernel->doc.empty() ? name : name + ": " + comment_line(plan.kernel->doc);
  const size_t room = kFactColumns - 3 - target.size() - 2;
  std::vector<std::string> lines = wrapped(text, room);
  lines[0] = padded(lines[0], room + 2) + target;
  return lines;
}

}  // namespace

Json facts_view(const Plan& plan) {
  Json lines = Json::array();
  const std::vector<Fact> all = facts(plan);
  size_t width = 0;
  for (const Fact& fact : all) width = std::max(width, fact.label.size());
  for (const Fact& fact : all) {
    for (size_t i = 0; i < fact.lines.size(); ++i)
      lines.push_back(padded(i == 0 ? fact.label : "", width + 4) + fact.lines[i]);
  }
  return {{"title", title(plan)}, {"lines", lines}, {"barriers", barrier_table(plan)}};
}

}  // namespace pallasgen
